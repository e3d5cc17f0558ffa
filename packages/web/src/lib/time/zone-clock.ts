/** The clock on the wall of an IANA zone, in which people plan. By Intl, so that no list of zones has to be loaded. */

export interface WallTime {
  /** YYYY-MM-DD */
  day: string
  /** HH:mm, 00:00 to 23:59 */
  time: string
}

const DAY_MS = 86_400_000

const formats = new Map<string, Intl.DateTimeFormat>()

/** Whether this browser knows the zone; for others the functions below throw RangeError. */
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

/** What the clock shows at an instant; seconds are left out. */
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
 * The instant at which the clock shows a day and time. A time that a change of clocks skips comes as much later, of one that
 * it repeats it is the first: as the server has it.
 */
export function instantOf(wall: WallTime, zone: string): Date {
  const asUtc = Date.parse(`${wall.day}T${wall.time}:00Z`)
  const before = asUtc - offsetAt(asUtc - DAY_MS, zone)
  if (isShown(wall, { at: before, zone })) return new Date(before)
  const after = asUtc - offsetAt(asUtc + DAY_MS, zone)
  return new Date(isShown(wall, { at: after, zone }) ? after : before)
}

/** `count` calendar days later, or earlier where it is negative. */
export function addDays(day: string, count: number): string {
  return new Date(Date.parse(`${day}T00:00Z`) + count * DAY_MS).toISOString().slice(0, 10)
}

/** Calendar days from one day to another. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(`${to}T00:00Z`) - Date.parse(`${from}T00:00Z`)) / DAY_MS)
}

function isShown(wall: WallTime, { at, zone }: { at: number; zone: string }): boolean {
  const shown = wallTime(at, zone)
  return shown.day === wall.day && shown.time === wall.time
}

/** Milliseconds by which the clock is ahead of UTC. Zones differ by whole minutes since 1972. */
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
