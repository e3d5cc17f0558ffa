import dayjs from 'dayjs'

/** Dates as people read them, in the viewer's zone. Formats: document 1 section 9. */

export type Instant = string | number | Date

/** Shown where there is no date. */
const NONE = '–'

/** 20-Nov-2026, as in the events area. */
export function formatEventDate(instant: Instant | null): string {
  return format(instant, 'D-MMM-YYYY')
}

/** 20-Nov-2026 14:02, as in the events area. */
export function formatEventTime(instant: Instant | null): string {
  return format(instant, 'D-MMM-YYYY HH:mm')
}

/** 05-Nov-2026, as in the instruments area and the report. A day without a time (YYYY-MM-DD) is that day everywhere. */
export function formatInstrumentDate(instant: Instant | null): string {
  return format(instant, 'DD-MMM-YYYY')
}

/** 05-Nov-2026 14:02, as in the instruments area. */
export function formatInstrumentTime(instant: Instant | null): string {
  return format(instant, 'DD-MMM-YYYY HH:mm')
}

/**
 * Formats an end that no longer belongs to the span: '05-Nov-2026 14:02', or 'the end of 05-Nov-2026' for the midnight
 * after it, because '06-Nov-2026 00:00' reads like one day more.
 */
export function formatInstrumentEnd(end: Instant): string {
  const day = dayjs(end)
  return day.isSame(day.startOf('day'))
    ? `the end of ${formatInstrumentDate(day.subtract(1, 'millisecond').valueOf())}`
    : formatInstrumentTime(end)
}

/** Nov 20, 2026 @ 14:02; for tooltips. */
export function formatTooltipTime(instant: Instant | null): string {
  return format(instant, 'MMM D, YYYY @ HH:mm')
}

/** Nov 20, 2026 @ 09:02 (America/New_York): the wall clock of another zone; null for a zone that this browser lacks. */
export function formatTimeInZone(instant: Instant, zone: string): string | null {
  try {
    const parts = new Intl.DateTimeFormat('en', {
      timeZone: zone,
      year: 'numeric',
      month: 'short',
      day: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    }).formatToParts(new Date(instant))
    const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((found) => found.type === type)?.value ?? ''
    return `${part('month')} ${part('day')}, ${part('year')} @ ${part('hour')}:${part('minute')} (${zone})`
  } catch {
    return null
  }
}

/** Fri 09:02: the weekday and the wall clock of another zone; null for a zone that this browser lacks. */
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

/** 14:02 */
export function formatClock(instant: Instant | null): string {
  return format(instant, 'HH:mm')
}

function format(instant: Instant | null, pattern: string): string {
  if (instant === null) return NONE
  const date = dayjs(instant)
  return date.isValid() ? date.format(pattern) : NONE
}

/** 2026-11-20: the calendar day of an instant in the viewer's zone, as days stand in addresses and requests. */
export function calendarDay(date: Date): string {
  return dayjs(date).format('YYYY-MM-DD')
}

/** The viewer's midnight at which a calendar day (YYYY-MM-DD) begins. */
export function dayBegins(day: string): Date {
  return dayjs(day).startOf('day').toDate()
}

export function startOfDay(date: Date): Date {
  return dayjs(date).startOf('day').toDate()
}

/** Midnight after `date`: ranges are half-open, so this is the end of its day. */
export function endOfDay(date: Date): Date {
  return dayjs(date).add(1, 'day').startOf('day').toDate()
}

/** `days` calendar days earlier at the same wall-clock time, whatever clocks changed in between. */
export function daysBefore(date: Date, days: number): Date {
  return dayjs(date).subtract(days, 'day').toDate()
}

/**
 * 13 Nov – 20 Nov 2026; with times where it does not consist of whole days: 20 Nov 08:00 – 21 Nov 2026 12:30. `stop` is
 * exclusive, so a range that ends at midnight names the day before.
 */
export function formatRange(start: Date, stop: Date): string {
  const last = dayjs(stop).subtract(1, 'millisecond')
  const first = dayjs(start)
  // Before the first event there is nothing, so a range from the epoch has no beginning that is worth a word.
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

/** Nov 20, 2026 @ 08:00 – Nov 21, 2026 @ 12:30, Europe/Stockholm (UTC+1): the whole range with its last minute, for tooltips. */
export function formatWholeRange(start: Date, stop: Date): string {
  const last = formatTooltipTime(new Date(stop.getTime() - 1))
  const words = start.getTime() <= 0 ? `Until ${last}` : `${formatTooltipTime(start)} – ${last}`
  return `${words}, ${zoneLabel(stop)}`
}

function isMidnight(date: Date): boolean {
  return startOfDay(date).getTime() === date.getTime()
}

/** Europe/Stockholm (UTC+1): the viewer's zone with its offset on `at`. */
export function zoneLabel(at: Date = new Date()): string {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  const minutes = -at.getTimezoneOffset()
  const sign = minutes < 0 ? '-' : '+'
  const hours = Math.floor(Math.abs(minutes) / 60)
  const rest = Math.abs(minutes) % 60
  return `${zone} (UTC${sign}${hours}${rest === 0 ? '' : `:${String(rest).padStart(2, '0')}`})`
}
