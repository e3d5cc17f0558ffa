import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Client } from 'pg'
import { from } from 'pg-copy-streams'

export type CopyValue = string | number | boolean | Date | null

const ROWS_PER_CHUNK = 400
const special: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/**
 * Writes rows by COPY as they are generated. The stream waits for the database, so only some hundred rows are in
 * memory. `columns` names the columns of a row; `options` follow WITH. Returns the number of rows.
 */
export async function copyLines(
  client: Client,
  { table, columns, options = '' }: { table: string; columns: readonly string[]; options?: string },
  rows: Iterable<readonly CopyValue[]>,
): Promise<number> {
  let count = 0
  const chunks = function* () {
    let chunk = ''
    for (const row of rows) {
      chunk += copyLine(row)
      count += 1
      if (count % ROWS_PER_CHUNK === 0) {
        yield chunk
        chunk = ''
      }
    }
    if (chunk !== '') yield chunk
  }
  const statement = `COPY ${table} (${columns.join(', ')}) FROM STDIN${options && ` WITH (${options})`}`
  await pipeline(Readable.from(chunks()), client.query(from(statement)))
  return count
}

/** Formats a row in the text format of COPY. */
export function copyLine(row: readonly CopyValue[]): string {
  let line = ''
  for (let index = 0; index < row.length; index++) line += (index === 0 ? '' : '\t') + asText(row[index] ?? null)
  return `${line}\n`
}

function asText(value: CopyValue): string {
  if (value === null) return '\\N'
  if (typeof value === 'string') {
    return /[\\\n\r\t]/.test(value) ? value.replace(/[\\\n\r\t]/g, (character) => special[character] ?? '') : value
  }
  return value instanceof Date ? value.toISOString() : String(value)
}
