import type { UnnumberedLiveMessage } from '@benchwatch/contract/live'
import { sql } from 'kysely'
import type { Trx } from '../connect.ts'

/**
 * Channel on which a transaction notifies the publisher of waiting messages; once per transaction, whatever its size.
 */
export const OUTBOX_CHANNEL = 'live_outbox'

/** Users who may see a message: those whose scope contains the customer, or a single user. */
export type Audience = { customerId: number } | { userId: number }

export interface Announcement {
  audience: Audience
  message: UnnumberedLiveMessage
}

/**
 * Writes live messages in the transaction of the change they describe. They are sent after the commit, numbered by the
 * publisher, so clients never see a change that was rolled back.
 */
export async function announce(trx: Trx, messages: readonly Announcement[]): Promise<void> {
  if (messages.length === 0) return
  // Notifies once, however many messages there are.
  await sql`
    WITH waiting AS (
      INSERT INTO live_outbox (customer_id, user_id, message)
      SELECT * FROM unnest(
        ${messages.map(({ audience }) => ('customerId' in audience ? audience.customerId : null))}::int[],
        ${messages.map(({ audience }) => ('userId' in audience ? audience.userId : null))}::int[],
        ${messages.map(({ message }) => JSON.stringify(message))}::jsonb[]))
    SELECT pg_notify(${OUTBOX_CHANNEL}, '')`.execute(trx)
}
