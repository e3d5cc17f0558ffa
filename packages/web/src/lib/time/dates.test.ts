import { describe, expect, it } from 'vitest'
import {
  endOfDay,
  formatClockInZone,
  formatEventDate,
  formatEventTime,
  formatInstrumentDate,
  formatRange,
  formatTooltipTime,
  formatWholeRange,
  formatZone,
} from './dates.ts'

const afternoon = new Date(2026, 10, 5, 14, 2)

describe('dates as read', () => {
  it('have the formats of the events area', () => {
    expect(formatEventDate(afternoon)).toBe('5-Nov-2026')
    expect(formatEventTime(afternoon.toISOString())).toBe('5-Nov-2026 14:02')
    expect(formatTooltipTime(afternoon)).toBe('Nov 5, 2026 @ 14:02')
  })

  it('have two digits of the day in the instruments area, and a day without a time is that day', () => {
    expect(formatInstrumentDate(afternoon)).toBe('05-Nov-2026')
    expect(formatInstrumentDate('2026-11-05')).toBe('05-Nov-2026')
    expect(formatInstrumentDate(null)).toBe('–')
  })

  it('of another place show weekday and time there, or nothing for an unknown zone', () => {
    expect(formatClockInZone('2026-11-20T23:30:00.000Z', 'Asia/Tokyo')).toBe('Sat 08:30')
    expect(formatClockInZone('2026-11-21T05:00:00.000Z', 'America/New_York')).toBe('Sat 00:00')
    expect(formatClockInZone('2026-11-20T13:30:00.000Z', 'Atlantis/Lost')).toBeNull()
  })

  it('are a dash where there is none', () => {
    expect(formatEventDate(null)).toBe('–')
    expect(formatEventDate('never')).toBe('–')
  })

  it('name the last day of a range, not the midnight after it', () => {
    const stop = endOfDay(new Date(2026, 10, 20))
    expect(formatRange(new Date(2026, 10, 13), stop)).toBe('13 Nov – 20 Nov 2026')
    expect(formatRange(new Date(2025, 11, 31), stop)).toBe('31 Dec 2025 – 20 Nov 2026')
    expect(formatRange(new Date(2026, 10, 20), stop)).toBe('20 Nov 2026')
    expect(formatRange(new Date(0), stop)).toBe('Until 20 Nov 2026')
  })

  it('include the times of a range that does not consist of whole days', () => {
    const morning = new Date(2026, 10, 20, 8)
    const noon = new Date(2026, 10, 21, 12, 31)
    expect(formatRange(morning, noon)).toBe('20 Nov 08:00 – 21 Nov 2026 12:30')
    expect(formatRange(new Date(2025, 11, 31, 8), noon)).toBe('31 Dec 2025 08:00 – 21 Nov 2026 12:30')
    expect(formatRange(morning, endOfDay(noon))).toBe('20 Nov 08:00 – 21 Nov 2026 23:59')
    expect(formatRange(new Date(2026, 10, 21), noon)).toBe('21 Nov 2026 00:00 – 12:30')
    expect(formatRange(new Date(0), noon)).toBe('Until 21 Nov 2026 12:30')
    expect(formatWholeRange(morning, noon)).toBe(`Nov 20, 2026 @ 08:00 – Nov 21, 2026 @ 12:30, ${formatZone(noon)}`)
    expect(formatWholeRange(new Date(0), endOfDay(noon))).toMatch(/^Until Nov 21, 2026 @ 23:59, .+\(UTC/)
  })

  it('come with the zone and its offset', () => {
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
    expect(formatZone(afternoon)).toMatch(/^.+ \(UTC[+-]\d{1,2}(:\d\d)?\)$/)
    expect(formatZone(afternoon).startsWith(zone)).toBe(true)
  })
})
