import { finished } from 'node:stream/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Client } from 'pg'
import { from } from 'pg-copy-streams'

/** A list becomes an array of texts. */
export type CopyValue = string | number | boolean | Date | null | undefined | readonly string[]
export type CopyRow = readonly CopyValue[]

const special: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }
/**
 * Rows of one COPY, about 150 kB: as much as the socket accepts at once, so that PostgreSQL writes them while the next
 * rows are made. A separate COPY for each batch costs less than 1 ms.
 */
const ROWS_PER_COPY = 1000

interface Target {
  table: string
  columns: readonly string[]
}

/** Writes rows into a table by COPY, about ten times faster than inserts. Each row has a value for each column. */
export async function copyRows(client: Client, target: Target, rows: Iterable<CopyRow>): Promise<void> {
  const { table, columns } = target
  await copyMixedRows(client, { [table]: columns }, tagged(table, rows))
}

function* tagged(table: string, rows: Iterable<CopyRow>) {
  for (const row of rows) yield { table, row }
}

/**
 * Writes rows of several tables as they come. Each table is written in batches, because a connection runs one COPY at
 * a time. At most two batches of each table are in memory; the next rows are made while a batch is written.
 */
export async function copyMixedRows<Table extends string>(
  client: Client,
  columns: Readonly<Record<Table, readonly string[]>>,
  rows: Iterable<{ table: Table; row: CopyRow }>,
): Promise<void> {
  const waiting = new Map<Table, CopyRow[]>()
  let last: Copy | undefined
  const write = async (table: Table, piece: readonly CopyRow[]) => {
    await last?.written
    last = await beginCopy(client, { table, columns: columns[table] }, piece)
  }
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
  await last?.written
}

interface Copy {
  /** Resolves when PostgreSQL has stored all rows. */
  written: Promise<void>
}

/** Passes rows to the connection; PostgreSQL writes them while the caller continues. */
async function beginCopy(client: Client, { table, columns }: Target, rows: readonly CopyRow[]): Promise<Copy> {
  const copy = client.query(from(`COPY ${table} (${columns.join(', ')}) FROM STDIN`))
  const written = finished(copy)
  // The COPY may fail before the caller awaits this promise.
  written.catch(() => undefined)
  const sent = new Promise<void>((resolve) => {
    copy.write(rows.map((row) => `${row.map(asText).join('\t')}\n`).join(''), () => resolve())
  })
  copy.end()
  await Promise.race([sent, written])
  // The end of the rows follows in the same tick of the event loop.
  await nextTurn()
  return { written }
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

/** Returns an element of an array literal. */
function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`
}
