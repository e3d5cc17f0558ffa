import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'

/**
 * Deletes up to `batch` lines that came in before `before`; answers how many those were. By the time of arrival, because
 * an instrument whose clock stands in 1970 has lines that are not old.
 */
export async function forgetLogLines(db: Db, { before, batch }: { before: Date; batch: number }): Promise<number> {
  const { numAffectedRows } = await sql`
    DELETE FROM log_entry WHERE id = ANY(ARRAY(
      SELECT id FROM log_entry WHERE received_at < ${before} LIMIT ${batch}))`.execute(db)
  return Number(numAffectedRows ?? 0)
}
