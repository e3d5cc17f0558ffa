import type { LogHit } from '@benchwatch/contract/logs'
import { indexOfInstant, type LogPage, totalWords } from './log-pages.ts'
import { beginsDay } from './log-time.ts'

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
export function countWords({ lines, total }: LogPage, search: string): string {
  const all = totalWords(total)
  const noun = search === '' ? (total === 1 ? 'log line' : 'log lines') : total === 1 ? 'match' : 'matches'
  return lines.length === total ? `${all} ${noun}` : `${lines.length.toLocaleString('en')} of ${all} ${noun}`
}
