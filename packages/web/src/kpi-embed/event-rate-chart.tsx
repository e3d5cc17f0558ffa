import { Group } from '@mantine/core'
import dayjs from 'dayjs'
import { formatInstrumentDate } from '../lib/time/dates.ts'
import { Bars, Chart, roundTicks } from '../ui/charts/chart.tsx'
import { filled, Legend } from './chart-rows.tsx'
import { count, counted, type TableRow } from './table-rows.ts'

/** Events over time as columns: days, or weeks if day columns would be thinner than the gaps. */

/** Up to this many days get a column each. */
export const MOST_DAY_COLUMNS = 92

const WEEK = 7

interface RateColumn {
  /** First day of the column, YYYY-MM-DD. */
  day: string
  /** Number of days in the range that the column covers. */
  days: number
  high: number
  medium: number
  low: number
  total: number
}

/** Charts the events of each day or week, stacked by severity, with a text for the column under the pointer. */
export function EventRateChart({ rows }: { rows: readonly TableRow[] }) {
  const { columns, isByWeek } = rateColumns(rows)
  const label = `Events per ${isByWeek ? 'week' : 'day'}`
  const ticks = roundTicks(0, Math.max(0, ...columns.map(({ total }) => total)), 1)
  return (
    <>
      <Group justify="space-between" align="start" gap="2px 16px" fz="xs" c="dimmed">
        <Legend />
        {label}
      </Group>
      <Chart
        label={label}
        count={columns.length}
        rows={columns.map((column, at) => ({ at, ...column }))}
        height={210}
        ticks={ticks}
        formatTick={count}
        scaleWidth={16 + 7 * count(ticks.at(-1) ?? 0).length}
        names={(most) => columnNames(columns, most)}
        nameWidth={64}
        start={columns.length - 1}
        read={(at) => (columns[at] === undefined ? '' : formatColumn(columns[at], isByWeek))}
      >
        {(step) =>
          // High is at the bottom, where heights compare best.
          (['high', 'medium', 'low'] as const).map((severity) => (
            <Bars key={severity} step={step} widest={44} dataKey={severity} stackId="severity" {...filled(severity)} />
          ))
        }
      </Chart>
    </>
  )
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

/** Groups days into weeks from Monday to Sunday; the first and the last may be incomplete. */
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

/** Formats a column, e.g. '20-Nov-2026: 12 events · High 2 · Medium 6 · Low 4'. */
export function formatColumn({ day, days, high, medium, low, total }: RateColumn, isByWeek: boolean): string {
  const part = days < WEEK ? `${counted(days, 'day')} from` : 'Week of'
  const when = isByWeek ? `${part} ${formatInstrumentDate(day)}` : formatInstrumentDate(day)
  return `${when}: ${counted(total, 'event')} · High ${high} · Medium ${medium} · Low ${low}`
}

/** Returns at most `most` names for the axis: the last column and others at equal distances before it. */
export function columnNames(columns: readonly RateColumn[], most: number): { at: number; text: string }[] {
  const step = Math.max(1, Math.ceil(columns.length / Math.max(1, most)))
  // Without their year, which the page head shows.
  return columns.flatMap(({ day }, at) =>
    (columns.length - 1 - at) % step === 0 ? [{ at, text: dayjs(day).format('D MMM') }] : [],
  )
}
