import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/connect.ts'

/** Who gave a person which event, by the record: assignments may be gone from the event by now. */

/** That somebody was given an event. */
export interface Assignment {
  eventId: number
  userId: number
  /** Null for what the product or another system did. */
  byId: number | null
}

/**
 * How each of these events came to this person, one assignment for each event: the last one by somebody else, because that
 * is what they are told of; else the last one by themselves. Either of one event, or since then.
 */
export async function readAssignments(
  db: Db,
  { userId, ...which }: { userId: number } & ({ eventId: number } | { since: Date }),
): Promise<Assignment[]> {
  const wanted: RawBuilder<boolean> =
    'since' in which ? sql`at >= ${which.since}` : sql`entity_id = ${String(which.eventId)}`
  const { rows } = await sql<{ event_id: number; by_id: number | null }>`
    SELECT DISTINCT ON (entity_id) entity_id::bigint AS event_id,
      CASE WHEN actor_type = 'user' THEN actor_id::int END AS by_id
    FROM audit
    WHERE entity_type = 'service_event' AND property = 'claimedBy' AND new_value = ${String(userId)} AND ${wanted}
    ORDER BY entity_id, coalesce(actor_type = 'user' AND actor_id = ${String(userId)}, false), entity_seq DESC`.execute(
    db,
  )
  return rows.map(({ event_id, by_id }) => ({ eventId: event_id, userId, byId: by_id }))
}
