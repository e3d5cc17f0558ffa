import type { NotificationChannel, NotificationKind, Severity } from '@benchwatch/contract/vocabulary'
import { type SqlBool, sql } from 'kysely'
import type { Db, Trx } from '../../db/connect.ts'
import { windowIsOn } from '../../db/maintenance-windows.ts'
import { serviceEvents } from '../../db/scoped.ts'
import { severityWord } from '../../db/severity.ts'

/** Notifications that wait for a list: the end of a maintenance, or the next digest. */

/** Whom a list goes to: one person by one way at one address. */
export interface Receiver {
  userId: number
  channel: NotificationChannel
  recipient: string
}

/** Those for whom something has been collected since then. */
export async function readDueDigests(db: Db, before: Date): Promise<Receiver[]> {
  return db
    .selectFrom('notification')
    .select(['user_id as userId', 'channel', 'recipient'])
    .where('waits_for', '=', 'digest')
    .groupBy(['user_id', 'channel', 'recipient'])
    .having(sql<SqlBool>`min(decided_at) <= ${before}`)
    .orderBy('user_id')
    .execute()
}

/** Those for whom something is held although no window of its instrument holds it any more. */
export async function readReleased(db: Db, now: Date): Promise<Receiver[]> {
  return serviceEvents(db, 'all')
    .innerJoin('notification as n', 'n.event_id', 'e.id')
    .select(['n.user_id as userId', 'n.channel', 'n.recipient'])
    .distinct()
    .where('n.waits_for', '=', 'maintenance')
    .where(outOfMaintenance(now))
    .orderBy('n.user_id')
    .execute()
}

function outOfMaintenance(now: Date) {
  return sql<SqlBool>`NOT EXISTS (SELECT FROM maintenance_window w WHERE w.instrument_id = e.instrument_id
    AND ${windowIsOn(now)})`
}

/** What waits for somebody, as a list needs it. */
export interface Waiting {
  id: number
  eventId: number
  customerId: number
  kind: NotificationKind
  severity: Severity
}

/** What waits for a receiver and is due, the newest event first, at most `limit`; locked until the transaction ends. */
export async function lockWaiting(
  trx: Trx,
  {
    receiver,
    waitsFor,
    now,
    limit,
  }: { receiver: Receiver; waitsFor: 'maintenance' | 'digest'; now: Date; limit: number },
): Promise<Waiting[]> {
  return serviceEvents(trx, 'all')
    .innerJoin('notification as n', 'n.event_id', 'e.id')
    .select([
      'n.id',
      'e.id as eventId',
      'e.customer_id as customerId',
      'n.kind',
      severityWord('e.severity').as('severity'),
    ])
    .where('n.waits_for', '=', waitsFor)
    .where('n.user_id', '=', receiver.userId)
    .where('n.channel', '=', receiver.channel)
    .where('n.recipient', '=', receiver.recipient)
    .$if(waitsFor === 'maintenance', (all) => all.where(outOfMaintenance(now)))
    .orderBy('e.created_at', 'desc')
    .orderBy('e.id', 'desc')
    .limit(limit)
    .forUpdate('n')
    .execute()
}

export async function noteListed(
  trx: Trx,
  { ids, messageId }: { ids: readonly number[]; messageId: number | null },
): Promise<void> {
  await trx
    .updateTable('notification')
    .set({ waits_for: null, message_id: messageId })
    .where(sql<SqlBool>`id = ANY(${[...ids]}::bigint[])`)
    .execute()
}

/** Never to be sent, and why. */
export async function withdraw(db: Db, { ids, reason }: { ids: readonly number[]; reason: string }): Promise<void> {
  if (ids.length === 0) return
  await db
    .updateTable('notification')
    .set({ waits_for: null, withdrawn_reason: reason })
    .where(sql<SqlBool>`id = ANY(${[...ids]}::bigint[])`)
    .execute()
}

/** Into the next digest, out of a message that does not leave. */
export async function collectAgain(db: Db, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  await db
    .updateTable('notification')
    .set({ waits_for: 'digest', message_id: null })
    .where(sql<SqlBool>`id = ANY(${[...ids]}::bigint[])`)
    .execute()
}

/** What a message tells whom; nothing where all of its events are deleted. */
export async function readCarried(
  db: Db,
  messageId: number,
): Promise<{ id: number; userId: number; customerId: number; isWithdrawn: boolean }[]> {
  return serviceEvents(db, 'all')
    .innerJoin('notification as n', 'n.event_id', 'e.id')
    .select([
      'n.id',
      'n.user_id as userId',
      'e.customer_id as customerId',
      sql<boolean>`n.withdrawn_reason IS NOT NULL`.as('isWithdrawn'),
    ])
    .where('n.message_id', '=', messageId)
    .execute()
}
