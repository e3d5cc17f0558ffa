import type { NotificationKind } from '@benchwatch/contract/notification-vocabulary'
import type { Notification } from '@benchwatch/contract/notifications'
import { type RawBuilder, sql } from 'kysely'
import type { DataScope } from '../../db/actor.ts'
import type { Db } from '../../db/connect.ts'
import { serviceEvents } from '../../db/scoped.ts'
import { severityOf } from '../../db/severity.ts'
import { NO_NAME } from '../users/users.lookup.ts'
import { stateOf } from './delivery-state.ts'

/** What one user was told of events that the scope holds, newest first, and how much that is in all. */
export async function listNotifications(
  db: Db,
  { userId, scope, limit, offset }: { userId: number; scope: DataScope; limit: number; offset: number },
): Promise<{ values: Notification[]; total: { notifications: number } }> {
  const ofUser = sql<boolean>`n.user_id = ${userId}`
  const rows = await told(db, scope).where(ofUser).limit(limit).offset(offset).execute()
  const { count } = await inScope(db, scope)
    .where(ofUser)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return { values: rows.map(notificationOf), total: { notifications: Number(count) } }
}

/** Most deliveries of one event that are shown. */
const OF_AN_EVENT = 200

/** Whom an event was told, newest first: one user, or everybody. Nothing of an event that the scope doesn't hold. */
export async function readNotificationsOfEvent(
  db: Db,
  {
    eventId,
    scope,
    userId,
    kind,
  }: { eventId: number; scope: DataScope; userId: number | null; kind?: NotificationKind },
): Promise<Notification[]> {
  const rows = await told(db, scope)
    .where('n.event_id', '=', eventId)
    .$if(userId !== null, (query) => query.where('n.user_id', '=', userId))
    .$if(kind !== undefined, (query) => query.where('n.kind', '=', kind as NotificationKind))
    .limit(OF_AN_EVENT)
    .execute()
  return rows.map(notificationOf)
}

/** Notifications `n` of events `e` that the scope holds. */
function inScope(db: Db, scope: DataScope) {
  return serviceEvents(db, scope).innerJoin('notification as n', 'n.event_id', 'e.id')
}

function told(db: Db, scope: DataScope) {
  const inMessage: RawBuilder<number | null> = sql`CASE WHEN n.message_id IS NOT NULL THEN (
    SELECT count(*)::int FROM notification l WHERE l.message_id = n.message_id) END`
  return inScope(db, scope)
    .innerJoin('app_user as u', 'u.id', 'n.user_id')
    .leftJoin('outbound_message as o', 'o.id', 'n.message_id')
    .leftJoin('instrument as i', 'i.id', 'e.instrument_id')
    .leftJoin('gateway as g', 'g.id', 'e.gateway_id')
    .select([
      'n.id',
      'n.kind',
      'n.channel',
      'n.recipient',
      'n.decided_at',
      'n.waits_for as waitsFor',
      'n.withdrawn_reason as withdrawnReason',
      'n.message_id as messageId',
      'n.event_id',
      'e.severity',
      'e.description',
      sql<string>`coalesce(i.installed_product_id, g.installed_product_id)`.as('installed_product_id'),
      'n.user_id',
      'u.name as user_name',
      'o.sent_at as sentAt',
      'o.failed_at as failedAt',
      'o.attempts',
      'o.last_failure as lastFailure',
      'o.last_error as lastError',
      inMessage.as('events_in_message'),
    ])
    .orderBy('n.decided_at', 'desc')
    .orderBy('n.id', 'desc')
}

function notificationOf(row: Awaited<ReturnType<ReturnType<typeof told>['execute']>>[number]): Notification {
  return {
    id: String(row.id),
    kind: row.kind,
    channel: row.channel,
    event: {
      id: String(row.event_id),
      eventId: String(row.event_id),
      severity: severityOf(row.severity),
      description: row.description,
      instrumentInstalledProductId: row.installed_product_id,
    },
    userId: String(row.user_id),
    userName: row.user_name ?? NO_NAME,
    to: row.recipient,
    ...stateOf(row),
    decidedAt: row.decided_at.toISOString(),
    sentAt: row.sentAt?.toISOString() ?? null,
    attempts: row.attempts ?? 0,
    eventsInMessage: row.events_in_message,
  }
}
