import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { age, agePhrase, formatElapsed, formatSpan } from './duration.ts'

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

describe('age', () => {
  const now = Date.parse('2026-11-20T12:00:00.000Z')
  const minute = 60_000
  const hour = 60 * minute
  const day = 24 * hour
  const ageOf = (milliseconds: number) => age(new Date(now - milliseconds).toISOString(), now)

  describe('relative time', () => {
    it.each([
      [0, 'Now'],
      [-hour, 'Now'],
      [minute - 1, 'Now'],
      [minute, '1 min'],
      [hour - 1, '59 min'],
      [hour, '1 h'],
      [day - 1, '23 h'],
      [day, '1 day'],
      [2 * day, '2 days'],
      [10 * day, '10 days'],
      [11 * day - 1, '10 days'],
      [11 * day, '2 weeks'],
      [21 * day, '3 weeks'],
      [365 * day, '52 weeks'],
    ])('%d ms is %s', (passed, words) => {
      expect(ageOf(passed)).toBe(words)
    })

    it('reads as a phrase', () => {
      expect(agePhrase(new Date(now - 4 * minute).toISOString(), now)).toBe('4 min ago')
      expect(agePhrase(new Date(now).toISOString(), now)).toBe('Now')
    })

    it('never makes an older time look younger', () => {
      const units = ['Now', 'min', 'h', 'day', 'week']
      const rank = (passed: number) => {
        const [first = '', unit] = ageOf(passed).split(' ')
        const place = units.indexOf((unit ?? first).replace(/s$/, ''))
        return place * 1_000_000 + (unit ? Number(first) : 0)
      }
      fc.assert(
        fc.property(fc.nat(400 * day), fc.nat(day), (passed, more) => {
          expect(rank(passed + more)).toBeGreaterThanOrEqual(rank(passed))
        }),
      )
    })
  })
})
