import { type RawBuilder, type SqlBool, sql } from 'kysely'

/** Condition: the maintenance window `w` is active at `at`. Its end is exclusive; without an end it stays active. */
export function windowIsOn(at: RawBuilder<unknown> | Date): RawBuilder<SqlBool> {
  return sql<SqlBool>`w.start_at <= ${at} AND (w.end_at IS NULL OR w.end_at > ${at})`
}
