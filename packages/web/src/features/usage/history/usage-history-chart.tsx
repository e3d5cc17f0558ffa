import type { ComponentMetric, UsageHistory } from '@benchwatch/contract/instruments/usage'
import { Group } from '@mantine/core'
import type { ReactNode } from 'react'
import { formatInstrumentDate } from '../../../lib/time/dates.ts'
import { addDays, daysBetween } from '../../../lib/time/zone-clock.ts'
import { Band, Chart, Dot, Rule, roundTicks, ValueLine } from '../../../ui/charts/chart.tsx'
import { dayNames } from '../runtime/runtime-axis.ts'
import { formatCount, limitOf, withUnit } from '../usage-judgement.ts'

/** With less space per day the line has no dots. */
const LEAST_DOT_SPACE = 5
const HEIGHT = 230
/** Names closer to each other than this would overlap. */
const NAME_HEIGHT = 17

const looks = {
  measured: { stroke: 'var(--bw-accent)', strokeWidth: 1.8 },
  trend: { stroke: 'var(--bw-ink-2)', strokeWidth: 1.5, strokeDasharray: '5 4' },
  reset: { stroke: 'var(--bw-progress)', strokeWidth: 1.4, strokeDasharray: '2 3' },
  today: { stroke: 'var(--bw-line-strong)', strokeWidth: 1 },
}

/** The days of a counter with thresholds, resets and the trend up to the forecast. */
export function UsageHistoryChart({ history, today }: { history: UsageHistory; today: string }) {
  const axis = historyAxis(history, today)
  const ticks = roundTicks(axis.low, axis.high)
  const pixels = HEIGHT / ((ticks.at(-1) ?? 1) - (ticks[0] ?? 0))
  const levels = thresholdLines(history.metric)
  const trend = trendLine(history, axis)
  const at = (day: string) => daysBetween(axis.from, day)
  const end = trend?.isReached ? trend.ahead?.[1] : undefined
  return (
    <Chart
      label={`${history.metric.metric}, day by day`}
      count={axis.days}
      rows={valueRows(history, axis)}
      height={HEIGHT}
      room={20}
      ticks={ticks}
      formatTick={formatCount}
      scaleWidth={66}
      names={(most) =>
        dayNames(
          Array.from({ length: axis.days }, (_, place) => dayAt(axis, place)),
          most,
        )
      }
      nameWidth={72}
      start={lastMeasured(history, axis)}
      read={(place) => readingOf(history, dayAt(axis, place))}
      legend={<Legend history={history} />}
    >
      {(step) => (
        <>
          <Band from={axis.today + 0.5} to={axis.days - 1} fill="var(--bw-ground)" />
          {history.resets.map((day) => (
            <Rule key={day} x={at(day)} {...looks.reset} />
          ))}
          {levels.map(({ name, value, isLimit }) => (
            <Rule
              key={name}
              y={value}
              name={name}
              side={freeSideOf(history, value) === 'left' ? 'Left' : 'Right'}
              isBelow={levels.some((other) => other.value > value && (other.value - value) * pixels < NAME_HEIGHT)}
              stroke={`var(--bw-status-${isLimit ? 'red' : 'darkgreen'})`}
              strokeWidth={1.4}
            />
          ))}
          {trend !== null && <Rule segment={trend.past} {...looks.trend} opacity={0.55} />}
          <ValueLine
            dataKey="value"
            {...looks.measured}
            strokeLinecap="round"
            dot={step > LEAST_DOT_SPACE && { r: 2.2, fill: looks.measured.stroke, stroke: 'none' }}
          />
          {trend?.ahead && <Rule segment={trend.ahead} {...looks.trend} />}
          {end && <Dot {...end} r={4.5} fill="var(--bw-panel)" stroke="var(--bw-ink-1)" strokeWidth={1.8} />}
          <Rule x={axis.today} {...looks.today} />
        </>
      )}
    </Chart>
  )
}

/** Returns the day that is read out by default. */
function lastMeasured({ values }: UsageHistory, axis: HistoryAxis): number {
  const last = values.at(-1)
  return last === undefined ? axis.today : daysBetween(axis.from, last.time)
}

function readingOf(history: UsageHistory, day: string): string {
  const { values, resets, metric } = history
  const measured = values.find(({ time }) => time === day)
  const amount = (value: number) => withUnit(formatCount(value), metric.unit)
  if (measured !== undefined)
    return `${formatInstrumentDate(day)}: ${amount(measured.value)}${resets.includes(day) ? ', counter reset' : ''}`
  const expected = expectedAt(history, day)
  return `${formatInstrumentDate(day)}: ${expected === null ? 'not measured' : `about ${amount(expected)} at this pace`}`
}

function Legend({ history }: { history: UsageHistory }) {
  const { resets, trend, metric } = history
  return (
    <Group
      component="ul"
      aria-label="Key"
      gap="2px 16px"
      m={0}
      mt={8}
      p={0}
      fz="xs"
      c="dimmed"
      style={{ listStyle: 'none' }}
    >
      <Key look="measured">Measured</Key>
      {trend !== null && <Key look="trend">Trend{metric.forecastDate !== null && ' and forecast'}</Key>}
      {resets.length > 0 && <Key look="reset">Part changed, counter reset</Key>}
      <Key look="today">Today</Key>
    </Group>
  )
}

function Key({ look, children }: { look: keyof typeof looks; children: ReactNode }) {
  const isUpright = look === 'reset' || look === 'today'
  return (
    <Group component="li" gap={6}>
      <svg width={isUpright ? 2 : 18} height="12" aria-hidden="true">
        <path d={isUpright ? 'M1 0V12' : 'M0 6H18'} {...looks[look]} />
      </svg>
      {children}
    </Group>
  )
}

// The rest prepares a counter's chart: UTC days as positions from the first value to the forecast, values, thresholds,
// resets, and the trend up to the forecast. Pure.

/** The axis shows at least this many days ahead unless the limit is nearer, so that the trend is visible. */
const LEAST_AHEAD = 60
/** The future may take at most this multiple of the past; later days are cut off. */
const MOST_AHEAD = 1.5

interface HistoryAxis {
  /** First day, YYYY-MM-DD, and number of days. */
  from: string
  days: number
  /** Index of today. */
  today: number
  /** Least and greatest value or threshold. */
  low: number
  high: number
}

/** Returns an axis from the first value to the forecast. The future is limited so that the past stays readable. */
export function historyAxis({ values, metric }: UsageHistory, today: string): HistoryAxis {
  const from = earliest(values[0]?.time ?? today, today)
  const behind = daysBetween(from, today)
  const ahead = metric.forecastDate === null ? 0 : Math.max(0, daysBetween(today, metric.forecastDate) + 2)
  const shownAhead = Math.min(ahead, Math.max(LEAST_AHEAD, Math.round(behind * MOST_AHEAD)))
  const shown = [...values.map(({ value }) => value), ...thresholdLines(metric).map(({ value }) => value)]
  return {
    from,
    days: behind + 1 + shownAhead,
    today: behind,
    low: Math.min(0, ...shown),
    high: Math.max(0, ...shown),
  }
}

interface ThresholdLine {
  value: number
  name: string
  /** True for the last threshold of the rule, at which the part is due. */
  isLimit: boolean
}

/** Returns the thresholds of a rule with the names of the specification. */
export function thresholdLines({ thresholdRule, thresholdValues }: ComponentMetric): ThresholdLine[] {
  const names = {
    MAXIMUM_USAGE: ['Maximum'],
    HIGH_SAFE_USAGE: ['Safety threshold', 'Maximum'],
    COUNT_DOWN: ['Change soon', 'Change now'],
    UNKNOWN_THRESHOLD: [],
  }[thresholdRule]
  return names.flatMap((name, index) => {
    const value = thresholdValues[index]
    return value === undefined ? [] : [{ value, name, isLimit: index === names.length - 1 }]
  })
}

/** Returns the side on which the counter is further away from a threshold, where its name has space. */
export function freeSideOf({ values, metric }: UsageHistory, threshold: number): 'left' | 'right' {
  const first = values[0]?.value ?? 0
  const limit = metric.forecastDate === null ? null : limitOf(metric)
  const last = limit?.value ?? values.at(-1)?.value ?? 0
  return Math.abs(first - threshold) >= Math.abs(last - threshold) ? 'left' : 'right'
}

interface Point {
  /** Place of a day on the axis; a part of a day where the trend meets the limit. */
  x: number
  y: number
}

/**
 * Returns the values as rows of a line. A row without a value breaks it before each reset. The first point of each part
 * is there twice, because a line through a single point is invisible.
 */
export function valueRows({ values, resets }: UsageHistory, axis: HistoryAxis): { at: number; value: number | null }[] {
  const began = new Set(resets)
  return values.flatMap(({ time, value }, index) => {
    const point = { at: daysBetween(axis.from, time), value }
    if (index === 0) return [point, point]
    return began.has(time) ? [{ at: point.at, value: null }, point, point] : [point]
  })
}

interface Trend {
  /** The part over the measured days. */
  past: [Point, Point]
  /** The part from the last value to the limit or the edge of the chart; null if the forecast has no line. */
  ahead: [Point, Point] | null
  /** True if the limit is reached within the chart. */
  isReached: boolean
}

/** Returns the trend as a line through the last value; null with too few measured days. */
export function trendLine(history: UsageHistory, axis: HistoryAxis): Trend | null {
  const { trend, values, metric } = history
  const last = values.at(-1)
  if (trend === null || last === undefined) return null
  const lastAt = daysBetween(axis.from, last.time)
  const after = (days: number): Point => ({ x: lastAt + days, y: last.value + trend.perDay * days })
  const past: Trend['past'] = [after(-daysBetween(trend.from, last.time)), after(0)]
  const limit = limitOf(metric)
  if (metric.forecastDate === null || limit === null) return { past, ahead: null, isReached: false }
  const untilLimit = (limit.value - last.value) / trend.perDay
  const untilEdge = axis.days - 0.5 - lastAt
  return { past, ahead: [after(0), after(Math.min(untilLimit, untilEdge))], isReached: untilLimit <= untilEdge }
}

/** Returns the expected value on a day after the last value; null for an earlier day or if no limit comes nearer. */
export function expectedAt(history: UsageHistory, day: string): number | null {
  const { trend, values, metric } = history
  const last = values.at(-1)
  if (trend === null || last === undefined || metric.forecastDate === null || day <= last.time) return null
  const limit = limitOf(metric)
  const value = last.value + trend.perDay * daysBetween(last.time, day)
  if (limit === null) return value
  return limit.climbs ? Math.min(limit.value, value) : Math.max(limit.value, value)
}

/** Returns the day at an index of the axis. */
export function dayAt(axis: HistoryAxis, place: number): string {
  return addDays(axis.from, place)
}

function earliest(one: string, other: string): string {
  return one < other ? one : other
}
