import dayjs from 'dayjs'
import { formatEventTime, formatZone, type Instant } from '../../lib/time/dates.ts'

/**
 * Formats times of log lines, to the millisecond, in the viewer's zone: 3-decisions 4 ("log lines with seconds and
 * milliseconds").
 */

/** 14:02:07.123 */
export function formatLineTime(instant: Instant): string {
  return dayjs(instant).format('HH:mm:ss.SSS')
}

/** Returns Fri 20-Nov-2026, shown above the first line of a day. */
export function formatLineDay(instant: Instant): string {
  return dayjs(instant).format('ddd D-MMM-YYYY')
}

/** Says that lines are missing, in place of the lines before `completeFrom`. */
export function missingLines(completeFrom: Instant): string {
  return `Log lines before ${formatEventTime(completeFrom)} can’t be read at the moment.`
}

/**
 * True if a line is on another day than the previous one, or is the first. A clock change also starts a day, because
 * the offset shown with the day applies to all lines below.
 */
export function beginsDay(instant: Instant, previous: Instant | undefined): boolean {
  if (previous === undefined || !dayjs(instant).isSame(previous, 'day')) return true
  return new Date(instant).getTimezoneOffset() !== new Date(previous).getTimezoneOffset()
}

/**
 * Returns a tooltip with the time in the viewer's zone and, on a second line, at the instrument if its zone is known
 * and its clock differs.
 */
export function lineTimeTitle(instant: Instant, siteZone: string | null): string {
  const at = new Date(instant)
  const here = dayjs(at).format('MMM D, YYYY @ HH:mm:ss.SSS')
  const there = siteZone === null ? null : wallClock(at, siteZone)
  const hereInZone = `${here}, ${formatZone(at)}`
  return there === null || there === here ? hereInZone : `${hereInZone}\nAt the instrument: ${there}, ${siteZone}`
}

/** Cached: creating a formatter takes longer than formatting a hundred lines. */
const formatters = new Map<string, Intl.DateTimeFormat | null>()

/** Returns Nov 20, 2026 @ 09:02:07.123 in that zone; null if this browser does not know the zone. */
function wallClock(at: Date, zone: string): string | null {
  if (!formatters.has(zone)) formatters.set(zone, formatterOf(zone))
  const parts = formatters.get(zone)?.formatToParts(at)
  if (parts === undefined) return null
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((found) => found.type === type)?.value ?? ''
  const clock = `${part('hour')}:${part('minute')}:${part('second')}.${part('fractionalSecond')}`
  return `${part('month')} ${part('day')}, ${part('year')} @ ${clock}`
}

function formatterOf(timeZone: string): Intl.DateTimeFormat | null {
  try {
    return new Intl.DateTimeFormat('en', {
      timeZone,
      year: 'numeric',
      month: 'short',
      day: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      fractionalSecondDigits: 3,
      hourCycle: 'h23',
    })
  } catch {
    return null
  }
}
