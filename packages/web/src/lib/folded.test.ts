import { expect, it } from 'vitest'
import { folded } from './folded.ts'

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
