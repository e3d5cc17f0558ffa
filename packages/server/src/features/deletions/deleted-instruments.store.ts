import { sql } from 'kysely'
import type { DataScope } from '../../db/actor.ts'
import type { Trx } from '../../db/connect.ts'
import { instrumentNamed, serviceEvents } from '../../db/scoped.ts'

/** Rings when an instrument was deleted whose events and logs are still to be taken out. */
export const INSTRUMENT_DELETED_CHANNEL = 'instrument_deleted'

export interface InstrumentToDelete {
  id: number
  installedProductId: string
}

/** The instrument with this id or installed product id, its row locked; undefined when the scope holds none. */
export async function lockInstrument(
  trx: Trx,
  named: { id: string; scope: DataScope },
): Promise<InstrumentToDelete | undefined> {
  return instrumentNamed(trx, named)
    .select(['i.id', 'i.installed_product_id as installedProductId'])
    .forUpdate('i')
    .executeTakeFirst()
}

/**
 * From the commit on the instrument is gone for people, gateways and the registry, where its installed product id is free
 * again: the name that it keeps for what is left of it fits into no request.
 */
export async function hideInstrument(
  trx: Trx,
  { instrument: { id, installedProductId }, at }: { instrument: InstrumentToDelete; at: Date },
): Promise<void> {
  await trx
    .updateTable('instrument')
    .set({ deleted_at: at, gateway_id: null, installed_product_id: `${installedProductId} (deleted ${id})` })
    .where('id', '=', id)
    .execute()
}

export async function tellOfLeftovers(trx: Trx): Promise<void> {
  await sql`SELECT pg_notify(${INSTRUMENT_DELETED_CHANNEL}, '')`.execute(trx)
}

/** A deleted instrument that is still there, its row locked; undefined when there is none, or others work on them all. */
export async function lockDeletedInstrument(trx: Trx): Promise<InstrumentToDelete | undefined> {
  return trx
    .selectFrom('instrument')
    .where('deleted_at', 'is not', null)
    .orderBy('id')
    .limit(1)
    .select(['id', 'installed_product_id as installedProductId'])
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
}

/** The newest events of an instrument, whoever's they are. */
export async function readEventIds(
  trx: Trx,
  { instrumentId, limit }: { instrumentId: number; limit: number },
): Promise<number[]> {
  const rows = await serviceEvents(trx, 'all')
    .where('e.instrument_id', '=', instrumentId)
    .orderBy('e.created_at', 'desc')
    .orderBy('e.id', 'desc')
    .limit(limit)
    .select('e.id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Takes out some log lines of an instrument; returns how many they were. */
export async function deleteLines(
  trx: Trx,
  { instrumentId, limit }: { instrumentId: number; limit: number },
): Promise<number> {
  const { numAffectedRows } = await sql`
    DELETE FROM log_entry WHERE id = ANY(ARRAY(
      SELECT id FROM log_entry WHERE instrument_id = ${instrumentId} LIMIT ${limit}))`.execute(trx)
  return Number(numAffectedRows ?? 0)
}

/** Takes out the instrument itself, with its statuses, use, run time and maintenance. It has no events any more. */
export async function deleteInstrumentRow(trx: Trx, id: number): Promise<void> {
  await trx.deleteFrom('instrument').where('id', '=', id).execute()
}
