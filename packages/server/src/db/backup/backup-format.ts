import { createHash } from 'node:crypto'
import { DatabaseError } from 'pg'
import { z } from 'zod'
import { OperatorError } from '../connect.ts'

/** Hears after each piece which table is under way and how many of its rows are done. */
export type ReportProgress = (progress: { table: string; rows: number }) => void

const NEW_LINE = 0x0a

/** Classes of SQLSTATE: connection, resources such as the disk, intervention of an operator, the system. */
const FAULTS = /^(08|53|57|58)/

/**
 * What a backup file is made of: one zstd stream of lines.
 *
 * The first line is the head. Each table follows as a line that names it, its rows as COPY writes them in text, and the
 * line `\.`, which no row can be. The last line is the end: without it the file was cut. `zstdcat <file>` shows all of it.
 */
export const FORMAT = 1

export const backupHead = z.object({
  benchwatch: z.literal('backup'),
  format: z.int(),
  /** Release of Benchwatch and of PostgreSQL that wrote it. */
  release: z.string(),
  postgres: z.string(),
  takenAt: z.iso.datetime(),
  migrations: z.array(z.object({ name: z.string(), sha256: z.string(), appliedAt: z.string() })),
  /** In the order in which their rows follow; generated columns are left out. */
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()) })),
  /** Last number that each gave; null when it never gave one. */
  sequences: z.array(z.object({ name: z.string(), last: z.string().nullable() })),
})
export type BackupHead = z.output<typeof backupHead>

export const tableStart = z.object({ table: z.string() })

/** What the rows of a table must come to. */
const tableSum = z.object({ table: z.string(), rows: z.int(), sha256: z.string() })
export type TableSum = z.output<typeof tableSum>

export const backupEnd = z.object({
  tables: z.array(tableSum),
  /** Over everything before this line. */
  sha256: z.string(),
})
export type BackupEnd = z.output<typeof backupEnd>

/** The line behind the rows of a table, with the end of the line before it. */
export const ROWS_END = Buffer.from('\n\\.\n')

/** The same error in words that say what to do, where the database or the way to it gave up; `outcome` ends the sentence. */
export function explainFault(error: unknown, outcome: string): unknown {
  if (!(error instanceof Error) || error instanceof OperatorError) return error
  const isFault =
    error instanceof DatabaseError ? FAULTS.test(error.code ?? '') : error.message.startsWith('Connection terminated')
  if (!isFault) return error
  return new OperatorError(`The database gave up (${error.message}): ${outcome}`, { cause: error })
}

/** Counts and hashes the rows of a table as they pass; each is one line, because COPY writes a line end in a value as \n. */
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
