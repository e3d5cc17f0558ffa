/**
 * Converts between instants and the wall clock of an IANA time zone. Uses Intl, so that no zone list has to be loaded.
 */

export interface WallTime {
  /** YYYY-MM-DD */
  day: string
  /** HH:mm, 00:00 to 23:59 */
  time: string
}

const DAY_MS = 86_400_000

const formats = new Map<string, Intl.DateTimeFormat>()

/** True if the browser knows the time zone; otherwise the functions below throw RangeError. */
export function isKnownZone(zone: string): boolean {
  try {
    formatOf(zone)
    return true
  } catch {
    return false
  }
}

export function viewerZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}

/** Returns the wall-clock time of an instant, without seconds. */
export function wallTime(instant: string | number | Date, zone: string): WallTime {
  const shown = new Map(
    formatOf(zone)
      .formatToParts(new Date(instant))
      .map(({ type, value }) => [type, value]),
  )
  const part = (type: Intl.DateTimeFormatPartTypes) => shown.get(type) ?? ''
  return {
    day: `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`,
    time: `${part('hour')}:${part('minute')}`,
  }
}

/**
 * Returns the instant of a wall-clock time. A time skipped by a clock change is moved forward by the gap; a repeated
 * one is the first of the two, as on the server.
 */
export function instantOf(wall: WallTime, zone: string): Date {
  const asUtc = Date.parse(`${wall.day}T${wall.time}:00Z`)
  const before = asUtc - offsetAt(asUtc - DAY_MS, zone)
  if (isShown(wall, { at: before, zone })) return new Date(before)
  const after = asUtc - offsetAt(asUtc + DAY_MS, zone)
  return new Date(isShown(wall, { at: after, zone }) ? after : before)
}

/** Returns the day `count` calendar days later, or earlier if negative. */
export function addDays(day: string, count: number): string {
  return new Date(Date.parse(`${day}T00:00Z`) + count * DAY_MS).toISOString().slice(0, 10)
}

/** Returns the number of calendar days between two days. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(`${to}T00:00Z`) - Date.parse(`${from}T00:00Z`)) / DAY_MS)
}

function isShown(wall: WallTime, { at, zone }: { at: number; zone: string }): boolean {
  const shown = wallTime(at, zone)
  return shown.day === wall.day && shown.time === wall.time
}

/** Returns the zone's offset from UTC in milliseconds. Since 1972 zones differ by whole minutes. */
function offsetAt(at: number, zone: string): number {
  const minute = Math.floor(at / 60_000) * 60_000
  const { day, time } = wallTime(minute, zone)
  return Date.parse(`${day}T${time}:00Z`) - minute
}

function formatOf(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone)
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en', {
      timeZone: zone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    })
    formats.set(zone, format)
  }
  return format
}
