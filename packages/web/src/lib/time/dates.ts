import dayjs from 'dayjs'

/** Formats dates in the viewer's time zone. Formats: document 1 section 9. */

export type Instant = string | number | Date

/** Shown if there is no date. */
const NONE = '–'

/** Formats e.g. '20-Nov-2026', as in the events area. */
export function formatEventDate(instant: Instant | null): string {
  return format(instant, 'D-MMM-YYYY')
}

/** Formats e.g. '20-Nov-2026 14:02', as in the events area. */
export function formatEventTime(instant: Instant | null): string {
  return format(instant, 'D-MMM-YYYY HH:mm')
}

/**
 * Formats e.g. '05-Nov-2026', as in the instruments area and the report. A plain day (YYYY-MM-DD) is the same in every
 * time zone.
 */
export function formatInstrumentDate(instant: Instant | null): string {
  return format(instant, 'DD-MMM-YYYY')
}

/** Formats e.g. '05-Nov-2026 14:02', as in the instruments area. */
export function formatInstrumentTime(instant: Instant | null): string {
  return format(instant, 'DD-MMM-YYYY HH:mm')
}

/**
 * Formats an exclusive end: '05-Nov-2026 14:02', or 'the end of 05-Nov-2026' for the midnight after it, because
 * '06-Nov-2026 00:00' reads like one day more.
 */
export function formatInstrumentEnd(end: Instant): string {
  const day = dayjs(end)
  return day.isSame(day.startOf('day'))
    ? `the end of ${formatInstrumentDate(day.subtract(1, 'millisecond').valueOf())}`
    : formatInstrumentTime(end)
}

/** Formats e.g. 'Nov 20, 2026 @ 14:02', for tooltips. */
export function formatTooltipTime(instant: Instant | null): string {
  return format(instant, 'MMM D, YYYY @ HH:mm')
}

/**
 * Formats e.g. 'Nov 20, 2026 @ 09:02 (America/New_York)' in another time zone; null if the browser does not know it.
 */
export function formatTimeInZone(instant: Instant, zone: string): string | null {
  const there = readTimeInZone(instant, zone)
  return there && `${there.month} ${Number(there.day)}, ${there.year} @ ${there.clock} (${zone})`
}

/** Formats e.g. '20-Nov-2026 09:02 (America/New_York)' in another time zone; null if the browser does not know it. */
export function formatInstrumentTimeInZone(instant: Instant, zone: string): string | null {
  const there = readTimeInZone(instant, zone)
  return there && `${there.day}-${there.month}-${there.year} ${there.clock} (${zone})`
}

/** One for each zone: making one takes longer than a hundred uses. */
const partsInZone = new Map<string, Intl.DateTimeFormat>()

function readTimeInZone(instant: Instant, zone: string) {
  try {
    const formatter =
      partsInZone.get(zone) ??
      new Intl.DateTimeFormat('en', {
        timeZone: zone,
        year: 'numeric',
        month: 'short',
        day: '2-digit',
        hour: '2-digit',
        minute: '2-digit',
        hourCycle: 'h23',
      })
    partsInZone.set(zone, formatter)
    const parts = formatter.formatToParts(new Date(instant))
    const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((found) => found.type === type)?.value ?? ''
    return {
      day: part('day'),
      month: part('month'),
      year: part('year'),
      clock: `${part('hour')}:${part('minute')}`,
    }
  } catch {
    return null
  }
}

/** Formats weekday and time in another time zone, e.g. 'Fri 09:02'; null if the browser does not know it. */
export function formatClockInZone(instant: Instant, zone: string): string | null {
  try {
    const clock = new Intl.DateTimeFormat('en', {
      timeZone: zone,
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    })
    return clock.format(new Date(instant)).replace(/,? /, ' ')
  } catch {
    return null
  }
}

/** Formats e.g. '14:02'. */
export function formatClock(instant: Instant | null): string {
  return format(instant, 'HH:mm')
}

/** Formats e.g. '14:02:07'. */
export function formatSecond(instant: Instant | null): string {
  return format(instant, 'HH:mm:ss')
}

function format(instant: Instant | null, pattern: string): string {
  if (instant === null) return NONE
  const date = dayjs(instant)
  return date.isValid() ? date.format(pattern) : NONE
}

/** Formats the viewer's calendar day for addresses and requests, e.g. '2026-11-20'. */
export function calendarDay(date: Date): string {
  return dayjs(date).format('YYYY-MM-DD')
}

/** True for a day that exists, as YYYY-MM-DD. */
export function isCalendarDay(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && dayjs(text).format('YYYY-MM-DD') === text
}

/** Returns the viewer's midnight at the start of a calendar day (YYYY-MM-DD). */
export function dayBegins(day: string): Date {
  return dayjs(day).startOf('day').toDate()
}

export function startOfDay(date: Date): Date {
  return dayjs(date).startOf('day').toDate()
}

/** Returns the midnight after `date`: ranges are half-open, so this is the end of the day. */
export function endOfDay(date: Date): Date {
  return dayjs(date).add(1, 'day').startOf('day').toDate()
}

/** Returns the start of the day `days` calendar days earlier. A day whose midnight a clock change skips starts at 1:00. */
export function daysBefore(date: Date, days: number): Date {
  return dayjs(date).subtract(days, 'day').startOf('day').toDate()
}

/**
 * Formats e.g. '13 Nov – 20 Nov 2026', or with times if the range is not made of whole days: '20 Nov 08:00 – 21 Nov
 * 2026 12:30'. `stop` is exclusive, so a range that ends at midnight shows the day before.
 */
export function formatRange(start: Date, stop: Date): string {
  const last = dayjs(stop).subtract(1, 'millisecond')
  const first = dayjs(start)
  // A range that starts at the epoch has no start worth showing.
  const isOpen = start.getTime() <= 0
  const isWhole = (isOpen || isMidnight(start)) && isMidnight(stop)
  const time = isWhole ? '' : ' HH:mm'
  if (isOpen) return `Until ${last.format(`D MMM YYYY${time}`)}`
  if (first.isSame(last, 'day')) {
    const day = last.format('D MMM YYYY')
    return isWhole ? day : `${day}${first.format(time)} – ${last.format('HH:mm')}`
  }
  const firstDay = first.isSame(last, 'year') ? 'D MMM' : 'D MMM YYYY'
  return `${first.format(firstDay + time)} – ${last.format(`D MMM YYYY${time}`)}`
}

/**
 * Formats a range with times for tooltips, e.g. 'Nov 20, 2026 @ 08:00 – Nov 21, 2026 @ 12:30, Europe/Stockholm
 * (UTC+1)'.
 */
export function formatWholeRange(start: Date, stop: Date): string {
  const last = formatTooltipTime(new Date(stop.getTime() - 1))
  const text = start.getTime() <= 0 ? `Until ${last}` : `${formatTooltipTime(start)} – ${last}`
  return `${text}, ${formatZone(stop)}`
}

function isMidnight(date: Date): boolean {
  return startOfDay(date).getTime() === date.getTime()
}

/** Formats the viewer's time zone with its offset at `at`, e.g. 'Europe/Stockholm (UTC+1)'. */
export function formatZone(at: Date = new Date()): string {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  const minutes = -at.getTimezoneOffset()
  const sign = minutes < 0 ? '-' : '+'
  const hours = Math.floor(Math.abs(minutes) / 60)
  const rest = Math.abs(minutes) % 60
  return `${zone} (UTC${sign}${hours}${rest === 0 ? '' : `:${String(rest).padStart(2, '0')}`})`
}
