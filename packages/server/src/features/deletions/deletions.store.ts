import type { LogType } from '@benchwatch/contract/vocabulary'
import { sql } from 'kysely'
import type { DataScope, UserActor } from '../../db/actor.ts'
import type { Db, Trx } from '../../db/connect.ts'
import { fold } from '../../db/fold.ts'
import { inScope, instrumentNamed, logEntries, serviceEvents } from '../../db/scoped.ts'
import { rowId } from '../../db/wire-id.ts'
import type { CountedEvent } from '../events/search/totals.store.ts'
import { knownUsers } from '../users/users.lookup.ts'

/** Shown wherever the name of somebody stood who was deleted; the record keeps the name as it was. */
const DELETED_NAME = 'Deleted user'

/** Rows that are one person's alone. */
const personalTables = [
  'user_customer',
  'feature_flag',
  'profile',
  'notification',
  'session',
  'recovery_code',
  'password_reset',
  'bulk_change',
  'export_file',
  'default_view',
  'saved_view',
] as const

/** What the record keeps of a log line that is gone. */
interface DeletedLine {
  instrument: string
  logType: LogType
  timestamp: Date
}

/** Rings when an instrument was deleted whose events and logs are still to be taken out. */
export const INSTRUMENT_DELETED_CHANNEL = 'instrument_deleted'

export interface InstrumentToDelete {
  id: number
  installedProductId: string
}

/**
 * Takes back what has not left and forgets what has: mails and text messages about these events alone. A list that tells of
 * others too stays. To be called before the events go, which takes along how they were told of.
 */
export async function deleteMessagesAbout(trx: Trx, ids: readonly number[]): Promise<void> {
  const events = sql`ANY(${[...ids]}::bigint[])`
  await sql`
    WITH carrying AS (
      SELECT message_id FROM notification WHERE event_id = ${events}
      UNION SELECT message_id FROM event_email WHERE event_id = ${events}
      UNION SELECT message_id FROM support_email WHERE event_id = ${events})
    DELETE FROM outbound_message m USING carrying c WHERE m.id = c.message_id
      AND NOT EXISTS (SELECT FROM notification n WHERE n.message_id = m.id AND NOT n.event_id = ${events})`.execute(trx)
  await trx.deleteFrom('pending_notification').where(sql<boolean>`event_id = ${events}`).execute()
}

/** What the record keeps of an event that is gone. */
export interface DeletedEvent extends CountedEvent {
  id: number
  templateId: string
  description: string
}

/** Takes out events whose rows are locked, and leaves their numbers for whoever holds events in memory. */
export async function deleteEventRows(trx: Trx, ids: readonly number[]): Promise<DeletedEvent[]> {
  const { rows } = await sql<DeletedEvent>`
    WITH gone AS (
      DELETE FROM service_event WHERE id = ANY(${[...ids]}::bigint[])
      RETURNING id, created_at, customer_id, site_id, instrument_id, component_id, template_id, description
    ), noted AS (
      INSERT INTO deleted_event (id) SELECT id FROM gone)
    SELECT id, created_at AS "createdAt", customer_id AS "customerId", site_id AS "siteId",
      instrument_id AS "instrumentId", component_id AS "componentId", template_id AS "templateId", description
    FROM gone ORDER BY id`.execute(trx)
  return rows
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

/** Takes out the log line with this wire id; undefined when the scope holds none. */
export async function deleteLine(
  trx: Trx,
  { id, scope }: { id: string; scope: DataScope },
): Promise<DeletedLine | undefined> {
  if (!/^\d{1,18}$/.test(id)) return undefined
  const line = await logEntries(trx, scope)
    .where('l.id', '=', Number(id))
    .select(['i.installed_product_id as instrument', 'l.log_type as logType', 'l.ts as timestamp'])
    .forUpdate('l')
    .executeTakeFirst()
  if (line) await trx.deleteFrom('log_entry').where('id', '=', Number(id)).execute()
  return line
}

/** Takes out the profile with this wire id; undefined when it is nobody's whom the caller may know. */
export async function deleteProfileRow(trx: Trx, { id, caller }: { id: string; caller: UserActor }) {
  return trx
    .deleteFrom('profile')
    .where('id', '=', rowId(id) ?? null)
    .where('user_id', 'in', knownUsers(trx, caller).select('u.id'))
    .returning(['id', 'user_id', 'profile_type', 'settings'])
    .executeTakeFirst()
}

/** The user with this wire id; undefined when the caller may not know them. */
export async function findKnownUser(db: Db, { id, caller }: { id: string; caller: UserActor }) {
  return knownUsers(db, caller)
    .where('u.id', '=', rowId(id) ?? null)
    .select('u.id')
    .executeTakeFirst()
}

/** Whether the caller knows this user, who sees no customer besides theirs: nobody deletes whom others rely on as well. */
export async function mayDelete(trx: Trx, { caller, userId }: { caller: UserActor; userId: number }): Promise<boolean> {
  const row = await knownUsers(trx, caller)
    .where('u.id', '=', userId)
    .$if(caller.scope !== 'all', (query) =>
      query.where('u.all_customers', '=', false).where(
        sql<boolean>`NOT EXISTS (
          SELECT 1 FROM user_customer c WHERE c.user_id = u.id AND NOT ${inScope(caller.scope, sql.ref('c.customer_id'))})`,
      ),
    )
    .select('u.id')
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Takes everything personal out of what is kept of a user whose row is locked. The row itself stays, because events and API
 * tokens name it; so does nothing that says who it was. Their address may be invited anew.
 */
export async function stripUser(
  trx: Trx,
  { userId, login, at }: { userId: number; login: string; at: Date },
): Promise<void> {
  const { email } = await trx
    .updateTable('app_user as u')
    .from('app_user as before')
    .whereRef('before.id', '=', 'u.id')
    .where('u.id', '=', userId)
    .set({
      // No address: nobody can sign in as it, or be invited.
      login: `deleted ${userId}`,
      name: DELETED_NAME,
      name_folded: fold(DELETED_NAME),
      email: '',
      msisdn: null,
      password_hash: null,
      must_change_password: false,
      temporary_password_until: null,
      sms_mfa: false,
      totp_secret: null,
      totp_confirmed_at: null,
      totp_last_step: 0,
      all_customers: false,
      last_signed_in_at: null,
      disabled_at: at,
      deleted_at: at,
    })
    .returning('before.email')
    .executeTakeFirstOrThrow()
  // Messages by their address too: codes and invitations were sent before anybody was signed in.
  await trx
    .deleteFrom('outbound_message')
    .where((eb) => eb.or([eb('user_id', '=', userId), eb('recipient', 'in', [login, email])]))
    .execute()
  await trx
    .updateTable('event_email')
    .set({ receiver_id: null, recipient: '', recipient_name: DELETED_NAME })
    .where('receiver_id', '=', userId)
    .execute()
  for (const table of personalTables) await trx.deleteFrom(table).where('user_id', '=', userId).execute()
}
