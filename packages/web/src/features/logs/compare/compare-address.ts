import { EVENT_ID } from '@benchwatch/contract/patterns'
import { writeQueryString } from '../../../lib/list/list-address.ts'
import { formatSpan } from '../../../lib/time/duration.ts'
import { type LogChoice, pairProblem, readLog, writeLog } from '../log-labels.ts'
import { SEARCH_LENGTH } from '../logs.api.ts'

/**
 * State of the comparison page in its address: `/logs/{installed product
 * id}?first=VID&second=UNICORNCLIENT:PC-012&at=…&event=104882&ahead=90&search=…`.
 *
 * Addresses may be typed by hand, so nothing here throws: invalid parts are named in `problems` and ignored.
 */

export const sides = ['first', 'second'] as const
export type Side = (typeof sides)[number]

export interface CompareAddress {
  first: LogChoice | null
  second: LogChoice | null
  /**
   * The moment in the middle of the screen, in ms since 1970 by the instrument's clock; null for the event's moment.
   */
  at: number | null
  /** Digits. */
  eventId: string | null
  /** How many ms the corrected log's clock is ahead of the other; 0 by default. */
  ahead: number
  search: string
  /** One sentence for each invalid part of the address. */
  problems: readonly string[]
}

/** Returns path and query of the page, for a link or a new tab. */
export function compareLogsHref({
  installedProductId,
  ...address
}: { installedProductId: string; first: LogChoice; second: LogChoice } & Partial<CompareAddress>): string {
  return `/logs/${encodeURIComponent(installedProductId)}${writeQueryString(writeCompareAddress(address))}`
}

export function writeCompareAddress(address: Partial<CompareAddress>): Record<string, string> {
  const { first = null, second = null, at = null, eventId = null, ahead = 0, search = '' } = address
  return {
    ...(first !== null && { first: writeLog(first) }),
    ...(second !== null && { second: writeLog(second) }),
    ...(at !== null && { at: new Date(at).toISOString() }),
    ...(eventId !== null && { event: eventId }),
    ...(ahead !== 0 && { ahead: writeClockDifference(ahead) }),
    ...(search !== '' && { search }),
  }
}

const notALog = 'not a log. Use a name such as VID, or UNICORNCLIENT:PC-012 for a client log.'
const notADifference = 'not a clock difference. Use seconds such as 90, or a duration such as -1:30.'

/** Reads an address; the router passes its parameters as text. */
export function readCompareAddress(parameters: Record<string, unknown>): CompareAddress {
  const problems: string[] = []
  /** Reads one parameter: null if it is absent, or, with a problem, if `read` rejects it. */
  function parameter<T>(name: string, read: (text: string) => T | null, expected: string): T | null {
    const value = parameters[name]
    const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
    if (text === '') return null
    const found = read(text)
    if (found === null) problems.push(`“${text.slice(0, 60)}” in the address is ${expected}`)
    return found
  }

  const first = parameter('first', readLog, notALog)
  const second = parameter('second', readLog, notALog)
  const refusal = first === null || second === null ? null : pairProblem(first, second)
  return {
    first,
    second: refusal === null ? second : null,
    at: parameter('at', readInstant, 'not a time. Use a form such as 2026-11-20T14:02:23Z.'),
    eventId: parameter('event', readEventId, 'not an event. Use its digits, such as 104882.'),
    ahead: parameter('ahead', parseClockDifference, notADifference) ?? 0,
    search: typeof parameters.search === 'string' ? parameters.search.slice(0, SEARCH_LENGTH) : '',
    problems: refusal === null ? problems : [...problems, refusal],
  }
}

/** Reads an ISO date, or an ISO time with its zone. Null for anything else, and before 1970. */
export function readInstant(text: string): number | null {
  if (!/^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d))?$/i.test(text)) return null
  const at = Date.parse(text)
  return at >= 0 && at < Date.UTC(9999, 0) ? at : null
}

function readEventId(text: string): string | null {
  const id = text.toUpperCase()
  return EVENT_ID.test(id) ? id.replace(/^ORC-/, '') : null
}

/**
 * Two logs rarely share a clock: a client's PC runs ahead of its instrument, or behind. The difference is stated for
 * one of the two: the client's, because events carry the instrument's time, otherwise the second. Its lines are shown
 * at `time stamp − difference`. Differences are milliseconds, positive if the clock is ahead.
 */
export function correctedSide({ first }: Pick<CompareAddress, 'first'>): Side {
  return first?.logType === 'UNICORNCLIENT' ? 'first' : 'second'
}

/** Replaces logs. The difference is kept if it still refers to the same log's clock. */
export function withLogs(address: CompareAddress, logs: Partial<Pick<CompareAddress, Side>>): CompareAddress {
  const next = { ...address, ...logs }
  const [before, after] = [address, next].map((one) => one[correctedSide(one)])
  return { ...next, ahead: before && after && writeLog(before) === writeLog(after) ? address.ahead : 0 }
}

/** Swaps both logs. If the other log is then the corrected one, the difference changes its sign. */
export function swapped(address: CompareAddress): CompareAddress {
  const next = withLogs(address, { first: address.second, second: address.first })
  if (next.ahead === address.ahead) return next
  return { ...next, at: address.at === null ? null : address.at + address.ahead, ahead: -address.ahead }
}

/** A century: a PC with an empty battery starts in 1970 or 2000. */
const MAX_DIFFERENCE_MS = 100 * 366 * 86_400_000

/** Reads seconds, `90` or `+1.5 s`, and durations, `-1:30` or `1:30:00`. Null for anything else. */
export function parseClockDifference(text: string): number | null {
  // Users and keyboards produce four kinds of minus.
  const tidy = text.trim().replace(/^[−–‒]/, '-')
  const parts = /^([+-]?)\s*(?:(?:(\d{1,6}):)?(\d{1,6}):)?(\d{1,10}(?:\.\d{1,3})?)(?:\s*s)?$/i.exec(tidy)
  if (parts === null) return null
  const [, sign, hours, minutes, seconds] = parts
  const isClock = (minutes === undefined || Number(seconds) < 60) && (hours === undefined || Number(minutes) < 60)
  const length = Math.round((Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds)) * 1000)
  if (!isClock || length > MAX_DIFFERENCE_MS) return null
  return sign === '-' ? -length || 0 : length
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
