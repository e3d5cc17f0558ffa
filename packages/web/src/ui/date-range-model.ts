import { endOfDay, startOfDay } from '../lib/dates.ts'
import { parseTypedDate, writeTypedDate, writeTypedDay } from '../lib/typed-dates.ts'
import { type DateRange, pastRanges, type RangeKind } from './range-kind.ts'

/** The rules of a date range as it is typed and clicked, and whether something may lie in the future. */

export type RangeVerdict = { range: DateRange } | { error: string; field: 'start' | 'stop' }

const MINUTE_MS = 60_000

export const INVALID_FORMAT = 'Invalid date format'
export const END_BEFORE_START = 'End date must be later than start date!'

/** What stands in the two fields for a range. The last minute of the range is shown, not the first after it. */
export function writeRange(
  { start, stop }: DateRange,
  { isByDay }: RangeKind = pastRanges,
): { start: string; stop: string } {
  if (isByDay) return { start: writeTypedDay(start), stop: writeTypedDay(new Date(stop.getTime() - MINUTE_MS)) }
  return { start: writeTypedDate(start), stop: writeTypedDate(new Date(stop.getTime() - MINUTE_MS)) }
}

/**
 * Reads both texts as a person typed them. The end counts with its whole minute, or with its whole day where no time
 * was typed. In a range of the past, days later than today become the end of today.
 */
export function readRange(
  { start: startText, stop: stopText }: { start: string; stop: string },
  now: Date,
  kind: RangeKind = pastRanges,
): RangeVerdict {
  const start = parseTypedDate(startText)
  if (start === null) return { error: INVALID_FORMAT, field: 'start' }
  const last = parseTypedDate(stopText)
  if (last === null) return { error: INVALID_FORMAT, field: 'stop' }
  const isTimed = !kind.isByDay && /:\d\d\s*$/.test(stopText)
  const stop = isTimed ? new Date(last.getTime() + MINUTE_MS) : endOfDay(last)
  const typed = { start: kind.isByDay ? startOfDay(start) : start, stop }
  const range = kind.isPast ? { start: notAfterToday(typed.start, now), stop: notAfterToday(stop, now) } : typed
  const isAhead = range.stop.getTime() - range.start.getTime() > MINUTE_MS
  return isAhead ? { range } : { error: END_BEFORE_START, field: 'stop' }
}

function notAfterToday(date: Date, now: Date): Date {
  const end = endOfDay(now)
  return date > end ? end : date
}

/** Whole days from the first to the last that was clicked, in either order. */
export function rangeOfDays(
  [one, other]: readonly [Date, Date],
  now: Date,
  { isPast }: RangeKind = pastRanges,
): DateRange {
  const [first, last] = one < other ? [one, other] : [other, one]
  const stop = endOfDay(last)
  return { start: startOfDay(first), stop: isPast ? notAfterToday(stop, now) : stop }
}
