import { pipeline } from 'node:stream/promises'
import type { ExportDetails, ExportType } from '@benchwatch/contract/vocabulary'
import { type CompiledQuery, type RawBuilder, sql } from 'kysely'
import { type Client, escapeLiteral } from 'pg'
import { to } from 'pg-copy-streams'
import type { DataScope } from '../../db/actor.ts'
import type { Db } from '../../db/connect.ts'
import { readBinaryCopy } from '../../db/sql/binary-copy.ts'
import { exportedLists } from './exported-lists.queries.ts'

/** Marks the file as UTF-8 for spreadsheets. */
const BYTE_ORDER_MARK = '\uFEFF'
/** RFC 4180; also after the last row. */
const LINE_END = '\r\n'
/** About 15 to 70 kB: passing on one piece per row would take as long as making it. */
const ROWS_OF_A_PIECE = 64
/** concat() takes a hundred arguments. */
const CELLS_AT_ONCE = 50

export function headOf({ type, details }: FileKind): string {
  return `${BYTE_ORDER_MARK}${exportedLists[type].columns[details].map(({ head }) => head).join()}${LINE_END}`
}

/** The list that a file exports, and its level of detail. */
export interface FileKind {
  type: ExportType
  details: ExportDetails
}

/** A part of a file. */
export interface FileRows {
  /** Lines of several rows each, in order, as UTF-8. */
  pieces: Buffer[]
  count: number
}

/**
 * Reads these rows as lines of a file, in this order; ids outside the scope are left out. Uses COPY, because query
 * results become strings: those of a million rows left V8 200 MB of garbage, while bytes go to the file unchanged.
 */
export async function readFileRows(
  client: Client,
  {
    db,
    ids,
    type,
    details,
    ...seenBy
  }: FileKind & { db: Db; ids: readonly number[]; scope: DataScope; viewerId: number },
): Promise<FileRows> {
  const rowIds = sql`${[...ids]}::int8[]`
  const number = sql`(place - 1) / ${sql.lit(ROWS_OF_A_PIECE)}`
  const cells = exportedLists[type].columns[details].map(({ cell }) => cell)
  const query = sql`
    SELECT count(*), string_agg(line, '' ORDER BY place)
    FROM (SELECT ${line(cells)} AS line, w.place
      FROM (${exportedLists[type].rows(db, { ...seenBy, ids: rowIds })}) AS r JOIN unnest(${rowIds}) WITH ORDINALITY AS w (id, place) ON w.id = r.id) AS l
    GROUP BY ${number} ORDER BY ${number}`
  const rows: FileRows = { pieces: [], count: 0 }
  const copy = client.query(to(`COPY (${withLiterals(query.compile(db))}) TO STDOUT (FORMAT binary)`))
  await pipeline(
    copy,
    readBinaryCopy((row) => {
      rows.count += row.int8()
      // Copied, because the buffer is reused.
      rows.pieces.push(Buffer.from(row.bytes()))
    }),
  )
  return rows
}

/** COPY takes no parameters. */
function withLiterals({ sql: text, parameters }: Pick<CompiledQuery, 'sql' | 'parameters'>): string {
  return text.replace(/\$(\d+)/g, (_, number: string) => literal(parameters[Number(number) - 1]))
}

function literal(value: unknown): string {
  if (typeof value === 'string') return escapeLiteral(value)
  if (typeof value === 'number') return String(value)
  if (Array.isArray(value) && value.every(Number.isSafeInteger)) return `'{${value.join()}}'`
  throw new TypeError(`A parameter of an export can't be written as text: ${typeof value}.`)
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
