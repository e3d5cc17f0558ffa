import { type LogHit, MAX_COUNTED_LINES } from '@benchwatch/contract/instruments/logs'
import { ERROR_LEVEL, WARNING_LEVEL } from '@benchwatch/contract/patterns'
import type { LogType } from '@benchwatch/contract/vocabulary'
import { type RawBuilder, sql } from 'kysely'
import { takeAdvisoryLock } from '../db/advisory-locks.ts'
import type { Db, Trx } from '../db/connect.ts'
import { instruments, logEntries } from '../db/scoped.ts'
import { intArray } from '../db/sql/int-array.ts'
import { inTransaction } from '../db/transaction.ts'
import type {
  DeletedLine,
  LogAnswer,
  LogCountQuestion,
  LogCounts,
  LogQuestion,
  LogSelection,
  LogStore,
  StoredLog,
} from '../features/logs/log-store.ts'
import { createPostgresLogs, hitOf, partsOf } from '../features/logs/postgres-logs.queries.ts'
import type { Clock } from '../platform/clock.ts'
import { problem } from '../platform/http/problem.ts'
import type { Log } from '../platform/log.ts'
import { type Clickhouse, ClickhouseFault } from './clickhouse.ts'
import { KEPT_MS } from './log-feed.ts'
import { localStatement, tables } from './schema.ts'

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
 * away, the young lines alone are read, and the answer says from when on they are all.
 */
export function createClickhouseLogs({ clickhouse, db, clock, log }: Parts): LogStore {
  const millisecondsAgo = (milliseconds: number) => new Date(clock.now().getTime() - milliseconds)
  /** Returns undefined while ClickHouse is away. Without tables, it has not taken any line yet. */
  const ask = async <T>(read: () => Promise<T>, none: T): Promise<T | undefined> => {
    if (clickhouse.isPaused) return undefined
    return read().catch((error: unknown) => {
      if (!(error instanceof ClickhouseFault)) throw error
      if (error.isEmpty) return none
      log.warn({ err: error }, 'log lines in ClickHouse cannot be read')
      return undefined
    })
  }
  /** Returns the moment from which on every line that arrived is in PostgreSQL. */
  const readKeptFrom = async (trx: Db) => {
    const oldest = await logEntries(trx, 'all').orderBy('l.id').limit(1).select('l.received_at').executeTakeFirst()
    const moved = millisecondsAgo(KEPT_MS)
    return oldest && oldest.received_at < moved ? oldest.received_at : moved
  }
  return {
    read: (question) =>
      inTransaction(
        db,
        async (trx) => {
          const young = await createPostgresLogs(trx).read(question)
          const dueBefore = millisecondsAgo(DUE_MS)
          const old = await ask(() => readLines(trx, { clickhouse, question, dueBefore }), { hits: [], total: 0 })
          if (old) return { ...joined(young, old, question), completeFrom: null }
          const completeFrom = await readKeptFrom(trx)
          return { ...young, completeFrom: question.from && question.from >= completeFrom ? null : completeFrom }
        },
        { isSnapshot: true },
      ),
    count: (question) =>
      inTransaction(
        db,
        async (trx) => {
          const young = await createPostgresLogs(trx).count(question)
          // The young lines alone are already too many.
          if (young.countedFrom) return young
          const dueBefore = millisecondsAgo(DUE_MS)
          const none = partsOf(question.parts, [])
          const old = await ask(() => countLines(trx, { clickhouse, question, dueBefore }), none)
          if (old) return { counts: summed(young.counts, old), countedFrom: null }
          const keptFrom = await readKeptFrom(trx)
          return { ...young, countedFrom: question.from >= keptFrom ? null : keptFrom }
        },
        { isSnapshot: true },
      ),
    async available(input) {
      const young = await createPostgresLogs(db).available(input)
      const old = await ask(() => readAvailable(db, { clickhouse, ...input }), [])
      const newest = new Map<string, StoredLog>()
      for (const stored of [...young.logs, ...(old ?? [])]) {
        const key = JSON.stringify([stored.logType, stored.computerName])
        const known = newest.get(key)
        if (!known || known.newest < stored.newest) newest.set(key, stored)
      }
      return { logs: [...newest.values()], completeFrom: old ? null : await readKeptFrom(db) }
    },
    async deleteMovedLine(trx, { id, scope }) {
      await takeAdvisoryLock(trx, 'movedLines')
      const young = logEntries(trx, 'all').where('l.id', '=', id).where('l.received_at', '>=', millisecondsAgo(DUE_MS))
      if (await young.select('l.id').executeTakeFirst()) return undefined
      const found = await ask(async () => ({ line: await deleteLine(trx, { clickhouse, id, scope }) }), {
        line: undefined,
      })
      if (!found) throw problem('unavailable', 'Older log lines cannot be deleted at the moment. Try again later.')
      return found.line
    },
  }
}

type Lines = Pick<LogAnswer, 'hits' | 'total'>

function joined(young: Lines, old: Lines, { order, size }: LogQuestion): Lines {
  const direction = order === 'ASC' ? 1 : -1
  const hits = [...young.hits, ...old.hits].sort(
    (a, b) => direction * (timeOf(a) - timeOf(b) || Number(a._id) - Number(b._id)),
  )
  return { hits: hits.slice(0, size), total: Math.min(MAX_COUNTED_LINES, young.total + old.total) }
}

function summed(young: LogCounts['counts'], old: LogCounts['counts']): LogCounts['counts'] {
  return young.map(({ lines, errors, warnings }, part) => ({
    lines: lines + (old[part]?.lines ?? 0),
    errors: errors + (old[part]?.errors ?? 0),
    warnings: warnings + (old[part]?.warnings ?? 0),
  }))
}

function timeOf({ sort: [timestamp] }: LogHit): number {
  return timestamp
}

const columns = ['id', 'log_type', 'ts', 'message', 'module', 'level', 'event_code', 'user_name', 'hostname'] as const
type LineRow = [number, LogType, number, string, ...(string | null)[]]

interface Reading<Q extends LogSelection> {
  clickhouse: Clickhouse
  question: Q
  /** Lines in PostgreSQL that arrived earlier may be in ClickHouse already. */
  dueBefore: Date
}

async function readLines(trx: Trx, { clickhouse, question, dueBefore }: Reading<LogQuestion>): Promise<Lines> {
  const { order, size, after, words } = question
  const matching = await linesOf(trx, { clickhouse, question, dueBefore })
  if (matching === undefined) return { hits: [], total: 0 }
  const direction = sql.raw(order)
  const comparison = order === 'ASC' ? sql`>` : sql`<`
  const behind = after ? sql` AND (ts, id) ${comparison} (${after.timestamp}, ${Number(after.id)})` : sql``
  const list = sql.raw(columns.join(', '))
  // Reads the end of the log alone. A line that was copied again is there twice until it is merged, so twice as many are
  // read, and more if too few are left.
  const readPage = async (limit: number): Promise<LineRow[]> => {
    const rows = await clickhouse.rows<LineRow>(
      trx,
      sql`SELECT ${list} FROM ${matching}${behind} ORDER BY ts ${direction}, id ${direction} LIMIT ${limit}`,
    )
    const lines = [...new Map(rows.map((row) => [row[0], row])).values()]
    return lines.length < size && rows.length === limit ? readPage(4 * limit) : lines.slice(0, size)
  }
  const [rows, [[total] = [0]]] = await Promise.all([
    readPage(2 * size),
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

async function countLines(
  trx: Trx,
  { clickhouse, question, dueBefore }: Reading<LogCountQuestion>,
): Promise<LogCounts['counts']> {
  const { from, to, parts } = question
  const matching = await linesOf(trx, { clickhouse, question, dueBefore })
  if (matching === undefined) return partsOf(parts, [])
  const [start, span] = [from.getTime(), to.getTime() - from.getTime()]
  // A line that was copied again is there twice until it is merged.
  const rows = await clickhouse.rows<[number, number, number, number]>(
    trx,
    sql`SELECT intDiv((ts - ${start}) * ${parts}, ${span}) AS part, count(),
        countIf(match(ifNull(level, ''), ${`(?i)${ERROR_LEVEL.source}`})),
        countIf(match(ifNull(level, ''), ${`(?i)${WARNING_LEVEL.source}`}))
      FROM (SELECT ts, level FROM ${matching} LIMIT 1 BY ts, id) GROUP BY part`,
  )
  return partsOf(
    parts,
    rows.map(([part, lines, errors, warnings]) => ({ part, lines, errors, warnings })),
  )
}

/** Returns table and condition of a question; undefined if no such instrument is in scope. */
async function linesOf(
  trx: Trx,
  { clickhouse, question, dueBefore }: Reading<LogSelection>,
): Promise<RawBuilder<unknown> | undefined> {
  const { logType, instrumentId, computerName, from, to, words } = question
  const conditions = [sql`log_type = ${logType}`]
  if (computerName !== null) conditions.push(sql`computer = ${computerName}`)
  const ids =
    instrumentId === null
      ? (
          await clickhouse.rows<[number]>(
            trx,
            sql`SELECT instrument_id FROM ${sql.table(tables.line)} WHERE ${sql.join(conditions, sql` AND `)} GROUP BY instrument_id`,
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
  { scope, ids, enterprise }: Pick<LogSelection, 'scope' | 'enterprise'> & { ids: readonly number[] },
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
  { logType, instrumentId, computerName, from, to }: LogSelection,
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
  { clickhouse, scope, instrumentId }: { clickhouse: Clickhouse; scope: LogSelection['scope']; instrumentId: number },
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

async function deleteLine(
  trx: Trx,
  { clickhouse, id, scope }: { clickhouse: Clickhouse; id: number; scope: LogSelection['scope'] },
): Promise<DeletedLine | undefined> {
  const table = sql.table(tables.line)
  const [stored] = await clickhouse.rows<[number]>(
    trx,
    sql`SELECT instrument_id FROM ${table} WHERE id = ${id} LIMIT 1`,
  )
  if (!stored) return undefined
  const [instrumentId] = stored
  const visible = await visibleLines(trx, { scope, ids: stored, enterprise: null })
  if (visible === undefined) return undefined
  const [line] = await clickhouse.rows<[LogType, number]>(
    trx,
    sql`SELECT log_type, ts FROM ${table} WHERE ${visible} AND id = ${id} LIMIT 1`,
  )
  if (!line) return undefined
  const { instrument } = await instruments(trx, 'all')
    .where('i.id', '=', instrumentId)
    .select('i.installed_product_id as instrument')
    .executeTakeFirstOrThrow()
  await clickhouse.command(
    `ALTER TABLE ${localStatement('line', clickhouse.cluster)} DELETE WHERE instrument_id = ${instrumentId} AND id = ${id}`,
  )
  return { instrument, logType: line[0], timestamp: new Date(line[1]) }
}
