import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Client } from 'pg'
import { from } from 'pg-copy-streams'

/** A list becomes an array of texts. */
export type CopyValue = string | number | boolean | Date | null | undefined | readonly string[]
export type CopyRow = readonly CopyValue[]

const special: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }
const ROWS_PER_CHUNK = 500

/** Writes rows into a table by COPY, some ten times faster than inserts. Each row has a value for each column. */
export async function copyRows(
  client: Client,
  { table, columns }: { table: string; columns: readonly string[] },
  rows: readonly CopyRow[],
): Promise<void> {
  const chunks = function* () {
    for (let start = 0; start < rows.length; start += ROWS_PER_CHUNK) {
      yield rows
        .slice(start, start + ROWS_PER_CHUNK)
        .map((row) => `${row.map(asText).join('\t')}\n`)
        .join('')
    }
  }
  await pipeline(Readable.from(chunks()), client.query(from(`COPY ${table} (${columns.join(', ')}) FROM STDIN`)))
}

/** Rows of one table that wait for a COPY: large enough that its round trip is nothing, small enough to hold for each table. */
const ROWS_PER_COPY = 5000

/**
 * Writes rows of several tables as they come, each table in pieces, because a connection runs one COPY at a time. No
 * more than a piece of each table is held.
 */
export async function copyMixedRows<Table extends string>(
  client: Client,
  columns: Readonly<Record<Table, readonly string[]>>,
  rows: Iterable<{ table: Table; row: CopyRow }>,
): Promise<void> {
  const waiting = new Map<Table, CopyRow[]>()
  const write = (table: Table, piece: readonly CopyRow[]) => copyRows(client, { table, columns: columns[table] }, piece)
  for (const { table, row } of rows) {
    const piece = waiting.get(table) ?? []
    piece.push(row)
    if (piece.length < ROWS_PER_COPY) {
      waiting.set(table, piece)
    } else {
      waiting.delete(table)
      await write(table, piece)
    }
  }
  for (const [table, piece] of waiting) await write(table, piece)
}

function asText(value: CopyValue): string {
  if (value === null || value === undefined) return '\\N'
  if (value instanceof Date) return value.toISOString()
  if (typeof value === 'string') return escaped(value)
  if (typeof value === 'object') return escaped(`{${value.map(quoted).join(',')}}`)
  return String(value)
}

function escaped(text: string): string {
  return text.replace(/[\\\n\r\t]/g, (character) => special[character] ?? character)
}

/** An element of an array literal. */
function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`
}
