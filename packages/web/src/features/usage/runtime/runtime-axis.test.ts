import { describe, expect, it } from 'vitest'
import { addDays } from '../../../lib/time/zone-clock.ts'
import {
  dayLabel,
  dayLabels,
  formatHours,
  type RuntimeDay,
  runtimeAreas,
  runtimeBars,
  runtimeDays,
  runtimeGaps,
  runtimeTotals,
  todayAt,
} from './runtime-axis.ts'

const plot = { width: 700, height: 240 }
/** Returns days up to 20-Nov-2026, the last of which is today. */
const days = (...hours: (number | null)[]): RuntimeDay[] =>
  hours.map((value, index) => ({
    day: addDays('2026-11-20', index - hours.length + 1),
    hours: value,
    isToday: index === hours.length - 1,
  }))

describe('the days of a chart', () => {
  it('are each of the last days; one that is absent on the wire has no hours, which is not 0', () => {
    const points = [
      { time: '2026-11-18', value: 0 },
      { time: '2026-11-20', value: 5400 },
    ]
    expect(runtimeDays(points, { today: '2026-11-20', numberOfDays: 4 })).toEqual([
      { day: '2026-11-17', hours: null, isToday: false },
      { day: '2026-11-18', hours: 0, isToday: false },
      { day: '2026-11-19', hours: null, isToday: false },
      { day: '2026-11-20', hours: 1.5, isToday: true },
    ])
  })

  it('are 365 of them, over a leap day and both changes of clocks, each once', () => {
    const year = runtimeDays([], { today: '2028-04-02', numberOfDays: 365 })
    expect(year).toHaveLength(365)
    expect(new Set(year.map(({ day }) => day)).size).toBe(365)
    expect(year[0]?.day).toBe('2027-04-04')
    expect(year.map(({ day }) => day)).toContain('2028-02-29')
    expect(year.at(-1)).toEqual({ day: '2028-04-02', hours: null, isToday: true })
  })

  it('end with the newest that the server knows, where the clock of this machine is behind', () => {
    const [first, last] = runtimeDays([{ time: '2026-11-21', value: 60 }], { today: '2026-11-20', numberOfDays: 2 })
    expect([first?.day, last?.day, last?.isToday]).toEqual(['2026-11-20', '2026-11-21', true])
  })

  it('never have more than 24 hours: a day on which clocks go back has 25, and the axis ends at 24', () => {
    expect(
      runtimeDays([{ time: '2026-10-25', value: 90_000 }], { today: '2026-10-25', numberOfDays: 1 })[0]?.hours,
    ).toBe(24)
  })

  it('are days at the site', () => {
    const now = Date.parse('2026-11-20T23:30:00Z')
    expect(todayAt('Europe/Stockholm', now)).toBe('2026-11-21')
    expect(todayAt('America/New_York', now)).toBe('2026-11-20')
    expect(todayAt('Mars/Olympus', now)).toBe('2026-11-20')
  })
})

describe('bars', () => {
  it('stand on an axis from 0 to 24 hours; no data are no bar, and 0 hours are one without height', () => {
    const bars = runtimeBars(days(24, null, 0, 6), plot)
    expect(bars.map(({ day, y, height }) => [day, y, height])).toEqual([
      ['2026-11-17', 0, 240],
      ['2026-11-19', 240, 0],
      ['2026-11-20', 180, 60],
    ])
  })

  it('stand in the middle of their days', () => {
    const [bar] = runtimeBars(days(1, 1, 1, 1, 1, 1, 1), plot)
    expect((bar?.x ?? 0) + (bar?.width ?? 0) / 2).toBeCloseTo(50)
  })
})

describe('areas', () => {
  it('break where there are no data, and show a single day as wide as it is', () => {
    const areas = runtimeAreas(days(12, null, 24, 0), { width: 400, height: 240 })
    expect(areas.map(({ area }) => area)).toEqual([
      'M0 120L50 120L100 120L100 240L0 240Z',
      'M200 0L250 0L350 240L400 240L400 240L200 240Z',
    ])
    expect(areas[0]?.line).toBe('M0 120L50 120L100 120')
  })

  it('hold a year', () => {
    const [area, ...others] = runtimeAreas(days(...Array.from({ length: 365 }, () => 6)), plot)
    expect(others).toEqual([])
    expect(area?.line.split('L')).toHaveLength(367)
  })
})

it('days without data that follow each other are one gap, and today is none', () => {
  expect(runtimeGaps(days(null, null, 1, null, 1, 1, null), plot)).toEqual([
    { from: '2026-11-14', to: '2026-11-15', count: 2, x: 0, width: 200 },
    { from: '2026-11-17', to: '2026-11-17', count: 1, x: 300, width: 100 },
  ])
})

describe('sum and mean', () => {
  it('count today in the sum and not in the mean, and days without data in neither', () => {
    expect(runtimeTotals(days(10, null, 0, 3))).toEqual({ sum: 13, mean: 5, wholeDays: 2, absentDays: 1 })
  })

  it('have no mean where no day is over', () => {
    expect(runtimeTotals(days(null, 3))).toEqual({ sum: 3, mean: null, wholeDays: 0, absentDays: 1 })
    expect(runtimeTotals(days(null, null))).toEqual({ sum: 0, mean: null, wholeDays: 0, absentDays: 1 })
  })
})

describe('names below the axis', () => {
  const texts = (count: number, most: number) =>
    dayLabels(days(...Array.from({ length: count }, () => 1)), { most, width: 700 }).map(({ text }) => text)

  it('are weekdays of a week, in the middle of their days', () => {
    expect(texts(7, 12)).toEqual(['Sat 14', 'Sun 15', 'Mon 16', 'Tue 17', 'Wed 18', 'Thu 19', 'Fri 20'])
    expect(dayLabels(days(1, 1), { most: 9, width: 200 }).map(({ x }) => x)).toEqual([50, 150])
  })

  it('are days of a month counted back from the last, as many as there is room for', () => {
    expect(texts(30, 6)).toEqual(['26 Oct', '31 Oct', '5 Nov', '10 Nov', '15 Nov', '20 Nov'])
    expect(texts(30, 3)).toEqual(['31 Oct', '10 Nov', '20 Nov'])
  })

  it('are months of a year where they begin, the year in place of January', () => {
    expect(texts(365, 12)).toEqual([
      'Dec',
      '2026',
      'Feb',
      'Mar',
      'Apr',
      'May',
      'Jun',
      'Jul',
      'Aug',
      'Sep',
      'Oct',
      'Nov',
    ])
    expect(texts(365, 5)).toEqual(['2026', 'Apr', 'Jul', 'Oct'])
    const december = dayLabels(days(...Array.from({ length: 365 }, () => 1)), { most: 12, width: 365 })[0]
    expect(december).toEqual({ day: '2025-12-01', text: 'Dec', x: 10 })
  })
})

it('hours are said with one decimal, and little is not said to be nothing', () => {
  expect([0, 0.001, 0.05, 7.25, 24].map(formatHours)).toEqual(['0 h', '< 0.1 h', '0.1 h', '7.3 h', '24 h'])
})

it('a day is told in words, also where there is nothing to see', () => {
  expect(days(7.2, null, 0, 3).map(dayLabel)).toEqual([
    '17-Nov-2026: 7.2 h',
    '18-Nov-2026: No data',
    '19-Nov-2026: 0 h',
    '20-Nov-2026: 3 h so far',
  ])
  expect(days(null).map(dayLabel)).toEqual(['20-Nov-2026: Not reported yet'])
})
