import {
  calendarDay,
  dayBegins,
  daysBefore,
  endOfDay,
  formatInstrumentDate,
  startOfDay,
} from '../../../lib/time/dates.ts'
import type { DateRange, RangeKind, RangePreset } from '../../../ui/time/range-kind.ts'
import type { KeptRange, MovingRange } from '../../views/list-state.ts'

/**
 * The optional next service range of the list (3-decisions 9). A next service date has no time zone, so addresses and
 * requests use YYYY-MM-DD, half-open. The picker shows them as days of the viewer.
 */

/** Earlier than any service. */
const THE_BEGINNING = '1970-01-01'
/** Later than any planned service; used for ranges without an end. */
const THE_END = '2100-01-01'

interface NamedRange extends RangePreset {
  moves: MovingRange['moves']
}

function namedRanges(now: Date): NamedRange[] {
  const today = startOfDay(now)
  const next = (days: number): NamedRange => ({
    label: `Next ${days} days`,
    range: { start: today, stop: daysBefore(endOfDay(now), -days) },
    moves: { kind: 'next', days },
  })
  return [
    { label: 'Overdue', range: { start: dayBegins(THE_BEGINNING), stop: today }, moves: { kind: 'overdue' } },
    next(7),
    next(30),
    next(90),
    next(365),
  ]
}

/** Presets of the picker. */
export const serviceRanges: RangeKind = { presets: namedRanges, isPast: false, isByDay: true }

/** Returns the initial range of the toggle: upcoming services. */
export function usualServiceRange(now: number): { start: string; stop: string } {
  const today = new Date(now)
  return { start: calendarDay(today), stop: calendarDay(daysBefore(endOfDay(today), -90)) }
}

/** Returns ranges relative to today, as views store them. `now` in milliseconds. */
export function movingServiceRanges(now: number): MovingRange[] {
  return namedRanges(new Date(now)).map(({ label, moves, range }) => ({ label, moves, range: daysOf(range) }))
}

/** Returns the range as days of the viewer; null if there is none. */
export function serviceDays({ start, stop }: KeptRange): DateRange | null {
  if (start === null && stop === null) return null
  return { start: dayBegins(start ?? THE_BEGINNING), stop: dayBegins(stop ?? THE_END) }
}

/** Returns '22-Nov-2026 – 20-Feb-2027', 'From 22-Nov-2026' or 'Until 21-Nov-2026'; null if there is no range. */
export function serviceLabel({ start, stop }: KeptRange): string | null {
  if (stop === null) return start && `From ${formatInstrumentDate(start)}`
  const last = formatInstrumentDate(daysBefore(dayBegins(stop), 1))
  if (start === null || start === THE_BEGINNING) return `Until ${last}`
  const first = formatInstrumentDate(start)
  return first === last ? last : `${first} – ${last}`
}

export function daysOf({ start, stop }: DateRange): { start: string; stop: string } {
  return { start: calendarDay(start), stop: calendarDay(stop) }
}
