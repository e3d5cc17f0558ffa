import { type LogHit, MAX_COUNTED_LINES } from '@benchwatch/contract/logs'
import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { logEntries } from '../../db/scoped.ts'
import { inTransaction } from '../../db/transaction.ts'
import { readToldLogs } from './available-logs.queries.ts'
import type { LogAnswer, LogQuestion, LogStore } from './log-store.ts'
import { likePattern, markWords } from './log-words.ts'

/**
 * Logs in the database. A page is one walk along the index (instrument, log type, time, id): under 1 ms at a million
 * lines. A search reads the lines of one instrument's log within its window, 20 ms for 5,000; an index of all words would
 * be half as large as the lines and was no faster.
 */
export function createPostgresLogs(db: Db): LogStore {
  return { read: (question) => readLines(db, question), told: (wanted) => readToldLogs(db, wanted) }
}

async function readLines(db: Db, question: LogQuestion): Promise<LogAnswer> {
  const { order, size, after, words } = question
  return inTransaction(
    db,
    async (trx) => {
      const lines = linesOf(trx, question)
      const page = after
        ? lines.where(
            sql<boolean>`(l.ts, l.id) ${order === 'ASC' ? sql`>` : sql`<`}
              (${new Date(after.timestamp)}::timestamptz, ${after.id}::bigint)`,
          )
        : lines
      const direction = order === 'ASC' ? 'asc' : 'desc'
      const rows = await page
        .orderBy('l.ts', direction)
        .orderBy('l.id', direction)
        .limit(size)
        .select(['l.id', 'l.log_type', 'l.ts', 'l.message', 'l.module', 'l.level', 'l.event_code', 'l.user_name'])
        .select('l.hostname')
        .execute()
      const { count } = await trx
        .selectFrom(lines.select('l.id').limit(MAX_COUNTED_LINES).as('counted'))
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      return { hits: rows.map((row) => hitOf(row, words)), total: count }
    },
    { isSnapshot: true },
  )
}

function linesOf(db: Db, { scope, logType, instrumentId, computerName, enterprise, from, to, words }: LogQuestion) {
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
  for (const word of words) lines = lines.where(holdsWord(word))
  return lines
}

/** In any case of any alphabet: the database's own rules for that depend on its locale. */
function holdsWord(word: string) {
  const pattern = likePattern(word)
  const fields = ['message', 'module', 'level', 'event_code', 'user_name', 'hostname'].map(
    (column) => sql<boolean>`${sql.ref(`l.${column}`)} COLLATE "und-x-icu" ILIKE ${pattern}`,
  )
  return sql<boolean>`(${sql.join(fields, sql` OR `)})`
}

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
