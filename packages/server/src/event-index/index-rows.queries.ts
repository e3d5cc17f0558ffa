import { pipeline } from 'node:stream/promises'
import { sql } from 'kysely'
import type { Client } from 'pg'
import { to } from 'pg-copy-streams'
import type { Db, Trx } from '../db/connect.ts'
import { readSnapshotXid, type SnapshotXid } from '../db/queues/queue-position.ts'
import { serviceEvents } from '../db/scoped.ts'
import { readBinaryCopy } from '../db/sql/binary-copy.ts'
import { inClientTransaction } from '../db/transaction.ts'
import { foldedDescription } from '../features/events/search/postgres-search.ts'
import { CLOSED, EventArrays, type IndexedEvent } from './event-arrays.ts'
import { dividedText } from './event-texts.ts'
import { type Index, SiteLocations } from './find.ts'

/**
 * Query for the event data that the index holds. Every changeable value must be named by the trigger
 * `mark_event_change`, or the index would not notice its change.
 */
export function indexedEvents(db: Db) {
  return serviceEvents(db, 'all').select([
    'e.id',
    'e.created_at',
    'e.customer_id',
    'e.site_id',
    'e.instrument_id',
    'e.component_id',
    sql<number | null>`CASE WHEN e.is_edge_issue THEN e.gateway_id END`.as('gateway_id'),
    'e.severity',
    'e.alert_type',
    'e.alert_status',
    'e.reason_closed',
    'e.claimed_by',
    'e.full_support',
    'e.last_action_at',
    sql<Date>`coalesce(e.automatic_email_sent_at, 'epoch')`.as('emailed_at'),
    'e.text_folded',
    sql<number>`octet_length(${foldedDescription})`.as('description_bytes'),
  ])
}

/** Identifies a database and its history. A failover or a recovery to an earlier moment begins another timeline. */
export interface DatabaseIdentity {
  system: string
  database: number
  timeline: string
}

/** The timeline that the server writes; the control file would tell it only after the next checkpoint. */
const timeline = sql<string>`CASE WHEN pg_is_in_recovery() THEN '' ELSE left(pg_walfile_name(pg_current_wal_lsn()), 8) END`

/** Returns the identity of the database, and the id that its next transaction gets. */
export async function readIdentity(db: Db): Promise<DatabaseIdentity & { nextXid: SnapshotXid }> {
  const { rows } = await sql<DatabaseIdentity & { nextXid: SnapshotXid }>`
    SELECT (SELECT system_identifier::text FROM pg_control_system()) AS system, oid AS database,
      ${timeline} AS timeline, pg_snapshot_xmax(pg_current_snapshot())::text AS "nextXid"
    FROM pg_database WHERE datname = current_database()`.execute(db)
  const [identity] = rows
  if (!identity) throw new Error('The database does not know itself.')
  return identity
}

/** Estimates the number of events from the planner's statistics. */
export async function estimateEvents(db: Db): Promise<number> {
  const { rows } = await sql<{ events: number }>`
    SELECT reltuples::int8 AS events FROM pg_class WHERE oid = 'service_event'::regclass`.execute(db)
  return rows[0]?.events ?? 0
}

/** Everything that changed in transactions from a snapshot xid on, as a transaction sees it. */
export interface Changes {
  events: IndexedEvent[]
  deleted: number[]
  sites: { id: number; address: string }[]
  timeline: string
}

/** Reads changes; null if there are more than `most`. */
export async function readChanges(
  trx: Trx,
  { snapshotXid, most }: { snapshotXid: SnapshotXid; most: number },
): Promise<Changes | null> {
  const [events, deleted, sites, now] = await Promise.all([
    indexedEvents(trx)
      // The second half lets the partial index be used.
      .where(sql<boolean>`e.changed_in >= ${snapshotXid}::xid8 AND e.changed_in > '0'`)
      // Without it the planner, which knows nothing about the values of an xid8, reads the whole table.
      .orderBy('e.changed_in')
      .limit(most + 1)
      .execute(),
    trx
      .selectFrom('deleted_event')
      .where(sql<boolean>`changed_in >= ${snapshotXid}::xid8`)
      .orderBy('changed_in')
      .limit(most + 1)
      .select('id')
      .execute(),
    trx
      .selectFrom('site')
      .where(sql<boolean>`changed_in >= ${snapshotXid}::xid8 AND changed_in > '0'`)
      // A dump of another server may contain ids that lie in the future of this one.
      .where(sql<boolean>`changed_in < pg_snapshot_xmax(pg_current_snapshot())`)
      .select(['id', 'location_key as address'])
      .execute(),
    sql<{ timeline: string }>`SELECT ${timeline} AS timeline`.execute(trx),
  ])
  if (events.length > most || deleted.length > most) return null
  const encoder = new TextEncoder()
  return {
    events: events.map((row) => ({
      id: row.id,
      createdAt: row.created_at.getTime(),
      customer: row.customer_id,
      site: row.site_id,
      instrument: row.instrument_id ?? 0,
      component: row.component_id ?? 0,
      gateway: row.gateway_id ?? 0,
      severity: row.severity,
      alertType: row.alert_type,
      status: row.alert_status,
      reason: row.reason_closed ?? 0,
      owner: row.claimed_by,
      fullSupport: row.full_support,
      lastActionAt: row.last_action_at.getTime(),
      emailedAt: row.emailed_at.getTime(),
      text: dividedText(encoder.encode(row.text_folded), row.description_bytes),
    })),
    deleted: deleted.map(({ id }) => id),
    sites,
    timeline: now.rows[0]?.timeline ?? '',
  }
}

/** Reads the addresses of all sites. */
export async function readLocations(db: Db): Promise<SiteLocations> {
  const locations = new SiteLocations()
  const sites = await db.selectFrom('site').select(['id', 'location_key']).execute()
  for (const { id, location_key } of sites) locations.put(id, location_key)
  return locations
}

/** Reads all events by one COPY, which is ten times as fast as the rows of a query. */
export async function readEverything(client: Client): Promise<Index & { snapshotXid: SnapshotXid }> {
  return inClientTransaction(
    client,
    async (trx) => {
      const snapshotXid = await readSnapshotXid(trx)
      const locations = await readLocations(trx)
      const arrays = new EventArrays()
      const event = {} as IndexedEvent
      const { sql: query } = indexedEvents(trx).compile()
      await pipeline(
        client.query(to(`COPY (${query}) TO STDOUT (FORMAT binary)`)),
        readBinaryCopy((row) => {
          event.id = row.int8()
          event.createdAt = row.instant()
          event.customer = row.int4() ?? 0
          event.site = row.int4() ?? 0
          event.instrument = row.int4() ?? 0
          event.component = row.int4() ?? 0
          event.gateway = row.int4() ?? 0
          event.severity = row.int2() ?? 0
          event.alertType = row.int2() ?? 0
          event.status = row.int2() ?? CLOSED
          event.reason = row.int2() ?? 0
          event.owner = row.int4()
          event.fullSupport = row.boolean()
          event.lastActionAt = row.instant()
          event.emailedAt = row.instant()
          const text = row.bytes()
          event.text = dividedText(text, row.int4() ?? 0)
          arrays.put(event)
        }),
      )
      arrays.texts.sort()
      return { arrays, locations, snapshotXid }
    },
    { isSnapshot: true },
  )
}
