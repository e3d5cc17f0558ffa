import type { WebhookAttempt } from '@benchwatch/contract/messages/webhooks'
import type { WebhookDeliveryState, WebhookOccasion } from '@benchwatch/contract/vocabulary'
import { sql } from 'kysely'
import type { Db, Trx } from '../../db/connect.ts'
import { type PublishedMessage, wholeChanges } from './occasions.ts'
import { hasDue, isDue } from './webhooks.store.ts'

/** A delivery to write. */
export interface NewDelivery {
  webhookId: number
  messageId: string
  occasion: WebhookOccasion | 'test'
  key: string
  subject: string
  eventId: number | null
  customerId: number | null
  body: string
  giveUpAt: Date
}

/**
 * Writes deliveries that are due at once; those of an occasion that a webhook has already got are left out. The lock
 * waits for an answer that ends a webhook, after which it gets nothing but tests.
 */
export async function insertDeliveries(
  trx: Trx,
  { deliveries, at }: { deliveries: readonly NewDelivery[]; at: Date },
): Promise<void> {
  if (deliveries.length === 0) return
  const of = <T>(pick: (one: NewDelivery) => T) => deliveries.map(pick)
  await sql`
    INSERT INTO webhook_delivery (webhook_id, message_id, occasion, occasion_key, subject, event_id, customer_id, body,
      give_up_at, created_at, next_at)
    SELECT webhook_id, message_id, d.occasion, occasion_key, subject, event_id, customer_id, body, give_up_at,
      ${at}::timestamptz, ${at}::timestamptz FROM unnest(
      ${of((one) => one.webhookId)}::int[], ${of((one) => one.messageId)}::text[], ${of((one) => one.occasion)}::text[],
      ${of((one) => one.key)}::text[], ${of((one) => one.subject)}::text[], ${of((one) => one.eventId)}::bigint[],
      ${of((one) => one.customerId)}::int[], ${of((one) => one.body)}::text[],
      ${of((one) => one.giveUpAt)}::timestamptz[])
      WITH ORDINALITY AS d (webhook_id, message_id, occasion, occasion_key, subject, event_id, customer_id, body,
        give_up_at, place)
    JOIN webhook w ON w.id = webhook_id AND (w.gone_at IS NULL OR d.occasion = 'test')
    ORDER BY place FOR KEY SHARE OF w
    ON CONFLICT (webhook_id, occasion_key) DO NOTHING`.execute(trx)
}

/** Locks and returns the number of the last message that was considered. Two processes never consider the same ones. */
export async function lockPosition(trx: Trx): Promise<number> {
  const { seq } = await trx.selectFrom('webhook_position').select('seq').forUpdate().executeTakeFirstOrThrow()
  return seq
}

/**
 * Returns published live messages after the locked position, oldest first, and notes that they are considered: at least
 * `limit` of them if there are as many, at most twice as many, and each change as a whole. `after` is the lowest number
 * that any webhook asks for.
 */
export async function takePublished(
  trx: Trx,
  { seq, after, limit }: { seq: number; after: number; limit: number },
): Promise<PublishedMessage[]> {
  const from = Math.max(seq, after)
  const messages = await trx
    .selectFrom('live_message')
    .select(['seq', 'customer_id as customerId', 'message'])
    .where('seq', '>', from)
    .orderBy('seq')
    .limit(2 * limit)
    .execute()
  const taken = messages.slice(0, wholeChanges(messages, limit))
  const last = taken.at(-1)
  if (last !== undefined) await trx.updateTable('webhook_position').set({ seq: last.seq }).execute()
  return taken
}

/** A delivery that is being sent. */
export type DueDelivery = NonNullable<Awaited<ReturnType<typeof readDueDelivery>>>

/** Returns the delivery that a webhook has to send next. */
export async function readDueDelivery(db: Db, { webhookId, at }: { webhookId: number; at: Date }) {
  return db
    .selectFrom('webhook_delivery as d')
    .innerJoin('webhook as w', 'w.id', 'd.webhook_id')
    .select([
      'd.id',
      'd.message_id as messageId',
      'd.occasion',
      'd.subject',
      'd.event_id as eventId',
      'd.customer_id as customerId',
      'd.body',
      'd.created_at as createdAt',
      'd.tries',
      'd.give_up_at as giveUpAt',
    ])
    .where('d.webhook_id', '=', webhookId)
    .where(isDue(at))
    .orderBy('d.next_at')
    .orderBy('d.id')
    .limit(1)
    .executeTakeFirst()
}

export async function hasDueDelivery(db: Db, at: Date): Promise<boolean> {
  const row = await db.selectFrom('webhook as w').where(hasDue(at)).select('w.id').limit(1).executeTakeFirst()
  return row !== undefined
}

/** Notes an attempt with the body that was sent. With `nextAt`, the delivery waits for another one. */
export async function noteAttempt(
  trx: Trx,
  {
    id,
    body,
    attempt,
    state,
    nextAt,
    at,
  }: {
    id: number
    body: string
    attempt: WebhookAttempt
    state: WebhookDeliveryState
    nextAt: Date | null
    at: Date
  },
): Promise<void> {
  await trx
    .updateTable('webhook_delivery')
    .set({
      state,
      body,
      tries: sql`tries + 1`,
      attempts: sql`attempts || ${JSON.stringify([attempt])}::jsonb`,
      ...(nextAt && { next_at: nextAt }),
      finished_at: state === 'waiting' ? null : at,
    })
    .where('id', '=', id)
    .execute()
}

/** Ends a delivery whose owner may no longer see what it is about. */
export async function withdrawDelivery(db: Db, { id, at }: { id: number; at: Date }): Promise<void> {
  await db
    .updateTable('webhook_delivery')
    .set({ state: 'withdrawn', finished_at: at })
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .execute()
}

/** Parks the waiting deliveries of a webhook, or all that waited for too long. Returns their number. */
export async function parkDeliveries(
  db: Db,
  { at, ...which }: { at: Date } & ({ webhookId: number } | { overdue: true }),
): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('webhook_delivery')
    .set({ state: 'parked', finished_at: at })
    .where('state', '=', 'waiting')
    .$if('overdue' in which, (query) => query.where('give_up_at', '<', at))
    .$if('webhookId' in which, (query) => query.where('webhook_id', '=', 'webhookId' in which ? which.webhookId : 0))
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Makes a finished delivery due again. Returns false if it is waiting already. */
export async function reopenDelivery(
  trx: Trx,
  { id, at, giveUpAt }: { id: number; at: Date; giveUpAt: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('webhook_delivery')
    .set({ state: 'waiting', tries: 0, next_at: at, give_up_at: giveUpAt, finished_at: null })
    .where('id', '=', id)
    .where('state', '<>', 'waiting')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Deletes the oldest finished deliveries from before a time. Returns their number. */
export async function deleteOldDeliveries(db: Db, { before, batch }: { before: Date; batch: number }): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    DELETE FROM webhook_delivery WHERE id = ANY(ARRAY(
      SELECT id FROM webhook_delivery WHERE finished_at < ${before} ORDER BY finished_at LIMIT ${batch}))
    RETURNING id`.execute(db)
  return rows.length
}
