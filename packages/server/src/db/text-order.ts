import { type RawBuilder, sql } from 'kysely'

/**
 * Orders by the code points of a text, the same on every server: the collation of an external database may put capitals
 * and hyphens elsewhere than the embedded one. For the order of equals; people's lists are sorted by folded names.
 */
export function byCodePoints(text: string | RawBuilder<string>): RawBuilder<string> {
  return sql<string>`${typeof text === 'string' ? sql.ref(text) : text} COLLATE "C"`
}

/** Orders names as people read them: case and marks decide only between otherwise equal ones. Behind the text it stands. */
export const asPeopleRead = sql`COLLATE "und-x-icu"`
