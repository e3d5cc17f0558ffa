import { type LogHit, MAX_COUNTED_LINES } from '@benchwatch/contract/logs'
import type { LogType } from '@benchwatch/contract/vocabulary'
import { type RawBuilder, sql } from 'kysely'
import type { Db, Trx } from '../db/connect.ts'
import { instruments, logEntries } from '../db/scoped.ts'
import { intArray } from '../db/sql/int-array.ts'
import { inTransaction } from '../db/transaction.ts'
import type { LogAnswer, LogQuestion, LogStore, StoredLog } from '../features/logs/log-store.ts'
import { createPostgresLogs, hitOf } from '../features/logs/postgres-logs.queries.ts'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import { type Clickhouse, ClickhouseFault } from './clickhouse.ts'
import { KEPT_MS } from './log-feed.ts'
import { tables } from './schema.ts'

interface Parts {
  clickhouse: Clickhouse
  db: Db
  clock: Clock
  log: Log
}

/** Lines in PostgreSQL that are nearly old enough to be moved may be in ClickHouse already; clocks differ a little. */
const DUE_MS = KEPT_MS - 600_000

/**
 * Creates the log store of both databases: young lines are in PostgreSQL, old ones in ClickHouse. While ClickHouse is
 * away, the young lines alone are read.
 */
export function createClickhouseLogs({ clickhouse, db, clock, log }: Parts): LogStore {
  const orNothing = async <T>(read: () => Promise<T[]>): Promise<T[]> => {
    if (clickhouse.isPaused) return []
    return read().catch((error: unknown) => {
      if (!(error instanceof ClickhouseFault)) throw error
      if (!error.isEmpty) log.warn({ err: error }, 'log lines in ClickHouse cannot be read')
      return []
    })
  }
  return {
    read: (question) =>
      inTransaction(
        db,
        async (trx) => {
          const young = await createPostgresLogs(trx).read(question)
          const dueBefore = new Date(clock.now().getTime() - DUE_MS)
          const [old] = await orNothing(async () => [await readLines(trx, { clickhouse, question, dueBefore })])
          return old ? joined(young, old, question) : young
        },
        { isSnapshot: true },
      ),
    async available(input) {
      const young = await createPostgresLogs(db).available(input)
      const old = await orNothing(() => readAvailable(db, { clickhouse, ...input }))
      const newest = new Map<string, StoredLog>()
      for (const stored of [...young, ...old]) {
        const key = JSON.stringify([stored.logType, stored.computerName])
        const known = newest.get(key)
        if (!known || known.newest < stored.newest) newest.set(key, stored)
      }
      return [...newest.values()]
    },
  }
}

function joined(young: LogAnswer, old: LogAnswer, { order, size }: LogQuestion): LogAnswer {
  const direction = order === 'ASC' ? 1 : -1
  const hits = [...young.hits, ...old.hits].sort(
    (a, b) => direction * (timeOf(a) - timeOf(b) || Number(a._id) - Number(b._id)),
  )
  return { hits: hits.slice(0, size), total: Math.min(MAX_COUNTED_LINES, young.total + old.total) }
}

function timeOf({ sort: [timestamp] }: LogHit): number {
  return timestamp
}

const columns = ['id', 'log_type', 'ts', 'message', 'module', 'level', 'event_code', 'user_name', 'hostname'] as const
type LineRow = [number, string, number, string, ...(string | null)[]]

interface Reading {
  clickhouse: Clickhouse
  question: LogQuestion
  /** Lines in PostgreSQL that arrived earlier may be in ClickHouse already. */
  dueBefore: Date
}

async function readLines(trx: Trx, { clickhouse, question, dueBefore }: Reading): Promise<LogAnswer> {
  const { order, size, after, words } = question
  const matching = await linesOf(trx, { clickhouse, question, dueBefore })
  if (matching === undefined) return { hits: [], total: 0 }
  const direction = sql.raw(order)
  const comparison = order === 'ASC' ? sql`>` : sql`<`
  const behind = after ? sql` AND (ts, id) ${comparison} (${after.timestamp}, ${Number(after.id)})` : sql``
  const list = sql.raw(columns.join(', '))
  // A line that was copied twice counts once.
  const [rows, [[total] = [0]]] = await Promise.all([
    clickhouse.rows<LineRow>(
      trx,
      sql`SELECT ${list} FROM ${matching}${behind} ORDER BY ts ${direction}, id ${direction} LIMIT 1 BY ts, id LIMIT ${size}`,
    ),
    clickhouse.rows<[number]>(
      trx,
      sql`SELECT count() FROM (SELECT id FROM ${matching} LIMIT 1 BY ts, id LIMIT ${MAX_COUNTED_LINES})`,
    ),
  ])
  const hits = rows.map(
    ([id, log_type, ts, message, module = null, level = null, event_code = null, user_name = null, hostname = null]) =>
      hitOf({ id, log_type, ts: new Date(ts), message, module, level, event_code, user_name, hostname }, words),
  )
  return { hits, total }
}

/** Returns table and condition of a question; undefined if the scope holds no such instrument. */
async function linesOf(
  trx: Trx,
  { clickhouse, question, dueBefore }: Reading,
): Promise<RawBuilder<unknown> | undefined> {
  const { logType, instrumentId, computerName, from, to, words } = question
  const conditions = [sql`log_type = ${logType}`]
  if (computerName !== null) conditions.push(sql`computer = ${computerName}`)
  const ids =
    instrumentId === null
      ? (
          await clickhouse.rows<[number]>(
            trx,
            sql`SELECT DISTINCT instrument_id FROM ${sql.table(tables.line)} WHERE ${sql.join(conditions, sql` AND `)}`,
          )
        ).map(([id]) => id)
      : [instrumentId]
  const visible = await visibleLines(trx, { ...question, ids })
  if (visible === undefined) return undefined
  conditions.push(visible)
  if (from !== null) conditions.push(sql`ts >= ${from.getTime()}`)
  if (to !== null) conditions.push(sql`ts < ${to.getTime()}`)
  for (const word of words) conditions.push(sql`position(folded, ${word}) > 0`)
  const due = await readDueIds(trx, question, dueBefore)
  if (due.length > 0) conditions.push(sql`id NOT IN (${sql.raw(due.join(', '))})`)
  return sql`${sql.table(tables.line)} WHERE ${sql.join(conditions, sql` AND `)}`
}

/**
 * Returns the condition for lines that the scope may see, as `logEntries` says it: of its instruments, and of the time
 * since each became its customer's.
 */
async function visibleLines(
  db: Db,
  { scope, ids, enterprise }: Pick<LogQuestion, 'scope' | 'enterprise'> & { ids: readonly number[] },
): Promise<RawBuilder<unknown> | undefined> {
  const found = await instruments(db, scope)
    .where(sql<boolean>`i.id = ANY(${intArray(ids)})`)
    .$if(enterprise !== null, (query) =>
      query.where('i.customer_id', 'in', (eb) => eb.selectFrom('customer').select('id').where('name', '=', enterprise)),
    )
    .select([
      'i.id',
      sql<
        number | null
      >`CASE WHEN i.customer_since > '-infinity' THEN (extract(epoch FROM i.customer_since) * 1000)::int8 END`.as(
        'since',
      ),
    ])
    .execute()
  if (found.length === 0) return undefined
  const sees = (id: number, since: number | null) =>
    since === null || scope === 'all'
      ? sql`instrument_id = ${id}`
      : sql`(instrument_id = ${id} AND received_at >= ${since} AND ts >= ${since})`
  return sql`(${sql.join(
    found.map(({ id, since }) => sees(id, since)),
    sql` OR `,
  )})`
}

/** Returns the ids of matching lines that may be in both databases, and must count once. */
async function readDueIds(
  trx: Trx,
  { logType, instrumentId, computerName, from, to }: LogQuestion,
  dueBefore: Date,
): Promise<number[]> {
  let lines = logEntries(trx, 'all').where('l.log_type', '=', logType).where('l.received_at', '<', dueBefore)
  if (instrumentId !== null) lines = lines.where('l.instrument_id', '=', instrumentId)
  if (computerName !== null) lines = lines.where('l.hostname', '=', computerName)
  if (from !== null) lines = lines.where('l.ts', '>=', from)
  if (to !== null) lines = lines.where('l.ts', '<', to)
  const rows = await lines.select('l.id').execute()
  return rows.map(({ id }) => id)
}

async function readAvailable(
  db: Db,
  { clickhouse, scope, instrumentId }: { clickhouse: Clickhouse; scope: LogQuestion['scope']; instrumentId: number },
): Promise<StoredLog[]> {
  const visible = await visibleLines(db, { scope, ids: [instrumentId], enterprise: null })
  if (visible === undefined) return []
  const rows = await clickhouse.rows<[LogType, string | null, number]>(
    db,
    sql`SELECT log_type, if(log_type = 'UNICORNCLIENT', hostname, NULL) AS of, max(ts) FROM ${sql.table(tables.line)}
      WHERE ${visible} GROUP BY log_type, of`,
  )
  return rows.map(([logType, computerName, newest]) => ({ logType, computerName, newest: new Date(newest) }))
}
