import { type RawBuilder, sql } from 'kysely'

/**
 * Orders by the code points of a text, the same on every server: the collation of an external database may sort
 * capitals and hyphens differently from the embedded one. For ties only; visible lists are sorted by folded names.
 */
export function byCodePoints(text: string | RawBuilder<string>): RawBuilder<string> {
  return sql<string>`${typeof text === 'string' ? sql.ref(text) : text} COLLATE "C"`
}

/** Orders names for readers: case and marks only break ties. Placed after the text in SQL. */
export const asPeopleRead = sql`COLLATE "und-x-icu"`
