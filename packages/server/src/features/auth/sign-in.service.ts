import { emailAddress } from '@benchwatch/contract/primitives'
import { inTransaction } from '../../db/transaction.ts'
import { ProblemError, problem } from '../../platform/http/problem.ts'
import type { FeatureContext } from '../context.ts'
import { type Attempts, countRequest, type Origin } from './credentials/attempts.ts'
import {
  createChallenge,
  findChallenge,
  giveTryBack,
  replaceChallengeState,
  spendChallenge,
  takeTry,
} from './credentials/challenge.store.ts'
import { findCredential } from './credentials/credential.store.ts'
import { voidOldAccess } from './credentials/password.store.ts'
import { unlock } from './credentials/sign-in-failure.store.ts'
import type { ChallengeKind, Credentials, Identity, IdentityProvider, Step } from './providers/identity-provider.ts'
import { createSession, type EndedSession, type IssuedTokens } from './session/session.store.ts'

/** The result of a sign-in step: a session, or the next step. */
export type Outcome =
  | { kind: 'tokens'; tokens: IssuedTokens }
  | { kind: 'challenge'; challenge: ChallengeKind; challengeToken: string; delivery?: string }

/** An answer to a step; `kinds` are the kinds of challenge that the caller's route accepts. */
interface Answer {
  challengeToken: string
  answer: string
  kinds: readonly ChallengeKind[]
}

export interface SignIn {
  signIn(credentials: Credentials, from: Origin): Promise<Outcome>
  answer(answer: Answer, from: Origin): Promise<Outcome>
  resend(challengeToken: string, from: Origin): Promise<void>
  forgotPassword(email: string, from: Origin): Promise<void>
  /** Returns the sessions that were ended. */
  confirmForgotPassword(
    reset: { email: string; code: string; newPassword: string },
    from: Origin,
  ): Promise<EndedSession[]>
  /** Creates a session for a user confirmed by the provider. Throws `bad-credentials` if there is no account. */
  begin(identity: Identity, from: Origin): Promise<IssuedTokens>
}

interface Needs extends Pick<FeatureContext, 'db' | 'clock' | 'config' | 'log'> {
  provider: IdentityProvider
  attempts: Attempts
}

/** Implements sign-in in steps for all identity providers (document 1 sections 4 and 5, 3-decisions 2). */
export function createSignIn({ db, clock, config, log, provider, attempts }: Needs): SignIn {
  return {
    signIn(credentials, from) {
      const login = loginOf(credentials.userId)
      return attempts.ofAccount({ login, from }, async () =>
        proceed(await provider.signIn(credentials), { login, from }),
      )
    },

    async answer({ challengeToken, answer, kinds }, from) {
      const { pending } = await waitingStep(challengeToken, kinds)
      const { login } = pending
      return attempts.ofAccount({ login, from }, async () => {
        if (!(await takeTry(db, { challengeToken, limit: config.limits.codeTries }))) throw challengeExpired()
        const step = await provider.answer(pending, answer).catch(async (error: unknown) => {
          const isGuess = error instanceof ProblemError && error.code === 'wrong-code'
          if (!isGuess) await giveTryBack(db, challengeToken)
          throw error
        })
        if (!(await wasLast(challengeToken, pending.kind))) throw challengeExpired()
        return proceed(step, { login, from })
      })
    },

    async resend(challengeToken, from) {
      const { pending } = await waitingStep(challengeToken, ['SMS_MFA'])
      await attempts.ofAccount({ login: pending.login, from }, async () => {
        // Read again: another request for the same step may have come just before.
        const { askedAt } = await waitingStep(challengeToken, ['SMS_MFA'])
        const at = clock.now()
        const waitMs = askedAt.getTime() + config.limits.codeResendSeconds * 1000 - at.getTime()
        if (waitMs > 0) {
          throw problem(
            'too-many-requests',
            'A code was sent just now. Wait a few seconds before you ask for another.',
            {
              retryAfter: Math.ceil(waitMs / 1000),
            },
          )
        }
        const { pending: next } = await provider.resend(pending)
        await replaceChallengeState(db, { challengeToken, state: next.state, at })
        log.info({ from: from.address, requestId: from.requestId }, 'another code sent')
      })
    },

    forgotPassword(email, from) {
      const address = emailIn(email)
      return attempts.ofAddress(from, async () => {
        await countResetRequest(from)
        await provider.forgotPassword(address)
        log.info({ from: from.address, requestId: from.requestId }, 'password reset code requested')
      })
    },

    confirmForgotPassword(reset, from) {
      const email = emailIn(reset.email)
      return attempts.ofAddress(from, async () => {
        const { login } = await provider.confirmForgotPassword({ ...reset, email })
        const account = await findCredential(db, login)
        log.info({ user: account?.userId, from: from.address, requestId: from.requestId }, 'password set with a code')
        if (!account) return []
        // This server's own provider ended the sessions together with the password change; other providers know
        // nothing about sessions here.
        return inTransaction(db, (trx) => voidOldAccess(trx, { account, at: clock.now() }))
      })
    },

    begin,
  }

  /** Limits reset requests by address, whether or not the user exists, so that mailboxes cannot be flooded. */
  async function countResetRequest(from: Origin): Promise<void> {
    const limit = config.limits.signInFailuresPerAddress
    await countRequest({ db, clock }, { name: 'password-reset-wishes', from, limit })
  }

  async function waitingStep(challengeToken: string, kinds: readonly ChallengeKind[]) {
    const found = await findChallenge(db, { challengeToken, at: clock.now() })
    if (!found || !kinds.includes(found.pending.kind)) throw challengeExpired()
    return found
  }

  /** Marks an answered step as used. A new password has already voided all steps of its account. */
  async function wasLast(challengeToken: string, kind: ChallengeKind): Promise<boolean> {
    const used = await spendChallenge(db, { challengeToken, at: clock.now() })
    return used || kind === 'NEW_PASSWORD_REQUIRED'
  }

  async function proceed(step: Step, { login, from }: { login: string; from: Origin }): Promise<Outcome> {
    if (step.kind === 'identity') {
      const tokens = await begin(step.identity, from)
      await unlock(db, login)
      return { kind: 'tokens', tokens }
    }
    const { pending, delivery } = step
    const { challengeToken } = await createChallenge(db, { pending, at: clock.now() })
    log.info({ step: pending.kind, from: from.address, requestId: from.requestId }, 'sign-in requires another step')
    return { kind: 'challenge', challenge: pending.kind, challengeToken, delivery }
  }

  async function begin(identity: Identity, from: Origin): Promise<IssuedTokens> {
    const { login, ...proof } = identity
    const account = await findCredential(db, login)
    if (!account) throw problem('bad-credentials', 'Incorrect username or password.')
    const tokens = await createSession({ db, clock, config }, { userId: account.userId, from, ...proof })
    log.info({ user: account.userId, session: tokens.sessionId, requestId: from.requestId }, 'signed in')
    return tokens
  }
}

function loginOf(userId: string): string {
  return userId.trim().toLowerCase()
}

function emailIn(typed: string): string {
  const email = typed.trim()
  if (!emailAddress.safeParse(email).success) throw problem('wrong-user-ids', 'Wrong userIds parameter.')
  return email
}

function challengeExpired() {
  return problem('challenge-expired', 'MFA Token has expired, please resend code.')
}
