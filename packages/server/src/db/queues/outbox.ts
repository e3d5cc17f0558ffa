import type { UnnumberedLiveMessage } from '@benchwatch/contract/live'
import { sql } from 'kysely'
import type { Trx } from '../connect.ts'

/** Users who may see a message: those whose scope contains the customer, or a single user. */
export type Audience = { customerId: number } | { userId: number }

export interface Announcement {
  audience: Audience
  message: UnnumberedLiveMessage
}

/**
 * Writes live messages in the transaction of the change they describe. They are sent after the commit, numbered by the
 * publisher, so clients never see a change that was rolled back. It does not notify the publisher: PostgreSQL lets
 * transactions that notify commit only one after the other (docs/decisions/0028).
 */
export async function announce(trx: Trx, messages: readonly Announcement[]): Promise<void> {
  if (messages.length === 0) return
  await sql`
    INSERT INTO live_outbox (customer_id, user_id, message)
    SELECT * FROM unnest(
      ${messages.map(({ audience }) => ('customerId' in audience ? audience.customerId : null))}::int[],
      ${messages.map(({ audience }) => ('userId' in audience ? audience.userId : null))}::int[],
      ${messages.map(({ message }) => JSON.stringify(message))}::jsonb[])`.execute(trx)
}
