import { daysBefore, endOfDay, parseTypedDate, startOfDay, writeTypedDate } from '../lib/dates.ts'

/** The rules of a date range: what was typed, what is offered, and that nothing lies in the future. */

/** Half-open: `start` ≤ t < `stop`. */
export interface DateRange {
  start: Date
  stop: Date
}

export type RangeVerdict = { range: DateRange } | { error: string; field: 'start' | 'stop' }

const MINUTE_MS = 60_000

export const INVALID_FORMAT = 'Invalid date format'
export const END_BEFORE_START = 'End date must be later than start date!'

/** What stands in the two fields for a range. The last minute of the range is shown, not the first after it. */
export function writeRange({ start, stop }: DateRange): { start: string; stop: string } {
  return { start: writeTypedDate(start), stop: writeTypedDate(new Date(stop.getTime() - MINUTE_MS)) }
}

/**
 * Reads both texts as a person typed them. The end counts with its whole minute, or with its whole day where no time
 * was typed. Days later than today become the end of today.
 */
export function readRange(startText: string, stopText: string, now: Date): RangeVerdict {
  const start = parseTypedDate(startText)
  if (start === null) return { error: INVALID_FORMAT, field: 'start' }
  const last = parseTypedDate(stopText)
  if (last === null) return { error: INVALID_FORMAT, field: 'stop' }
  const stop = /:\d\d\s*$/.test(stopText) ? new Date(last.getTime() + MINUTE_MS) : endOfDay(last)
  const range = { start: notAfterToday(start, now), stop: notAfterToday(stop, now) }
  const isAhead = range.stop.getTime() - range.start.getTime() > MINUTE_MS
  return isAhead ? { range } : { error: END_BEFORE_START, field: 'stop' }
}

function notAfterToday(date: Date, now: Date): Date {
  const end = endOfDay(now)
  return date > end ? end : date
}

/** Whole days from the first to the last that was clicked, in either order. */
export function rangeOfDays(one: Date, other: Date, now: Date): DateRange {
  const [first, last] = one < other ? [one, other] : [other, one]
  return { start: startOfDay(first), stop: notAfterToday(endOfDay(last), now) }
}

export interface RangePreset {
  label: string
  range: DateRange
}

/** What people ask for most, up to the end of today. */
export function rangePresets(now: Date): RangePreset[] {
  const today = startOfDay(now)
  const stop = endOfDay(now)
  const lastDays = (days: number) => ({ label: `Last ${days} days`, range: { start: daysBefore(today, days), stop } })
  return [
    { label: 'Today', range: { start: today, stop } },
    { label: 'Yesterday', range: { start: daysBefore(today, 1), stop: today } },
    lastDays(7),
    lastDays(30),
    lastDays(90),
    lastDays(365),
  ]
}
