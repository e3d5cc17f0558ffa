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
 * The optional range of the list, which is about the next service (3-decisions 9). A next service is a day without a zone: so
 * are the ends of the range in addresses and requests, YYYY-MM-DD, half-open. The picker shows them as the viewer's days.
 */

/** No service was due before. */
const THE_BEGINNING = '1970-01-01'
/** Nobody plans further, where the range has no end. */
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

/** What the picker offers. */
export const serviceRanges: RangeKind = { presets: namedRanges, isPast: false, isByDay: true }

/** What the toggle begins with: whoever asks for services plans the next ones. */
export function usualServiceRange(now: number): { start: string; stop: string } {
  const today = new Date(now)
  return { start: calendarDay(today), stop: calendarDay(daysBefore(endOfDay(today), -90)) }
}

/** Ranges that move along with the calendar, as views keep them. `now` in milliseconds. */
export function movingServiceRanges(now: number): MovingRange[] {
  return namedRanges(new Date(now)).map(({ label, moves, range }) => ({ label, moves, range: daysOf(range) }))
}

/** The range as the viewer's days; null where there is none. */
export function serviceDays({ start, stop }: KeptRange): DateRange | null {
  if (start === null && stop === null) return null
  return { start: dayBegins(start ?? THE_BEGINNING), stop: dayBegins(stop ?? THE_END) }
}

/** '22-Nov-2026 – 20-Feb-2027', 'From 22-Nov-2026', 'Until 21-Nov-2026'; null where there is no range. */
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
