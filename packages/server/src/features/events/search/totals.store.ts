import { sql } from 'kysely'
import { takeAdvisoryLock } from '../../../db/advisory-locks.ts'
import type { Db, Trx } from '../../../db/connect.ts'
import { serviceEvents } from '../../../db/scoped.ts'
import { inTransaction } from '../../../db/transaction.ts'

/**
 * The rollups of totals. Every insert of events appends its additions to event_delta in the same statement; the fold
 * moves them into the rollups, and readers always add both. So the totals are exact at every moment and no row is hot.
 */

/**
 * Locks the rollups against other writers until the transaction ends. Read their content after this, in a new
 * snapshot.
 */
async function lockRollups(trx: Trx): Promise<void> {
  await takeAdvisoryLock(trx, 'rollups')
}

/**
 * Deltas that one statement moves. A backlog moved in one piece would hit the statement timeout on every attempt
 * (100,000 took 3 s on a busy machine) and never shrink.
 */
const MOVED_AT_ONCE = 20_000

/**
 * Moves the deltas into the rollups; returns how many there were. Each statement moves some, so readers see a delta
 * either there or here. The leader runs it every few seconds; it may be repeated at any time, also concurrently.
 * 12,000 deltas take 30 ms.
 */
export async function foldTotals(db: Db): Promise<number> {
  for (let folded = 0; ; ) {
    const moved = await inTransaction(db, async (trx) => {
      await lockRollups(trx)
      return moveDeltas(trx)
    })
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

/** The counted values of a deleted event. */
export interface CountedEvent {
  createdAt: Date
  customerId: number
  siteId: number
  /** Null where there is none. */
  instrumentId: number | null
  componentId: number | null
}

/**
 * Subtracts events from the rollups that this transaction has deleted. Call it last in the transaction: no fold runs
 * until the transaction ends.
 *
 * One statement, because its snapshot holds either both an event and its delta or neither. It folds the deltas of the
 * combinations that lost events, and reads when such a combination was first and last seen from the remaining events.
 */
export async function uncountEvents(trx: Trx, events: readonly CountedEvent[]): Promise<void> {
  if (events.length === 0) return
  await lockRollups(trx)
  const of = <T>(pick: (event: CountedEvent) => T) => events.map(pick)
  const key = [
    'e.customer_id',
    sql<number>`coalesce(e.instrument_id, 0)`.as('instrument_id'),
    sql<number>`coalesce(e.component_id, 0)`.as('component_id'),
    'e.site_id',
    'e.created_at',
  ] as const
  const instrumentIds = [...new Set(of(({ instrumentId }) => instrumentId))].filter((id) => id !== null)
  const edgeSites = [...new Set(events.flatMap(({ instrumentId, siteId }) => (instrumentId === null ? [siteId] : [])))]
  const ofInstruments = serviceEvents(trx, 'all')
    .where(sql<boolean>`e.instrument_id = ANY(${instrumentIds}::int[])`)
    .select(key)
  const edgeIssues = serviceEvents(trx, 'all')
    .where(sql<boolean>`e.is_edge_issue AND e.site_id = ANY(${edgeSites}::int[])`)
    .select(key)
  const keys = sql`(customer_id, instrument_id, component_id, site_id)`
  await sql`
    WITH gone AS MATERIALIZED (
      SELECT (created_at AT TIME ZONE 'UTC')::date AS day, customer_id, instrument_id, component_id, site_id
      FROM unnest(${of(({ createdAt }) => createdAt)}::timestamptz[], ${of(({ customerId }) => customerId)}::int[],
        ${of(({ instrumentId }) => instrumentId ?? 0)}::int[], ${of(({ componentId }) => componentId ?? 0)}::int[],
        ${of(({ siteId }) => siteId)}::int[]) AS g (created_at, customer_id, instrument_id, component_id, site_id)
    ), lost AS MATERIALIZED (
      SELECT DISTINCT customer_id, instrument_id, component_id, site_id FROM gone
    ), waiting AS (
      DELETE FROM event_delta AS d WHERE ${keys} IN (SELECT customer_id, instrument_id, component_id, site_id FROM lost)
      RETURNING d.day, d.customer_id, d.events
    ), changed AS MATERIALIZED (
      SELECT day, customer_id, sum(events) AS events
      FROM (SELECT * FROM waiting UNION ALL SELECT day, customer_id, -1 FROM gone) AS c GROUP BY day, customer_id
    ), days AS (
      INSERT INTO event_day AS t (day, events) SELECT day, sum(events) FROM changed GROUP BY day ORDER BY day
      ON CONFLICT (day) DO UPDATE SET events = t.events + excluded.events
    ), customer_days AS (
      INSERT INTO event_day_customer AS t (customer_id, day, events)
      SELECT customer_id, day, events FROM changed ORDER BY customer_id, day
      ON CONFLICT (customer_id, day) DO UPDATE SET events = t.events + excluded.events
    ), remaining AS MATERIALIZED (
      SELECT customer_id, instrument_id, component_id, site_id, min(created_at) AS first_at, max(created_at) AS last_at
      FROM (${ofInstruments} UNION ALL ${edgeIssues}) AS e
      WHERE ${keys} IN (SELECT customer_id, instrument_id, component_id, site_id FROM lost)
      GROUP BY customer_id, instrument_id, component_id, site_id
    ), forgotten AS (
      DELETE FROM event_seen WHERE ${keys} IN (SELECT customer_id, instrument_id, component_id, site_id FROM lost
        EXCEPT SELECT customer_id, instrument_id, component_id, site_id FROM remaining)
    )
    INSERT INTO event_seen (customer_id, instrument_id, component_id, site_id, first_at, last_at)
    SELECT customer_id, instrument_id, component_id, site_id, first_at, last_at FROM remaining
    ON CONFLICT (customer_id, instrument_id, component_id, site_id) DO UPDATE
    SET first_at = excluded.first_at, last_at = excluded.last_at`.execute(trx)
  // A separate statement: no statement sees what another part of it writes.
  await sql`
    WITH days AS (DELETE FROM event_day WHERE events = 0)
    DELETE FROM event_day_customer WHERE events = 0 AND customer_id = ANY(${of(({ customerId }) => customerId)}::int[])`.execute(
    trx,
  )
}

/**
 * Computes the rollups from the events themselves, for events that came in by COPY. Nothing may be inserted meanwhile,
 * so it runs in the transaction of the import, before any other writer.
 */
export async function rebuildTotals(trx: Trx): Promise<void> {
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
