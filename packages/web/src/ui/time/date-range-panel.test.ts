import { describe, expect, it, vi } from 'vitest'
import { rangeOfDays, readRange, writeRange } from './date-range-panel.tsx'
import { type RangeKind, rangePresets } from './range-kind.ts'

const now = new Date(2026, 10, 20, 15, 4)
const at = (day: number, hour = 0, minute = 0) => new Date(2026, 10, day, hour, minute)

describe('typed dates', () => {
  it('must be dates', () => {
    expect(readRange({ start: 'soon', stop: '20 November 2026' }, now)).toEqual({
      error: 'Invalid date format',
      field: 'start',
    })
    expect(readRange({ start: '13 November 2026', stop: '31 November 2026' }, now)).toEqual({
      error: 'Invalid date format',
      field: 'stop',
    })
  })

  it.each([
    ['13 November 2026 10:00', '12 November 2026 10:00'],
    ['13 November 2026 10:00', '13 November 2026 10:00'],
    ['13 November 2026', '12 November 2026'],
  ])('must end later than they start: %s to %s', (start, stop) => {
    expect(readRange({ start, stop }, now)).toEqual({ error: 'End date must be later than start date!', field: 'stop' })
  })

  it('include the last minute, and the last day where no time was typed', () => {
    expect(readRange({ start: '13 November 2026 08:00', stop: '13 November 2026 09:30' }, now)).toEqual({
      range: { start: at(13, 8), stop: at(13, 9, 31) },
    })
    expect(readRange({ start: '13 Nov 2026', stop: '13 Nov 2026' }, now)).toEqual({
      range: { start: at(13), stop: at(14) },
    })
  })

  it('later than today become the end of today', () => {
    expect(readRange({ start: '13 Nov 2026', stop: '24 December 2027 18:00' }, now)).toEqual({
      range: { start: at(13), stop: at(21) },
    })
  })

  it('read back what was written', () => {
    const range = { start: at(13, 8, 15), stop: at(20, 23, 1) }
    const texts = writeRange(range)
    expect(texts).toEqual({ start: '13 Nov 2026 08:15', stop: '20 Nov 2026 23:00' })
    expect(readRange(texts, now)).toEqual({ range })
  })
})

describe('clicked days', () => {
  it('are whole days in either order, and nothing lies in the future', () => {
    const range = { start: at(18), stop: at(21) }
    expect(rangeOfDays([at(18), at(20)], now)).toEqual(range)
    expect(rangeOfDays([at(20), at(18)], now)).toEqual(range)
    expect(rangeOfDays([at(18), at(25)], now)).toEqual(range)
  })
})

describe('whole days that may lie ahead', () => {
  const ahead: RangeKind = { presets: () => [], isPast: false, isByDay: true }

  it('are typed without times, and kept as days', () => {
    const range = { start: at(25), stop: at(29) }
    expect(writeRange(range, ahead)).toEqual({ start: '25 Nov 2026', stop: '28 Nov 2026' })
    expect(readRange({ start: '25 Nov 2026', stop: '28 Nov 2026' }, now, ahead)).toEqual({ range })
    expect(readRange({ start: '25 Nov 2026 10:00', stop: '28 Nov 2026 11:00' }, now, ahead)).toEqual({ range })
    expect(rangeOfDays([at(28), at(25)], now, ahead)).toEqual(range)
  })
})

describe('presets', () => {
  it('end today and never start after they end', () => {
    const presets = rangePresets(now)
    expect(presets.find(({ label }) => label === 'Last 7 days')?.range).toEqual({ start: at(13), stop: at(21) })
    for (const { range } of presets) {
      expect(range.start < range.stop).toBe(true)
      expect(range.stop <= at(21)).toBe(true)
    }
  })

  it('begin at midnight, also where a clock change skips the midnight of today', () => {
    vi.stubEnv('TZ', 'Africa/Cairo')
    const yesterday = rangePresets(new Date(2027, 3, 30, 12)).find(({ label }) => label === 'Yesterday')?.range
    expect(yesterday).toEqual({ start: new Date(2027, 3, 29), stop: new Date(2027, 3, 30, 1) })
    vi.unstubAllEnvs()
  })
})
