import { formatSpan } from '../../../lib/time/duration.ts'
import type { LogSource } from '../logs.api.ts'

/**
 * Two logs rarely share a clock: a client's PC runs ahead of its instrument, or behind. The difference is stated for
 * one of the two; its lines are shown at `time stamp − difference`. Differences are milliseconds, positive if the
 * clock is ahead.
 */

export const sides = ['first', 'second'] as const
export type Side = (typeof sides)[number]

/** A century: a PC with an empty battery starts in 1970 or 2000. */
const MAX_DIFFERENCE_MS = 100 * 366 * 86_400_000

/**
 * Returns the side whose clock is corrected: the client's, because events carry the instrument's time; otherwise the
 * second.
 */
export function correctedSide(first: Pick<LogSource, 'logType'> | null): Side {
  return first?.logType === 'UNICORNCLIENT' ? 'first' : 'second'
}

/** Converts a time stamp of a clock that is `ahead` ms ahead to the shared clock. */
export function correctedTime(stamp: number, ahead: number): number {
  return stamp - ahead
}

/** Converts a moment of the shared clock to the time stamp of a clock that is `ahead` ms ahead. */
export function stampAt(moment: number, ahead: number): number {
  return moment + ahead
}

/**
 * Reads `90`, `+90 s`, `-1:30`, `1:30:00`, `1.5 h`, `2 min 5 s`; numbers without a unit are seconds. Null for anything
 * else, and for more than a century.
 */
export function parseClockDifference(text: string): number | null {
  // Users and keyboards produce four kinds of minus.
  const tidy = text
    .trim()
    .toLowerCase()
    .replace(/^[−–‒]/, '-')
  const sign = tidy.startsWith('-') ? -1 : 1
  const seconds = readLength(tidy.replace(/^[+-]\s*/, ''))
  if (seconds === null) return null
  const difference = Math.round(seconds * 1000)
  return difference > MAX_DIFFERENCE_MS ? null : difference * sign || 0
}

const unitSeconds: Record<string, number> = { d: 86_400, h: 3600, m: 60, s: 1, ms: 0.001 }

/** Returns the seconds of an unsigned duration. */
function readLength(text: string): number | null {
  if (/^\d{1,10}(?:\.\d{1,3})?$/.test(text)) return Number(text)
  const clock = /^(?:(\d{1,6}):)?(\d{1,6}):(\d{1,2}(?:\.\d{1,3})?)$/.exec(text)
  if (clock !== null) {
    const [hours, minutes, seconds] = [Number(clock[1] ?? 0), Number(clock[2]), Number(clock[3])]
    return seconds < 60 && (clock[1] === undefined || minutes < 60) ? hours * 3600 + minutes * 60 + seconds : null
  }
  let total = 0
  let rest = text
  while (rest !== '') {
    const part = /^(\d{1,10}(?:\.\d{1,3})?)\s*(days?|d|hours?|h|ms|minutes?|mins?|m|seconds?|secs?|s)\s*/.exec(rest)
    if (part?.[1] === undefined || part[2] === undefined) return null
    total += Number(part[1]) * (unitSeconds[part[2] === 'ms' ? 'ms' : part[2].charAt(0)] ?? 0)
    rest = rest.slice(part[0].length)
  }
  return text === '' ? null : total
}

/** Writes seconds, `90` or `-1.5`, for the address. `parseClockDifference` reads them back. */
export function writeClockDifference(ahead: number): string {
  return String(ahead / 1000)
}

/** Returns `1 min 30 s ahead`, `0.4 s behind`. */
export function clockDifferenceLabel(ahead: number): string {
  const length = Math.abs(ahead)
  // Fractions matter only below ten seconds.
  const amount = length < 10_000 && length % 1000 !== 0 ? `${length / 1000} s` : formatSpan(length / 1000)
  return `${amount} ${ahead < 0 ? 'behind' : 'ahead'}`
}
