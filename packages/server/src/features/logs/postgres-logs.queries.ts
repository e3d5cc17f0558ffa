import {
  type LogCount,
  type LogHit,
  MAX_COUNTED_LINES,
  MAX_LINES_OVER_TIME,
} from '@benchwatch/contract/instruments/logs'
import { ERROR_LEVEL, WARNING_LEVEL } from '@benchwatch/contract/patterns'
import { type LogType, logTypes } from '@benchwatch/contract/vocabulary'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Db, Trx } from '../../db/connect.ts'
import type { Database } from '../../db/schema/database.ts'
import { logEntries, scopeOfLines } from '../../db/scoped.ts'
import { likePattern } from '../../db/sql/words.ts'
import { inTransaction } from '../../db/transaction.ts'
import type {
  AvailableLogsInput,
  LogAnswer,
  LogCountQuestion,
  LogCounts,
  LogQuestion,
  LogSelection,
  LogStore,
  StoredLog,
} from './log-store.ts'
import { markLabel } from './log-words.ts'

/**
 * The text that a search in the database matches: all fields of the line `l` joined, folded as log-words.ts folds
 * words. No word contains a blank, so no match spans two fields.
 *
 * Folding takes 30 µs a line, lower case alone 4 µs, and most lines have no accented letter, so lines of ASCII and of
 * characters that folding does not change skip it. The collations are named because case rules depend on the locale.
 */
const whole = sql`concat_ws(' ', l.message, l.module, l.level, l.event_code, l.user_name, l.hostname)`

const plain = sql`${whole} COLLATE "C" ~ '^[\u0001-\u007f°±·«»‐‒–—‘’“”•]*$'`

const withoutMarks = sql`regexp_replace(lower(normalize(${whole}, NFKD) COLLATE "und-x-icu"), '[\u0300-\u036f]+', '', 'g')`

const folded = sql`replace(replace(translate(${withoutMarks}, 'øłđς', 'oldσ'), 'ß', 'ss'), 'æ', 'ae')`

/** All fields of the line `l`, folded. */
export const foldedLine = sql`CASE WHEN ${plain} THEN lower(${whole} COLLATE "C") ELSE ${folded} COLLATE "C" END`

/**
 * Creates the log store of the database. A page is one walk along the index (instrument, log type, time, id): 2 ms
 * among five million lines. A search reads the lines of one log within its window once, 30 ms for 8,000; an index of
 * all words would be half as large as the lines and was no faster.
 */
export function createPostgresLogs(db: Db): LogStore {
  return {
    read: (question) => readLines(db, question),
    count: (question) => countLines(db, question),
    available: async (input) => ({ logs: await readAvailableLogs(db, input), completeFrom: null }),
    deleteMovedLine: async () => undefined,
  }
}

async function readLines(db: Db, question: LogQuestion): Promise<LogAnswer> {
  return inTransaction(
    db,
    async (trx) => {
      const scoped = await withScopeOfLines(trx, question)
      const { rows, total } = scoped.words.length === 0 ? await readPage(trx, scoped) : await searchPage(trx, scoped)
      return { hits: rows.map((row) => hitOf(row, question.words)), total, completeFrom: null }
    },
    { isSnapshot: true },
  )
}

async function withScopeOfLines<Q extends LogSelection>(trx: Trx, question: Q): Promise<Q> {
  const { scope, instrumentId } = question
  return instrumentId === null ? question : { ...question, scope: await scopeOfLines(trx, { scope, instrumentId }) }
}

/** Counts by one walk along the index that pages are read from, newest line first. */
async function countLines(db: Db, question: LogCountQuestion): Promise<LogCounts> {
  const { from, to, parts, words } = question
  const { rows } = await inTransaction(
    db,
    async (trx) => {
      const lines = linesOf(trx, await withScopeOfLines(trx, question))
      const matching = words.length === 0 ? lines : lines.where(lineMatches(words.map(likePattern)))
      const newest = inOrder(matching, { order: 'DESC', size: MAX_LINES_OVER_TIME + 1 }).select(['l.ts', 'l.level'])
      return sql<LogCount & { part: number; oldest: Date }>`
        SELECT least(${parts}::int4 - 1, floor(extract(epoch FROM ts - ${from}::timestamptz) * ${parts}::int4
            / ${(to.getTime() - from.getTime()) / 1000}::float8))::int4 AS part,
          count(*)::int4 AS lines, (count(*) FILTER (WHERE level ~* ${ERROR_LEVEL.source}))::int4 AS errors,
          (count(*) FILTER (WHERE level ~* ${WARNING_LEVEL.source}))::int4 AS warnings, min(ts) AS oldest
        FROM ${newest} AS newest GROUP BY 1`.execute(trx)
    },
    { isSnapshot: true },
  )
  const counted = rows.reduce((sum, { lines }) => sum + lines, 0)
  const oldest = Math.min(...rows.map((row) => row.oldest.getTime()))
  return {
    counts: partsOf(parts, rows),
    countedFrom: counted > MAX_LINES_OVER_TIME ? new Date(oldest) : null,
  }
}

/** Returns a count for each part, from those that have lines. */
export function partsOf(parts: number, rows: readonly (LogCount & { part: number })[]): LogCount[] {
  const counts = Array.from({ length: parts }, () => ({ lines: 0, errors: 0, warnings: 0 }))
  for (const { part, lines, errors, warnings } of rows) counts[part] = { lines, errors, warnings }
  return counts
}

interface Page {
  rows: LineRow[]
  /** Counted without the cursor. */
  total: number
}

async function readPage(trx: Trx, question: LogQuestion): Promise<Page> {
  const rows = await inOrder(behindCursor(linesOf(trx, question), question), question)
    .select(columns)
    .execute()
  const { count } = await trx
    .selectFrom(linesOf(trx, question).select('l.id').limit(MAX_COUNTED_LINES).as('counted'))
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return { rows, total: count }
}

/** Reads each line once, for both the total and the page; the lines of the page are then read by their ids. */
async function searchPage(trx: Trx, question: LogQuestion): Promise<Page> {
  const { after, order, size } = question
  const matching = linesOf(trx, question).where(lineMatches(question.words.map(likePattern)))
  const direction = order === 'ASC' ? 'asc' : 'desc'
  const { rows: found } = await sql<{ total: number; ids: number[] }>`
    WITH found AS MATERIALIZED ${inOrder(matching, { order, size: MAX_COUNTED_LINES }).select(['l.id', 'l.ts'])}
    SELECT (SELECT count(*) FROM found) AS total, ARRAY(
      SELECT id FROM found AS l WHERE ${after === null ? sql`true` : isBehind(after, order)}
      ORDER BY ts ${sql.raw(direction)}, id ${sql.raw(direction)} LIMIT ${size}) AS ids`.execute(trx)
  const { total, ids } = found[0] ?? { total: 0, ids: [] }
  // Beyond the counted lines, a page is read from its cursor on.
  const isBeyond = total === MAX_COUNTED_LINES && ids.length < size
  const page = isBeyond ? behindCursor(matching, question) : logEntries(trx, question.scope).where('l.id', 'in', ids)
  const rows = ids.length > 0 || isBeyond ? await inOrder(page, question).select(columns).execute() : []
  return { rows, total }
}

type Lines = ReturnType<typeof logEntries>

function linesOf(db: Db, { scope, logType, instrumentId, computerName, enterprise, from, to }: LogSelection): Lines {
  let lines = logEntries(db, scope).where('l.log_type', '=', logType)
  if (instrumentId !== null) lines = lines.where('l.instrument_id', '=', instrumentId)
  if (computerName !== null) lines = lines.where('l.hostname', '=', computerName)
  if (enterprise !== null) {
    lines = lines.where('i.customer_id', 'in', (eb) =>
      eb.selectFrom('customer').select('id').where('name', '=', enterprise),
    )
  }
  if (from !== null) lines = lines.where('l.ts', '>=', from)
  if (to !== null) lines = lines.where('l.ts', '<', to)
  return lines
}

function behindCursor(lines: Lines, { after, order }: Pick<LogQuestion, 'after' | 'order'>): Lines {
  return after === null ? lines : lines.where(isBehind(after, order))
}

function isBehind({ timestamp, id }: NonNullable<LogQuestion['after']>, order: LogQuestion['order']) {
  return sql<boolean>`(l.ts, l.id) ${order === 'ASC' ? sql`>` : sql`<`} (${new Date(timestamp)}::timestamptz, ${id}::bigint)`
}

function inOrder(lines: Lines, { order, size }: Pick<LogQuestion, 'order' | 'size'>): Lines {
  const direction = order === 'ASC' ? 'asc' : 'desc'
  return lines.orderBy('l.ts', direction).orderBy('l.id', direction).limit(size)
}

const columns = [
  'l.id',
  'l.log_type',
  'l.ts',
  'l.message',
  'l.module',
  'l.level',
  'l.event_code',
  'l.user_name',
  'l.hostname',
] as const

type LineRow = Omit<Selectable<Database['log_entry']>, 'instrument_id' | 'received_at'>

/** Returns a line as it is on the wire, with the words highlighted. */
export function hitOf(row: LineRow, words: readonly string[]): LogHit {
  const texts = {
    message: row.message,
    module: row.module,
    'log.level': row.level,
    'event.code': row.event_code,
    'winlog.user.name': row.user_name,
    'host.hostname': row.hostname,
  }
  const id = String(row.id)
  return {
    _index: `log-${row.log_type.toLowerCase()}`,
    _id: id,
    sort: [row.ts.getTime(), id],
    _source: { '@timestamp': row.ts.toISOString(), ...texts },
    highlight: words.length === 0 ? null : markLabel(texts, words),
  }
}

/** Condition that the line matches every one of these LIKE patterns. */
function lineMatches(patterns: readonly string[]): RawBuilder<boolean> {
  return sql<boolean>`${foldedLine} LIKE ALL (${patterns}::text[])`
}

/** Returns the logs in which an instrument has lines: one index lookup per log type, and one per client computer. */
async function readAvailableLogs(db: Db, { scope, instrumentId }: AvailableLogsInput): Promise<StoredLog[]> {
  const input = { instrumentId, scope: await scopeOfLines(db, { scope, instrumentId }) }
  const { rows } = await sql<{ log_type: LogType; hostname: string | null; newest: Date }>`
    ${newestByType(db, input)} UNION ALL ${newestByClient(db, input)}`.execute(db)
  return rows.map(({ log_type, hostname, newest }) => ({ logType: log_type, computerName: hostname, newest }))
}

function newestByType(db: Db, input: AvailableLogsInput) {
  const others = logTypes.filter((logType) => logType !== 'UNICORNCLIENT')
  const newest = linesOfInstrument(db, input)
    .where('l.log_type', '=', sql<LogType>`t.log_type`)
    .orderBy('l.ts', 'desc')
    .orderBy('l.id', 'desc')
    .limit(1)
    .select('l.ts')
  return sql`
    SELECT t.log_type, NULL AS hostname, newest.ts AS newest
    FROM unnest(${others}::text[]) AS t (log_type), LATERAL ${newest} AS newest`
}

/**
 * Steps from one computer to the next along the index (instrument, computer, time), so that a client with 100,000
 * lines costs as much as one with a single line. Walks all names whatever the scope; a name counts if a
 * line with it is in scope.
 */
function newestByClient(db: Db, input: AvailableLogsInput) {
  const { instrumentId } = input
  const names = linesOfInstrument(db, { instrumentId, scope: 'all' })
    .where('l.log_type', '=', 'UNICORNCLIENT')
    .orderBy('l.hostname')
    .limit(1)
    .select('l.hostname')
  const newest = linesOfInstrument(db, input)
    .where('l.log_type', '=', 'UNICORNCLIENT')
    .orderBy('l.ts', 'desc')
    .orderBy('l.id', 'desc')
    .limit(1)
    .select('l.ts')
  return sql`
    SELECT 'UNICORNCLIENT', client.hostname, newest.ts
    FROM (
      WITH RECURSIVE client AS (
        ${names.where('l.hostname', 'is not', null)}
        UNION ALL
        SELECT next.hostname FROM client,
          LATERAL ${names.where('l.hostname', '>', sql<string>`client.hostname`)} AS next
      )
      SELECT hostname FROM client) AS client,
      LATERAL ${newest.where('l.hostname', '=', sql<string>`client.hostname`)} AS newest
    UNION ALL
    SELECT 'UNICORNCLIENT', NULL, newest.ts FROM ${newest.where('l.hostname', 'is', null)} AS newest`
}

function linesOfInstrument(db: Db, { scope, instrumentId }: AvailableLogsInput) {
  return logEntries(db, scope).where('l.instrument_id', '=', instrumentId)
}
