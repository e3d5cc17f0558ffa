import { expect, it } from 'vitest'
import { folded, midSentence } from './folded.ts'

it.each([
  ['Öberg', 'oberg'],
  ['ÄKTA', 'akta'],
  ['Søren Łuczak', 'soren luczak'],
  ['Weiß', 'weiss'],
  ['ÆRØ Đorđe', 'aero dorde'],
  ['佐藤', '佐藤'],
])('%s is found as %s', (text, key) => {
  expect(folded(text)).toBe(key)
})

it.each([
  ['Contract SLA', 'contract SLA'],
  ['ORC status', 'ORC status'],
  ['E-mail sent', 'e-mail sent'],
])('%s is written %s within a sentence', (label, written) => {
  expect(midSentence(label)).toBe(written)
})
