import { daysBefore, endOfDay, parseTypedDate, startOfDay } from '../lib/dates.ts'

/** The rules of a date range: what was typed, what is offered, and that nothing lies in the future. */

/** Half-open: `start` ≤ t < `stop`. */
export interface DateRange {
  start: Date
  stop: Date
}

export type RangeVerdict = { range: DateRange } | { error: string; field: 'start' | 'stop' }

export const INVALID_FORMAT = 'Invalid date format'
export const END_BEFORE_START = 'End date must be later than start date!'

/** Reads both texts as a person typed them. Days later than today become the end of today. */
export function readRange(startText: string, stopText: string, now: Date): RangeVerdict {
  const start = parseTypedDate(startText)
  if (start === null) return { error: INVALID_FORMAT, field: 'start' }
  const stop = parseTypedDate(stopText)
  if (stop === null) return { error: INVALID_FORMAT, field: 'stop' }
  const range = { start: notAfterToday(start, now), stop: notAfterToday(stop, now) }
  return range.stop > range.start ? { range } : { error: END_BEFORE_START, field: 'stop' }
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
