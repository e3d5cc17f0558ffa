import { describe, expect, it } from 'vitest'
import { addDays } from '../../../lib/time/zone-clock.ts'
import {
  dayLabel,
  dayNames,
  formatHours,
  type RuntimeDay,
  runtimeDays,
  runtimeGaps,
  runtimeTotals,
  todayAt,
} from './runtime-axis.ts'

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

it('days without data that follow each other are one gap, and today is none', () => {
  expect(runtimeGaps(days(null, null, 1, null, 1, 1, null))).toEqual([
    { first: 0, last: 1 },
    { first: 3, last: 3 },
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
  const last = (count: number) => days(...Array.from({ length: count }, () => 1)).map(({ day }) => day)
  const texts = (count: number, most: number) => dayNames(last(count), most).map(({ text }) => text)

  it('are weekdays of a week, each at its day', () => {
    expect(texts(7, 12)).toEqual(['Sat 14', 'Sun 15', 'Mon 16', 'Tue 17', 'Wed 18', 'Thu 19', 'Fri 20'])
    expect(dayNames(last(2), 9).map(({ at }) => at)).toEqual([0, 1])
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
    expect(dayNames(last(365), 12)[0]).toEqual({ at: 9.5, text: 'Dec' })
  })
})

it('hours have one decimal, and small values are not shown as zero', () => {
  expect([0, 0.001, 0.05, 7.25, 24].map(formatHours)).toEqual(['0 h', '< 0.1 h', '0.1 h', '7.3 h', '24 h'])
})

it('a day is described in words, even if there is nothing to see', () => {
  expect(days(7.2, null, 0, 3).map(dayLabel)).toEqual([
    '17-Nov-2026: 7.2 h',
    '18-Nov-2026: No data',
    '19-Nov-2026: 0 h',
    '20-Nov-2026: 3 h so far',
  ])
  expect(days(null).map(dayLabel)).toEqual(['20-Nov-2026: Not reported yet'])
})
