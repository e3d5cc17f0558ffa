import type { InstrumentStatus, OrcStatus } from '@benchwatch/contract/vocabulary'
import { sql } from 'kysely'
import type { DataScope } from '../../db/actor.ts'
import type { Db, Trx } from '../../db/connect.ts'
import { instruments } from '../../db/scoped.ts'

export interface StoredState {
  id: number
  status: InstrumentStatus
  orcStatus: OrcStatus
  unknownAt: Date | null
  connectedAt: Date | null
  hasGateway: boolean
}

/** The statuses of an instrument in scope as they are now. */
export async function findState(
  db: Db,
  { installedProductId, scope }: { installedProductId: string; scope: DataScope },
): Promise<StoredState | undefined> {
  return instruments(db, scope)
    .where('i.installed_product_id', '=', installedProductId)
    .select([
      'i.id',
      'i.status',
      'i.orc_status as orcStatus',
      'i.unknown_at as unknownAt',
      'i.connected_at as connectedAt',
      sql<boolean>`i.gateway_id IS NOT NULL`.as('hasGateway'),
    ])
    .executeTakeFirst()
}

/**
 * Writes statuses set by hand. A status that is another one is kept in the history under the place of the last report, so
 * that the next report of the gateway, whatever it says, is newer.
 */
export async function writeState(
  trx: Trx,
  {
    instrumentId,
    status,
    orcStatus,
    unknownAt,
    connectedAt,
    at,
  }: {
    instrumentId: number
    status: InstrumentStatus
    orcStatus: OrcStatus
    unknownAt: Date | null
    connectedAt: Date | null
    at: Date
  },
): Promise<void> {
  await sql`
    WITH before AS (SELECT id, status FROM instrument WHERE id = ${instrumentId}),
    written AS (
      UPDATE instrument i SET status = ${status}, orc_status = ${orcStatus}, unknown_at = ${unknownAt}::timestamptz,
        connected_at = ${connectedAt}::timestamptz,
        status_at = CASE WHEN b.status <> ${status} THEN ${at}::timestamptz ELSE i.status_at END
      FROM before b WHERE i.id = b.id
      RETURNING i.id, i.status_epoch, i.status_sequence, b.status <> ${status} AS is_changed
    )
    INSERT INTO instrument_status_history (instrument_id, at, epoch, sequence, status, received_at)
    SELECT id, ${at}, status_epoch, status_sequence, ${status}, ${at} FROM written WHERE is_changed
    ON CONFLICT (instrument_id, at, epoch, sequence) DO UPDATE SET status = excluded.status`.execute(trx)
}
