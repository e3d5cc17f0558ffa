import { sql } from 'kysely'
import type { Client } from 'pg'
import { advisoryLocks } from '../db/advisory-locks.ts'
import type { DatabaseHandle, Db, Trx } from '../db/connect.ts'
import { readSnapshotXid, type SnapshotXid } from '../db/queues/queue-position.ts'
import type { ClientReads, LongReads } from '../db/replica/long-reads.ts'
import { serviceEvents } from '../db/scoped.ts'
import { readIdentity } from '../db/sql/database-identity.ts'
import { forgetForeignChanges } from '../features/events/events.store.ts'
import type { Log } from '../platform/log.ts'
import { type Clickhouse, ClickhouseFault } from './clickhouse.ts'
import { type EventColumn, eventColumns, localStatement, schemaStatements, tables } from './schema.ts'

/** How far the events in ClickHouse go. */
export interface FeedPosition {
  /** Every transaction below this id is there as a whole. */
  horizon: SnapshotXid
  /** Transaction id of the round. It rises from round to round. */
  version: SnapshotXid
  at: Date
}

export interface FeedState {
  /** The last complete round; null while there is none, or if a shard lacks it. */
  done: FeedPosition | null
  /** Transaction id of the last round that began to write. */
  begun: SnapshotXid
}

const BEGUN = 0
const DONE = 1

/** Reads how far the feed got, for events of the database `source`. */
export async function readFeedState(db: Db, clickhouse: Clickhouse, source: string): Promise<FeedState> {
  const rows = await clickhouse.rows<[number, number, number, number, number, string, number]>(
    db,
    sql`SELECT shard, step, max(version) AS newest, argMax(horizon, version), argMax(at, version), argMax(source, version),
      ${shardCount(clickhouse.cluster)} AS shards FROM ${sql.table(tables.feed)} GROUP BY shard, step`,
  )
  const of = (step: number) => rows.filter((row) => row[1] === step && row[5] === source)
  const done = of(DONE).sort((a, b) => a[2] - b[2])
  const [oldest] = done
  return {
    begun: String(Math.max(0, ...of(BEGUN).map((row) => row[2]))),
    done:
      oldest && done.length === oldest[6]
        ? { version: String(oldest[2]), horizon: String(oldest[3]), at: new Date(oldest[4]) }
        : null,
  }
}

function shardCount(cluster: string | null) {
  if (cluster === null) return sql`1`
  return sql`(SELECT uniqExact(shard_num) FROM system.clusters WHERE cluster = ${cluster})`
}

/** Returns the identity of the database that rounds are of, as markers carry it. */
export async function readSource(db: Db): Promise<string> {
  const { system, timeline, database } = (await readIdentity(db)).identity
  return [system, timeline, database].join('/')
}

/** Query for events as ClickHouse stores them. */
export function feedEvents(db: Db) {
  return serviceEvents(db, 'all').select(
    Object.entries(eventColumns).map(([name, { from }]) => sql<number | string>`${from}`.as(name as EventColumn)),
  )
}

/** Condition that the event `e` changed in a transaction from `horizon` on. */
export function changedFrom(horizon: SnapshotXid) {
  // The second half lets the partial index be used.
  return sql<boolean>`e.changed_in >= ${sql.lit(horizon)}::xid8 AND e.changed_in > '0'`
}

const copied = [...Object.keys(eventColumns), 'version', 'is_deleted']
/** Ids in one statement. */
const BATCH = 10_000

export type ReportRows = (rows: number) => void

interface FeedParts {
  clickhouse: Clickhouse
  database: Pick<DatabaseHandle, 'db' | 'dedicatedClient'>
  reads: LongReads
  logRetentionDays: number
  log: Log
}

/**
 * Carries events from PostgreSQL to ClickHouse, round by round: rows that changed from the horizon of the last round on,
 * then a marker on every shard. A round that fails leaves no marker, and the next one writes the same rows again.
 */
export class EventFeed {
  readonly #parts: FeedParts
  #client: Client | undefined
  #reading: ClientReads | undefined
  #isPrepared = false

  constructor(parts: FeedParts) {
    this.#parts = parts
  }

  /** Does one round, unless another process does. Without a complete earlier round, all events are copied. */
  async advance(): Promise<void> {
    await this.#locked('pg_try_advisory_lock', (reading) => this.#round(reading, undefined))
  }

  /** Empties the events in ClickHouse and copies all again while PostgreSQL answers. Returns their number. */
  async rebuild(onRows: ReportRows): Promise<number> {
    return (await this.#locked('pg_advisory_lock', (reading) => this.#round(reading, { onRows }))) ?? 0
  }

  async stop(): Promise<void> {
    await this.#reading?.end()
    this.#reading = undefined
    await this.#client?.end()
    this.#client = undefined
  }

  async #locked<T>(take: string, work: (reading: ClientReads) => Promise<T>): Promise<T | undefined> {
    try {
      this.#client ??= await this.#connect()
      const client = this.#client
      const { rows } = await client.query<{ taken: unknown }>(`SELECT ${take}($1) AS taken`, [advisoryLocks.clickhouse])
      if (rows[0]?.taken === false) return undefined
      this.#reading ??= this.#parts.reads.beside(client)
      const result = await work(this.#reading)
      await client.query('SELECT pg_advisory_unlock($1)', [advisoryLocks.clickhouse])
      return result
    } catch (error) {
      await this.stop().catch(() => undefined)
      throw error
    }
  }

  async #connect(): Promise<Client> {
    const client = await this.#parts.database.dedicatedClient()
    client.on('error', () => void this.stop().catch(() => undefined))
    return client
  }

  /** Returns the number of copied events. */
  async #round(reading: ClientReads, rebuild: { onRows: ReportRows } | undefined): Promise<number> {
    const { clickhouse, database, log } = this.#parts
    const source = await readSource(database.db)
    const from = rebuild ? null : await this.#readDone(source)
    if (from === null || !this.#isPrepared) {
      for (const statement of schemaStatements({ ...this.#parts, cluster: clickhouse.cluster })) {
        await clickhouse.command(statement)
      }
      this.#isPrepared = true
    }
    if (from === null) {
      // Markers go first: no search may trust events that are about to go.
      await clickhouse.command(`TRUNCATE TABLE ${localStatement('feed', clickhouse.cluster)}`)
      await clickhouse.command(`TRUNCATE TABLE ${localStatement('event', clickhouse.cluster)}`)
      await forgetForeignChanges(database.db)
    }
    const started = performance.now()
    const rows = await reading.inSnapshot(async (trx, client) => {
      const horizon = await readSnapshotXid(trx)
      const at = Date.now()
      // Taken in a transaction of its own that commits after the snapshot began: a search that sees this id as
      // committed has a younger snapshot than the rows of this round.
      const version = await readNewXid(database.db)
      const marker = { horizon, version, at, source }
      if (from !== null && !(await hasChanges(trx, from.horizon))) {
        await this.#mark(DONE, marker)
        return 0
      }
      await this.#mark(BEGUN, marker)
      const events = feedEvents(trx).select([sql.lit(version).as('version'), sql.lit(0).as('is_deleted')])
      const { sql: query } = (
        from === null ? events.orderBy('e.created_at') : events.where(changedFrom(from.horizon))
      ).compile()
      const table = tables.event
      const count = await clickhouse.copy(client, { query, table, columns: copied, onRows: rebuild?.onRows })
      if (from !== null) await this.#remove(trx, { from: from.horizon, version })
      await this.#mark(DONE, marker)
      return count
    })
    if (from === null) {
      log.info(
        { events: rows, seconds: Math.round((performance.now() - started) / 1000) },
        'events copied to ClickHouse',
      )
    }
    return rows
  }

  async #readDone(source: string): Promise<FeedPosition | null> {
    const { clickhouse, database } = this.#parts
    try {
      return (await readFeedState(database.db, clickhouse, source)).done
    } catch (error) {
      if (error instanceof ClickhouseFault && error.isEmpty) return null
      throw error
    }
  }

  /** Marks events as deleted, including the old rows of events that belong to another customer now. */
  async #remove(trx: Trx, { from, version }: { from: SnapshotXid; version: SnapshotXid }): Promise<void> {
    const { clickhouse } = this.#parts
    const deleted = await readDeletedEvents(trx, from)
    const removing = (where: string) =>
      clickhouse.command(
        `INSERT INTO ${tables.event} (${copied.join(', ')}) SELECT ${Object.keys(eventColumns).join(', ')}, ${version}, 1
          FROM ${tables.event} FINAL WHERE version < ${version} AND ${where}`,
      )
    for (let start = 0; start < deleted.length; start += BATCH) {
      await removing(`id IN (${deleted.slice(start, start + BATCH).join(', ')})`)
    }
    await removing(`(created_at, id) GLOBAL IN (SELECT created_at, id FROM ${tables.event} WHERE version = ${version})`)
  }

  async #mark(step: number, { horizon, version, at, source }: FeedPositionOf): Promise<void> {
    const { clickhouse, database } = this.#parts
    const [[shards] = [1]] = await clickhouse.rows<[number]>(database.db, sql`SELECT ${shardCount(clickhouse.cluster)}`)
    await clickhouse.insert(
      tables.feed,
      Array.from({ length: shards }, (_, shard) => ({ shard, step, version, horizon, at, source })),
    )
  }
}

interface FeedPositionOf {
  horizon: SnapshotXid
  version: SnapshotXid
  at: number
  source: string
}

async function readNewXid(db: Db): Promise<SnapshotXid> {
  const { rows } = await sql<{ xid: SnapshotXid }>`SELECT pg_current_xact_id()::text AS xid`.execute(db)
  return rows[0]?.xid ?? '0'
}

async function hasChanges(trx: Trx, horizon: SnapshotXid): Promise<boolean> {
  const changed = serviceEvents(trx, 'all').where(changedFrom(horizon)).select('e.id').orderBy('e.changed_in').limit(1)
  const deleted = trx
    .selectFrom('deleted_event')
    .where(sql<boolean>`changed_in >= ${horizon}::xid8`)
    .select('id')
    .limit(1)
  return (await changed.execute()).length + (await deleted.execute()).length > 0
}

/** Returns the ids of events that were deleted in transactions from `horizon` on, newest first, at most `most`. */
export async function readDeletedEvents(
  trx: Trx,
  horizon: SnapshotXid,
  most = Number.MAX_SAFE_INTEGER,
): Promise<number[]> {
  const rows = await trx
    .selectFrom('deleted_event')
    .where(sql<boolean>`changed_in >= ${horizon}::xid8`)
    .orderBy('changed_in', 'desc')
    .limit(most)
    .select('id')
    .execute()
  return rows.map(({ id }) => id)
}
