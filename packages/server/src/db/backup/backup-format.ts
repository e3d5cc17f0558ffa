import { z } from 'zod'

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
