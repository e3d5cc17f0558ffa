import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { eventAge, eventAgePhrase, isDelayed } from './event-age.ts'

const now = Date.parse('2026-11-20T12:00:00.000Z')
const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const ageOf = (milliseconds: number) => eventAge(new Date(now - milliseconds).toISOString(), now)

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
  ])('%d ms is %s', (age, words) => {
    expect(ageOf(age)).toBe(words)
  })

  it('reads as a phrase', () => {
    expect(eventAgePhrase(new Date(now - 4 * minute).toISOString(), now)).toBe('4 min ago')
    expect(eventAgePhrase(new Date(now).toISOString(), now)).toBe('Now')
  })

  it('never lets an older event look younger', () => {
    const units = ['Now', 'min', 'h', 'day', 'week']
    const rank = (age: number) => {
      const [first = '', unit] = ageOf(age).split(' ')
      const place = units.indexOf((unit ?? first).replace(/s$/, ''))
      return place * 1_000_000 + (unit ? Number(first) : 0)
    }
    fc.assert(
      fc.property(fc.nat(400 * day), fc.nat(day), (age, more) => {
        expect(rank(age + more)).toBeGreaterThanOrEqual(rank(age))
      }),
    )
  })
})

describe('delayed', () => {
  it('is an event stored at least one hour after the instrument logged it', () => {
    const logGeneratedAt = '2026-11-20T10:00:00.000Z'
    expect(isDelayed({ logGeneratedAt, createdAt: '2026-11-20T11:00:00.000Z' })).toBe(true)
    expect(isDelayed({ logGeneratedAt, createdAt: '2026-11-20T10:59:59.999Z' })).toBe(false)
  })
})
