import { createHash, createHmac, randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../../config.ts'

const NAME = 'benchwatch_refresh'

/**
 * Says to the console's scripts, which can't see the refresh cookie, that there is one, so that they don't ask for a
 * session where there can be none. It is no secret and proves nothing.
 */
const MARKER = 'benchwatch_session'

/** A session as a refresh finds it. */
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
  /** Seconds since the last click or key press in any tab, as the browser tells. */
  idleSeconds: number | undefined
  now: Date
  inactivityLimitSeconds: number
}

export type EndReason =
  | 'inactive'
  | 'reused'
  | 'disabled'
  /** Its user was deleted. */
  | 'deleted'
  | 'signed-out'
  | 'signed-out-everywhere'
  /** Its user has another password, whoever set it. */
  | 'password-changed'
  /** The identity provider says that the person may not come in any more. */
  | 'provider'

export type RefreshDecision =
  | { kind: 'rotate' | 'repeat'; lastActivityAt: Date }
  | { kind: 'end'; reason: EndReason }
  | { kind: 'refuse' }

/** How long the token before the current one stays good: a second tab, or a repeat after a lost answer. */
export const GRACE_MS = 30_000

/**
 * What a refresh token does to its session (3-decisions 2). The one in force is rotated; the one before it gets the
 * same successor again within its grace; any other was used before, so somebody else may hold the chain and it ends.
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
  // Who does not say gets no credit for activity: as idle as can be.
  const idleMs = Math.min((presented.idleSeconds ?? Number.POSITIVE_INFINITY) * 1000, limitMs)
  const lastActivityAt = new Date(Math.max(session.lastActivityAt.getTime(), presented.now.getTime() - idleMs))
  if (presented.now.getTime() - lastActivityAt.getTime() >= limitMs) return { kind: 'end', reason: 'inactive' }
  return { kind: isCurrent ? 'rotate' : 'repeat', lastActivityAt }
}

/**
 * HttpOnly keeps it from scripts, SameSite=Strict from other sites' requests, the path from every other route. It has no
 * age of its own: the server knows when a session is over, and a browser that is closed drops it.
 */
function attributes(request: FastifyRequest, { publicUrl }: Pick<Config, 'publicUrl'>) {
  const secure = publicUrl.startsWith('https:') || request.protocol === 'https'
  return { path: '/api/auth', httpOnly: true, sameSite: 'strict', secure } as const
}

export function readRefreshCookie(request: FastifyRequest): string | undefined {
  const value = request.cookies[NAME]
  // Ours have 43 characters; anything long is not worth a hash.
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
