import { createHash } from 'node:crypto'
import { DatabaseError } from 'pg'
import { z } from 'zod'
import { OperatorError } from '../connect.ts'

/** Called after each piece with the current table and the number of its rows done so far. */
export type ReportProgress = (progress: { table: string; rows: number }) => void

const NEW_LINE = 0x0a

/** Classes of SQLSTATE: connection, resources such as the disk, operator intervention, system. */
const FAULTS = /^(08|53|57|58)/

/**
 * Format of a backup file: one zstd stream of lines.
 *
 * The first line is the head. Each table follows as a line with its name, its rows as COPY writes them in text, and
 * the line `\.`, which can't be a row. The last line is the end marker: without it, the file was truncated. `zstdcat
 * <file>` shows everything.
 */
export const FORMAT = 1

export const backupHead = z.object({
  benchwatch: z.literal('backup'),
  format: z.int(),
  /** The release of Benchwatch and of PostgreSQL that wrote the file. */
  release: z.string(),
  postgres: z.string(),
  takenAt: z.iso.datetime(),
  migrations: z.array(z.object({ name: z.string(), sha256: z.string(), appliedAt: z.string() })),
  /** Tables in the order of their rows in the file; generated columns are left out. */
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()) })),
  /** Last value of each sequence; null if it was never used. */
  sequences: z.array(z.object({ name: z.string(), last: z.string().nullable() })),
})
export type BackupHead = z.output<typeof backupHead>

export const tableStart = z.object({ table: z.string() })

/** Checksum of the rows of a table. */
const tableSum = z.object({ table: z.string(), rows: z.int(), sha256: z.string() })
export type TableSum = z.output<typeof tableSum>

export const backupEnd = z.object({
  tables: z.array(tableSum),
  /** Covers everything before this line. */
  sha256: z.string(),
})
export type BackupEnd = z.output<typeof backupEnd>

/** The end line of a table, with the line break before it. */
export const ROWS_END = Buffer.from('\n\\.\n')

/**
 * Explains errors of the database or its connection in words for the operator; `outcome` ends the sentence. Other
 * errors are returned unchanged.
 */
export function explainFault(error: unknown, outcome: string): unknown {
  if (!(error instanceof Error) || error instanceof OperatorError) return error
  const isFault =
    error instanceof DatabaseError ? FAULTS.test(error.code ?? '') : error.message.startsWith('Connection terminated')
  if (!isFault) return error
  return new OperatorError(`The database failed (${error.message}): ${outcome}`, { cause: error })
}

/**
 * Counts and hashes the rows of a table as they pass. Each row is one line, because COPY writes a line break in a
 * value as \n.
 */
export function startTableSum(table: string): { add(rows: Buffer): void; rows(): number; finish(): TableSum } {
  const hash = createHash('sha256')
  let rows = 0
  return {
    add(chunk) {
      hash.update(chunk)
      for (let at = chunk.indexOf(NEW_LINE); at !== -1; at = chunk.indexOf(NEW_LINE, at + 1)) rows += 1
    },
    rows: () => rows,
    finish: () => ({ table, rows, sha256: hash.digest('hex') }),
  }
}
