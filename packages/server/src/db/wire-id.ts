/**
 * The number of a row whose id the wire tells as text; undefined where no `int` column could hold it, which PostgreSQL
 * would answer with an error instead of no row.
 */
export function rowId(id: string): number | undefined {
  return /^\d{1,9}$/.test(id) ? Number(id) : undefined
}
