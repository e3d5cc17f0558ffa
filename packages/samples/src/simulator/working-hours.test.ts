import { describe, expect, it } from 'vitest'
import { nextWorkingInstant, zoneOffset } from './working-hours.ts'

const at = (iso: string) => Date.parse(iso)
const hour = 3_600_000

describe('working hours', () => {
  it('know the offset of a zone, in summer, in winter and by half hours', () => {
    expect(zoneOffset('Europe/Stockholm', at('2026-11-20T12:00:00Z'))).toBe(hour)
    expect(zoneOffset('Europe/Stockholm', at('2026-07-20T12:00:00Z'))).toBe(2 * hour)
    expect(zoneOffset('America/New_York', at('2026-11-20T12:00:00Z'))).toBe(-5 * hour)
    expect(zoneOffset('Australia/Adelaide', at('2026-07-20T12:00:00Z'))).toBe(9.5 * hour)
    expect(zoneOffset('UTC', at('2026-07-20T12:00:00Z'))).toBe(0)
  })

  it.each([
    { when: 'within the day', from: '2026-11-20T12:00:00Z', offset: 0, expected: '2026-11-20T12:00:00Z' },
    { when: 'at 7 sharp', from: '2026-11-20T07:00:00Z', offset: 0, expected: '2026-11-20T07:00:00Z' },
    { when: 'before 7', from: '2026-11-20T05:30:00Z', offset: 0, expected: '2026-11-20T07:00:00Z' },
    { when: 'from 19 on the next morning', from: '2026-11-19T19:00:00Z', offset: 0, expected: '2026-11-20T07:00:00Z' },
    {
      when: 'from Friday evening on Monday',
      from: '2026-11-20T20:00:00Z',
      offset: 0,
      expected: '2026-11-23T07:00:00Z',
    },
    { when: 'on Saturday on Monday', from: '2026-11-21T12:00:00Z', offset: 0, expected: '2026-11-23T07:00:00Z' },
    { when: 'by the clocks of Tokyo', from: '2026-11-19T21:30:00Z', offset: 9, expected: '2026-11-19T22:00:00Z' },
    { when: 'by the clocks of Boston', from: '2026-11-20T11:00:00Z', offset: -5, expected: '2026-11-20T12:00:00Z' },
  ])('$when', ({ from, offset, expected }) => {
    expect(new Date(nextWorkingInstant(at(from), offset * hour)).toISOString()).toBe(expected.replace('Z', '.000Z'))
  })
})
