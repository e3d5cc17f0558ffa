import { useElementSize } from '@mantine/hooks'
import dayjs from 'dayjs'
import { useState } from 'react'
import { formatInstrumentDate } from '../lib/time/dates.ts'
import { ChartReader } from '../ui/charts/chart-reader.tsx'
import styles from './event-rate-chart.module.css'
import { filled, Legend, severityLegend } from './severity-fill.tsx'
import { count, counted, type TableRow } from './table-rows.ts'

/** Events over time as columns: days, or weeks if day columns would be thinner than the gaps: docs/decisions/0019. */

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

const HEIGHT = 210
/** Used until the chart has been measured. */
const USUAL_WIDTH = 900
const LABEL_WIDTH = 64

/** Charts the events of each day or week, stacked by severity, with a text for the column under the pointer. */
export function EventRateChart({ rows }: { rows: readonly TableRow[] }) {
  const { ref, width: measured } = useElementSize()
  const [at, setAt] = useState<number | null>(null)
  const { columns, isByWeek } = rateColumns(rows)
  const width = Math.max(120, measured || USUAL_WIDTH)
  const ticks = ticksTo(Math.max(0, ...columns.map(({ total }) => total)))
  const top = ticks.at(-1) ?? 1
  const stride = width / Math.max(1, columns.length)
  const last = columns.length - 1
  const read = columns[at ?? last] ?? columns[last]
  const summary = read === undefined ? '' : formatColumn(read, isByWeek)

  return (
    <div>
      <div className={styles.head}>
        <Legend items={severityLegend} />
        <span className={styles.unit}>Events per {isByWeek ? 'week' : 'day'}</span>
      </div>
      <div className={styles.chart}>
        <div className={styles.ticks} style={{ height: HEIGHT }} aria-hidden="true">
          <span className={styles.widest}>{count(top)}</span>
          {ticks.map((tick) => (
            <span key={tick} style={{ bottom: (tick / top) * HEIGHT }}>
              {count(tick)}
            </span>
          ))}
        </div>
        <div ref={ref} className={styles.plot}>
          <ChartReader
            label={`Events per ${isByWeek ? 'week' : 'day'}`}
            count={columns.length}
            start={last}
            at={at}
            summary={summary}
            onRead={setAt}
          >
            <svg
              className={styles.drawing}
              viewBox={`0 0 ${width} ${HEIGHT}`}
              height={HEIGHT}
              preserveAspectRatio="none"
              aria-hidden="true"
            >
              {ticks.map((tick) => (
                <path
                  key={tick}
                  className={tick === 0 ? styles.base : styles.grid}
                  d={`M0 ${HEIGHT - (tick / top) * HEIGHT}H${width}`}
                />
              ))}
              {at !== null && (
                <rect className={styles.cursor} x={at * stride} width={Math.max(1, stride)} y={0} height={HEIGHT} />
              )}
              {columns.map((column, index) => (
                <Stack key={column.day} column={column} x={index * stride} stride={stride} scale={HEIGHT / top} />
              ))}
            </svg>
          </ChartReader>
          <div className={styles.labels} aria-hidden="true">
            {columnLabels(columns, Math.floor(width / LABEL_WIDTH)).map(({ day, text, index }) => (
              <span key={day} style={{ left: `clamp(20px, ${((index + 0.5) / columns.length) * 100}%, 100% - 20px)` }}>
                {text}
              </span>
            ))}
          </div>
          <p className={styles.reading} aria-hidden="true">
            {summary}
          </p>
        </div>
      </div>
    </div>
  )
}

/** High is at the bottom, where heights compare best. */
const stacked = ['high', 'medium', 'low'] as const

function Stack(props: { column: RateColumn; x: number; stride: number; scale: number }) {
  const { column, x, stride, scale } = props
  const width = Math.min(stride * 0.74, 44)
  const left = x + (stride - width) / 2
  let base = HEIGHT
  return stacked.map((severity) => {
    const height = column[severity] * scale
    if (height === 0) return null
    base -= height
    // Inset by half a pixel, because an outline is drawn on both sides of its edge.
    return (
      <rect
        key={severity}
        x={left + 0.5}
        width={Math.max(1, width - 1)}
        y={base + 0.5}
        height={Math.max(0.5, height - 1)}
        {...filled(severity)}
      />
    )
  })
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

/** Returns at most five axis values from 0 to at least `most`, spaced by 1, 2 or 5 times a power of ten. */
export function ticksTo(most: number): number[] {
  const least = Math.max(1, most) / 4
  const power = 10 ** Math.floor(Math.log10(least))
  const step = Math.max(1, [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= least) ?? 1)
  return Array.from({ length: Math.ceil(Math.max(1, most) / step) + 1 }, (_, index) => index * step)
}

/** Returns at most `most` labels for the axis: the last column and others at equal distances before it. */
export function columnLabels(
  columns: readonly RateColumn[],
  most: number,
): { day: string; text: string; index: number }[] {
  const step = Math.max(1, Math.ceil(columns.length / Math.max(1, most)))
  return columns.flatMap(({ day }, index) =>
    (columns.length - 1 - index) % step === 0 ? [{ day, text: shortDay(day), index }] : [],
  )
}

/** Formats a day without its year, e.g. '5 Nov'. The page head shows the year. */
function shortDay(day: string): string {
  return dayjs(day).format('D MMM')
}
