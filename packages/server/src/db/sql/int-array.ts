import { type RawBuilder, sql } from 'kysely'

/**
 * Returns integers as one parameter in the array syntax of PostgreSQL; the driver would check each for characters to
 * escape (60 ms for 100,000).
 */
export function intArray(values: readonly number[]): RawBuilder<number[]> {
  return sql`${`{${values.join(',')}}`}::int[]`
}
