import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Client } from 'pg'
import { from } from 'pg-copy-streams'

export type CopyValue = string | number | boolean | Date | null | undefined

const special: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }
const ROWS_PER_CHUNK = 500

/** Writes rows into a table by COPY, some ten times faster than inserts. Each row has a value for each column. */
export async function copyRows(
  client: Client,
  { table, columns }: { table: string; columns: readonly string[] },
  rows: readonly (readonly CopyValue[])[],
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

function asText(value: CopyValue): string {
  if (value === null || value === undefined) return '\\N'
  if (value instanceof Date) return value.toISOString()
  if (typeof value !== 'string') return String(value)
  return value.replace(/[\\\n\r\t]/g, (character) => special[character] ?? character)
}
