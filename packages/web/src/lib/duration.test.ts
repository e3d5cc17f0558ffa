import { expect, it } from 'vitest'
import { formatElapsed, formatSpan } from './duration.ts'

it.each([
  [0, '00d / 00h / 00m'],
  [59, '00d / 00h / 00m'],
  [60, '00d / 00h / 01m'],
  [3599, '00d / 00h / 59m'],
  [3600, '00d / 01h / 00m'],
  [86_399, '00d / 23h / 59m'],
  [11 * 86_400 + 7 * 3600 + 120, '11d / 07h / 02m'],
  [123 * 86_400, '123d / 00h / 00m'],
])('an elapsed time of %i s reads %s', (seconds, text) => {
  expect(formatElapsed(seconds)).toBe(text)
})

it.each([
  [-3, '0 s'],
  [0, '0 s'],
  [59.9, '59 s'],
  [60, '1 min'],
  [108, '1 min 48 s'],
  [3600, '1 h'],
  [3659, '1 h'],
  [86_160, '23 h 56 min'],
  [86_400, '1 day'],
  [2 * 86_400 + 4 * 3600 + 59, '2 days 4 h'],
])('a span of %d s reads %s', (seconds, text) => {
  expect(formatSpan(seconds)).toBe(text)
})
