import { type RawBuilder, sql } from 'kysely'
import { foldedDescription } from '../features/events/search/postgres-search.ts'

/**
 * Tables in ClickHouse. Their names end in the version of the schema: with a new one, the feed fills new tables, and
 * PostgreSQL answers until they are full.
 */
export const tables = { event: 'event_v2', feed: 'feed_v2', line: 'log_line_v1' } as const
export type Table = keyof typeof tables

interface Column {
  type: string
  /** Expression in PostgreSQL; missing values become 0, which is not an id. */
  from: RawBuilder<unknown>
}

const milliseconds = (column: string) => sql`coalesce((extract(epoch FROM ${sql.ref(column)}) * 1000)::int8, 0)`
const orZero = (column: string): Column => ({ type: 'UInt32', from: sql`coalesce(${sql.ref(column)}, 0)` })

/**
 * Columns of events. Every changeable value must be named by the trigger `mark_event_change`, or the feed would not
 * notice the change.
 */
export const eventColumns = {
  id: { type: 'UInt64', from: sql.ref('e.id') },
  created_at: { type: 'Int64', from: milliseconds('e.created_at') },
  customer_id: { type: 'UInt32', from: sql.ref('e.customer_id') },
  site_id: { type: 'UInt32', from: sql.ref('e.site_id') },
  instrument_id: orZero('e.instrument_id'),
  component_id: orZero('e.component_id'),
  run_id: orZero('e.run_id'),
  gateway_id: { type: 'UInt32', from: sql`CASE WHEN e.is_edge_issue THEN coalesce(e.gateway_id, 0) ELSE 0 END` },
  severity: { type: 'UInt8', from: sql.ref('e.severity') },
  alert_type: { type: 'UInt8', from: sql.ref('e.alert_type') },
  alert_status: { type: 'UInt8', from: sql.ref('e.alert_status') },
  reason_closed: { type: 'UInt8', from: sql`coalesce(e.reason_closed, 0)` },
  // 0 is the system user.
  claimed_by: { type: 'Int32', from: sql`coalesce(e.claimed_by, -1)` },
  full_support: { type: 'UInt8', from: sql`e.full_support::int` },
  last_action_at: { type: 'Int64', from: milliseconds('e.last_action_at') },
  automatic_email_sent_at: { type: 'Int64', from: milliseconds('e.automatic_email_sent_at') },
  text_folded: { type: 'String', from: sql.ref('e.text_folded') },
  description_bytes: { type: 'UInt32', from: sql`octet_length(${foldedDescription})` },
} as const satisfies Record<string, Column>
export type EventColumn = keyof typeof eventColumns

/** Columns of log lines; `folded` is the text that a search compares. */
export const lineColumns = {
  id: 'UInt64',
  instrument_id: 'UInt32',
  log_type: 'LowCardinality(String)',
  ts: 'Int64',
  received_at: 'Int64',
  message: 'String',
  module: 'LowCardinality(Nullable(String))',
  level: 'LowCardinality(Nullable(String))',
  event_code: 'LowCardinality(Nullable(String))',
  user_name: 'LowCardinality(Nullable(String))',
  hostname: 'LowCardinality(Nullable(String))',
  folded: 'String',
} as const

interface TableDefinition {
  columns: string[]
  /** Arguments of ReplacingMergeTree. */
  version: string
  rest: string
  /** Expression that chooses the shard. */
  shard: string
}

function definitions(logRetentionDays: number): Record<Table, TableDefinition> {
  const month = (column: string) => `toYYYYMM(fromUnixTimestamp64Milli(greatest(${column}, 0), 'UTC'))`
  return {
    event: {
      columns: [
        ...Object.entries(eventColumns).map(([name, { type }]) => `${name} ${type}`),
        'version UInt64',
        'is_deleted UInt8',
        // Versions rise with time, so the events of a round are found without reading everything.
        'INDEX versions version TYPE minmax',
        // Most blocks of old events hold none that is open.
        'INDEX statuses alert_status TYPE minmax',
      ],
      version: 'version, is_deleted',
      // The customer is part of the key, because it decides the shard: an event whose customer changes is deleted
      // under the old key and written under the new one, on one node as in a cluster.
      rest: `PARTITION BY ${month('created_at')} ORDER BY (created_at, id, customer_id)
        SETTINGS ${mergeWhole(600)}`,
      shard: 'customer_id',
    },
    feed: {
      columns: ['shard UInt32', 'step UInt8', 'version UInt64', 'horizon UInt64', 'at Int64', 'source String'],
      version: 'version',
      rest: 'ORDER BY (shard, step)',
      shard: 'shard',
    },
    line: {
      columns: [
        ...Object.entries(lineColumns).map(([name, type]) => `${name} ${type}`),
        `computer LowCardinality(String) MATERIALIZED ifNull(hostname, '')`,
        // Answers which logs an instrument has, and which instruments sent lines of a computer, without reading lines.
        `PROJECTION logs (SELECT instrument_id, log_type, computer, hostname, max(ts)
          GROUP BY instrument_id, log_type, computer, hostname)`,
      ],
      version: '',
      rest: `PARTITION BY ${month('received_at')} ORDER BY (instrument_id, log_type, ts, id) TTL ${timeToLive(logRetentionDays)}
        SETTINGS deduplicate_merge_projection_mode = 'rebuild', ${mergeWhole(86_400)}`,
      shard: 'instrument_id',
    },
  }
}

/** Settings that merge each month into one part once it rests: a question costs a millisecond for each part. */
function mergeWhole(restSeconds: number): string {
  return `min_age_to_force_merge_seconds = ${restSeconds}, min_age_to_force_merge_on_partition_only = 1`
}

function timeToLive(days: number): string {
  return `fromUnixTimestamp64Milli(received_at, 'UTC') + INTERVAL ${days} DAY`
}

/**
 * Statements that create what is missing, for one node or for a cluster: there each shard has a replicated table, and a
 * distributed one in front of all carries the name that questions use.
 */
export function schemaStatements({
  cluster,
  logRetentionDays,
}: {
  cluster: string | null
  logRetentionDays: number
}): string[] {
  return [
    ...Object.entries(definitions(logRetentionDays)).flatMap(([table, { columns, version, rest, shard }]) => {
      const name = tables[table as Table]
      const local = localStatement(table as Table, cluster)
      const engine = `${cluster === null ? '' : 'Replicated'}ReplacingMergeTree(${version})`
      const create = `CREATE TABLE IF NOT EXISTS ${local} (${columns.join(', ')}) ENGINE = ${engine} ${rest}`
      if (cluster === null) return [create]
      return [
        create,
        `CREATE TABLE IF NOT EXISTS ${name} ON CLUSTER ${cluster} AS ${name}_local
          ENGINE = Distributed(${cluster}, currentDatabase(), ${name}_local, ${shard})`,
      ]
    }),
    `ALTER TABLE ${localStatement('line', cluster)} MODIFY TTL ${timeToLive(logRetentionDays)}`,
  ]
}

/** Returns the table that holds the rows, as statements that change or empty it name it. */
export function localStatement(table: Table, cluster: string | null): string {
  return cluster === null ? tables[table] : `${tables[table]}_local ON CLUSTER ${cluster}`
}
