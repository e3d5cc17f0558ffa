import { type RawBuilder, sql } from 'kysely'

/**
 * What a search in the database looks at: all fields of the line `l` in one text, folded as log-words.ts folds words. No
 * word holds a blank, so none is found across two fields.
 *
 * Folding takes 30 µs a line, lower case alone 4 µs, and most lines hold no letter with a mark: what consists of ASCII and
 * of signs that folding leaves alone is spared it. The collations are named because rules of case are the locale's.
 */
const whole = sql`concat_ws(' ', l.message, l.module, l.level, l.event_code, l.user_name, l.hostname)`
const plain = sql`${whole} COLLATE "C" ~ '^[\u0001-\u007f°±·«»‐‒–—‘’“”•]*$'`
const withoutMarks = sql`regexp_replace(lower(normalize(${whole}, NFKD) COLLATE "und-x-icu"), '[\u0300-\u036f]+', '', 'g')`
const folded = sql`replace(replace(translate(${withoutMarks}, 'øłđς', 'oldσ'), 'ß', 'ss'), 'æ', 'ae')`

/** Whether the line matches every one of these patterns of LIKE. */
export function lineMatches(patterns: readonly string[]): RawBuilder<boolean> {
  return sql<boolean>`CASE WHEN ${plain} THEN lower(${whole} COLLATE "C") ELSE ${folded} COLLATE "C" END
    LIKE ALL (${patterns}::text[])`
}
