import type { DailyRuntime } from '@benchwatch/contract/usage'
import { sql } from 'kysely'
import type { DataScope } from '../../db/actor.ts'
import type { Db } from '../../db/connect.ts'
import { instruments, toldSince } from '../../db/scoped.ts'

/**
 * How long an instrument in scope ran on each day of its site, from `from` to `to`, both included; a day without data is
 * absent. What it ran before it came to its customer, on that day included, is nothing to them.
 */
export async function readDailyRuntimes(
  db: Db,
  { instrumentId, scope, from, to }: { instrumentId: number; scope: DataScope; from: string; to: string },
): Promise<DailyRuntime[]> {
  const rows = await instruments(db, scope)
    .innerJoin('site as s', 's.id', 'i.site_id')
    .innerJoin('runtime_day as r', 'r.instrument_id', 'i.id')
    .where('i.id', '=', instrumentId)
    .where('r.day', '>=', from)
    .where('r.day', '<=', to)
    .where(toldSince(scope, sql`(r.day::timestamp AT TIME ZONE s.time_zone)`))
    .orderBy('r.day')
    .select(['r.day', 'r.seconds'])
    .execute()
  return rows.map(({ day, seconds }) => ({ time: day, value: seconds }))
}
