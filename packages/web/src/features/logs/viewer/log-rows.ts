import type { LogField, LogHit } from '@benchwatch/contract/logs'
import type { LogType } from '@benchwatch/contract/vocabulary'
import { daysBefore, endOfDay, startOfDay } from '../../../lib/time/dates.ts'
import { beginsDay } from '../log-time.ts'
import { indexOfInstant, type LogPage, totalLabel } from './log-pages.ts'

/** Windows, columns and rows of the log viewer. Document 1 section 9. */

/** Half-open, ISO instants: `from` ≤ t < `to`. */
export interface LogWindow {
  from: string
  to: string
}

/** The place where the logs of an event were opened: its page, or its row in a list. */
export type EventPlace = 'details' | 'row'

/** Milliseconds in which the instrument still writes lines because of the event. */
const AFTERMATH_MS = 2000

/** Columns beside the time, by log type. */
const ofModules = ['log.level', 'module', 'event.code', 'message'] as const

const columns: Record<LogType, readonly LogField[]> = {
  VID: ofModules,
  COMM: ofModules,
  AUDITTRAIL: ['log.level', 'winlog.user.name', 'module', 'event.code', 'message'],
  INSTRUMENTSERVER: ['log.level', 'host.hostname', 'event.code', 'message'],
  // Not the host: the log is of one computer, which its label names.
  UNICORNCLIENT: ['log.level', 'winlog.user.name', 'event.code', 'message'],
  WINDOWSSYSTEMEVENT: ['log.level', 'event.code', 'winlog.user.name', 'host.hostname', 'message'],
  CONNECTIVITY: ofModules,
  THRESHOLD: ofModules,
  SYSTEMREPORT: ofModules,
  EVENT: ofModules,
}

/** Labels of a line's fields. */
export const fieldLabels: Record<LogField, string> = {
  'log.level': 'Level',
  module: 'Module',
  'event.code': 'Code',
  'winlog.user.name': 'User',
  'host.hostname': 'Host',
  message: 'Message',
}

/** Rows of the viewer: lines, a day above its first line, and the moment of the event. */
export type LogRow =
  | { kind: 'day'; at: string }
  | { kind: 'moment'; at: string }
  | { kind: 'line'; hit: LogHit; at: string }

/** `moment` is null if the event lies outside the window. */
export function logRows(page: LogPage, moment: string | null): LogRow[] {
  const rows: LogRow[] = page.lines.map((hit) => ({ kind: 'line', hit, at: hit._source['@timestamp'] }))
  const index = moment === null ? null : indexOfInstant(page, moment)
  // A row of its own, whether or not a line was written at that instant.
  if (moment !== null && index !== null) rows.splice(index, 0, { kind: 'moment', at: moment })
  return rows.flatMap((row, place) =>
    beginsDay(row.at, rows[place - 1]?.at) ? [{ kind: 'day', at: row.at } as const, row] : [row],
  )
}

/** Returns `6 of 128 log lines`, `2 matches`; `6 of at least 128 log lines` while older lines cannot be read. */
export function countLabel({ lines, total, completeFrom }: LogPage, search: string): string {
  const all = totalLabel(total)
  const noun = search === '' ? (total === 1 ? 'log line' : 'log lines') : total === 1 ? 'match' : 'matches'
  if (completeFrom) return `${lines.length.toLocaleString('en')} of at least ${all} ${noun}`
  return lines.length === total ? `${all} ${noun}` : `${lines.length.toLocaleString('en')} of ${all} ${noun}`
}

/** Returns the columns in order; the message is the last. */
export function logColumns(logType: LogType): readonly LogField[] {
  return columns[logType]
}

/**
 * Returns the initial window. On the event's page it is the event's day; in a row, from the start of the previous day
 * to two seconds after the event. Days are in the viewer's zone, like all times on the screen; a day of the instrument
 * would start at an odd hour there.
 */
export function windowOfEvent(moment: string, place: EventPlace): LogWindow {
  const at = new Date(moment)
  const [from, to] =
    place === 'details'
      ? [startOfDay(at), endOfDay(at)]
      : [startOfDay(daysBefore(at, 1)), new Date(at.getTime() + AFTERMATH_MS)]
  return { from: from.toISOString(), to: to.toISOString() }
}

export function isWithin({ from, to }: LogWindow, instant: string): boolean {
  const at = Date.parse(instant)
  return Date.parse(from) <= at && at < Date.parse(to)
}

/** True if lines may still be written in the window. */
export function isGoingOn({ to }: LogWindow, now: number): boolean {
  return Date.parse(to) > now
}
