import { daysBefore, endOfDay, startOfDay } from '../../lib/time/dates.ts'

/**
 * Kinds of time ranges that lists are filtered by. Separate from the panel, so that lists do not load the date parser.
 */

/** Half-open: `start` ≤ t < `stop`. */
export interface DateRange {
  start: Date
  stop: Date
}

/** Rules for the time range of a list. */
export interface RangeKind {
  /** Most used ranges. */
  presets: (now: Date) => readonly RangePreset[]
  /** True if the range is about the past: nothing is later than today. */
  isPast: boolean
  /** True if the range consists of whole days without times. */
  isByDay: boolean
}

/** Days and times up to the end of today. */
export const pastRanges: RangeKind = { presets: rangePresets, isPast: true, isByDay: false }

export interface RangePreset {
  label: string
  range: DateRange
}

/** Returns the most used ranges up to the end of today. */
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
