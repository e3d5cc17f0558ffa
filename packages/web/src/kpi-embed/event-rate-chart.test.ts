import { describe, expect, it } from 'vitest'
import { columnNames, formatColumn, isPart, MOST_DAY_COLUMNS, rateColumns } from './event-rate-chart.tsx'
import { type Column, rowsOf } from './table-rows.ts'

const columns: Column[] = ['day', 'high', 'medium', 'low', 'total'].map((key) => ({ key, label: key, kind: 'number' }))
const DAY = 86_400_000

function days(count: number, last = '2026-11-20') {
  const rows = Array.from({ length: count }, (_, index) => {
    const day = new Date(Date.parse(last) - (count - 1 - index) * DAY).toISOString().slice(0, 10)
    return [day, 1, 2, 3, 6]
  })
  return rowsOf({ columns, rows })
}

describe('events over time', () => {
  it('are columns of days as long as they can be seen', () => {
    const { columns: found, isByWeek } = rateColumns(days(MOST_DAY_COLUMNS))
    expect([isByWeek, found.length]).toEqual([false, MOST_DAY_COLUMNS])
    expect(found.at(-1)).toEqual({ day: '2026-11-20', days: 1, high: 1, medium: 2, low: 3, total: 6 })
  })

  it('are columns of weeks from Monday in longer ranges, with nothing lost', () => {
    const { columns: found, isByWeek } = rateColumns(days(365))
    expect(isByWeek).toBe(true)
    expect(found.reduce((sum, { total }) => sum + total, 0)).toBe(365 * 6)
    // 20 November 2026 is a Friday, and the range begins on a Friday.
    expect(found.at(-1)).toEqual({ day: '2026-11-16', days: 5, high: 5, medium: 10, low: 15, total: 30 })
    expect(found[0]).toMatchObject({ day: '2025-11-21', days: 3 })
    expect(found.slice(1, -1).every((week) => week.days === 7)).toBe(true)
  })

  it('are told in words', () => {
    const [one] = rateColumns(days(1)).columns
    const later = { isByWeek: false, today: '2026-11-22' }
    expect(one && formatColumn(one, later)).toBe('20-Nov-2026: 6 events · High 1 · Medium 2 · Low 3')
    const weeks = rateColumns(days(365)).columns
    expect(weeks.slice(-2).map((week) => formatColumn(week, { ...later, isByWeek: true }).split(':')[0])).toEqual([
      'Week of 09-Nov-2026',
      '5 days from 16-Nov-2026',
    ])
  })

  it('are marked where they are not whole: today, and the parts of weeks at the ends', () => {
    const marked = (count: number, today: string) => {
      const { columns: found, isByWeek } = rateColumns(days(count))
      const ends = found.filter((column) => isPart(column, { isByWeek, today }))
      return ends.map((column) => formatColumn(column, { isByWeek, today }).split(':')[0])
    }
    expect(marked(30, '2026-11-20')).toEqual(['20-Nov-2026, so far'])
    expect(marked(30, '2026-11-21')).toEqual([])
    expect(marked(365, '2026-11-20')).toEqual(['3 days from 21-Nov-2025', '5 days from 16-Nov-2026, so far'])
  })

  it('have as many names as there is room for, the last among them', () => {
    const { columns: found } = rateColumns(days(30))
    expect(columnNames(found, 4).map(({ text }) => text)).toEqual(['27 Oct', '4 Nov', '12 Nov', '20 Nov'])
    expect(columnNames(found, 4).at(-1)).toEqual({ at: 29, text: '20 Nov' })
    expect(columnNames(found, 60)).toHaveLength(30)
  })
})
