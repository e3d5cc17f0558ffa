import { createHash } from 'node:crypto'
import type { TableSum } from './backup-format.ts'

/** Hears after each piece which table is under way and how many of its rows are done. */
export type ReportProgress = (progress: { table: string; rows: number }) => void

const NEW_LINE = 0x0a

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
