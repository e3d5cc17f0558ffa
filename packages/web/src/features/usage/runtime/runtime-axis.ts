import type { DailyRuntime } from '@benchwatch/contract/instruments/usage'
import dayjs from 'dayjs'
import { formatInstrumentDate } from '../../../lib/time/dates.ts'
import { addDays } from '../../../lib/time/zone-clock.ts'

/**
 * Prepares daily run times for charts and texts: site-local days on an axis from 0 to 24 hours (document 2 section 4).
 * A day without data is a gap; a day without running is a line on the baseline. Pure; shared by the card, the report
 * and its PDF.
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

export interface RuntimeGap {
  /** Places of its first and last day. */
  first: number
  last: number
}

/** Returns consecutive days without data as one gap. Today is not a gap: its data may still arrive. */
export function runtimeGaps(days: readonly RuntimeDay[]): RuntimeGap[] {
  const gaps: RuntimeGap[] = []
  for (const [place, { hours, isToday }] of days.entries()) {
    if (hours !== null || isToday) continue
    const last = gaps.at(-1)
    if (last?.last === place - 1) last.last = place
    else gaps.push({ first: place, last: place })
  }
  return gaps
}

export interface DayName {
  /** Place of the day; half a day less for the start of a month. */
  at: number
  text: string
}

/**
 * Returns at most `most` names below the axis: weekdays for up to two weeks, then days counted back from the last,
 * then the starts of months with the year in place of January.
 */
export function dayNames(days: readonly string[], most: number): DayName[] {
  const count = days.length
  if (count > MOST_BARS) return monthNames(days, most)
  const step = Math.ceil(count / Math.max(1, most))
  return days.flatMap((day, at) =>
    (count - 1 - at) % step === 0 ? [{ at, text: dayjs(day).format(count <= 14 ? 'ddd D' : 'D MMM') }] : [],
  )
}

/** Returns every month, or every second, third, … counted from January, so that the year is always among them. */
function monthNames(days: readonly string[], most: number): DayName[] {
  const months = days.flatMap((day, at) =>
    day.endsWith('-01') ? [{ day, at: at - 0.5, month: Number(day.slice(5, 7)) }] : [],
  )
  const step = [1, 2, 3, 4, 6, 12].find((each) => months.length / each <= most) ?? 12
  return months
    .filter(({ month }) => (month - 1) % step === 0)
    .map(({ day, at, month }) => ({ at, text: dayjs(day).format(month === 1 ? 'YYYY' : 'MMM') }))
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
