import { type RawBuilder, sql } from 'kysely'

/** A column of the file: its head, and its cell as SQL on a row `r`; null is an empty cell. */
export interface CsvColumn {
  head: string
  cell: RawBuilder<unknown>
}

/**
 * A text as RFC 4180 has it, always in quotes: to find out whether it needs them takes longer. What a spreadsheet would
 * take for a formula (= + - @, tab, CR) begins with an apostrophe (3-decisions 8); numbers are no texts.
 */
export const quoted = (text: RawBuilder<unknown>) =>
  sql`'"' || CASE WHEN ascii(${text}) IN (9, 13, 43, 45, 61, 64) THEN '''' ELSE '' END || replace(${text}, '"', '""') || '"'`

/** How the columns of a row `r` become cells. */
export function cellsOf<Column extends string>() {
  /** A number, a date, or a word of a closed list, which needs no quotes. */
  const plain = (column: Column) => sql.ref(`r.${column}`)
  return {
    plain,
    text: (column: Column) => quoted(plain(column)),
    instant: (column: Column) => sql`to_char(${plain(column)} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
    /** `true` or `false`. */
    boolean: (column: Column) => sql`${plain(column)}::text`,
    /** Without zeros at its end, as on the wire. */
    decimal: (column: Column) => sql`trim_scale(${plain(column)})`,
  }
}

/** City and country as the lists show them. */
export function placeOf(city: RawBuilder<unknown>, country: RawBuilder<unknown>) {
  return quoted(sql`concat_ws(', ', nullif(${city}, ''), nullif(${country}, ''))`)
}
