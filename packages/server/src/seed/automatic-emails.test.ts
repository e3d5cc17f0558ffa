import { seededRandom } from '@benchwatch/samples/seeded-random'
import { expect, it } from 'vitest'
import { mailedAbout } from './automatic-emails.ts'
import type { HistoryInstrument, HistoryTemplate } from './history-fixture.store.ts'

it('a support e-mail of the demo consists of sentences', () => {
  const instrument = {
    type: 'AKTAPure',
    productDescription: 'ÄKTA pure 150',
    contact: { name: 'Maria Öberg', email: 'maria@helixbio.example' },
  } as HistoryInstrument
  const template = { severity: 'low', troubleshooting: '<ul><li>Flush the pump</li></ul>' } as HistoryTemplate
  const createdAt = new Date('2026-11-20T14:00:00Z')
  const bodies = Array.from({ length: 40 }, (_, index) => {
    const event = { templateId: `P9-${index}`, description: 'Air in the pump.', createdAt }
    const around = { instrument, template, random: seededRandom(`${index}`), until: new Date('2026-12-01') }
    return mailedAbout(event, around)?.email?.content.body
  }).filter((body) => body !== undefined)
  expect([...new Set(bodies)]).toEqual([
    [
      'Dear Maria Öberg,',
      'Your ÄKTA pure 150 has reported: Air in the pump.',
      'What usually helps:\n- Flush the pump',
      'If it happens again, reply to this e-mail and we will call you.',
    ].join('\n\n'),
  ])
})
