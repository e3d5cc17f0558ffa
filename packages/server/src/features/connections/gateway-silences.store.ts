import { type RawBuilder, sql } from 'kysely'
import type { Db, Trx } from '../../db/connect.ts'

/** A gateway whose connection was lost or has come back, locked for the transaction. */
export interface ChangedGateway {
  id: number
  name: string
  lastSeenAt: Date
  silentSince: Date | null
}

/** Gateways not heard since `before` that nobody has noted as silent yet, locked in the order of their ids. */
export function lockNewlySilent(trx: Trx, before: Date): Promise<ChangedGateway[]> {
  return lockGateways(trx, sql`silent_since IS NULL AND last_seen_at < ${before}`)
}

/** Gateways that were noted as silent and have been heard since `after`, locked in the order of their ids. */
export function lockReturned(trx: Trx, after: Date): Promise<ChangedGateway[]> {
  return lockGateways(trx, sql`silent_since < last_seen_at AND last_seen_at >= ${after}`)
}

/** All gateways that are noted as silent, locked in the order of their ids. */
export function lockSilent(trx: Trx): Promise<ChangedGateway[]> {
  return lockGateways(trx, sql`silent_since IS NOT NULL`)
}

async function lockGateways(trx: Trx, which: RawBuilder<unknown>): Promise<ChangedGateway[]> {
  const { rows } = await sql<ChangedGateway>`
    SELECT id, name, last_seen_at AS "lastSeenAt", silent_since AS "silentSince"
    FROM gateway WHERE ${which} ORDER BY id FOR NO KEY UPDATE`.execute(trx)
  return rows
}

/** Notes since when gateways are silent, or that they are heard again: now, and for their up-time. */
export async function noteSilence(
  trx: Trx,
  gateways: readonly ({ id: number; silentSince: Date } | { id: number; silentSince: null; heardAt: Date })[],
): Promise<void> {
  const begun = gateways.filter(({ silentSince }) => silentSince !== null)
  const ended = gateways.filter((one) => 'heardAt' in one)
  await sql`
    INSERT INTO gateway_silence (gateway_id, since)
    SELECT * FROM unnest(${begun.map(({ id }) => id)}::int[], ${begun.map(({ silentSince }) => silentSince)}::timestamptz[])
    ON CONFLICT (gateway_id, since) DO UPDATE SET until = NULL`.execute(trx)
  await sql`
    UPDATE gateway_silence s SET until = greatest(s.since, n.heard_at)
    FROM unnest(${ended.map(({ id }) => id)}::int[], ${ended.map(({ heardAt }) => heardAt)}::timestamptz[])
      AS n (id, heard_at)
    WHERE s.gateway_id = n.id AND s.until IS NULL`.execute(trx)
  await sql`
    UPDATE gateway g SET silent_since = n.since
    FROM unnest(${gateways.map(({ id }) => id)}::int[], ${gateways.map(({ silentSince }) => silentSince)}::timestamptz[])
      AS n (id, since)
    WHERE g.id = n.id`.execute(trx)
}

/** Forgets silences of gateways that ended before this. */
export async function forgetSilences(db: Db, before: Date): Promise<void> {
  await sql`DELETE FROM gateway_silence WHERE until < ${before}`.execute(db)
}
