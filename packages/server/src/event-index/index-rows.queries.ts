import { pipeline } from 'node:stream/promises'
import { type InferResult, sql } from 'kysely'
import type { Client } from 'pg'
import { to } from 'pg-copy-streams'
import { type Db, keptPlan, type Trx } from '../db/connect.ts'
import type { SnapshotXid } from '../db/queues/queue-position.ts'
import { serviceEvents } from '../db/scoped.ts'
import { readBinaryCopy } from '../db/sql/binary-copy.ts'
import { timeline } from '../db/sql/database-identity.ts'
import { foldedDescription } from '../features/events/search/postgres-search.ts'

/**
 * Query for the event data that the index holds. Every changeable value must be named by the trigger
 * `mark_event_change`, or the index would not notice its change.
 */
export function indexedEvents(db: Db) {
  return serviceEvents(db, 'all').select([
    ...(['e.id', 'e.created_at', 'e.customer_id', 'e.site_id', 'e.instrument_id', 'e.component_id'] as const),
    sql<number | null>`CASE WHEN e.is_edge_issue THEN e.gateway_id END`.as('gateway_id'),
    ...(['e.severity', 'e.alert_type', 'e.alert_status', 'e.reason_closed', 'e.claimed_by', 'e.full_support'] as const),
    'e.last_action_at',
    'e.run_id',
    sql<Date>`coalesce(e.automatic_email_sent_at, 'epoch')`.as('emailed_at'),
    'e.text_folded',
    sql<number>`octet_length(${foldedDescription})`.as('description_bytes'),
  ])
}

/** An event as the index reads it. `description_bytes` are those of the folded description, where a message may follow. */
export type IndexedEvent = InferResult<ReturnType<typeof indexedEvents>>[number]

/** Estimates the number of events from the planner's statistics. */
export async function estimateEvents(db: Db): Promise<number> {
  const { rows } = await sql<{ events: number }>`
    SELECT reltuples::int8 AS events FROM pg_class WHERE oid = 'service_event'::regclass`.execute(db)
  return rows[0]?.events ?? 0
}

/** Everything that changed in transactions from a snapshot xid on, as one transaction sees it. */
export interface Changes {
  events: IndexedEvent[]
  /** Ids of deleted events. */
  deleted: number[]
  sites: { id: number; location_key: string }[]
}

/**
 * Reads changes as JSON, which only the worker parses: thousands of changes would block the server for 200 ms. Null if
 * there are more than `most`.
 */
export async function readChanges(
  trx: Trx,
  from: SnapshotXid,
  most: number,
): Promise<{ timeline: string; json: string | null }> {
  // The planner knows nothing about the values of an xid8. Without the order it would read the whole table, and without
  // the second half of the condition it would not use the partial indexes.
  const isNew = sql<boolean>`changed_in >= ${from}::xid8 AND changed_in > '0'`
  // A dump of another server may contain ids that lie in the future of this one.
  const isOurs = sql<boolean>`changed_in < pg_snapshot_xmax(pg_current_snapshot())`
  const limit = most + 1
  const { rows } = await sql<{ timeline: string; json: string | null }>`
    WITH events AS (${indexedEvents(trx).where(isNew).orderBy('e.changed_in').limit(limit)}),
      deleted AS (SELECT id FROM deleted_event WHERE ${isNew} ORDER BY changed_in LIMIT ${limit}),
      sites AS (SELECT id, location_key FROM site WHERE ${isNew} AND ${isOurs})
    SELECT ${keptPlan} ${timeline} AS timeline,
      CASE WHEN greatest((SELECT count(*) FROM events), (SELECT count(*) FROM deleted)) < ${limit} THEN json_build_object(
        'events', (SELECT coalesce(json_agg(e), '[]') FROM events AS e),
        'deleted', (SELECT coalesce(json_agg(id), '[]') FROM deleted),
        'sites', (SELECT coalesce(json_agg(s), '[]') FROM sites AS s))::text END AS json`.execute(trx)
  return rows[0] ?? { timeline: '', json: null }
}

/** Parses what `readChanges` read. */
export function parseChanges(json: string): Changes {
  const changes = JSON.parse(json) as Changes
  for (const event of changes.events) {
    event.created_at = new Date(event.created_at)
    event.last_action_at = new Date(event.last_action_at)
    event.emailed_at = new Date(event.emailed_at)
  }
  return changes
}

/** Reads the location keys of all sites. */
export async function readLocations(db: Db): Promise<Map<number, string>> {
  const sites = await db.selectFrom('site').select(['id', 'location_key']).execute()
  return new Map(sites.map(({ id, location_key }) => [id, location_key]))
}

/** Hands all events over, by one COPY in a transaction of the client, which is ten times as fast as rows of a query. */
export async function copyEvents(client: Client, trx: Trx, put: (event: IndexedEvent) => void): Promise<void> {
  const read = readBinaryCopy((row) =>
    put({
      id: row.int8(),
      created_at: new Date(row.instant()),
      customer_id: row.int4() ?? 0,
      site_id: row.int4() ?? 0,
      instrument_id: row.int4(),
      component_id: row.int4(),
      gateway_id: row.int4(),
      severity: row.int2() ?? 0,
      alert_type: row.int2() ?? 0,
      alert_status: row.int2() ?? 0,
      reason_closed: row.int2(),
      claimed_by: row.int4(),
      full_support: row.boolean(),
      last_action_at: new Date(row.instant()),
      run_id: row.int4(),
      emailed_at: new Date(row.instant()),
      text_folded: row.bytes().toString(),
      description_bytes: row.int4() ?? 0,
    }),
  )
  await pipeline(client.query(to(`COPY (${indexedEvents(trx).compile().sql}) TO STDOUT (FORMAT binary)`)), read)
}
