import { type RawBuilder, sql } from 'kysely'

/** A column of the file: its head, and its cell as SQL on a row `r`; null is an empty cell. */
export interface CsvColumn {
  head: string
  cell: RawBuilder<unknown>
}

/** Returns the columns of a list, headed by `labels` and in their order. */
export function listColumns<Key extends string>(
  labels: Record<Key, string>,
  cells: Record<Key, RawBuilder<unknown>>,
): CsvColumn[] {
  return (Object.keys(labels) as Key[]).map((key) => ({ head: labels[key], cell: cells[key] }))
}

/**
 * Quotes a text as RFC 4180 requires, always: checking whether it needs quotes takes longer. Texts that a spreadsheet
 * would read as a formula (= + - @, tab, CR) get a leading apostrophe (3-decisions 8); numbers are not texts.
 */
export const quoted = (text: RawBuilder<unknown>) =>
  sql`'"' || CASE WHEN ascii(${text}) IN (9, 13, 43, 45, 61, 64) THEN '''' ELSE '' END || replace(${text}, '"', '""') || '"'`

export function instantOf(at: RawBuilder<unknown>) {
  return sql`to_char(${at} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}

/** Returns functions that turn the columns of a row `r` into cells. */
export function cellsOf<Column extends string>() {
  /** A number, a date, or a word of a closed list; needs no quotes. */
  const plain = (column: Column) => sql.ref(`r.${column}`)
  return {
    plain,
    text: (column: Column) => quoted(plain(column)),
    instant: (column: Column) => instantOf(plain(column)),
    /** `true` or `false`. */
    boolean: (column: Column) => sql`${plain(column)}::text`,
    /** Without trailing zeros, as on the wire. */
    decimal: (column: Column) => sql`trim_scale(${plain(column)})`,
  }
}

/** Returns city and country as the lists show them. */
export function placeOf(city: RawBuilder<unknown>, country: RawBuilder<unknown>) {
  return quoted(sql`concat_ws(', ', nullif(${city}, ''), nullif(${country}, ''))`)
}
