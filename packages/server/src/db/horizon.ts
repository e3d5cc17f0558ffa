import { sql } from 'kysely'
import type { Trx } from './connect.ts'

/** Everything that transactions below this number wrote is there; text, because it has 64 bits. `'0'` is before any. */
export type Horizon = string

/** All transactions below it are finished, and seen by the statement that asks. */
export const horizon = sql<Horizon>`pg_snapshot_xmin(pg_current_snapshot())`

export async function readHorizon(trx: Trx): Promise<Horizon> {
  const { rows } = await sql<{ horizon: Horizon }>`SELECT ${horizon}::text AS horizon`.execute(trx)
  return rows[0]?.horizon ?? '0'
}
