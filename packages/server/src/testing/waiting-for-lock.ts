import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Trx } from '../db/connect.ts'
import { eventually } from './eventually.ts'

/** Waits until somebody waits for what this transaction has locked; gives the process ids of their connections. */
export function waitingFor(trx: Trx): Promise<number[]> {
  return eventually(async () => {
    // Not pg_stat_activity: a transaction goes on seeing the connections that there were when it first looked.
    const { rows } = await sql<{ pid: number }>`
      SELECT DISTINCT pid FROM pg_locks, (SELECT pg_backend_pid() AS own) AS holder
      WHERE NOT granted AND own = ANY (pg_blocking_pids(pid))`.execute(trx)
    expect(rows).not.toEqual([])
    return rows.map(({ pid }) => pid)
  })
}
