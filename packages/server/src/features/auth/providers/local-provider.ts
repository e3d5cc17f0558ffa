import { createHash, timingSafeEqual } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { MSISDN } from '@benchwatch/contract/patterns'
import { takeTurn } from '../../../db/rate-limit.ts'
import { inTransaction } from '../../../db/transaction.ts'
import { problem } from '../../../platform/http/problem.ts'
import type { FeatureContext } from '../../context.ts'
import {
  mfaCodeText,
  passwordChangedMail,
  passwordResetMail,
  secondFactorChangedMail,
} from '../../messages/mail-texts.ts'
import { NO_NAME } from '../../users/users.lookup.ts'
import {
  type Credential,
  findCredential,
  findCredentialByEmail,
  renewPasswordHash,
} from '../credentials/credential.store.ts'
import { requireGoodPassword } from '../credentials/new-password.ts'
import { codeIn, newCode, recoveryCodeIn } from '../credentials/one-time-code.ts'
import {
  judgeResetCode,
  keepResetCode,
  putPassword,
  RESET_CODE_MINUTES,
  spendResetCode,
} from '../credentials/password.store.ts'
import { hashPassword, isOutdated, passwordFits } from '../credentials/password-hash.ts'
import { findTotp, spendRecoveryCode, spendTotpStep } from '../credentials/second-factor.store.ts'
import { acceptedStep } from '../credentials/totp.ts'
import { keyedHash } from '../session/sealed-secret.ts'
import type { ChallengeKind, Credentials, IdentityProvider, PendingStep, Step } from './identity-provider.ts'

/** Lifetime of an SMS code, in minutes (document 1 section 9). */
export const SMS_CODE_MINUTES = 3
const DAY_SECONDS = 86_400

/** State of an open challenge, stored sealed. */
interface Kept {
  /** Hash of the password hash at the start; if the password changes, the challenge is void. */
  password: string
  /** The code sent: its keyed hash in base64, and its expiry. */
  code?: { hash: string; until: number }
}

/** Authenticates users against this server's own database: login, password and second factor. */
export function localProvider(needs: LocalNeeds): IdentityProvider {
  const { db, clock, config, messages } = needs
  return {
    kind: 'local',
    ...localReset(needs),

    signIn,

    async answer({ kind, login, state }, answer) {
      const kept = JSON.parse(state) as Kept
      const credential = await findCredential(db, login)
      if (!credential || kept.password !== passwordMark(credential)) throw challengeExpired()
      if (kind === 'NEW_PASSWORD_REQUIRED') return setOwnPassword(credential, answer)
      if (kind === 'SMS_MFA') await judgeSmsCode(kept, answer)
      else await judgeTotp(credential, answer)
      return identityOf(credential)
    },

    async resend({ kind, login, state }) {
      const credential = await findCredential(db, login)
      const { password } = JSON.parse(state) as Kept
      if (!credential || kind !== 'SMS_MFA' || password !== passwordMark(credential)) throw challengeExpired()
      return sendCode(credential)
    },
  }

  async function signIn({ userId, password }: Credentials): Promise<Step> {
    const login = userId.trim().toLowerCase()
    const credential = await findCredential(db, login)
    const passwordHash = credential?.passwordHash ?? null
    const fits = await passwordFits(passwordHash, password)
    if (!credential || passwordHash === null || !fits || isOver(credential)) {
      throw problem('bad-credentials', 'Incorrect username or password.')
    }
    if (isOutdated(passwordHash)) {
      const renewed = await hashPassword(password)
      // Another node may just have renewed it, or the password has changed: judge by the current hash.
      if (!(await renewPasswordHash(db, { login, from: passwordHash, to: renewed })))
        return signIn({ userId, password })
      credential.passwordHash = renewed
    }
    if (credential.mustChangePassword) {
      return { kind: 'challenge', pending: pendingOf('NEW_PASSWORD_REQUIRED', credential) }
    }
    return secondFactorOf(credential)
  }

  /** True if the password is a temporary one that has expired. */
  function isOver({ mustChangePassword, temporaryPasswordUntil }: Credential): boolean {
    return mustChangePassword && temporaryPasswordUntil !== null && temporaryPasswordUntil <= clock.now()
  }

  /** Prefers the app to SMS: it is the stronger of the two, and works where no text message arrives. */
  async function secondFactorOf(credential: Credential): Promise<Step> {
    const { totp, smsMfa } = credential
    if (totp) return { kind: 'challenge', pending: pendingOf('TOTP_MFA', credential) }
    if (smsMfa) return { kind: 'challenge', ...(await sendCode(credential)) }
    return identityOf(credential)
  }

  async function setOwnPassword(credential: Credential, password: string): Promise<Step> {
    const { userId, name } = credential
    if (!credential.mustChangePassword || isOver(credential)) throw challengeExpired()
    await requireGoodPassword(password, credential)
    if (await passwordFits(credential.passwordHash, password)) {
      throw problem('password-policy', 'This is your temporary password. Choose a new one.')
    }
    const passwordHash = await hashPassword(password)
    const actor = { type: 'user', id: userId, name: name ?? NO_NAME } as const
    await inTransaction(db, (trx) =>
      putPassword(trx, {
        account: credential,
        instead: credential.passwordHash,
        passwordHash,
        reason: 'first-sign-in',
        actor,
        at: clock.now(),
      }),
    )
    return secondFactorOf({ ...credential, passwordHash })
  }

  async function sendCode(credential: Credential): Promise<{ pending: PendingStep; delivery: string }> {
    const { msisdn } = credential
    if (msisdn === null || !MSISDN.test(msisdn)) {
      throw problem('bad-phone', 'Your account has no valid mobile number. Ask an administrator to correct it.')
    }
    await takeSms(msisdn)
    const code = newCode()
    await messages.sendNow({
      channel: 'sms',
      to: msisdn,
      text: mfaCodeText({ code, minutes: SMS_CODE_MINUTES }, config),
      template: 'mfa-code',
      isSecret: true,
    })
    const sent = {
      hash: (await hashOf(code)).toString('base64'),
      until: clock.now().getTime() + SMS_CODE_MINUTES * 60_000,
    }
    return { pending: pendingOf('SMS_MFA', credential, sent), delivery: masked(msisdn) }
  }

  /** Limits by phone number, not by account, because the cost and the nuisance fall on the number. */
  async function takeSms(msisdn: string): Promise<void> {
    const key = `sms:${(await keyedHash(db, { text: msisdn, use: 'msisdn' })).toString('base64')}`
    const turn = await takeTurn(db, {
      key,
      limit: config.limits.smsPerNumberAndDay,
      windowSeconds: DAY_SECONDS,
      at: clock.now(),
    })
    if (!turn.isAllowed) {
      throw problem('too-many-requests', 'Too many codes were sent to this number today. Try again tomorrow.', {
        retryAfter: turn.retryAfter,
      })
    }
  }

  async function judgeSmsCode({ code: sent }: Kept, typed: string): Promise<void> {
    const code = codeIn(typed)
    if (code === undefined) throw problem('invalid-parameter', 'Enter the 6-digit code.')
    if (!sent || clock.now().getTime() > sent.until) throw challengeExpired()
    if (!timingSafeEqual(await hashOf(code), Buffer.from(sent.hash, 'base64'))) throw wrongCode()
  }

  async function judgeTotp({ userId, login, name, email }: Credential, typed: string): Promise<void> {
    const at = clock.now()
    const code = codeIn(typed)
    if (code !== undefined) {
      const totp = await findTotp(db, userId)
      if (!totp?.isConfirmed) throw challengeExpired()
      const step = acceptedStep(totp.secret, { code, at, lastStep: totp.lastStep })
      if (step === undefined || !(await spendTotpStep(db, { userId, step }))) throw wrongCode()
      return
    }
    const letters = recoveryCodeIn(typed)
    if (letters === undefined) throw problem('invalid-parameter', 'Enter the 6-digit code or a recovery code.')
    await inTransaction(db, async (trx) => {
      const actor = { type: 'user', id: userId, name: name ?? NO_NAME } as const
      if (!(await spendRecoveryCode(trx, { userId, letters, actor, at }))) throw wrongCode()
      const mail = secondFactorChangedMail({ login, change: 'recovery-code-used' }, config)
      await messages.queue(trx, [{ ...mail, channel: 'email', to: email, template: 'second-factor-changed' }], at)
    })
  }

  function hashOf(code: string): Promise<Buffer> {
    return keyedHash(db, { text: code, use: 'sms-code' })
  }
}

function identityOf({ login, passwordHash }: Credential): Step {
  return { kind: 'identity', identity: { login, ...(passwordHash !== null && { passwordHash }) } }
}

function pendingOf(kind: ChallengeKind, credential: Credential, code?: Kept['code']): PendingStep {
  const kept: Kept = { password: passwordMark(credential), ...(code && { code }) }
  return { kind, login: credential.login, state: JSON.stringify(kept) }
}

/** Identifies the password of an account without revealing anything to test guesses against. */
function passwordMark({ passwordHash }: Credential): string {
  return createHash('sha256')
    .update(passwordHash ?? '')
    .digest('base64')
}

/** Shows enough to recognise the phone, too little to call it: `••• ••• 03`. */
function masked(msisdn: string): string {
  return `••• ••• ${msisdn.slice(-2)}`
}

function challengeExpired() {
  return problem('challenge-expired', 'MFA Token has expired, please resend code.')
}

function wrongCode() {
  return problem('wrong-code', 'Incorrect verification code.')
}

type LocalNeeds = Pick<FeatureContext, 'db' | 'clock' | 'config' | 'messages'>

/** Mails to one user per hour. Further requests get the same response, so that no mailbox can be flooded. */
const MAILS_PER_HOUR = 5
/**
 * Minimum response time in milliseconds: several times the duration of the work, so that the response time does not
 * reveal whether the user exists. The work is almost identical in both cases.
 */
const NOT_BEFORE_MS = 100

/** Resets a forgotten password with a code sent by mail. */
function localReset({
  db,
  clock,
  config,
  messages,
}: LocalNeeds): Pick<IdentityProvider, 'forgotPassword' | 'confirmForgotPassword'> {
  return {
    async forgotPassword(email) {
      // Checked first, for all requests: otherwise "busy" would reveal that the user exists.
      if (await messages.isMailBusy()) {
        throw problem('mail-busy', 'Mail service is busy, please try again later.', { retryAfter: 60 })
      }
      await inNoLessTime(() => mailCode(email.toLowerCase()))
    },
    confirmForgotPassword: (reset) => inNoLessTime(() => setByCode(reset)),
  }

  async function mailCode(email: string): Promise<void> {
    const at = clock.now()
    const code = newCode()
    const [credential, codeHash, key] = [await findReachable(email), await hashOf(code), await limitKey(email)]
    await inTransaction(db, async (trx) => {
      const turn = await takeTurn(trx, { key, limit: MAILS_PER_HOUR, windowSeconds: 3600, at })
      if (!turn.isAllowed || !credential) return
      await keepResetCode(trx, { userId: credential.userId, codeHash, at })
      const mail = {
        ...passwordResetMail({ code, minutes: RESET_CODE_MINUTES }, config),
        channel: 'email',
        to: credential.email,
        template: 'password-reset',
        isSecret: true,
        giveUpAt: new Date(at.getTime() + RESET_CODE_MINUTES * 60_000),
      } as const
      await messages.queue(trx, [mail], at)
    })
  }

  async function setByCode({ email, code: typed, newPassword }: Reset): Promise<{ login: string }> {
    const code = codeIn(typed)
    if (code === undefined) throw problem('invalid-parameter', 'Enter the 6-digit code.')
    const [credential, codeHash] = [await findReachable(email.toLowerCase()), await hashOf(code)]
    const maxTries = config.limits.codeTries
    const verdict = await judgeResetCode(db, {
      userId: credential?.userId ?? 0,
      codeHash,
      maxTries,
      at: clock.now(),
    })
    if (!credential || verdict === 'wrong') throw problem('wrong-code', 'Incorrect verification code.')
    if (verdict === 'expired') throw codeExpired()
    await requireGoodPassword(newPassword, credential)
    const passwordHash = await hashPassword(newPassword)
    const at = clock.now()
    const actor = { type: 'user', id: credential.userId, name: credential.name ?? NO_NAME } as const
    await inTransaction(db, async (trx) => {
      if (!(await spendResetCode(trx, { userId: credential.userId, codeHash }))) throw codeExpired()
      await putPassword(trx, { account: credential, passwordHash, reason: 'reset', actor, at })
      const mail = passwordChangedMail({ login: credential.login }, config)
      await messages.queue(trx, [{ ...mail, channel: 'email', to: credential.email, template: 'password-changed' }], at)
    })
    return { login: credential.login }
  }

  /** Returns the credential of a user who has a password here and may set another one. */
  async function findReachable(email: string): Promise<Credential | undefined> {
    const credential = await findCredentialByEmail(db, email)
    return credential?.passwordHash === null ? undefined : credential
  }

  function hashOf(code: string): Promise<Buffer> {
    return keyedHash(db, { text: code, use: 'reset-code' })
  }

  async function limitKey(email: string): Promise<string> {
    return `password-reset:${(await keyedHash(db, { text: email, use: 'login' })).toString('base64')}`
  }
}

type Reset = Parameters<IdentityProvider['confirmForgotPassword']>[0]

function codeExpired() {
  return problem('code-expired', 'The verification code has expired, please resend the code.')
}

/** Runs the work and delays its result, or its error, until the minimum time has passed. */
async function inNoLessTime<T>(work: () => Promise<T>): Promise<T> {
  const [result] = await Promise.allSettled([work(), pause(NOT_BEFORE_MS)])
  if (result.status === 'rejected') throw result.reason
  return result.value
}
