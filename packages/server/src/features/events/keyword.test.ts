import fc from 'fast-check'
import { expect, test } from 'vitest'
import { keywordWords } from './keyword.ts'

test('words are folded, cut at blanks and taken once', () => {
  expect(keywordWords('  ÄKTA pure akta\tŁab ').map(({ text }) => text)).toEqual(['akta', 'pure', 'lab'])
})

test('a blank that folding makes separates words too', () => {
  expect(keywordWords('a\u00a0b\u00b4c').map(({ text }) => text)).toEqual(['a', 'b', 'c'])
})

test('what LIKE would read as a wildcard is taken literally', () => {
  expect(keywordWords('50%_\\')[0]?.pattern).toBe('%50\\%\\_\\\\%')
})

test('a word under three letters after folding is short', () => {
  expect(keywordWords('ab abc ß 😀😀').map(({ isShort }) => isShort)).toEqual([true, false, true, true])
})

test.each(['pump', 'orc', 'orc-12x', '12-3', 'xorc-12', 'orc-orc-12'])('%s is no event id', (word) => {
  expect(keywordWords(word)[0]?.eventIds).toBeNull()
})

test.each(['0', 'orc-0123', '1234567890123456'])('%s is the beginning of no event id', (word) => {
  expect(keywordWords(word)[0]?.eventIds).toEqual([])
})

test('digits find event ids that begin with them, with or without ORC-', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 999_999_999 }),
      fc.integer({ min: 1, max: 999_999_999_999_999 }),
      fc.boolean(),
      (typed, id, prefixed) => {
        for (const candidate of [id, Number(`${typed}${String(id).slice(0, 6)}`)]) {
          const [word] = keywordWords(prefixed ? `ORC-${typed}` : String(typed))
          const isFound = word?.eventIds?.some(({ from, to }) => from <= candidate && candidate <= to)
          expect(isFound).toBe(String(candidate).startsWith(String(typed)))
        }
      },
    ),
  )
})
