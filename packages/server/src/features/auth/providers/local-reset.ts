import { setTimeout as pause } from 'node:timers/promises'
import { takeTurn } from '../../../db/rate-limit.ts'
import { inTransaction } from '../../../db/transaction.ts'
import { problem } from '../../../platform/http/problem.ts'
import type { FeatureContext } from '../../context.ts'
import { passwordChangedMail, passwordResetMail } from '../../messages/mail-texts.ts'
import { NO_NAME } from '../../users/users.lookup.ts'
import { type Credential, findCredentialByEmail } from '../credentials/credential.store.ts'
import { requireGoodPassword } from '../credentials/new-password.ts'
import { codeIn, newCode } from '../credentials/one-time-code.ts'
import {
  judgeResetCode,
  keepResetCode,
  putPassword,
  RESET_CODE_MINUTES,
  spendResetCode,
} from '../credentials/password.store.ts'
import { hashPassword } from '../credentials/password-hash.ts'
import { keyedHash } from '../session/sealed-secret.ts'
import type { IdentityProvider } from './identity-provider.ts'

export type LocalNeeds = Pick<FeatureContext, 'db' | 'clock' | 'config' | 'messages'>

/** Mails to one user per hour. Further requests get the same response, so that no mailbox can be flooded. */
const MAILS_PER_HOUR = 5
/**
 * Minimum response time in milliseconds: several times the duration of the work, so that the response time does not
 * reveal whether the user exists. The work is almost identical in both cases.
 */
const NOT_BEFORE_MS = 100

/** Resets a forgotten password with a code sent by mail. */
export function localReset({
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
