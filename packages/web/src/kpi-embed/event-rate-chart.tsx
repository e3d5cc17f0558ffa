import { Group } from '@mantine/core'
import dayjs from 'dayjs'
import { utcDay } from '../features/kpi/kpi-question.ts'
import { formatInstrumentDate } from '../lib/time/dates.ts'
import { Band, Bars, Chart, roundTicks } from '../ui/charts/chart.tsx'
import { filled, Legend } from './chart-rows.tsx'
import { count, counted, type TableRow } from './table-rows.ts'

/** Events over time as columns: days, or weeks if day columns would be thinner than the gaps. */

/** Up to this many days get a column each. */
export const MOST_DAY_COLUMNS = 92

const WEEK = 7
/** At the start of a range, this number of days without events is not reported. */
const QUIET_START = 14

const DAY_MS = 86_400_000

export interface RateColumn {
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
export function EventRateChart(props: { rows: readonly TableRow[]; onPress: (column: RateColumn) => void }) {
  const { columns, isByWeek } = rateColumns(props.rows)
  const today = utcDay(Date.now())
  // Empty days at the start look like missing data.
  const begin = props.rows.findIndex((row) => row.number('total') > 0)
  const label = `Events per ${isByWeek ? 'week' : 'day'}`
  const ticks = roundTicks(0, Math.max(0, ...columns.map(({ total }) => total)), 1)
  return (
    <>
      <Group justify="space-between" align="start" gap="2px 16px" fz="xs" c="dimmed">
        <Legend />
        <span>
          {begin > QUIET_START && `No events before ${formatInstrumentDate(props.rows[begin]?.text('day') ?? null)} · `}
          {label}
        </span>
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
        read={(at) => (columns[at] === undefined ? '' : formatColumn(columns[at], { isByWeek, today }))}
        onPress={(at) => columns[at] && props.onPress(columns[at])}
      >
        {(step) => (
          <>
            {columns.map(
              (column, at) =>
                isPart(column, { isByWeek, today }) && (
                  <Band key={column.day} from={at} to={at} fill="var(--bw-line-faint)" name={bandName(step)} />
                ),
            )}
            {/* High is at the bottom, where heights compare best. */}
            {(['high', 'medium', 'low'] as const).map((severity) => (
              <Bars
                key={severity}
                step={step}
                widest={44}
                dataKey={severity}
                stackId="severity"
                {...filled(severity)}
              />
            ))}
          </>
        )}
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

/** True if the column is not over, or covers a part of a week only, so that it is lower than it would be. */
export function isPart({ day, days }: RateColumn, { isByWeek, today }: Calendar): boolean {
  return isByWeek ? days < WEEK || holds({ day, days }, today) : day === today
}

interface Calendar {
  isByWeek: boolean
  /** YYYY-MM-DD in UTC. */
  today: string
}

function holds({ day, days }: Pick<RateColumn, 'day' | 'days'>, today: string): boolean {
  return day <= today && Date.parse(today) < Date.parse(day) + days * DAY_MS
}

/** The name of an incomplete column, where it has room. */
function bandName(step: number): string | undefined {
  return step < 40 ? undefined : 'Part'
}

/** Formats a column, e.g. '20-Nov-2026, so far: 12 events · High 2 · Medium 6 · Low 4'. */
export function formatColumn(column: RateColumn, { isByWeek, today }: Calendar): string {
  const { day, days, high, medium, low, total } = column
  const part = days < WEEK ? `${counted(days, 'day')} from` : 'Week of'
  const soFar = holds(column, today) ? ', so far' : ''
  const when = isByWeek ? `${part} ${formatInstrumentDate(day)}` : formatInstrumentDate(day)
  return `${when}${soFar}: ${counted(total, 'event')} · High ${high} · Medium ${medium} · Low ${low}`
}

/** Returns at most `most` names for the axis: the last column and others at equal distances before it. */
export function columnNames(columns: readonly RateColumn[], most: number): { at: number; text: string }[] {
  const step = Math.max(1, Math.ceil(columns.length / Math.max(1, most)))
  // Without their year, which the page head shows.
  return columns.flatMap(({ day }, at) =>
    (columns.length - 1 - at) % step === 0 ? [{ at, text: dayjs(day).format('D MMM') }] : [],
  )
}
