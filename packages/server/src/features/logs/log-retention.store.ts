import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'

/** Result of one batch. */
export interface ForgottenLines {
  forgotten: number
  /** Id of the last line that was checked. */
  last: number
  /** True if no line of the batch was old, so no later line is either, or if there are no more lines. */
  isDone: boolean
}

/**
 * Checks the next `batch` lines by id and deletes those that arrived before `before`. Arrival counts, because an
 * instrument whose clock is set to 1970 has lines that are not old. Ids rise with the time of arrival except for the
 * seconds in which batches overtake each other, so a walk along the primary key needs no index of its own, and a walk
 * that continues after the last id never reads deleted rows again.
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
