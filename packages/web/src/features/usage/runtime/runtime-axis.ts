import type { DailyRuntime } from '@benchwatch/contract/usage'
import dayjs from 'dayjs'
import { formatInstrumentDate } from '../../../lib/time/dates.ts'
import { addDays } from '../../../lib/time/zone-clock.ts'

/**
 * Computes the chart of daily run times: site-local days from left to right, 0 to 24 hours from bottom to top
 * (document 2 section 4). A day without data is a gap; a day without running is a line on the baseline. Pure, without
 * time zones or colours; shared by the card, the report and its PDF.
 */

export const HOURS_A_DAY = 24
/** Hours with a grid line and a label. */
export const hourTicks = [0, 6, 12, 18, 24] as const
/** Up to this many days are bars. More are an area, because bars would be thinner than the space between them. */
export const MOST_BARS = 62

export interface RuntimeDay {
  /** YYYY-MM-DD, site-local. */
  day: string
  /** 0 to 24; null without data. */
  hours: number | null
  /** True for today, whose hours are still growing. */
  isToday: boolean
}

/**
 * Returns each of the last days up to `today` at the site (YYYY-MM-DD), oldest first. Days absent on the wire have no
 * hours.
 */
export function runtimeDays(
  points: readonly DailyRuntime[],
  { today, numberOfDays }: { today: string; numberOfDays: number },
): RuntimeDay[] {
  const seconds = new Map(points.map(({ time, value }) => [time, value]))
  // If this machine's clock is behind, the server's day has started already.
  const newest = points.at(-1)?.time ?? today
  const last = newest > today ? newest : today
  return Array.from({ length: numberOfDays }, (_, index) => {
    const day = addDays(last, index - numberOfDays + 1)
    const value = seconds.get(day)
    return {
      day,
      hours: value === undefined ? null : Math.min(HOURS_A_DAY, Math.max(0, value / 3600)),
      isToday: day === last,
    }
  })
}

/** Returns today's day at a site, YYYY-MM-DD; the UTC day if this machine does not know the time zone. */
export function todayAt(timeZone: string, now: number): string {
  try {
    return new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short' }).format(now)
  } catch {
    return new Date(now).toISOString().slice(0, 10)
  }
}

export interface Plot {
  width: number
  height: number
}

/** Returns the left edge and the width of a day on a plot of this width. */
function strideOf(days: readonly RuntimeDay[], { width }: Plot): number {
  return width / Math.max(1, days.length)
}

/** Returns the height of an hours value above the baseline. */
export function heightOf(hours: number, { height }: Plot): number {
  return (hours / HOURS_A_DAY) * height
}

export interface RuntimeBar extends RuntimeDay {
  hours: number
  x: number
  y: number
  width: number
  /** 0 if the instrument did not run; callers draw a line on the baseline. */
  height: number
}

/** Returns a bar for each day with data; x and y from the upper left corner. */
export function runtimeBars(days: readonly RuntimeDay[], plot: Plot): RuntimeBar[] {
  const stride = strideOf(days, plot)
  const width = Math.min(stride * 0.72, 56)
  return days.flatMap((day, index) => {
    if (day.hours === null) return []
    const height = heightOf(day.hours, plot)
    return [
      { ...day, hours: day.hours, x: index * stride + (stride - width) / 2, y: plot.height - height, width, height },
    ]
  })
}

export interface RuntimeArea {
  /** SVG path along the hours of a stretch without gaps. */
  line: string
  /** The same path down to the baseline, closed. */
  area: string
}

/** Returns an area for each stretch of days with data. It is as wide as its days, so a single day stays visible. */
export function runtimeAreas(days: readonly RuntimeDay[], plot: Plot): RuntimeArea[] {
  const stride = strideOf(days, plot)
  return stretches(days, (day) => day.hours !== null).map(({ first, count }) => {
    const [left, right] = [first * stride, (first + count) * stride]
    const tops = days.slice(first, first + count).map(({ hours }) => plot.height - heightOf(hours ?? 0, plot))
    const middles = tops.map((y, index) => point((first + index + 0.5) * stride, y))
    const line = `M${[point(left, tops[0] ?? 0), ...middles, point(right, tops.at(-1) ?? 0)].join('L')}`
    return { line, area: `${line}L${point(right, plot.height)}L${point(left, plot.height)}Z` }
  })
}

export interface RuntimeGap {
  /** First and last day, YYYY-MM-DD. */
  from: string
  to: string
  count: number
  x: number
  width: number
}

/** Returns consecutive days without data as one gap. Today is not a gap: its data may still arrive. */
export function runtimeGaps(days: readonly RuntimeDay[], plot: Plot): RuntimeGap[] {
  const stride = strideOf(days, plot)
  return stretches(days, ({ hours, isToday }) => hours === null && !isToday).map(({ first, count }) => ({
    from: days[first]?.day ?? '',
    to: days[first + count - 1]?.day ?? '',
    count,
    x: first * stride,
    width: count * stride,
  }))
}

function stretches<T>(all: readonly T[], belongs: (one: T) => boolean): { first: number; count: number }[] {
  const found: { first: number; count: number }[] = []
  for (const [index, one] of all.entries()) {
    if (!belongs(one)) continue
    const last = found.at(-1)
    if (last !== undefined && last.first + last.count === index) last.count += 1
    else found.push({ first: index, count: 1 })
  }
  return found
}

function point(x: number, y: number): string {
  return `${round(x)} ${round(y)}`
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}

/** The part of a day that labels need. */
type NamedDay = Pick<RuntimeDay, 'day'>

export interface DayLabel {
  day: string
  text: string
  /** Middle of the labelled day or month. */
  x: number
}

/**
 * Returns at most `most` labels below the axis: weekdays for up to two weeks, then days counted back from the last,
 * then the starts of months with the year in place of January.
 */
export function dayLabels(days: readonly NamedDay[], { most, width }: { most: number; width: number }): DayLabel[] {
  const stride = width / Math.max(1, days.length)
  if (days.length > MOST_BARS) return monthLabels(days, { most, stride })
  const step = Math.ceil(days.length / Math.max(1, most))
  return days.flatMap(({ day }, index) =>
    (days.length - 1 - index) % step === 0
      ? [{ day, text: dayjs(day).format(days.length <= 14 ? 'ddd D' : 'D MMM'), x: (index + 0.5) * stride }]
      : [],
  )
}

/** Returns every month, or every second, third, … counted from January, so that the year is always among them. */
function monthLabels(days: readonly NamedDay[], { most, stride }: { most: number; stride: number }): DayLabel[] {
  const months = days.flatMap(({ day }, index) => (day.endsWith('-01') ? [{ day, index, month: monthOf(day) }] : []))
  const step = [1, 2, 3, 4, 6, 12].find((each) => months.length / each <= most) ?? 12
  return months
    .filter(({ month }) => (month - 1) % step === 0)
    .map(({ day, index, month }) => ({ day, text: dayjs(day).format(month === 1 ? 'YYYY' : 'MMM'), x: index * stride }))
}

function monthOf(day: string): number {
  return Number(day.slice(5, 7))
}

export interface RuntimeTotals {
  /** Hours of all days including today's so far. */
  sum: number
  /** Average hours a day over the complete days with data; null if there are none. Today would lower it all morning. */
  mean: number | null
  /** Complete days with data. */
  wholeDays: number
  /** Days without data except today, whose data may still arrive. */
  absentDays: number
}

export function runtimeTotals(days: readonly RuntimeDay[]): RuntimeTotals {
  const over = days.filter(({ isToday }) => !isToday)
  const measured = over.flatMap(({ hours }) => (hours === null ? [] : [hours]))
  const whole = measured.reduce((sum, hours) => sum + hours, 0)
  return {
    sum: whole + (days.find(({ isToday }) => isToday)?.hours ?? 0),
    mean: measured.length === 0 ? null : whole / measured.length,
    wholeDays: measured.length,
    absentDays: over.length - measured.length,
  }
}

/** Formats hours, e.g. '7.2 h'. Values below 0.1 h become '< 0.1 h', because '0 h' would mean 'did not run'. */
export function formatHours(hours: number): string {
  if (hours > 0 && hours < 0.05) return '< 0.1 h'
  return `${hours.toLocaleString('en', { maximumFractionDigits: 1 })} h`
}

/** Returns '7.2 h', '3 h so far' or 'No data'. */
export function hoursLabel({ hours, isToday }: RuntimeDay): string {
  if (hours === null) return isToday ? 'Not reported yet' : 'No data'
  return isToday ? `${formatHours(hours)} so far` : formatHours(hours)
}

/** Returns e.g. '20-Nov-2026: 7.2 h'. */
export function dayLabel(day: RuntimeDay): string {
  return `${formatInstrumentDate(day.day)}: ${hoursLabel(day)}`
}
