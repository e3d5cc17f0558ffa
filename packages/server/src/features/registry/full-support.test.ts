import { fullSupportTerms } from '@benchwatch/contract/vocabulary'
import { describe, expect, it } from 'vitest'
import { dayAt, isFullSupport } from './full-support.ts'

const contract = (slaTerm: string | null, startDate: string | null = null, endDate: string | null = null) => ({
  slaTerm,
  startDate,
  endDate,
})

describe('24-hour contract', () => {
  it('holds for every fixed term', () => {
    const regions =
      'Global, EMEA, Americas, North America, Latin America, APAC, Japan, China, India, Korea, ANZ, Nordics, DACH, UK&I, France, Benelux, Iberia, Italy, CEE, Middle East, Africa'
    const terms = [...regions.split(', ').map((region) => `24/7 ${region}`), 'Platinum 24/7', 'Premium 24x7']
    expect(terms).toHaveLength(23)
    expect(fullSupportTerms.toSorted()).toEqual(terms.toSorted())
    for (const term of terms) expect(isFullSupport(contract(term), '2026-11-20')).toBe(true)
  })

  it.each(['24h response', '24 hrs', 'Next day, 24 Hours in EMEA', '24  HOUR'])(
    'holds for the free term %s',
    (term) => {
      expect(isFullSupport(contract(term), '2026-11-20')).toBe(true)
    },
  )

  it.each(['24/7', '24/7 Mars', 'Next business day', '124 h', '24 hubs', '', null])('does not hold for %s', (term) => {
    expect(isFullSupport(contract(term), '2026-11-20')).toBe(false)
  })

  it('does not hold without a contract', () => {
    expect(isFullSupport(null, '2026-11-20')).toBe(false)
  })

  it.each([
    ['2026-01-01', false],
    ['2026-01-02', true],
    ['2026-11-20', true],
    ['2026-11-21', false],
  ])('runs from its first to its last day: %s is %s', (day, runs) => {
    expect(isFullSupport(contract('24h', '2026-01-02', '2026-11-20'), day)).toBe(runs)
  })

  it('takes the day at the site', () => {
    const instant = new Date('2026-11-21T03:30:00.000Z')
    expect(dayAt('America/Los_Angeles', instant)).toBe('2026-11-20')
    expect(dayAt('UTC', instant)).toBe('2026-11-21')
    expect(dayAt('Asia/Tokyo', new Date('2026-11-20T15:00:00.000Z'))).toBe('2026-11-21')
  })
})
