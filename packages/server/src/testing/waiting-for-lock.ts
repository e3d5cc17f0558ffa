import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Trx } from '../db/connect.ts'
import { eventually } from './eventually.ts'

/**
 * Waits until a connection waits for a lock of this transaction; returns the process ids of the waiting connections.
 */
export function waitingFor(trx: Trx): Promise<number[]> {
  return eventually(async () => {
    // pg_stat_activity would not work: a transaction keeps seeing the connections of its first look at it.
    const { rows } = await sql<{ pid: number }>`
      SELECT DISTINCT pid FROM pg_locks, (SELECT pg_backend_pid() AS own) AS holder
      WHERE NOT granted AND own = ANY (pg_blocking_pids(pid))`.execute(trx)
    expect(rows).not.toEqual([])
    return rows.map(({ pid }) => pid)
  })
}
