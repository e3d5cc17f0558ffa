import { type LogType, logTypes } from '@benchwatch/contract/vocabulary'
import { sql } from 'kysely'
import type { DataScope } from '../../db/actor.ts'
import type { Db } from '../../db/connect.ts'
import { logEntries, scopeOfLines } from '../../db/scoped.ts'
import type { ToldLog } from './log-store.ts'

interface Wanted {
  scope: DataScope
  instrumentId: number
}

/** The logs in which an instrument has lines: a look into the index for each log type, and one for each client's computer. */
export async function readToldLogs(db: Db, { scope, instrumentId }: Wanted): Promise<ToldLog[]> {
  const wanted = { instrumentId, scope: await scopeOfLines(db, { scope, instrumentId }) }
  const { rows } = await sql<{ log_type: LogType; hostname: string | null; newest: Date }>`
    ${newestByType(db, wanted)} UNION ALL ${newestByClient(db, wanted)}`.execute(db)
  return rows.map(({ log_type, hostname, newest }) => ({ logType: log_type, computerName: hostname, newest }))
}

function newestByType(db: Db, wanted: Wanted) {
  const others = logTypes.filter((logType) => logType !== 'UNICORNCLIENT')
  const newest = linesOf(db, wanted)
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
 * From one computer to the next along the index (instrument, computer, time), so that a client with 100,000 lines costs as
 * much as one with a single line. Names are walked whatever the scope, and count where the scope holds a line of theirs.
 */
function newestByClient(db: Db, wanted: Wanted) {
  const { instrumentId } = wanted
  const names = linesOf(db, { instrumentId, scope: 'all' })
    .where('l.log_type', '=', 'UNICORNCLIENT')
    .orderBy('l.hostname')
    .limit(1)
    .select('l.hostname')
  const newest = linesOf(db, wanted)
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

function linesOf(db: Db, { scope, instrumentId }: Wanted) {
  return logEntries(db, scope).where('l.instrument_id', '=', instrumentId)
}
