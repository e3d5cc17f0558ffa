import { sql } from 'kysely'
import type { Trx } from '../connect.ts'

/**
 * Transaction id below which every change is visible. It is a text, because it has 64 bits; `'0'` is before any
 * transaction.
 */
export type SnapshotXid = string

/** All transactions below it are finished, and the current statement sees their changes. */
export const snapshotXid = sql<SnapshotXid>`pg_snapshot_xmin(pg_current_snapshot())`

/**
 * Interval of complete scans: the position is valid for one server only, and after a failover to a lagging replica, ids
 * repeat, which may go unnoticed.
 */
const WHOLE_EVERY_MS = 60_000

/**
 * Remembers how far a reader has scanned a queue whose rows are deleted when they are taken and carry their
 * transaction id in `written_in`. PostgreSQL can't clean up deleted rows while an export or a backup runs, so each
 * scan from the beginning would pass all rows ever taken: behind 1.3 million of them, single alarms arrived at 390 a
 * second instead of 1,250. A scan starts at the snapshot xid of the previous one, below which no new row can appear,
 * so it does not skip a transaction that commits late.
 */
export class QueuePosition {
  readonly #now: () => number
  #from: SnapshotXid = '0'
  #wholeFrom = Number.NEGATIVE_INFINITY

  /** `now` returns milliseconds since any fixed moment. */
  constructor(now = () => performance.now()) {
    this.#now = now
  }

  /**
   * Scans the queue. `read` gets the transaction id to start from, which is '0' the first time and once a minute. It
   * returns the snapshot xid below which no row is left. If it throws, the next scan starts at the same place.
   */
  async scan<Found extends { snapshotXid: SnapshotXid }>(read: (from: SnapshotXid) => Promise<Found>): Promise<Found> {
    const now = this.#now()
    const isWhole = now >= this.#wholeFrom
    const found = await read(isWhole ? '0' : this.#from)
    if (isWhole) this.#wholeFrom = now + WHOLE_EVERY_MS
    // After a failover to a lagging replica, ids begin again below.
    if (BigInt(found.snapshotXid) < BigInt(this.#from)) this.#wholeFrom = now
    this.#from = found.snapshotXid
    return found
  }
}

export async function readSnapshotXid(trx: Trx): Promise<SnapshotXid> {
  const { rows } = await sql<{ snapshotXid: SnapshotXid }>`SELECT ${snapshotXid}::text AS "snapshotXid"`.execute(trx)
  return rows[0]?.snapshotXid ?? '0'
}
