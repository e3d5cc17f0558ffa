import { type LogHit, MAX_COUNTED_LINES } from '@benchwatch/contract/logs'
import { sql } from 'kysely'
import type { Db, Trx } from '../../db/connect.ts'
import { logEntries, scopeOfLines } from '../../db/scoped.ts'
import { inTransaction } from '../../db/transaction.ts'
import { likePattern } from '../../db/words.ts'
import { readToldLogs } from './available-logs.queries.ts'
import { lineMatches } from './line-text.queries.ts'
import type { LogAnswer, LogQuestion, LogStore } from './log-store.ts'
import { markWords } from './log-words.ts'

/**
 * Logs in the database. A page is one walk along the index (instrument, log type, time, id): 2 ms among five million
 * lines. A search reads the lines of one log within its window once, 30 ms for 8,000; an index of all words would be half
 * as large as the lines and was no faster.
 */
export function createPostgresLogs(db: Db): LogStore {
  return { read: (question) => readLines(db, question), told: (wanted) => readToldLogs(db, wanted) }
}

async function readLines(db: Db, question: LogQuestion): Promise<LogAnswer> {
  return inTransaction(
    db,
    async (trx) => {
      const { scope, instrumentId } = question
      const asked =
        instrumentId === null ? question : { ...question, scope: await scopeOfLines(trx, { scope, instrumentId }) }
      const { rows, total } = asked.words.length === 0 ? await readPage(trx, asked) : await searchPage(trx, asked)
      return { hits: rows.map((row) => hitOf(row, question.words)), total }
    },
    { isSnapshot: true },
  )
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

/** Looks at each line once, for the total and the page alike; the lines of the page are read by their ids. */
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
  // Behind those that are counted a page is looked for from its cursor on.
  const isBeyond = total === MAX_COUNTED_LINES && ids.length < size
  const page = isBeyond ? behindCursor(matching, question) : logEntries(trx, question.scope).where('l.id', 'in', ids)
  const rows = ids.length > 0 || isBeyond ? await inOrder(page, question).select(columns).execute() : []
  return { rows, total }
}

type Lines = ReturnType<typeof logEntries>

function linesOf(db: Db, { scope, logType, instrumentId, computerName, enterprise, from, to }: LogQuestion): Lines {
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

interface LineRow {
  id: number
  log_type: string
  ts: Date
  message: string
  module: string | null
  level: string | null
  event_code: string | null
  user_name: string | null
  hostname: string | null
}

function hitOf(row: LineRow, words: readonly string[]): LogHit {
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
    highlight: words.length === 0 ? null : markWords(texts, words),
  }
}
