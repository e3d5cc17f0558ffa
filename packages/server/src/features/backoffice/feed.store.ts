import type { Db } from '../../db/connect.ts'

/** Forgets counts of hours before this, and tests ordered before it. */
export async function forgetFeed(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('gateway_feed_hour').where('hour', '<', before).execute()
  await db.deleteFrom('alarm_test').where('ordered_at', '<', before).execute()
}
