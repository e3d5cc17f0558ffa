import { sql } from 'kysely'
import type { Trx } from '../connect.ts'

/** Everything that transactions below this number wrote is there; text, because it has 64 bits. `'0'` is before any. */
export type SnapshotXid = string

/** All transactions below it are finished, and seen by the statement that asks. */
export const snapshotXid = sql<SnapshotXid>`pg_snapshot_xmin(pg_current_snapshot())`

/** However sure the position is, it was learnt from one server: after a failover to a copy that lags, numbers come again. */
const WHOLE_EVERY_MS = 60_000

/**
 * How far one reader has looked into a queue whose rows are deleted as they are taken and name their transaction in
 * `written_in`. Until PostgreSQL has cleared them away, which waits for the oldest export or backup, each look from the
 * beginning passes all rows that were ever taken: behind 1.3 million of them single alarms came in at 390 a second instead
 * of 1,250. A look goes on at the horizon of the one before, below which nothing can appear any more, so that a
 * transaction that commits late is not skipped.
 */
export class QueuePosition {
  readonly #now: () => number
  #from: SnapshotXid = '0'
  #wholeFrom = Number.NEGATIVE_INFINITY

  /** `now` counts milliseconds from anywhere. */
  constructor(now = () => performance.now()) {
    this.#now = now
  }

  /**
   * Looks into the queue. `read` is given the transaction to begin at: '0', the beginning, the first time and once a
   * minute. It gives a `horizon`, below which nothing is left. When it throws, the next look begins at the same place.
   */
  async look<Found extends { snapshotXid: SnapshotXid }>(read: (from: SnapshotXid) => Promise<Found>): Promise<Found> {
    const now = this.#now()
    const isWhole = now >= this.#wholeFrom
    const found = await read(isWhole ? '0' : this.#from)
    this.#from = found.snapshotXid
    if (isWhole) this.#wholeFrom = now + WHOLE_EVERY_MS
    return found
  }
}

export async function readSnapshotXid(trx: Trx): Promise<SnapshotXid> {
  const { rows } = await sql<{ snapshotXid: SnapshotXid }>`SELECT ${snapshotXid}::text AS "snapshotXid"`.execute(trx)
  return rows[0]?.snapshotXid ?? '0'
}
