import { createHash, createHmac, randomBytes } from 'node:crypto'

/** The first refresh token of a session: 256 random bits. */
export function newRefreshToken(): string {
  return randomBytes(32).toString('base64url')
}

/** What is stored of a token: its SHA-256. The token is random, so a slow hash would add nothing. */
export function tokenHash(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/**
 * The token that replaces this one. It is derived rather than drawn, so that a second request with the same token gets
 * the same successor although only hashes are stored; without the secret nobody can walk the chain.
 */
export function successorOf(token: string, secret: Buffer): string {
  return createHmac('sha256', secret).update(token).digest('base64url')
}
