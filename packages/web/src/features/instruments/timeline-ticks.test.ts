import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { ticksOf } from './timeline-ticks.ts'

/** The clocks there change on 25-Oct-2026 at 03:00 and on 28-Mar-2027 at 02:00. */
beforeAll(() => void vi.stubEnv('TZ', 'Europe/Stockholm'))
afterAll(() => void vi.unstubAllEnvs())

const at = (text: string) => new Date(text).getTime()
const labels = (from: string, to: string, width: number) =>
  ticksOf({ from: at(from), to: at(to) }, width).map(({ label }) => label)

describe('ticks', () => {
  it('stand at even hours, midnight bears the date', () => {
    expect(labels('2026-11-19T20:00:00', '2026-11-20T14:00:00', 400)).toEqual([
      '21:00',
      '20 Nov',
      '03:00',
      '06:00',
      '09:00',
      '12:00',
    ])
  })

  it('stay even across the hour that comes twice', () => {
    expect(labels('2026-10-24T21:00:00', '2026-10-25T12:30:00', 400)).toEqual([
      '21:00',
      '25 Oct',
      '03:00',
      '06:00',
      '09:00',
      '12:00',
    ])
  })

  it('stay even across the hour that is skipped', () => {
    expect(labels('2027-03-27T21:00:00', '2027-03-28T12:30:00', 400)).toEqual([
      '21:00',
      '28 Mar',
      '03:00',
      '06:00',
      '09:00',
      '12:00',
    ])
  })

  it('are days in a week and months in a year', () => {
    expect(labels('2026-11-13T10:00:00', '2026-11-20T10:00:00', 700)).toEqual([
      '14 Nov',
      '15 Nov',
      '16 Nov',
      '17 Nov',
      '18 Nov',
      '19 Nov',
      '20 Nov',
    ])
    expect(labels('2025-11-20T00:00:00', '2026-11-20T00:00:00', 900)).toContain('Jan 2026')
  })

  it.each([320, 700, 1300])('leave room for their labels on %i pixels, from ten minutes to a year', (width) => {
    for (const length of [600_000, 3_600_000, 86_400_000, 7 * 86_400_000, 90 * 86_400_000, 366 * 86_400_000]) {
      const from = at('2026-10-20T11:07:31')
      const ticks = ticksOf({ from, to: from + length }, width)
      const gaps = ticks.slice(1).map(({ left }, index) => ((left - (ticks[index]?.left ?? 0)) / 100) * width)
      expect(ticks.length).toBeGreaterThan(0)
      expect(Math.min(width, ...gaps)).toBeGreaterThan(44)
    }
  })
})
