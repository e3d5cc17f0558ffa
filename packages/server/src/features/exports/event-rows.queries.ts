import type { ExportDetails } from '@benchwatch/contract/vocabulary'
import { type RawBuilder, sql } from 'kysely'
import type { DataScope } from '../../db/actor.ts'
import type { Db } from '../../db/connect.ts'
import { wholeServiceEvents } from '../service-events/service-events.queries.ts'
import { csvColumns } from './event-columns.queries.ts'

/** Tells a spreadsheet that the file is UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF'
/** RFC 4180, after the last row too. */
const LINE_END = '\r\n'
/** Some 50 kB: a text for each row would leave V8 a hundred megabytes to clean up, and it frees longer ones late. */
const ROWS_OF_A_PIECE = 64
/** concat() takes a hundred arguments. */
const CELLS_AT_ONCE = 50

export function headOf(details: ExportDetails): string {
  return `${BYTE_ORDER_MARK}${csvColumns[details].map(({ head }) => head).join()}${LINE_END}`
}

/** A part of a file. */
export interface EventRows {
  /** Lines of some rows each, in order. */
  pieces: string[]
  events: number
}

/** These events as lines of a file, in this order; ids that the scope does not hold are left out. */
export async function readEventRows(
  db: Db,
  { ids, scope, details }: { ids: readonly number[]; scope: DataScope; details: ExportDetails },
): Promise<EventRows> {
  const wanted = sql`${[...ids]}::int8[]`
  const events = wholeServiceEvents(db, scope).where(sql<boolean>`e.id = ANY(${wanted})`)
  const number = sql`(place - 1) / ${sql.lit(ROWS_OF_A_PIECE)}`
  const cells = csvColumns[details].map(({ cell }) => cell)
  const { rows } = await sql<{ piece: string; events: number }>`
    SELECT string_agg(line, '' ORDER BY place) AS piece, count(*)::int AS events
    FROM (SELECT ${line(cells)} AS line, w.place
      FROM (${events}) AS r JOIN unnest(${wanted}) WITH ORDINALITY AS w (id, place) ON w.id = r.id) AS l
    GROUP BY ${number} ORDER BY ${number}`.execute(db)
  return { pieces: rows.map(({ piece }) => piece), events: rows.reduce((sum, row) => sum + row.events, 0) }
}

/** concat() takes null for an empty text. */
function line(cells: readonly RawBuilder<unknown>[]): RawBuilder<string> {
  const parts: RawBuilder<unknown>[] = []
  for (let first = 0; first < cells.length; first += CELLS_AT_ONCE) {
    const some = sql.join(cells.slice(first, first + CELLS_AT_ONCE), sql`, ',', `)
    parts.push(sql`concat(${some})`)
  }
  return sql<string>`${sql.join(parts, sql` || ',' || `)} || ${sql.lit(LINE_END)}`
}
