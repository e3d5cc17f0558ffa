import { expect, it } from 'vitest'
import { readableAge } from './header.tsx'

it.each([
  [0, '0 s'],
  [2999, '2 s'],
  [59_999, '59 s'],
  [60_000, '1 min'],
  [3_599_999, '59 min'],
  [7_200_000, '2 h'],
])('%i ms reads %s', (milliseconds, text) => {
  expect(readableAge(milliseconds)).toBe(text)
})
