import type { ComponentMetric, UsageHistory } from '@benchwatch/contract/usage'
import { addDays, daysBetween } from '../../../lib/time/zone-clock.ts'
import type { Plot } from '../runtime/runtime-axis.ts'
import { limitOf } from '../usage-judgement.ts'

/**
 * Computes the chart of one counter: UTC days from left to right, values from bottom to top, thresholds, resets, and
 * the trend up to the forecast. Pure.
 */

/** The axis shows at least this many days ahead unless the limit is nearer, so that the trend is visible. */
const LEAST_AHEAD = 60
/** The future may take at most this multiple of the past; later days are cut off. */
const MOST_AHEAD = 1.5
/** Factor that leaves space above the highest value or threshold. */
const HEADROOM = 1.08

export interface HistoryAxis {
  /** First day, YYYY-MM-DD, and number of days. */
  from: string
  days: number
  /** Index of today. */
  today: number
  /** Values at the lower and the upper edge. */
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
  const low = Math.min(0, ...shown)
  return {
    from,
    days: behind + 1 + shownAhead,
    today: behind,
    low,
    high: low + Math.max(1e-9, Math.max(...shown, 0) - low) * HEADROOM || 1,
  }
}

/** Returns the middle of a day, in pixels from the left. */
export function xOf(day: string, axis: HistoryAxis, { width }: Plot): number {
  return ((daysBetween(axis.from, day) + 0.5) / axis.days) * width
}

export function yOf(value: number, { low, high }: HistoryAxis, { height }: Plot): number {
  return height - ((value - low) / (high - low)) * height
}

export interface ThresholdLine {
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

/** Returns the values as SVG paths, a new one after each reset. */
export function valueLines({ values, resets }: UsageHistory, axis: HistoryAxis, plot: Plot): string[] {
  const began = new Set(resets)
  const lines: string[][] = []
  for (const { time, value } of values) {
    if (lines.length === 0 || began.has(time)) lines.push([])
    lines.at(-1)?.push(`${round(xOf(time, axis, plot))} ${round(yOf(value, axis, plot))}`)
  }
  // A path with a single point is invisible, so it gets a second point at the same place.
  return lines.map((points) => `M${(points.length === 1 ? [...points, ...points] : points).join('L')}`)
}

export interface TrendLine {
  /** The part over the measured days. */
  past: string
  /** The part from the last value to the limit or the edge of the chart; null if the forecast has no line. */
  ahead: string | null
  /** The point at the limit; null if it lies beyond the edge or does not exist. */
  end: { x: number; y: number } | null
}

/** Returns the trend as a line through the last value; null with too few measured days. */
export function trendLine(history: UsageHistory, axis: HistoryAxis, plot: Plot): TrendLine | null {
  const { trend, values, metric } = history
  const last = values.at(-1)
  if (trend === null || last === undefined) return null
  const at = (day: number) => {
    const value = last.value + trend.perDay * day
    return { x: xOf(last.time, axis, plot) + (day / axis.days) * plot.width, y: yOf(value, axis, plot) }
  }
  const path = (start: number, stop: number) => {
    const [one, other] = [at(start), at(stop)]
    return `M${round(one.x)} ${round(one.y)}L${round(other.x)} ${round(other.y)}`
  }
  const past = path(-daysBetween(trend.from, last.time), 0)
  const limit = limitOf(metric)
  if (metric.forecastDate === null || limit === null) return { past, ahead: null, end: null }
  const untilLimit = (limit.value - last.value) / trend.perDay
  const untilEdge = axis.days - daysBetween(axis.from, last.time) - 0.5
  const reached = untilLimit <= untilEdge
  return { past, ahead: path(0, Math.min(untilLimit, untilEdge)), end: reached ? at(untilLimit) : null }
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

/** Returns about `most` round values for grid lines, in steps of 1, 2 or 5. */
export function valueTicks({ low, high }: Pick<HistoryAxis, 'low' | 'high'>, most: number): number[] {
  const rough = (high - low) / Math.max(1, most)
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = power * ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10)
  const ticks: number[] = []
  for (let count = Math.ceil(low / step); count * step <= high; count += 1)
    ticks.push(Number((count * step).toPrecision(12)))
  return ticks
}

/** Returns the day at an index of the axis. */
export function dayAt(axis: HistoryAxis, place: number): string {
  return addDays(axis.from, place)
}

function earliest(one: string, other: string): string {
  return one < other ? one : other
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
