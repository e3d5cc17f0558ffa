import type { NotificationChannel } from '@benchwatch/contract/vocabulary'
import { type SqlBool, sql } from 'kysely'
import type { Db, Trx } from '../../db/connect.ts'
import { windowIsOn } from '../../db/maintenance-windows.ts'
import { serviceEvents } from '../../db/scoped.ts'
import { severityWord } from '../../db/sql/severity.ts'

/** Notifications that wait for a list: for the end of a maintenance, or for the next digest. */

/** Reason of a withdrawal. */
export const ADDRESS_IS_GONE = 'The recipient no longer uses this address for notifications.'

/** Recipient of a list: one user through one channel at one address. */
export interface Receiver {
  userId: number
  channel: NotificationChannel
  recipient: string
}

/** Returns the recipients whose first collected notification is older than `before`. */
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

/** Returns the recipients of held notifications whose instruments are no longer in maintenance. */
export async function readReleased(db: Db, now: Date): Promise<Receiver[]> {
  return serviceEvents(db, 'all')
    .innerJoin('notification as n', 'n.event_id', 'e.id')
    .select(['n.user_id as userId', 'n.channel', 'n.recipient'])
    .distinct()
    .where('n.waits_for', '=', 'maintenance')
    .where(({ not }) => not(isInMaintenance(now)))
    .orderBy('n.user_id')
    .execute()
}

/**
 * Condition: the instrument of event `e` is in maintenance. If it has moved since, the maintenance is another customer's.
 */
function isInMaintenance(now: Date) {
  return sql<SqlBool>`EXISTS (SELECT FROM maintenance_window w JOIN instrument i ON i.id = w.instrument_id
    WHERE i.id = e.instrument_id AND i.customer_id = e.customer_id AND ${windowIsOn(now)})`
}

/** Returns those of these events that happened during a maintenance of their instrument, or whose instrument is in one. */
export async function readHeldEvents(
  trx: Trx,
  { eventIds, now }: { eventIds: readonly number[]; now: Date },
): Promise<Set<number>> {
  const held = await serviceEvents(trx, 'all')
    .where(sql<SqlBool>`e.id = ANY(${[...eventIds]}::bigint[])`)
    .where('e.instrument_id', 'is not', null)
    .where(({ eb, or }) => or([eb('e.during_maintenance', '=', true), isInMaintenance(now)]))
    .select('e.id')
    .execute()
  return new Set(held.map(({ id }) => id))
}

/** A waiting notification, with the values that a list needs. */
export type Waiting = Awaited<ReturnType<typeof lockWaiting>>[number]

/** Locks and returns a recipient's due notifications, the newest event first, at most `limit`. */
export async function lockWaiting(
  trx: Trx,
  {
    receiver,
    waitsFor,
    now,
    limit,
  }: { receiver: Receiver; waitsFor: 'maintenance' | 'digest'; now: Date; limit: number },
) {
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
    .$if(waitsFor === 'maintenance', (all) => all.where(({ not }) => not(isInMaintenance(now))))
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

/** Marks notifications as never to be sent, with the reason. */
export async function withdraw(db: Db, { ids, reason }: { ids: readonly number[]; reason: string }): Promise<void> {
  if (ids.length === 0) return
  await db
    .updateTable('notification')
    .set({ waits_for: null, withdrawn_reason: reason })
    .where(sql<SqlBool>`id = ANY(${[...ids]}::bigint[])`)
    .execute()
}

/** Moves notifications from a message that will not be sent to the next digest. */
export async function collectAgain(db: Db, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  await db
    .updateTable('notification')
    .set({ waits_for: 'digest', message_id: null })
    .where(sql<SqlBool>`id = ANY(${[...ids]}::bigint[])`)
    .execute()
}

/** Returns the notifications in a message; empty if all of their events were deleted. */
export async function readCarried(
  db: Db,
  messageId: number,
): Promise<{ id: number; userId: number; recipient: string; customerId: number; isWithdrawn: boolean }[]> {
  return serviceEvents(db, 'all')
    .innerJoin('notification as n', 'n.event_id', 'e.id')
    .select([
      'n.id',
      'n.user_id as userId',
      'n.recipient',
      'e.customer_id as customerId',
      sql<boolean>`n.withdrawn_reason IS NOT NULL`.as('isWithdrawn'),
    ])
    .where('n.message_id', '=', messageId)
    .execute()
}
