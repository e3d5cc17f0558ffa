import { EVENT_ID } from '@benchwatch/contract/patterns'
import { type LogType, logTypes, type Severity } from '@benchwatch/contract/vocabulary'
import { writeQueryString } from '../../../lib/list/list-address.ts'
import type { LogSource } from '../logs.api.ts'
import { correctedSide, parseClockDifference, type Side, writeClockDifference } from './compare-clock.ts'

/**
 * State of the comparison page in its address: `/logs/{installed product
 * id}?first=VID&second=UNICORNCLIENT:PC-012&at=…&event=104882&ahead=90&search=…`.
 *
 * Addresses may be typed by hand, so nothing here throws: invalid parts are named in `problems` and ignored.
 */

/** A place in two logs: a moment of the shared clock, and the line that was visited, if any. */
export interface ComparePlace {
  at: number
  line?: LineName | undefined
}

export interface LineName {
  side: Side
  id: string
}

/** Target of a scroll in the table; a higher `turn` for the same place scrolls there again. */
export interface Destination extends ComparePlace {
  turn: number
}

/** The visible part of the table, from top to bottom, by the shared clock. */
export interface Sight {
  from: number
  to: number
  middle: number
}

export type Direction = 'older' | 'newer'

/** The event whose moment is marked. */
export interface ComparedEvent {
  eventId: string
  at: number
  severity: Severity
}

/** One log of the instrument. `computerName` is null except for client logs. */
export type LogChoice = Pick<LogSource, 'logType' | 'computerName'>

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

/** The maximum length of a search on the server. */
export const SEARCH_LENGTH = 200

/** Returns path and query of the page, for a link or a new tab. */
export function compareLogsHref({
  installedProductId,
  ...address
}: { installedProductId: string; first: LogChoice; second: LogChoice } & Partial<CompareAddress>): string {
  const query = writeCompareAddress({ ...empty, ...address })
  return `/logs/${encodeURIComponent(installedProductId)}${writeQueryString(query)}`
}

const empty: CompareAddress = {
  first: null,
  second: null,
  at: null,
  eventId: null,
  ahead: 0,
  search: '',
  problems: [],
}

export function writeCompareAddress(address: CompareAddress): Record<string, string> {
  const { first, second, at, eventId, ahead, search } = address
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
    ahead:
      parameter(
        'ahead',
        parseClockDifference,
        'not a clock difference. Use seconds such as 90, or a duration such as -1:30.',
      ) ?? 0,
    search: typeof parameters.search === 'string' ? parameters.search.slice(0, SEARCH_LENGTH) : '',
    problems: refusal === null ? problems : [...problems, refusal],
  }
}

/** Explains why two logs cannot be compared; null if they can. The first text is literal in the specification. */
export function pairProblem(first: LogChoice, second: LogChoice): string | null {
  if (first.logType === 'UNICORNCLIENT' && second.logType === 'UNICORNCLIENT')
    return 'Cannot view two separate client logs side by side'
  return first.logType === second.logType ? 'Choose two different logs.' : null
}

/** Returns `VID`, `UNICORNCLIENT:PC-012`: the log in addresses and in lists of choices. */
export function writeLog({ logType, computerName }: LogChoice): string {
  return computerName === null ? logType : `${logType}:${computerName}`
}

/** Reads a log's name. A computer is allowed for client logs only. */
export function readLog(text: string): LogChoice | null {
  const [name = '', ...rest] = text.split(':')
  const logType = logTypes.find((type: LogType) => type === name.toUpperCase())
  // A computer's name may contain a colon, like an IPv6 address.
  const computerName = rest.join(':').trim()
  if (logType === undefined || computerName.length > 200) return null
  if (computerName === '') return { logType, computerName: null }
  return logType === 'UNICORNCLIENT' ? { logType, computerName } : null
}

function readInstant(text: string): number | null {
  if (!/^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d))?$/i.test(text)) return null
  const at = Date.parse(text)
  return at >= 0 && at < Date.UTC(9999, 0) ? at : null
}

function readEventId(text: string): string | null {
  const id = text.toUpperCase()
  return EVENT_ID.test(id) ? id.replace(/^ORC-/, '') : null
}

/** Joins side and id to a key for rows and for opened lines. */
export function lineKey({ side, id }: LineName): string {
  return `${side}:${id}`
}

/** Changes of the page's logs. A clock difference belongs to one clock. */

/** Replaces the log on one side. The difference is kept if it still refers to the same log's clock. */
export function withLog(address: CompareAddress, side: Side, log: LogChoice | null): CompareAddress {
  const next = { ...address, [side]: log, problems: [] }
  const isSameClock = sameLog(correctedLog(address), correctedLog(next))
  return { ...next, ahead: isSameClock ? address.ahead : 0 }
}

/** Swaps both logs. If the other log is then the corrected one, the difference changes its sign. */
export function swapped(address: CompareAddress): CompareAddress {
  const next = { ...address, first: address.second, second: address.first, problems: [] }
  if (sameLog(correctedLog(address), correctedLog(next))) return next
  const at = address.at === null ? null : address.at + address.ahead
  return { ...next, at, ahead: -address.ahead || 0 }
}

export function correctedLog(address: Pick<CompareAddress, Side>): LogChoice | null {
  return address[correctedSide(address.first)]
}

export function sameLog(one: LogChoice | null, other: LogChoice | null): boolean {
  return one?.logType === other?.logType && one?.computerName === other?.computerName
}
