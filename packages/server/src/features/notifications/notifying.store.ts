import type { NotificationChannel, NotificationKind } from '@benchwatch/contract/vocabulary'
import { type SqlBool, sql } from 'kysely'
import { takeAdvisoryLock } from '../../db/advisory-locks.ts'
import type { Db, Trx } from '../../db/connect.ts'
import { type SnapshotXid, snapshotXid } from '../../db/queues/queue-position.ts'
import type { Used } from './limit.ts'

/**
 * Ensures that only one process works at a time, even if two consider themselves leader: limits are counted and
 * duplicates are checked without concurrent writes. Released at the end of the transaction.
 */
export async function takeNotifyingTurn(trx: Trx): Promise<void> {
  await takeAdvisoryLock(trx, 'notifying')
}

/** An event or assignment that may require notifications; `userId` is null for a new event. */
export type PendingNotification = Awaited<ReturnType<typeof readPendingNotifications>>[number]

/**
 * Returns ids of due pending notifications in the order in which they were written; those set aside only once their
 * retry time has come. Also returns the oldest transaction that may still add one, or that wrote one of these.
 */
export async function readDuePendingNotifications(
  db: Db,
  { limit, now, from }: { limit: number; now: Date; from: SnapshotXid },
): Promise<{ ids: number[]; snapshotXid: SnapshotXid }> {
  const { rows } = await sql<{ ids: number[]; snapshotXid: SnapshotXid }>`
    WITH fresh AS MATERIALIZED (
      SELECT id, written_in FROM pending_notification WHERE retry_at IS NULL AND written_in >= ${from}::xid8
      ORDER BY written_in, id LIMIT ${limit}
    ), due AS (
      SELECT id FROM fresh UNION ALL
      (SELECT id FROM pending_notification WHERE retry_at <= ${now} ORDER BY retry_at LIMIT ${limit}))
    SELECT to_json(ARRAY(SELECT id FROM due ORDER BY id LIMIT ${limit})) AS ids,
      least(${snapshotXid}, (SELECT written_in FROM fresh ORDER BY written_in LIMIT 1))::text AS "snapshotXid"`.execute(
    db,
  )
  const [row] = rows
  if (!row) throw new Error('PostgreSQL returned no pending notifications.')
  return row
}

/** Returns the pending notifications of these ids that still exist, oldest first. */
export async function readPendingNotifications(trx: Trx, ids: readonly number[]) {
  return trx
    .selectFrom('pending_notification')
    .select(['id', 'event_id as eventId', 'kind', 'user_id as userId', 'version', 'at'])
    .where(sql<SqlBool>`id = ANY(${[...ids]}::bigint[])`)
    .orderBy('id')
    .execute()
}

export async function deletePendingNotifications(trx: Trx, ids: readonly number[]): Promise<void> {
  await trx
    .deleteFrom('pending_notification')
    .where(sql<SqlBool>`id = ANY(${[...ids]}::bigint[])`)
    .execute()
}

export async function setPendingNotificationAside(
  db: Db,
  { id, error, retryAt }: { id: number; error: string; retryAt: Date },
): Promise<void> {
  await db
    .updateTable('pending_notification')
    .set({ retry_at: retryAt, last_error: error })
    .where('id', '=', id)
    .execute()
}

/** The user who assigned an event, according to the audit log; `id` is null unless it was a user. */
export interface Assigner {
  eventId: number
  at: Date
  id: number | null
  name: string
}

export async function readAssigners(
  trx: Trx,
  assignments: readonly Pick<PendingNotification, 'eventId' | 'userId' | 'at'>[],
): Promise<Assigner[]> {
  if (assignments.length === 0) return []
  const { rows } = await sql<Assigner>`
    SELECT w.event_id AS "eventId", a.at, a.actor_name AS name,
      CASE WHEN a.actor_type = 'user' THEN a.actor_id::int END AS id
    FROM unnest(${assignments.map(({ eventId }) => eventId)}::bigint[], ${assignments.map(({ userId }) => String(userId))}::text[],
      ${assignments.map(({ at }) => at)}::timestamptz[]) AS w (event_id, user_id, at)
    JOIN audit a ON a.entity_type = 'service_event' AND a.entity_id = w.event_id::text AND a.property = 'claimedBy'
      AND a.new_value = w.user_id AND a.at = w.at`.execute(trx)
  return rows
}

/** One event for one user through one channel at one address. */
export interface NewNotification {
  eventId: number
  userId: number
  kind: NotificationKind
  version: number
  channel: NotificationChannel
  recipient: string
  waitsFor: 'maintenance' | 'digest' | null
  messageId: number | null
}

/** Returns the key that identifies a notification. */
export function notificationKey(one: Omit<NewNotification, 'waitsFor' | 'messageId'>): string {
  return JSON.stringify([one.eventId, one.userId, one.kind, one.version, one.channel, one.recipient])
}

/**
 * Returns the keys of notifications that exist for these events, so that a repeated pending notification is not sent
 * again.
 */
export async function readNotifiedKeys(trx: Trx, eventIds: readonly number[]): Promise<Set<string>> {
  const rows = await trx
    .selectFrom('notification')
    .select(['event_id as eventId', 'user_id as userId', 'kind', 'version', 'channel', 'recipient'])
    .where(sql<SqlBool>`event_id = ANY(${[...eventIds]}::bigint[])`)
    .execute()
  return new Set(rows.map(notificationKey))
}

/** Rows per statement. */
const ROWS_AT_ONCE = 5000

export async function insertNotifications(
  trx: Trx,
  { notifications, at }: { notifications: readonly NewNotification[]; at: Date },
): Promise<void> {
  for (let from = 0; from < notifications.length; from += ROWS_AT_ONCE) {
    const some = notifications.slice(from, from + ROWS_AT_ONCE)
    const of = <T>(pick: (one: NewNotification) => T) => some.map(pick)
    await sql`
      INSERT INTO notification (event_id, user_id, kind, version, channel, recipient, waits_for, message_id, decided_at)
      SELECT *, ${at}::timestamptz FROM unnest(
        ${of(({ eventId }) => eventId)}::bigint[], ${of(({ userId }) => userId)}::int[], ${of(({ kind }) => kind)}::text[],
        ${of(({ version }) => version)}::int[], ${of(({ channel }) => channel)}::text[],
        ${of(({ recipient }) => recipient)}::text[], ${of(({ waitsFor }) => waitsFor)}::text[],
        ${of(({ messageId }) => messageId)}::bigint[])
      ON CONFLICT DO NOTHING`.execute(trx)
  }
}

/** Counts the messages of these templates written for these users since then, by channel. */
export async function countMessages(
  trx: Trx,
  { userIds, templates, since }: { userIds: readonly number[]; templates: readonly string[]; since: Date },
): Promise<Used[]> {
  const { rows } = await sql<Used>`
    SELECT user_id AS "userId", channel, count(*)::int AS messages FROM outbound_message
    WHERE user_id = ANY(${[...userIds]}::int[]) AND created_at > ${since} AND template = ANY(${[...templates]}::text[])
    GROUP BY 1, 2`.execute(trx)
  return rows
}
