import { createHmac } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../../config.ts'

const NAME = 'benchwatch_refresh'

/**
 * Shows the console's scripts, which cannot read the refresh cookie, that the cookie exists, so that they do not
 * request a session needlessly. It is not a secret and proves nothing.
 */
const MARKER = 'benchwatch_session'

/** The stored session at the time of a refresh. */
export interface RefreshableSession {
  refreshHash: Buffer
  previousHash: Buffer | null
  previousUntil: Date | null
  lastActivityAt: Date
  endedAt: Date | null
  userDisabled: boolean
}

export interface Presented {
  tokenHash: Buffer
  /** Seconds since the last click or key press in any tab, as reported by the browser. */
  idleSeconds: number | undefined
  now: Date
  inactivityLimitSeconds: number
}

export type EndReason =
  | 'inactive'
  | 'reused'
  | 'disabled'
  /** The user was deleted. */
  | 'deleted'
  | 'signed-out'
  | 'signed-out-everywhere'
  /** The user's password was changed, by the user or an administrator. */
  | 'password-changed'
  /** The identity provider reports that the user no longer has access. */
  | 'provider'

export type RefreshDecision =
  | { kind: 'rotate' | 'repeat'; lastActivityAt: Date }
  | { kind: 'end'; reason: EndReason }
  | { kind: 'refuse' }

/** Time for which the previous token stays valid, for a second tab or a retry after a lost response. */
export const GRACE_MS = 30_000

/**
 * Decides the effect of a refresh token on its session (3-decisions 2). The current token is rotated. The previous
 * token gets the same successor again within the grace period. Any other token was used before, so it may have been
 * stolen, and the session ends.
 */
export function decideRefresh(session: RefreshableSession, presented: Presented): RefreshDecision {
  if (session.endedAt) return { kind: 'refuse' }
  if (session.userDisabled) return { kind: 'end', reason: 'disabled' }
  const isCurrent = session.refreshHash.equals(presented.tokenHash)
  const isPrevious =
    session.previousHash?.equals(presented.tokenHash) === true &&
    session.previousUntil !== null &&
    presented.now <= session.previousUntil
  if (!isCurrent && !isPrevious) return { kind: 'end', reason: 'reused' }

  const limitMs = presented.inactivityLimitSeconds * 1000
  // Callers that send no value count as idle.
  const idleMs = Math.min((presented.idleSeconds ?? Number.POSITIVE_INFINITY) * 1000, limitMs)
  const lastActivityAt = new Date(Math.max(session.lastActivityAt.getTime(), presented.now.getTime() - idleMs))
  if (presented.now.getTime() - lastActivityAt.getTime() >= limitMs) return { kind: 'end', reason: 'inactive' }
  return { kind: isCurrent ? 'rotate' : 'repeat', lastActivityAt }
}

/**
 * HttpOnly hides it from scripts, SameSite=Strict keeps it out of other sites' requests, and the path keeps it out of
 * all other routes. It has no expiry: the server decides when a session is over, and a closed browser drops it.
 */
function attributes(request: FastifyRequest, { publicUrl }: Pick<Config, 'publicUrl'>) {
  const secure = publicUrl.startsWith('https:') || request.protocol === 'https'
  return { path: '/api/auth', httpOnly: true, sameSite: 'strict', secure } as const
}

export function readRefreshCookie(request: FastifyRequest): string | undefined {
  const value = request.cookies[NAME]
  // Valid tokens have 43 characters; long values are not worth hashing.
  return value === undefined || value === '' || value.length > 100 ? undefined : value
}

export function setRefreshCookie(reply: FastifyReply, token: string, config: Pick<Config, 'publicUrl'>): void {
  const own = attributes(reply.request, config)
  reply.setCookie(NAME, token, own)
  reply.setCookie(MARKER, '1', { ...own, path: '/', httpOnly: false })
}

export function clearRefreshCookie(reply: FastifyReply, config: Pick<Config, 'publicUrl'>): void {
  const own = attributes(reply.request, config)
  reply.clearCookie(NAME, own)
  reply.clearCookie(MARKER, { ...own, path: '/', httpOnly: false })
}

/**
 * Returns the successor of a token. It is derived, not drawn, so that a second request with the same token gets the
 * same successor although only hashes are stored. Without the secret the chain cannot be followed.
 */
export function successorOf(token: string, secret: Buffer): string {
  return createHmac('sha256', secret).update(token).digest('base64url')
}
