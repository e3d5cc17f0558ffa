import { type RawBuilder, type SqlBool, sql } from 'kysely'

/** Whether the maintenance window `w` is on at `at`: its end is not part of it, and without one it goes on. */
export function windowIsOn(at: RawBuilder<unknown> | Date): RawBuilder<SqlBool> {
  return sql<SqlBool>`w.start_at <= ${at} AND (w.end_at IS NULL OR w.end_at > ${at})`
}
