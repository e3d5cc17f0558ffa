import type { ColumnType, Generated } from 'kysely'

/** Column kinds that several tables share. Instants are Dates, calendar dates stay text, numeric stays text. */
export type Instant = ColumnType<Date, Date, Date>
export type InstantOrNull = ColumnType<Date | null, Date | null | undefined, Date | null>
export type InstantDefaultNow = ColumnType<Date, Date | undefined, Date>
/** YYYY-MM-DD */
export type Day = string
export type Id = Generated<number>
/** Never named in an insert or update. */
export type Computed<T> = ColumnType<T, never, never>
/** Written as JSON text, read parsed. */
export type Json<T> = ColumnType<T, string, string>
export type JsonOrNull<T> = ColumnType<T | null, string | null | undefined, string | null>
