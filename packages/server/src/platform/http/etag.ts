import { createHash } from 'node:crypto'
import { problem } from './problem.ts'

/** Returns the ETag of a record that has no version: a hash of what a change of it would replace. */
export function contentTag(content: object): string {
  const hash = createHash('sha256').update(JSON.stringify(content)).digest('base64url')
  return `"${hash.slice(0, 22)}"`
}

/**
 * True if an If-Match or If-None-Match header names this ETag. A list names each of its tags; `*` names every existing
 * record. Weak tags count, because proxies that compress a response weaken its ETag (RFC 9110); so do bare ones.
 */
export function namesTag(header: string | undefined, etag: string): boolean {
  const tags = header?.split(',') ?? []
  return tags.some((tag) => tag.trim() === '*' || opaque(tag) === opaque(etag))
}

function opaque(tag: string): string {
  const [, quoted, bare] = /^(?:(?:W\/)?"([^"]*)"|([^"]*))$/.exec(tag.trim()) ?? []
  return quoted ?? bare ?? ''
}

/**
 * Refuses a change that is based on another version of a locked record than the stored one, which is null if there is
 * none. A request without If-Match is never refused. Throws version-mismatch.
 */
export function requireUnchanged(ifMatch: string | undefined, etag: string | null): void {
  if (ifMatch === undefined || (etag !== null && namesTag(ifMatch, etag))) return
  throw problem(
    'version-mismatch',
    'Another user changed this in the meantime. Read it again, then repeat your change.',
  )
}
