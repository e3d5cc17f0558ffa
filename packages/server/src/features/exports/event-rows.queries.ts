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
/** concat() takes a hundred arguments. */
const CELLS_AT_ONCE = 50

export function headOf(details: ExportDetails): string {
  return `${BYTE_ORDER_MARK}${csvColumns[details].map(({ head }) => head).join()}${LINE_END}`
}

/** These events as lines of a file, in this order; ids that the scope does not hold are left out. */
export async function readEventRows(
  db: Db,
  { ids, scope, details }: { ids: readonly number[]; scope: DataScope; details: ExportDetails },
): Promise<string[]> {
  const events = wholeServiceEvents(db, scope).where(sql<boolean>`e.id = ANY(${[...ids]}::int8[])`)
  const { rows } = await sql<{ id: number; line: string }>`
    SELECT r.id, ${line(csvColumns[details].map(({ cell }) => cell))} AS line FROM (${events}) AS r`.execute(db)
  const lines = new Map(rows.map((row) => [row.id, row.line]))
  return ids.flatMap((id) => lines.get(id) ?? [])
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
