import { sql } from 'kysely'
import type { Trx } from '../../db/connect.ts'
import type { CountedEvent } from '../service-events/totals.store.ts'

/**
 * Takes back what has not left and forgets what has: mails and text messages about these events alone. A list that tells of
 * others too stays. To be called before the events go, which takes along how they were told of.
 */
export async function deleteMessagesAbout(trx: Trx, ids: readonly number[]): Promise<void> {
  const events = sql`ANY(${[...ids]}::bigint[])`
  await sql`
    WITH carrying AS (
      SELECT message_id FROM notification WHERE event_id = ${events}
      UNION SELECT message_id FROM event_email WHERE event_id = ${events}
      UNION SELECT message_id FROM support_email WHERE event_id = ${events})
    DELETE FROM outbound_message m USING carrying c WHERE m.id = c.message_id
      AND NOT EXISTS (SELECT FROM notification n WHERE n.message_id = m.id AND NOT n.event_id = ${events})`.execute(trx)
  await trx.deleteFrom('event_occasion').where(sql<boolean>`event_id = ${events}`).execute()
}

/** What the record keeps of an event that is gone. */
export interface DeletedEvent extends CountedEvent {
  id: number
  templateId: string
  description: string
}

/** Takes out events whose rows are locked, and leaves their numbers for whoever holds events in memory. */
export async function deleteEventRows(trx: Trx, ids: readonly number[]): Promise<DeletedEvent[]> {
  const { rows } = await sql<DeletedEvent>`
    WITH gone AS (
      DELETE FROM service_event WHERE id = ANY(${[...ids]}::bigint[])
      RETURNING id, created_at, customer_id, site_id, instrument_id, component_id, template_id, description
    ), noted AS (
      INSERT INTO deleted_event (id) SELECT id FROM gone)
    SELECT id, created_at AS "createdAt", customer_id AS "customerId", site_id AS "siteId",
      instrument_id AS "instrumentId", component_id AS "componentId", template_id AS "templateId", description
    FROM gone ORDER BY id`.execute(trx)
  return rows
}
