import { expect, it } from 'vitest'
import { joinArabic, mapTexts } from './pdf-document.tsx'

it('every text of a report is changed, wherever it stands', () => {
  const report = { head: { title: 'a' }, rows: [['b', null], [{ text: 'c' }]], count: 3 }
  expect(mapTexts(report, (text) => `${text}!`)).toEqual({
    head: { title: 'a!' },
    rows: [['b!', null], [{ text: 'c!' }]],
    count: 3,
  })
})

it.each([
  ['the name of a customer', 'دلتا للعمليات الحيوية', 'ﺩﻟﺘﺎ ﻟﻠﻌﻤﻠﻴﺎﺕ ﺍﻟﺤﻴﻮﻳﺔ'],
  ['lam and alef as one', 'سلام لا', 'ﺳﻼﻡ ﻻ'],
  ['what joins no next letter', 'دار ماء', 'ﺩﺍﺭ ﻣﺎﺀ'],
  ['marks between letters', 'مُحَمَّد', 'ﻣُﺤَﻤَّﺪ'],
  ['Persian letters', 'پیچ', 'ﭘﯿﭻ'],
])('Arabic letters have the forms in which they join: %s', (_what, text, joined) => {
  expect(joinArabic(text)).toBe(joined)
  expect(joined.normalize('NFKC')).toBe(text.normalize('NFKC'))
})

it('other scripts stay as they are', () => {
  expect(joinArabic('ÄKTA 東京 שלום')).toBe('ÄKTA 東京 שלום')
})
