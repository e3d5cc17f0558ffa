import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'

/** What became of one batch. */
export interface ForgottenLines {
  forgotten: number
  /** Id of the last line that was looked at. */
  last: number
  /** No line of the batch was old, so none behind it is; or there is none behind it. */
  isDone: boolean
}

/**
 * Deletes, of the next `batch` lines by id, those that came in before `before`: by the time of arrival, because an
 * instrument whose clock stands in 1970 has lines that are not old. Ids rise with that time but for the seconds in which
 * batches overtake each other, so a walk along the primary key needs no index of its own, and one that goes on after the
 * last id never meets again what it has deleted.
 */
export async function forgetLogLines(
  db: Db,
  { before, after, batch }: { before: Date; after: number; batch: number },
): Promise<ForgottenLines> {
  const { rows } = await sql<{ forgotten: number; last: number; looked: number }>`
    WITH next AS MATERIALIZED (
      SELECT id, received_at FROM log_entry WHERE id > ${after}::bigint ORDER BY id LIMIT ${batch}
    ), forgotten AS (
      DELETE FROM log_entry WHERE id = ANY(ARRAY(SELECT id FROM next WHERE received_at < ${before})) RETURNING id
    )
    SELECT (SELECT count(*) FROM forgotten) AS forgotten, coalesce(max(id), 0) AS last, count(*) AS looked FROM next`.execute(
    db,
  )
  const { forgotten, last, looked } = rows[0] ?? { forgotten: 0, last: 0, looked: 0 }
  return { forgotten, last, isDone: looked < batch || forgotten === 0 }
}
