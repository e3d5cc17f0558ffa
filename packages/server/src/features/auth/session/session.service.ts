import type { Trx } from '../../../db/connect.ts'
import { inTransaction } from '../../../db/transaction.ts'
import { tokenHash } from '../../../platform/secret-token.ts'
import type { FeatureContext } from '../../context.ts'
import {
  type EndedSession,
  endSessions,
  type FoundSession,
  findCaller,
  type IssuedTokens,
  lockSessionOfToken,
  rotateSession,
  setLastActivity,
} from './session.store.ts'
import { decideRefresh, type EndReason, successorOf } from './session-refresh.ts'
import { signAccessToken, type TokenSubject } from './session-token.ts'
import { signingKeysOf } from './signing-keys.ts'

type Issuing = Pick<FeatureContext, 'db' | 'clock' | 'config'>

/** New tokens, or the reason there are none: the session that this refresh ended, or no session. */
export type RefreshOutcome =
  | { kind: 'refreshed'; tokens: IssuedTokens }
  | { kind: 'ended'; sessionId: string; userId: number; reason: EndReason }
  | { kind: 'refused' }

/** Exchanges a refresh token for its successor and a new access token, as `decideRefresh` says. */
export async function refreshSession(
  { db, clock, config }: Issuing,
  { token, idleSeconds }: { token: string; idleSeconds: number | undefined },
): Promise<RefreshOutcome> {
  const now = clock.now()
  const secrets = await signingKeysOf(db).refreshSecrets()
  const hash = tokenHash(token)
  const outcome = await inTransaction(db, async (trx) => {
    const session = await lockSessionOfToken(trx, hash)
    if (!session) return { kind: 'refused' } as const
    const decision = decideRefresh(session, {
      tokenHash: hash,
      idleSeconds,
      now,
      inactivityLimitSeconds: config.inactivityLimitSeconds,
    })
    if (decision.kind === 'refuse') return { kind: 'refused' } as const
    if (decision.kind === 'end') {
      const { reason } = decision
      await endSessions(trx, { which: { sessionId: session.id }, reason, actor: { type: 'system' }, at: now })
      return { kind: 'ended', sessionId: session.id, userId: session.userId, reason } as const
    }
    const successor =
      decision.kind === 'rotate' ? await rotate(session) : repeatedSuccessor(session, { token, secrets })
    await setLastActivity(trx, { sessionId: session.id, at: decision.lastActivityAt })
    return { kind: 'refreshed', session, successor } as const

    async function rotate(rotating: FoundSession): Promise<string> {
      const [secret] = secrets
      if (!secret) throw new Error('There is no secret to derive refresh tokens from.')
      const next = successorOf(token, secret)
      await rotateSession(trx, { session: rotating, nextHash: tokenHash(next), at: now })
      return next
    }
  })
  if (outcome.kind !== 'refreshed') return outcome
  const { session, successor } = outcome
  return {
    kind: 'refreshed',
    tokens: {
      sessionId: session.id,
      accessToken: await signAccessToken({ db, clock, config }, { userId: session.userId, sessionId: session.id }),
      refreshToken: successor,
      expiresIn: config.accessTokenSeconds,
      user: { userId: String(session.userId), userName: session.userName, mail: session.mail },
    },
  }
}

/** Returns the successor issued before. Tries all secrets, because the secret may have been renewed in between. */
function repeatedSuccessor(session: FoundSession, { token, secrets }: { token: string; secrets: Buffer[] }): string {
  const successor = secrets
    .map((secret) => successorOf(token, secret))
    .find((candidate) => tokenHash(candidate).equals(session.refreshHash))
  if (successor === undefined) throw new Error('The successor of a refresh token could not be derived again.')
  return successor
}

/** Ends the session of a refresh token, or all sessions of its user. Returns those that were ended. */
export async function signOutByToken(
  { db, clock }: Pick<Issuing, 'db' | 'clock'>,
  { token, everywhere }: { token: string; everywhere: boolean },
): Promise<EndedSession[]> {
  return inTransaction(db, async (trx) => {
    const session = await lockSessionOfToken(trx, tokenHash(token))
    if (!session || session.endedAt) return []
    return signOut(trx, { userId: session.userId, sessionId: session.id, everywhere, at: clock.now() })
  })
}

/** Does the same for a caller with an access token and no cookie. */
export async function signOutByAccess(
  { db, clock }: Pick<Issuing, 'db' | 'clock'>,
  caller: TokenSubject & { everywhere: boolean },
): Promise<EndedSession[]> {
  return inTransaction(db, async (trx) => {
    // A token outlives its session by minutes; a token of an ended session must not end others.
    if (!(await findCaller(trx, caller))) return []
    return signOut(trx, { ...caller, at: clock.now() })
  })
}

function signOut(
  trx: Trx,
  { userId, sessionId, everywhere, at }: TokenSubject & { everywhere: boolean; at: Date },
): Promise<EndedSession[]> {
  const which = everywhere ? { userId } : { sessionId }
  return endSessions(trx, { which, reason: everywhere ? 'signed-out-everywhere' : 'signed-out', actor: null, at })
}
