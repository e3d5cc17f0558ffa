import fc from 'fast-check'
import { expect, it } from 'vitest'
import { TEMPLATE_ID } from '../patterns.ts'
import { namedTemplateId, templateIdOf } from './template-ids.ts'

it.each([
  ['P9-B', '1042', 'P9-B-1042'],
  ['Pump B', 'HighHigh', 'Pump-B-HighHigh'],
  ['P9-B', 'Überdruck hoch', 'P9-B-Uberdruck_hoch'],
  ['ULT', ' Door  open ', 'ULT-Door_open'],
  ['LADS', 'Temp.High_2', 'LADS-Temp.High_2'],
  // Laboratories register event templates under these ids, so none of them may ever change.
  ['LADS', 'O₂ > 20 %', 'LADS-O2_20_79a40373'],
  ['ULT', '温度过高', 'ULT-8b95ec77'],
  ['ULT', 'a'.repeat(41), `ULT-${'a'.repeat(31)}_ec613944`],
  ['', '', '811c9dc5-811c9dc5'],
])('the condition %j %j has the template id %s', (module, condition, id) => {
  expect(namedTemplateId({ module, condition })).toBe(id)
})

it.each([
  ['P9-B-1042', 'P9-B-1042'],
  ['BIO-Door open', 'BIO-Door_open'],
  ['BIO-Tank 1-High', 'BIO-Tank_1_High_ad00fb49'],
  ['Door open', 'X-Door_open'],
])('the text %j of a rule means the template id %s', (text, id) => {
  expect(templateIdOf(text)).toBe(id)
})

it('a template id made of any names is valid, always the same, and different for different names', () => {
  const name = fc.string({ unit: 'grapheme', maxLength: 80 })
  fc.assert(
    fc.property(name, name, name, (module, condition, other) => {
      const id = namedTemplateId({ module, condition })
      expect(id).toMatch(TEMPLATE_ID)
      expect(namedTemplateId({ module, condition })).toBe(id)
      // Accents and spaces do not count, nor do two spellings that Unicode calls compatible.
      const plain = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').trim().replace(/\s+/g, '_')
      if (plain(condition) !== plain(other)) expect(namedTemplateId({ module, condition: other })).not.toBe(id)
    }),
  )
})
