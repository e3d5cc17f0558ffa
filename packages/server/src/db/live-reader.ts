import type { Broadcast } from '../platform/live/hub.ts'
import type { Db } from './connect.ts'

/** Most that a returning browser is given one by one; above it reads everything again. */
export const CATCH_UP_LIMIT = 1000

/** Published messages after a number, oldest first, as text that is ready to send. */
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

/** The highest number published, and the lowest that is still kept (0 when none is). */
export async function publishedRange(db: Db): Promise<{ last: number; firstKept: number }> {
  const { last_seq } = await db.selectFrom('live_sequence').select('last_seq').executeTakeFirstOrThrow()
  const first = await db.selectFrom('live_message').select('seq').orderBy('seq').limit(1).executeTakeFirst()
  return { last: last_seq, firstKept: first?.seq ?? 0 }
}
