import type { SecondFactor } from '@benchwatch/contract/users/account'
import type { UserActor } from '../../db/actor.ts'
import type { Trx } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import { problem } from '../../platform/http/problem.ts'
import type { Attempts, Origin } from '../auth/credentials/attempts.ts'
import { type Credential, findCredentialOfUser } from '../auth/credentials/credential.store.ts'
import { requireGoodPassword } from '../auth/credentials/new-password.ts'
import { codeIn } from '../auth/credentials/one-time-code.ts'
import { putPassword } from '../auth/credentials/password.store.ts'
import { hashPassword, passwordFits } from '../auth/credentials/password-hash.ts'
import {
  confirmTotp,
  findTotp,
  keepTotpSecret,
  recoveryCodesLeft,
  removeSecondFactor,
  renewRecoveryCodes,
  spendTotpStep,
} from '../auth/credentials/second-factor.store.ts'
import { acceptedStep, newTotpSecret, otpauthUrl } from '../auth/credentials/totp.ts'
import type { IdentityProvider } from '../auth/providers/identity-provider.ts'
import { type EndedSession, endSessions } from '../auth/session/session.store.ts'
import type { FeatureContext } from '../context.ts'
import { type FactorChange, passwordChangedMail, secondFactorChangedMail } from '../messages/mail-texts.ts'

export interface AccountNeeds extends Pick<FeatureContext, 'db' | 'clock' | 'config' | 'log' | 'messages'> {
  provider: IdentityProvider
  attempts: Attempts
}

/** Identifies the caller and the origin of the request. */
interface Request {
  caller: UserActor
  from: Origin
}

/**
 * Creates the service behind the account page. Lasting changes ask for the password again, so a stolen session is not
 * enough.
 */
export function createAccountService({ db, clock, config, log, messages, provider, attempts }: AccountNeeds) {
  return { endSession, changePassword, secondFactor, beginTotp, confirm, remove, renewCodes }

  /** Ends one of the caller's own sessions. Sessions of other users count as not found. */
  async function endSession(caller: UserActor, sessionId: string): Promise<EndedSession[]> {
    const ended = await inTransaction(db, (trx) =>
      endSessions(trx, {
        which: { sessionId, userId: caller.id },
        reason: 'signed-out',
        actor: caller,
        at: clock.now(),
      }),
    )
    if (ended.length === 0) throw problem('not-found', 'There is no such session. It may already have ended.')
    log.info({ user: caller.id, session: sessionId }, 'signed out from another session')
    return ended
  }

  /** Returns the sessions that were ended: all except the calling one. */
  async function changePassword(
    request: Request,
    { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
  ): Promise<EndedSession[]> {
    const { caller } = request
    const account = await ownCredential(request, currentPassword)
    await requireGoodPassword(newPassword, account)
    if (newPassword === currentPassword) {
      throw problem('password-policy', 'The new password is the same as the current one. Choose another.')
    }
    const passwordHash = await hashPassword(newPassword)
    const at = clock.now()
    const ended = await inTransaction(db, async (trx) => {
      const others = await putPassword(trx, {
        account,
        instead: account.passwordHash,
        passwordHash,
        reason: 'changed',
        actor: caller,
        at,
        keepSession: caller.sessionId,
      })
      const mail = passwordChangedMail({ login: account.login }, config)
      await messages.queue(trx, [{ ...mail, channel: 'email', to: account.email, template: 'password-changed' }], at)
      return others
    })
    log.info({ user: caller.id }, 'password changed')
    return ended
  }

  async function secondFactor(caller: UserActor): Promise<SecondFactor> {
    const account = await findCredentialOfUser(db, caller.id)
    return {
      isManagedHere: provider.kind === 'local',
      sms: account?.smsMfa ?? false,
      totp: account?.totp ?? false,
      recoveryCodesLeft: await recoveryCodesLeft(db, caller.id),
    }
  }

  async function beginTotp(request: Request, password: string): Promise<{ secret: string; otpauthUrl: string }> {
    const { userId, login } = await ownCredential(request, password)
    const secret = newTotpSecret()
    if (!(await keepTotpSecret(db, { userId, secret }))) {
      throw problem('bad-change', 'An authenticator app is already switched on. Switch it off first.')
    }
    return { secret, otpauthUrl: otpauthUrl(secret, { issuer: config.product, label: login }) }
  }

  async function confirm({ caller, from }: Request, typed: string): Promise<{ recoveryCodes: string[] }> {
    const code = codeIn(typed)
    if (code === undefined) throw problem('invalid-parameter', 'Enter the 6-digit code.')
    const account = await ownAccount(caller)
    const userId = caller.id
    await attempts.ofAccount({ login: account.login, from }, async () => {
      const totp = await findTotp(db, userId)
      if (!totp || totp.isConfirmed) throw nothingToConfirm()
      const step = acceptedStep(totp.secret, { code, at: clock.now(), lastStep: totp.lastStep })
      if (step === undefined || !(await spendTotpStep(db, { userId, step }))) {
        throw problem('wrong-code', 'Incorrect verification code.')
      }
    })
    const recoveryCodes = await changed({ account, caller, change: 'app-on' }, confirmTotp)
    if (!recoveryCodes) throw nothingToConfirm()
    return { recoveryCodes }
  }

  async function remove(request: Request, password: string): Promise<void> {
    const account = await ownCredential(request, password)
    const { caller } = request
    const isRemoved = await changed({ account, caller, change: 'app-off' }, async (trx, change) =>
      (await removeSecondFactor(trx, change)) ? true : undefined,
    )
    if (!isRemoved) throw problem('bad-change', 'There is no authenticator app to switch off.')
  }

  async function renewCodes(request: Request, password: string): Promise<{ recoveryCodes: string[] }> {
    const account = await ownCredential(request, password)
    const { caller } = request
    const recoveryCodes = await changed({ account, caller, change: 'recovery-codes' }, renewRecoveryCodes)
    if (!recoveryCodes) throw problem('bad-change', 'Recovery codes require an authenticator app. Switch one on first.')
    return { recoveryCodes }
  }

  /** Changes the second factor, writes the audit log and mails the owner. If nothing changed, no mail is sent. */
  async function changed<T>(
    { account, caller, change }: { account: Credential; caller: UserActor; change: FactorChange },
    work: (trx: Trx, change: { userId: number; actor: UserActor; at: Date }) => Promise<T | undefined>,
  ): Promise<T | undefined> {
    const at = clock.now()
    const result = await inTransaction(db, async (trx) => {
      const done = await work(trx, { userId: caller.id, actor: caller, at })
      if (done === undefined) return undefined
      const mail = secondFactorChangedMail({ login: account.login, change }, config)
      await messages.queue(
        trx,
        [{ ...mail, channel: 'email', to: account.email, template: 'second-factor-changed' }],
        at,
      )
      return done
    })
    if (result !== undefined) log.info({ user: caller.id, change }, 'second factor changed')
    return result
  }

  /** Returns the caller's credential after checking the password again. Failures count like failed sign-ins. */
  async function ownCredential({ caller, from }: Request, password: string): Promise<Credential> {
    const account = await ownAccount(caller)
    await attempts.ofAccount({ login: account.login, from }, async () => {
      if (!(await passwordFits(account.passwordHash, password))) {
        throw problem('bad-credentials', 'Wrong password. Enter the password you signed in with.')
      }
    })
    return account
  }

  async function ownAccount(caller: UserActor): Promise<Credential> {
    if (provider.kind !== 'local') {
      throw problem('bad-change', 'Your identity provider manages your password and second factor. Change them there.')
    }
    const account = await findCredentialOfUser(db, caller.id)
    if (!account) throw problem('session-expired', 'Session expired')
    return account
  }
}

function nothingToConfirm() {
  return problem('bad-change', 'There is no new authenticator app to confirm. Start again.')
}
