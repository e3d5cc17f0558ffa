/**
 * Returns the row number for an id of the wire, which is a text; undefined if it exceeds an `int` column, because
 * PostgreSQL would answer with an error instead of no row.
 */
export function rowId(id: string): number | undefined {
  return /^\d{1,9}$/.test(id) ? Number(id) : undefined
}
