import { sql } from 'kysely'
import { advisoryLocks } from '../db/advisory-locks.ts'
import type { DatabaseHandle } from '../db/connect.ts'
import { instruments } from '../db/scoped.ts'
import { copiedLines, deleteLines, nextLines } from '../features/logs/log-retention.store.ts'
import type { Clickhouse } from './clickhouse.ts'
import { lineColumns, localStatement, tables } from './schema.ts'

/** PostgreSQL keeps lines for this long after their arrival. */
export const KEPT_MS = 2 * 86_400_000
const BATCH = 50_000
/** Limit of one run, so that a long backlog does not hold a connection for hours. */
const MOST_BATCHES = 100

interface FeedParts {
  clickhouse: Clickhouse
  database: Pick<DatabaseHandle, 'db' | 'dedicatedClient'>
}

/**
 * Moves log lines that arrived before `before` from PostgreSQL to ClickHouse. A batch is copied and then deleted in one
 * snapshot, so no line is deleted that was not copied; a batch that is copied twice is the same lines again.
 */
export async function moveLogLines({ clickhouse, database }: FeedParts, before: Date): Promise<number> {
  const client = await database.dedicatedClient()
  let moved = 0
  try {
    let after = 0
    for (let batch = 0; batch < MOST_BATCHES; batch += 1) {
      const { last, old } = await nextLines(database.db, { before, after, batch: BATCH })
      // Ids rise with the time of arrival, so no later line is old either.
      if (last === null || old === 0) break
      const range = { before, after, last }
      after = last
      await client.query('SELECT pg_advisory_lock($1)', [advisoryLocks.movedLines])
      await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ')
      const query = copiedLines(database.db, range)
      moved += await clickhouse.copy(client, { query, table: tables.line, columns: Object.keys(lineColumns) })
      await client.query(deleteLines(database.db, range))
      await client.query('COMMIT')
      await client.query('SELECT pg_advisory_unlock($1)', [advisoryLocks.movedLines])
    }
  } finally {
    await client.end()
  }
  return moved
}

/** Deletes the lines of instruments that no longer exist. Returns the number of these instruments. */
export async function deleteLinesOfDeletedInstruments({ clickhouse, database: { db } }: FeedParts): Promise<number> {
  const stored = await clickhouse.rows<[number]>(db, sql`SELECT DISTINCT instrument_id FROM ${sql.table(tables.line)}`)
  const present = new Set((await instruments(db, 'all').select('i.id').execute()).map(({ id }) => id))
  const gone = stored.map(([id]) => id).filter((id) => !present.has(id))
  if (gone.length > 0) {
    await clickhouse.command(
      `ALTER TABLE ${localStatement('line', clickhouse.cluster)} DELETE WHERE instrument_id IN (${gone.join(', ')})`,
    )
  }
  return gone.length
}
