import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { age, agePhrase } from './age.ts'

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

  it('never lets what is older look younger', () => {
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
