import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { foldedLine } from './postgres-logs.queries.ts'

/** Partitions of equal length that lines are spread over; each read of a log looks into all of them. */
const PARTITIONS = 32

/**
 * Makes the partition that is needed next, or drops one whose lines all arrived before `before`. Returns its name, and
 * null if there is nothing to do. A partition takes a day, or longer if lines are kept for more than 32 days.
 */
export async function keepLogPartition(
  db: Db,
  { now, before, retentionDays }: { now: Date; before: Date; retentionDays: number },
): Promise<string | null> {
  const days = Math.ceil(retentionDays / PARTITIONS)
  const { rows } = await sql<{ name: string | null }>`
    SELECT keep_log_partitions(${now}, ${days}, ${before}) AS name`.execute(db)
  return rows[0]?.name ?? null
}

/** Result of one batch. */
export interface ForgottenLines {
  forgotten: number
  /** Id of the last line that was checked. */
  last: number
  /** True if no line of the batch was old, so no later line is either, or if there are no more lines. */
  isDone: boolean
}

/**
 * Checks the next `batch` lines of the first partition by id and deletes those that arrived before `before`. Arrival
 * counts, because an instrument whose clock is set to 1970 has lines that are not old. Ids rise with the time of arrival except for the
 * seconds in which batches overtake each other, so a walk along the primary key needs no index of its own, and a walk
 * that continues after the last id never reads deleted rows again.
 */
export async function forgetLogLines(
  db: Db,
  { before, after, batch }: { before: Date; after: number; batch: number },
): Promise<ForgottenLines> {
  const { rows } = await sql<{ forgotten: number; last: number; looked: number }>`
    WITH next AS MATERIALIZED (
      SELECT id, received_at FROM log_entry_before WHERE id > ${after}::bigint ORDER BY id LIMIT ${batch}
    ), forgotten AS (
      DELETE FROM log_entry_before WHERE id = ANY(ARRAY(SELECT id FROM next WHERE received_at < ${before})) RETURNING id
    )
    SELECT (SELECT count(*) FROM forgotten) AS forgotten, coalesce(max(id), 0) AS last, count(*) AS looked FROM next`.execute(
    db,
  )
  const { forgotten, last, looked } = rows[0] ?? { forgotten: 0, last: 0, looked: 0 }
  return { forgotten, last, isDone: looked < batch || forgotten === 0 }
}

interface LineRange {
  before: Date
  /** Ids above `after`, up to `last`. */
  after: number
  last: number
}

/** Returns the last id of the next `batch` lines, null after the end, and how many of them arrived before `before`. */
export async function nextLines(
  db: Db,
  { before, after, batch }: { before: Date; after: number; batch: number },
): Promise<{ last: number | null; old: number }> {
  const { rows } = await sql<{ last: number | null; old: number }>`
    SELECT max(id) AS last, count(*) FILTER (WHERE received_at < ${before}) AS old
    FROM (SELECT id, received_at FROM log_entry WHERE id > ${after}::bigint ORDER BY id LIMIT ${batch}) AS next`.execute(
    db,
  )
  return rows[0] ?? { last: null, old: 0 }
}

/** Returns the query for old lines as ClickHouse stores them, without parameters, which COPY does not take. */
export function copiedLines(db: Db, range: LineRange): string {
  return sql`SELECT l.id, l.instrument_id, l.log_type, (extract(epoch FROM l.ts) * 1000)::int8,
    (extract(epoch FROM l.received_at) * 1000)::int8, l.message, l.module, l.level, l.event_code, l.user_name, l.hostname,
    ${foldedLine} FROM log_entry AS l WHERE ${isOld(range)}`.compile(db).sql
}

/** Returns the statement that deletes the lines of `copiedLines`. */
export function deleteLines(db: Db, range: LineRange): string {
  return sql`DELETE FROM log_entry AS l WHERE ${isOld(range)}`.compile(db).sql
}

function isOld({ before, after, last }: LineRange) {
  return sql`l.id > ${sql.lit(after)} AND l.id <= ${sql.lit(last)} AND l.received_at < ${sql.lit(before.toISOString())}::timestamptz`
}
