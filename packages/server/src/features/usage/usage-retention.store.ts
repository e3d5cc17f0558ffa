import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'

/** Forgets up to `batch` days of component usage from before this day; how many it were. */
export async function forgetUsageDays(db: Db, { before, batch }: { before: string; batch: number }): Promise<number> {
  const { numAffectedRows } = await sql`
    DELETE FROM component_usage_day
    WHERE ctid = ANY(ARRAY(SELECT ctid FROM component_usage_day WHERE day < ${before}::date LIMIT ${batch}))`.execute(
    db,
  )
  return Number(numAffectedRows ?? 0)
}
