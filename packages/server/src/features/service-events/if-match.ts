/**
 * Whether an If-Match header names another version than the present one. Without a header nothing is stale. A list
 * matches by any of its tags; `*` matches every event that exists. A weak tag counts, because proxies that compress an
 * answer weaken its ETag; so does a bare number. Whatever can't be read names no version, so it is stale.
 */
export function isStale(ifMatch: string | undefined, version: number): boolean {
  if (ifMatch === undefined) return false
  const tags = ifMatch.split(',').map((tag) => tag.trim())
  return !tags.some((tag) => tag === '*' || versionOf(tag) === version)
}

function versionOf(tag: string): number | null {
  const [, quoted, bare] = /^(?:(?:W\/)?"(\d{1,10})"|(\d{1,10}))$/.exec(tag) ?? []
  const digits = quoted ?? bare
  return digits === undefined ? null : Number(digits)
}
