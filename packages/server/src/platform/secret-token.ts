import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** Returns a new secret for a link, a cookie or a key: 256 random bits as 43 characters of base64url. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

/** Returns the SHA-256 that is stored of a secret. Such a secret is random, so a slow hash would add nothing. */
export function tokenHash(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/** Compares hashes, so that the time reveals neither a partial match nor the length of the secret. */
export function isSameSecret(one: string, other: string): boolean {
  return timingSafeEqual(tokenHash(one), tokenHash(other))
}
