import { sql } from 'kysely'
import type { Broadcast } from '../../platform/live/hub.ts'
import type { Db } from '../connect.ts'
import { timeline } from '../sql/database-identity.ts'
import { QueuePosition, type SnapshotXid, snapshotXid } from './queue-position.ts'

/** Number of messages that a returning browser gets individually; with more, it reloads everything. */
export const CATCH_UP_LIMIT = 1000

/**
 * Numbers that are left out after a failover: more than it can have lost, since consoles have seen those with other
 * messages, and more than a console may catch up on, so that all reload what they show.
 */
const LEFT_OUT = 1_000_000

/** Hours that published messages are kept for returning browsers. */
const KEPT_HOURS = 24

/** A batch of published messages: those with the numbers after `after` up to `last`. */
export interface Published {
  after: number
  last: number
}

/**
 * Moves waiting messages to live_message and numbers them; returns null if there were none and no failover. Only the
 * leader runs it.
 * Rows are deleted instead of skipped by number, so that the rows of a transaction that commits late are found next
 * time. They are in the order of their entity, because changes of one entity wait for each other. `position` only saves
 * reading rows that were taken already.
 */
export async function publishWaiting(db: Db, position = new QueuePosition()): Promise<Published | null> {
  const { published } = await position.scan((from) => publishFrom(db, from))
  return published
}

async function publishFrom(
  db: Db,
  from: SnapshotXid,
): Promise<{ snapshotXid: SnapshotXid; published: Published | null }> {
  const { rows } = await sql<{ snapshotXid: SnapshotXid; published: Published | null }>`
    WITH waiting AS (
      DELETE FROM live_outbox WHERE written_in >= ${from}::xid8 RETURNING id, customer_id, user_id, message),
    counted AS (SELECT count(*)::int AS n FROM waiting),
    history AS (SELECT ${timeline} AS timeline),
    taken AS (
      UPDATE live_sequence AS s SET timeline = history.timeline,
        last_seq = last_seq + counted.n + CASE WHEN s.timeline IN ('', history.timeline) THEN 0 ELSE ${LEFT_OUT} END
      FROM counted, history WHERE counted.n > 0 OR s.timeline NOT IN ('', history.timeline)
      RETURNING last_seq, counted.n AS published),
    numbered AS (
      INSERT INTO live_message (seq, customer_id, user_id, message, published_at)
      SELECT taken.last_seq - taken.published + row_number() OVER (ORDER BY id), customer_id, user_id, message, now()
      FROM waiting, taken)
    SELECT ${snapshotXid}::text AS "snapshotXid",
      (SELECT json_build_object('after', last_seq - published, 'last', last_seq) FROM taken) AS published`.execute(db)
  const [row] = rows
  if (!row) throw new Error('PostgreSQL did not return the number of published messages.')
  return row
}

/** Deletes messages older than 24 h, except those that webhooks still have to send. */
export async function forgetPublished(db: Db): Promise<void> {
  await sql`DELETE FROM live_message WHERE published_at < now() - make_interval(hours => ${KEPT_HOURS})
    AND NOT EXISTS (SELECT 1 FROM webhook_position p WHERE p.seq < live_message.seq
      AND EXISTS (SELECT 1 FROM webhook WHERE is_on AND gone_at IS NULL AND after_seq < live_message.seq))`.execute(db)
}

/** Returns the published messages after a number, oldest first, as text that is ready to send. */
export async function readPublished(db: Db, { after, limit }: { after: number; limit: number }): Promise<Broadcast[]> {
  const rows = await db
    .selectFrom('live_message')
    .select(['seq', 'customer_id', 'user_id', 'message'])
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(limit)
    .execute()
  return rows.map(({ seq, customer_id, user_id, message }) => ({
    seq,
    customerId: customer_id,
    userId: user_id,
    text: JSON.stringify({ seq, ...message }),
  }))
}

/** Returns the highest published number, and the lowest one still kept (0 if there is none). */
export async function publishedRange(db: Db): Promise<{ last: number; firstKept: number }> {
  const { last_seq } = await db.selectFrom('live_sequence').select('last_seq').executeTakeFirstOrThrow()
  const first = await db.selectFrom('live_message').select('seq').orderBy('seq').limit(1).executeTakeFirst()
  return { last: last_seq, firstKept: first?.seq ?? 0 }
}
