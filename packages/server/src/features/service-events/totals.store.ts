import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { serviceEvents } from '../../db/scoped.ts'

/**
 * The rollups of totals. Every insert of events appends what it added to event_delta in its own statement; the fold moves
 * that into the rollups, and readers always add up both. So the totals are exact at every moment and no row is hot.
 */

/**
 * Deltas that one statement moves. A backlog in one piece would meet the statement time-out, each time anew (100,000 took 3 s
 * on a busy machine), and never become smaller.
 */
const MOVED_AT_ONCE = 20_000

/**
 * Moves the deltas into the rollups; returns how many there were. Each statement moves some, so readers see a delta either
 * there or here. Run by one leader every few seconds; it may be repeated at any time, also by two at once. 12,000 deltas
 * take 30 ms.
 */
export async function foldTotals(db: Db): Promise<number> {
  for (let folded = 0; ; ) {
    const moved = await moveDeltas(db)
    folded += moved
    if (moved < MOVED_AT_ONCE) return folded
  }
}

async function moveDeltas(db: Db): Promise<number> {
  const { rows } = await sql<{ folded: number }>`
    WITH d AS (
      DELETE FROM event_delta WHERE ctid = ANY (ARRAY(SELECT ctid FROM event_delta LIMIT ${MOVED_AT_ONCE})) RETURNING *),
    days AS (
      INSERT INTO event_day AS t (day, events) SELECT day, sum(events) FROM d GROUP BY day ORDER BY day
      ON CONFLICT (day) DO UPDATE SET events = t.events + excluded.events),
    customer_days AS (
      INSERT INTO event_day_customer AS t (customer_id, day, events)
      SELECT customer_id, day, sum(events) FROM d GROUP BY 1, 2 ORDER BY 1, 2
      ON CONFLICT (customer_id, day) DO UPDATE SET events = t.events + excluded.events),
    seen AS (
      INSERT INTO event_seen AS t (customer_id, instrument_id, component_id, site_id, first_at, last_at)
      SELECT customer_id, instrument_id, component_id, site_id, min(first_at), max(last_at)
      FROM d GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
      ON CONFLICT (customer_id, instrument_id, component_id, site_id) DO UPDATE
      SET first_at = least(t.first_at, excluded.first_at), last_at = greatest(t.last_at, excluded.last_at))
    SELECT count(*) AS folded FROM d`.execute(db)
  return rows[0]?.folded ?? 0
}

/**
 * Computes the rollups from the events themselves, for events that came in by COPY. Nothing may be inserted meanwhile, so
 * it runs in the transaction of the import, before anybody else writes.
 */
export async function rebuildTotals(trx: Db): Promise<void> {
  const all = serviceEvents(trx, 'all')
  const day = sql<string>`(e.created_at AT TIME ZONE 'UTC')::date`
  const events = sql<number>`count(*)`
  await sql`DELETE FROM event_delta`.execute(trx)
  await sql`DELETE FROM event_day`.execute(trx)
  await sql`DELETE FROM event_day_customer`.execute(trx)
  await sql`DELETE FROM event_seen`.execute(trx)
  await sql`INSERT INTO event_day_customer (customer_id, day, events)
    ${all.select(['e.customer_id', day.as('day'), events.as('events')]).groupBy(['e.customer_id', day])}`.execute(trx)
  await sql`INSERT INTO event_day (day, events)
    SELECT day, sum(events) FROM event_day_customer GROUP BY day`.execute(trx)
  await sql`INSERT INTO event_seen (customer_id, instrument_id, component_id, site_id, first_at, last_at)
    ${all
      .select([
        'e.customer_id',
        sql<number>`coalesce(e.instrument_id, 0)`.as('instrument_id'),
        sql<number>`coalesce(e.component_id, 0)`.as('component_id'),
        'e.site_id',
        sql<Date>`min(e.created_at)`.as('first_at'),
        sql<Date>`max(e.created_at)`.as('last_at'),
      ])
      .groupBy(['e.customer_id', 'e.instrument_id', 'e.component_id', 'e.site_id'])}`.execute(trx)
}
