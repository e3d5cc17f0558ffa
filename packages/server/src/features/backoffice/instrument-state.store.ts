import { sql } from 'kysely'
import { type DataScope, holds } from '../../db/actor.ts'
import type { Db, Trx } from '../../db/connect.ts'
import { runAt } from '../../db/runs.ts'
import { instruments, reportedSince } from '../../db/scoped.ts'
import { type LockedInstrument, lockInstruments } from '../ingest/inbox.store.ts'
import { noSuchInstrument } from '../no-such-instrument.ts'

export type StoredState = NonNullable<Awaited<ReturnType<typeof findState>>>

/** Returns the current statuses of an instrument in scope. */
export async function findState(
  db: Db,
  { installedProductId, scope }: { installedProductId: string; scope: DataScope },
) {
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
 * Writes statuses that were set by hand. A changed status goes into the history under the position of the last report,
 * so that the gateway's next report is always newer. The run continues.
 */
export async function writeState(
  trx: Trx,
  { id, status, orcStatus, unknownAt, connectedAt, at }: Omit<StoredState, 'hasGateway'> & { at: Date },
): Promise<void> {
  await sql`
    WITH before AS (SELECT id, status FROM instrument WHERE id = ${id}),
    written AS (
      UPDATE instrument i SET status = ${status}, orc_status = ${orcStatus}, unknown_at = ${unknownAt}::timestamptz,
        connected_at = ${connectedAt}::timestamptz,
        status_at = CASE WHEN b.status <> ${status} THEN ${at}::timestamptz ELSE i.status_at END
      FROM before b WHERE i.id = b.id
      RETURNING i.id, i.status_epoch, i.status_sequence, b.status <> ${status} AS is_changed, ${runAt(sql`${at}`)} AS run_id
    )
    INSERT INTO instrument_status_history (instrument_id, at, epoch, sequence, status, received_at, run_id)
    SELECT id, ${at}, status_epoch, status_sequence, ${status}, ${at}, run_id FROM written WHERE is_changed
    ON CONFLICT (instrument_id, at, epoch, sequence) DO UPDATE SET status = excluded.status`.execute(trx)
}

/**
 * Locks the instrument that a form names until the transaction ends, in the same way as ingest. Returns undefined if
 * the form names none. Throws not-found if it is not in scope.
 */
export async function lockNamedInstrument(
  trx: Trx,
  { installedProductId, scope }: { installedProductId: string; scope: DataScope },
): Promise<LockedInstrument | undefined> {
  if (installedProductId === '') return undefined
  const instrument = (await lockInstruments(trx, [installedProductId])).get(installedProductId)
  if (!instrument || !holds(scope, instrument.customerId)) throw noSuchInstrument()
  return instrument
}

/** Returns instruments in scope with their current customer's contact addresses, by installed product ID. */
export async function readCustomerEmails(db: Db, scope: DataScope) {
  const rows = await instruments(db, scope)
    .innerJoin('customer as c', 'c.id', 'i.customer_id')
    .orderBy('i.installed_product_id')
    .select([
      'i.installed_product_id as instrumentInstalledProductId',
      'c.name as instrumentCustomer',
      sql<string[]>`ARRAY(SELECT p.key FROM contact p
        WHERE p.id IN (i.contact_id, i.it_contact_id) AND p.customer_id = i.customer_id
        ORDER BY p.id <> i.contact_id)`.as('contactEmails'),
    ])
    .execute()
  return rows
}

/** Returns the client PCs of instruments in scope, by installed product ID. */
export async function readClientPcNames(
  db: Db,
  { installedProductIds, scope }: { installedProductIds: readonly string[]; scope: DataScope },
): Promise<Record<string, string[]>> {
  if (installedProductIds.length === 0) return {}
  const rows = await instruments(db, scope)
    .leftJoin('instrument_software as s', (join) =>
      join.onRef('s.instrument_id', '=', 'i.id').on(reportedSince(scope, sql.ref('s.reported_at'))),
    )
    .where('i.installed_product_id', 'in', [...installedProductIds])
    .orderBy('i.installed_product_id')
    .select(['i.installed_product_id', 's.client_pc_names'])
    .execute()
  return Object.fromEntries(
    rows.map(({ installed_product_id, client_pc_names }) => [
      installed_product_id,
      client_pc_names?.toSorted((one, other) => one.localeCompare(other)) ?? [],
    ]),
  )
}
