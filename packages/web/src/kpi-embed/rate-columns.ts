import dayjs from 'dayjs'
import { formatInstrumentDate } from '../lib/dates.ts'
import { counted, type TableRow } from './table-rows.ts'

/** Events over time as columns: days, or weeks where days would be thinner than the space between them. Pure: docs/decisions/0019. */

/** Up to so many days are columns of their own. */
export const MOST_DAY_COLUMNS = 92
const WEEK = 7

export interface RateColumn {
  /** First of its days, YYYY-MM-DD. */
  day: string
  /** How many days of the range it holds. */
  days: number
  high: number
  medium: number
  low: number
  total: number
}

export function rateColumns(rows: readonly TableRow[]): { columns: RateColumn[]; isByWeek: boolean } {
  const columns = rows.map((row) => ({
    day: row.text('day'),
    days: 1,
    high: row.number('high'),
    medium: row.number('medium'),
    low: row.number('low'),
    total: row.number('total'),
  }))
  if (columns.length <= MOST_DAY_COLUMNS) return { columns, isByWeek: false }
  return { columns: weeksOf(columns), isByWeek: true }
}

/** From Monday to Sunday; the first and the last may be parts of a week. */
function weeksOf(days: readonly RateColumn[]): RateColumn[] {
  const weeks: RateColumn[] = []
  for (const one of days) {
    const last = weeks.at(-1)
    if (last === undefined || weekdayOf(one.day) === 1) {
      weeks.push({ ...one })
      continue
    }
    last.days += 1
    for (const part of ['high', 'medium', 'low', 'total'] as const) last[part] += one[part]
  }
  return weeks
}

function weekdayOf(day: string): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay()
}

/** 20-Nov-2026: 12 events · High 2 · Medium 6 · Low 4 */
export function columnWords({ day, days, high, medium, low, total }: RateColumn, isByWeek: boolean): string {
  const part = days < WEEK ? `${counted(days, 'day')} from` : 'Week of'
  const when = isByWeek ? `${part} ${formatInstrumentDate(day)}` : formatInstrumentDate(day)
  return `${when}: ${counted(total, 'event')} · High ${high} · Medium ${medium} · Low ${low}`
}

/** Values with a line and a label, from 0 to one that is not below `most`: 1, 2 or 5 times a power of ten apart, five at most. */
export function ticksTo(most: number): number[] {
  const least = Math.max(1, most) / 4
  const power = 10 ** Math.floor(Math.log10(least))
  const step = Math.max(1, [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= least) ?? 1)
  return Array.from({ length: Math.ceil(Math.max(1, most) / step) + 1 }, (_, index) => index * step)
}

/** Names below the axis, at most `most`: the last column has one, and others at even distances before it. */
export function columnLabels(
  columns: readonly RateColumn[],
  most: number,
): { day: string; text: string; index: number }[] {
  const step = Math.max(1, Math.ceil(columns.length / Math.max(1, most)))
  return columns.flatMap(({ day }, index) =>
    (columns.length - 1 - index) % step === 0 ? [{ day, text: shortDay(day), index }] : [],
  )
}

/** 5 Nov: the day without its year, which the page's head tells. */
function shortDay(day: string): string {
  return dayjs(day).format('D MMM')
}
