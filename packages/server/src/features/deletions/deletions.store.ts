import { sql } from 'kysely'
import type { DataScope, UserActor } from '../../db/actor.ts'
import type { Db, Trx } from '../../db/connect.ts'
import { fold } from '../../db/fold.ts'
import { instrumentNamed, logEntries, serviceEvents } from '../../db/scoped.ts'
import { rowId } from '../../db/sql/wire-id.ts'
import type { EventOrigin } from '../events/events.store.ts'
import type { DeletedLine } from '../logs/log-store.ts'
import { managedUsers } from '../users/users.lookup.ts'

/** Shown in place of a deleted user's name; the audit log keeps the original name. */
const DELETED_NAME = 'Deleted user'

/** Tables whose rows belong to one user. */
const personalTables = [
  'user_customer',
  'feature_flag',
  'profile',
  'notification',
  'session',
  'recovery_code',
  'password_reset',
  'bulk_change',
  'calendar',
  'export_file',
  'default_view',
  'saved_view',
  'scim_user',
] as const

export interface InstrumentToDelete {
  id: number
  installedProductId: string
}

/**
 * Cancels unsent mails and text messages that are about these events only, and deletes the sent ones. Lists that
 * include other events stay. Must be called before the events are deleted, because that also deletes their
 * notification history.
 */
export async function deleteMessagesAbout(trx: Trx, ids: readonly number[]): Promise<void> {
  const events = sql`ANY(${[...ids]}::bigint[])`
  await sql`
    WITH carrying AS (
      SELECT message_id FROM notification WHERE event_id = ${events}
      UNION SELECT message_id FROM event_email WHERE event_id = ${events}
      UNION SELECT message_id FROM support_email WHERE event_id = ${events})
    DELETE FROM outbound_message m USING carrying c WHERE m.id = c.message_id
      AND NOT EXISTS (SELECT FROM notification n WHERE n.message_id = m.id AND NOT n.event_id = ${events})
      AND NOT EXISTS (SELECT FROM support_email s WHERE s.message_id = m.id AND NOT s.event_id = ${events})`.execute(
    trx,
  )
  await trx.deleteFrom('pending_notification').where(sql<boolean>`event_id = ${events}`).execute()
}

/** The fields of a deleted event that the audit log keeps. */
export interface DeletedEvent extends EventOrigin {
  id: number
  createdAt: Date
  templateId: string
  description: string
}

/** Deletes events whose rows are locked, and queues their numbers for processes that keep events in memory. */
export async function deleteEventRows(trx: Trx, ids: readonly number[]): Promise<DeletedEvent[]> {
  const { rows } = await sql<DeletedEvent>`
    WITH gone AS (
      DELETE FROM service_event WHERE id = ANY(${[...ids]}::bigint[])
      RETURNING id, created_at, customer_id, site_id, component_id, template_id, description
    ), noted AS (
      INSERT INTO deleted_event (id) SELECT id FROM gone)
    SELECT id, created_at AS "createdAt", customer_id AS "customerId", site_id AS "siteId",
      component_id AS "componentId", template_id AS "templateId", description
    FROM gone ORDER BY id`.execute(trx)
  return rows
}

/** Returns the instrument with this ID or installed product ID, locked; undefined if it is not in scope. */
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
 * Hides the instrument from users, gateways and the registry as of the commit. Its installed product ID becomes free
 * in the registry: the name that the remaining row keeps is not valid in any request.
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

/**
 * Returns a deleted instrument that still has a row, and locks it; undefined if there is none or other processes work
 * on all of them.
 */
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

/** Returns the newest events of an instrument, of any customer. */
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

/** Deletes some log lines of an instrument. Returns the number deleted. */
export async function deleteLines(
  trx: Trx,
  { instrumentId, limit }: { instrumentId: number; limit: number },
): Promise<number> {
  const { numAffectedRows } = await sql`
    DELETE FROM log_entry l USING (
      SELECT id, received_at FROM log_entry WHERE instrument_id = ${instrumentId} LIMIT ${limit}
    ) AS part WHERE l.id = part.id AND l.received_at = part.received_at`.execute(trx)
  return Number(numAffectedRows ?? 0)
}

/** Deletes the instrument with its statuses, usage, run time and maintenance. It has no events by now. */
export async function deleteInstrumentRow(trx: Trx, id: number): Promise<void> {
  await trx.deleteFrom('instrument').where('id', '=', id).execute()
}

/** Deletes a log line. Returns undefined if it is not in scope. */
export async function deleteLine(
  trx: Trx,
  { id, scope }: { id: number; scope: DataScope },
): Promise<DeletedLine | undefined> {
  const line = await logEntries(trx, scope)
    .where('l.id', '=', id)
    .select(['i.installed_product_id as instrument', 'l.log_type as logType', 'l.ts as timestamp'])
    .forUpdate('l')
    .executeTakeFirst()
  if (line) await trx.deleteFrom('log_entry').where('id', '=', id).execute()
  return line
}

/** Deletes the profile with this wire ID. Returns undefined if the caller does not manage its owner. */
export async function deleteProfileRow(trx: Trx, { id, caller }: { id: string; caller: UserActor }) {
  return trx
    .deleteFrom('profile')
    .where('id', '=', rowId(id) ?? null)
    .where('user_id', 'in', managedUsers(trx, caller).clearOrderBy().select('u.id'))
    .returning(['id', 'user_id', 'profile_type', 'settings'])
    .executeTakeFirst()
}

/** Returns the user with this wire ID, or undefined if the caller does not manage them. */
export async function findManagedUser(db: Db, { id, caller }: { id: string; caller: UserActor }) {
  return managedUsers(db, caller)
    .where('u.id', '=', rowId(id) ?? null)
    .select('u.id')
    .executeTakeFirst()
}

/**
 * Deletes all personal data of a user whose row is locked. The row stays, because events and API tokens refer to it,
 * but nothing identifies the person. Their address can be invited again.
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
      // Not an address, so that it cannot be used to sign in or to be invited.
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
  // Deletes messages by address too: codes and invitations were sent before anyone signed in. A contact may have the
  // same address, and others may get their notifications there.
  await sql`
    DELETE FROM outbound_message m WHERE m.user_id = ${userId} OR (m.recipient = ANY(${[login, email]}::text[])
      AND m.user_id IS NULL AND NOT EXISTS (SELECT FROM support_email s WHERE s.message_id = m.id))`.execute(trx)
  await trx
    .updateTable('event_email')
    .set({ receiver_id: null, recipient: '', recipient_name: DELETED_NAME })
    .where('receiver_id', '=', userId)
    .execute()
  await trx.deleteFrom('webhook').where('owner_id', '=', userId).execute()
  for (const table of personalTables) await trx.deleteFrom(table).where('user_id', '=', userId).execute()
}
