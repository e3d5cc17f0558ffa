import type { LogField, LogHit } from '@benchwatch/contract/logs'
import type { LogType } from '@benchwatch/contract/vocabulary'
import { daysBefore, endOfDay, startOfDay } from '../../../lib/time/dates.ts'
import { beginsDay } from '../log-time.ts'
import { indexOfInstant, type LogPage, totalLabel } from './log-pages.ts'

/** Which time of a log is looked at. Document 1 section 9. */

/** Half-open, ISO instants: `from` ≤ t < `to`. */
export interface LogWindow {
  from: string
  to: string
}

/** Where the logs of an event are opened: on its page, or in its row of a list. */
export type EventPlace = 'details' | 'row'

/** What the instrument still writes because of the event. */
const AFTERMATH_MS = 2000

/** What of a line is shown beside its time, by what that log tells. */
const ofModules = ['log.level', 'module', 'event.code', 'message'] as const

const columns: Record<LogType, readonly LogField[]> = {
  VID: ofModules,
  COMM: ofModules,
  AUDITTRAIL: ['log.level', 'winlog.user.name', 'module', 'event.code', 'message'],
  INSTRUMENTSERVER: ['log.level', 'host.hostname', 'event.code', 'message'],
  // Not the host: the log is that of one computer, which its label names.
  UNICORNCLIENT: ['log.level', 'winlog.user.name', 'event.code', 'message'],
  WINDOWSSYSTEMEVENT: ['log.level', 'event.code', 'winlog.user.name', 'host.hostname', 'message'],
  CONNECTIVITY: ofModules,
  THRESHOLD: ofModules,
  SYSTEMREPORT: ofModules,
  EVENT: ofModules,
}

/** What the fields of a line are called. */
export const fieldLabels: Record<LogField, string> = {
  'log.level': 'Level',
  module: 'Module',
  'event.code': 'Code',
  'winlog.user.name': 'User',
  'host.hostname': 'Host',
  message: 'Message',
}

/** What stands below each other in the viewer: lines, the day above its first one, and the moment of the event. */
export type LogRow =
  | { kind: 'day'; at: string }
  | { kind: 'moment'; at: string }
  | { kind: 'line'; hit: LogHit; at: string }

/** `moment` null where the event lies outside of what is looked at. */
export function logRows(page: LogPage, moment: string | null): LogRow[] {
  const rows: LogRow[] = page.lines.map((hit) => ({ kind: 'line', hit, at: hit._source['@timestamp'] }))
  const index = moment === null ? null : indexOfInstant(page, moment)
  // Its own row, whether or not a line was written at that very instant.
  if (moment !== null && index !== null) rows.splice(index, 0, { kind: 'moment', at: moment })
  return rows.flatMap((row, place) =>
    beginsDay(row.at, rows[place - 1]?.at) ? [{ kind: 'day', at: row.at } as const, row] : [row],
  )
}

/** `6 of 128 log lines`, `2 matches`. */
export function countLabel({ lines, total }: LogPage, search: string): string {
  const all = totalLabel(total)
  const noun = search === '' ? (total === 1 ? 'log line' : 'log lines') : total === 1 ? 'match' : 'matches'
  return lines.length === total ? `${all} ${noun}` : `${lines.length.toLocaleString('en')} of ${all} ${noun}`
}

/** In the order in which they stand; the message is the last one. */
export function logColumns(logType: LogType): readonly LogField[] {
  return columns[logType]
}

/**
 * With what time the viewer opens. On the event's page it is the whole day of the event, in a row the previous day up to
 * two seconds after the event. Days are the viewer's: so are all times and ranges on the screen, and a day of the
 * instrument would begin at some odd hour there.
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

/** Whether lines may still be written into it. */
export function isGoingOn({ to }: LogWindow, now: number): boolean {
  return Date.parse(to) > now
}
