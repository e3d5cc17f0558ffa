import { daysBefore, endOfDay, startOfDay } from '../../lib/time/dates.ts'

/** What ranges of time a list is narrowed by. Apart from date-range-model.ts: no list needs what reads typed dates at once. */

/** Half-open: `start` ≤ t < `stop`. */
export interface DateRange {
  start: Date
  stop: Date
}

/** What ranges of a list are about. */
export interface RangeKind {
  /** What people ask for most. */
  presets: (now: Date) => readonly RangePreset[]
  /** Of things that happened: nothing is later than today. */
  isPast: boolean
  /** Whole days, without times. */
  isByDay: boolean
}

/** Whole days and times up to the end of today. */
export const pastRanges: RangeKind = { presets: rangePresets, isPast: true, isByDay: false }

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
