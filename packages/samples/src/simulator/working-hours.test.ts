import { describe, expect, it } from 'vitest'
import { dayAt, midnight, nextWorkingInstant, zoneOffset } from './working-hours.ts'

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

describe('days of a zone', () => {
  it('run from midnight to midnight by its clocks', () => {
    expect(dayAt('Asia/Tokyo', at('2026-11-20T16:00:00Z'))).toBe('2026-11-21')
    expect(midnight('Asia/Tokyo', at('2026-11-20T16:00:00Z'), 'begins')).toBe(at('2026-11-20T15:00:00Z'))
    expect(midnight('Asia/Tokyo', at('2026-11-20T16:00:00Z'), 'ends')).toBe(at('2026-11-21T15:00:00Z'))
  })

  it.each([
    { zone: 'Europe/Berlin', from: '2026-10-20T00:00:00Z' },
    { zone: 'Europe/Berlin', from: '2026-03-25T00:00:00Z' },
    { zone: 'America/New_York', from: '2026-10-29T12:00:00Z' },
    // Clocks go forward at midnight: that day begins at 01:00.
    { zone: 'America/Santiago', from: '2026-09-02T00:00:00Z' },
    { zone: 'America/Santiago', from: '2026-04-01T00:00:00Z' },
  ])('follow each other without gap where clocks are changed: $zone, $from', ({ zone, from }) => {
    let now = at(from)
    const days = new Set([dayAt(zone, now)])
    for (let count = 1; count <= 10; count++) {
      const next = midnight(zone, now, 'ends')
      expect(next).toBeGreaterThan(now)
      expect(dayAt(zone, next - 1)).toBe(dayAt(zone, now))
      expect(midnight(zone, next, 'begins')).toBe(next)
      now = next
      days.add(dayAt(zone, now))
    }
    expect(days.size).toBe(11)
  })
})
