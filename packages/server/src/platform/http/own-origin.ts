/**
 * Whether a page of this origin came from this server: its public address, or the very host that was asked. The scheme
 * is not compared for the latter, because a proxy may have ended TLS.
 */
export function isOwnOrigin(publicUrl: string, { origin, host }: { origin: string; host: string }): boolean {
  if (origin === new URL(publicUrl).origin) return true
  return origin === `http://${host}` || origin === `https://${host}`
}

interface Source {
  origin: string | undefined
  /** Sec-Fetch-Site, which scripts can't forge. */
  fetchSite: string | undefined
  host: string
}

/**
 * Whether a browser says that a request was made by another site. Programs that send neither header are let through:
 * they hold no cookie that somebody else could ride on. `same-site` is not enough, because every port of a host and
 * every sibling domain is the same site; then the origin decides.
 */
export function isFromElsewhere(publicUrl: string, { origin, fetchSite, host }: Source): boolean {
  if (fetchSite === 'same-origin') return false
  if (fetchSite === 'cross-site') return true
  return origin !== undefined && !isOwnOrigin(publicUrl, { origin, host })
}
