import { sql } from 'kysely'
import type { Db } from './connect.ts'

/** Channel on which every node hears the highest number published. */
export const PUBLISHED_CHANNEL = 'live_published'

/** How long published messages are kept for a browser that comes back: 24 h. */
const KEPT_HOURS = 24

/**
 * Moves waiting messages to live_message and numbers them; returns how many. Run by one leader only. Rows are deleted
 * here rather than read past a cursor: a transaction that commits late still finds its rows taken next time, in the
 * order of their entity, because changes of one entity wait for each other.
 */
export async function publishWaiting(db: Db): Promise<number> {
  const { rows } = await sql<{ published: number; last_seq: number }>`
    WITH waiting AS (DELETE FROM live_outbox RETURNING id, customer_id, user_id, message),
    counted AS (SELECT count(*)::int AS n FROM waiting),
    taken AS (
      UPDATE live_sequence SET last_seq = last_seq + counted.n FROM counted WHERE counted.n > 0
      RETURNING last_seq, counted.n AS published),
    numbered AS (
      INSERT INTO live_message (seq, customer_id, user_id, message, published_at)
      SELECT taken.last_seq - taken.published + row_number() OVER (ORDER BY id), customer_id, user_id, message, now()
      FROM waiting, taken)
    SELECT published, last_seq, pg_notify(${PUBLISHED_CHANNEL}, last_seq::text) FROM taken`.execute(db)
  return rows[0]?.published ?? 0
}

/** Removes messages older than 24 h. */
export async function forgetPublished(db: Db): Promise<void> {
  await sql`DELETE FROM live_message WHERE published_at < now() - make_interval(hours => ${KEPT_HOURS})`.execute(db)
}
