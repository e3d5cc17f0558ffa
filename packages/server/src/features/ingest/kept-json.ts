/** Deeper than any item that could ever be valid, and far below what PostgreSQL's parser takes. */
const DEEPEST = 200

/**
 * A parked item as JSON text that PostgreSQL's jsonb takes: characters that it refuses (NUL, half surrogate pairs)
 * become U+FFFD, in values and in names; what is nested beyond reason is replaced by a remark.
 */
export function keptJson(item: unknown): string {
  if (depthOf(item) > DEEPEST) return JSON.stringify(`nested deeper than ${DEEPEST} levels, not kept`)
  return (JSON.stringify(item) ?? 'null').replace(/\\(?:u(?:0000|[dD][89a-fA-F][0-9a-fA-F]{2})|.)/g, (escape) =>
    escape.length > 2 ? '\\ufffd' : escape,
  )
}

/** Levels of nesting; counted without recursion, which a hostile item would overflow. */
function depthOf(item: unknown): number {
  let depth = 0
  for (let level: unknown[] = [item]; level.length > 0 && depth <= DEEPEST; depth += 1) {
    level = level.flatMap((value): unknown[] =>
      typeof value === 'object' && value !== null ? Object.values(value) : [],
    )
  }
  return depth
}
