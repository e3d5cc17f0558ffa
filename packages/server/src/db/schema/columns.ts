import type { ColumnType, Generated } from 'kysely'

/** Column types that several tables share. Instants are Dates, calendar dates and numeric stay text. */
export type Instant = ColumnType<Date, Date, Date>
export type InstantOrNull = ColumnType<Date | null, Date | null | undefined, Date | null>
export type InstantDefaultNow = ColumnType<Date, Date | undefined, Date>
/** YYYY-MM-DD */
export type Day = string
export type Id = Generated<number>
/** Never part of an insert or update. */
export type Computed<T> = ColumnType<T, never, never>
/** Written as JSON text, read parsed. */
export type Json<T> = ColumnType<T, string, string>
export type JsonOrNull<T> = ColumnType<T | null, string | null | undefined, string | null>
