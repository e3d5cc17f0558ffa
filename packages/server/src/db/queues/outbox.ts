import type { UnnumberedLiveMessage } from '@benchwatch/contract/live'
import { sql } from 'kysely'
import type { Trx } from '../connect.ts'

/** Channel on which a transaction tells the publisher that messages wait; once per transaction, whatever its size. */
export const OUTBOX_CHANNEL = 'live_outbox'

/** Who may see a message: users whose scope holds the customer, or one user. */
export type Audience = { customerId: number } | { userId: number }

export interface Announcement {
  audience: Audience
  message: UnnumberedLiveMessage
}

/**
 * Writes live messages in the transaction of the change they tell about. They leave after the commit, numbered by the
 * publisher, so a message that is seen is true.
 */
export async function announce(trx: Trx, messages: readonly Announcement[]): Promise<void> {
  if (messages.length === 0) return
  // Told once however many messages there are.
  await sql`
    WITH waiting AS (
      INSERT INTO live_outbox (customer_id, user_id, message)
      SELECT * FROM unnest(
        ${messages.map(({ audience }) => ('customerId' in audience ? audience.customerId : null))}::int[],
        ${messages.map(({ audience }) => ('userId' in audience ? audience.userId : null))}::int[],
        ${messages.map(({ message }) => JSON.stringify(message))}::jsonb[]))
    SELECT pg_notify(${OUTBOX_CHANNEL}, '')`.execute(trx)
}
