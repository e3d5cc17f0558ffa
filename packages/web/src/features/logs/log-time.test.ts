import { describe, expect, it } from 'vitest'
import { beginsDay, formatLineDay, formatLineTime, lineTimeTitle } from './log-time.ts'

const at = new Date(2026, 10, 20, 14, 2, 7, 45)

describe('the time of a log line', () => {
  it('has seconds and milliseconds', () => {
    expect(formatLineTime(at)).toBe('14:02:07.045')
    expect(formatLineDay(at)).toBe('Fri 20-Nov-2026')
  })

  it('begins a day at its midnight, and with the first line', () => {
    expect(beginsDay(at, undefined)).toBe(true)
    expect(beginsDay(at, new Date(2026, 10, 20))).toBe(false)
    expect(beginsDay(at, new Date(2026, 10, 19, 23, 59, 59, 999))).toBe(true)
    // A clock that jumps back over midnight starts the previous day again.
    expect(beginsDay(new Date(2026, 10, 19, 23, 59), at)).toBe(true)
  })

  it('names the viewer’s zone, and the instrument’s where clocks differ there', () => {
    const instant = '2026-11-20T14:02:07.045Z'
    expect(lineTimeTitle(instant, null)).toMatch(/^Nov \d+, 2026 @ \d\d:\d\d:07\.045, .+ \(UTC[+-]/u)
    expect(lineTimeTitle(instant, 'Asia/Kathmandu').split('\n')[1]).toBe(
      'At the instrument: Nov 20, 2026 @ 19:47:07.045, Asia/Kathmandu',
    )
    expect(lineTimeTitle(instant, Intl.DateTimeFormat().resolvedOptions().timeZone)).not.toContain('instrument')
    expect(lineTimeTitle(instant, 'Mars/Olympus')).not.toContain('instrument')
  })
})
