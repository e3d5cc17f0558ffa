import { expect, test } from 'vitest'
import { holdsWords, likePattern, wordsOf } from './words.ts'

test.each([
  ['akta', true],
  ['PILOT  äkta', true],
  ['pil upp', true],
  ['pilot oslo', false],
  ['', true],
  [' ', true],
  ['%', false],
])('the words of "%s" are all in the text: %s', (keyword, expected) => {
  expect(holdsWords(keyword)('ÄKTA pilot 600 PILOT-UPP-02')).toBe(expected)
})

test('words are folded, and each is one', () => {
  expect(wordsOf('  ÄKTA pure akta\tŁab ')).toEqual(['akta', 'pure', 'lab'])
})

test('pattern characters of LIKE are literal', () => {
  expect(likePattern('50%_\\')).toBe('%50\\%\\_\\\\%')
})
