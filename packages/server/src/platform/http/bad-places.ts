/** Where a request is wrong, as a caller can use it: zod says of several alternatives only that none fits. */

/** What zod says of one place, as far as it matters here. */
export interface Issue {
  code: string
  path: readonly PropertyKey[]
  message: string
  /** Of a union: what is wrong by each of its alternatives, with paths from the union on. */
  errors?: readonly (readonly Issue[])[]
  /** Fields that an object doesn't have. */
  keys?: readonly string[]
}

/**
 * The issue itself, or where it is a union of objects, what is wrong by the alternative that the caller must have meant: the
 * one with the fewest wrong and unknown fields. A union of plain values keeps its own words.
 */
export function badPlaces(issue: Issue): Issue[] {
  const alternatives = (issue.errors ?? []).filter((issues) => issues.some(isOfField))
  const [meant] = alternatives.sort((a, b) => wrongFields(a) - wrongFields(b))
  if (issue.code !== 'invalid_union' || !meant) return [issue]
  return meant.flatMap((inner) => badPlaces({ ...inner, path: [...issue.path, ...inner.path] }))
}

function isOfField({ path, keys = [] }: Issue): boolean {
  return path.length > 0 || keys.length > 0
}

function wrongFields(issues: readonly Issue[]): number {
  return new Set(issues.flatMap(({ path, keys = [] }) => [...path.slice(0, 1), ...keys])).size
}
