import { type AuditActor, recordAudit } from '../../db/audit.ts'
import type { Trx } from '../../db/connect.ts'
import { problem } from '../../platform/http/problem.ts'
import { forgetChallenges } from './challenge.store.ts'
import { type EndedSession, endSessions } from './session.store.ts'
import { unlock } from './sign-in-failure.store.ts'

interface NewPassword {
  account: { userId: number; login: string }
  /** The hash against which the current password was held, where it was asked for. */
  instead?: string | null
  /** PHC text of `hashPassword`. */
  passwordHash: string
  /** How it came to be: at the first sign-in, with a mailed code, or by the user who is signed in. */
  reason: 'first-sign-in' | 'reset' | 'changed'
  actor: AuditActor
  at: Date
  /** The session from which it was changed goes on. */
  keepSession?: string
}

/**
 * Puts a password of the user's own in force: the temporary one, codes, locks and steps of signing in of the old one are
 * worth nothing any more, and all sessions but the named one end. Returns those. Throws `bad-credentials` when the
 * current password is another one meanwhile: who took an account back must not lose it to a change that was under way.
 */
export async function putPassword(
  trx: Trx,
  { account, instead, passwordHash, reason, actor, at, keepSession }: NewPassword,
): Promise<EndedSession[]> {
  const { userId, login } = account
  const { numUpdatedRows } = await trx
    .updateTable('app_user')
    .set({
      password_hash: passwordHash,
      must_change_password: false,
      temporary_password_until: null,
      password_changed_at: at,
    })
    .where('id', '=', userId)
    .$if(instead !== undefined, (query) => query.where('password_hash', 'is not distinct from', instead ?? null))
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw problem('bad-credentials', 'Your password was changed meanwhile.')
  await recordAudit(trx, { entityType: 'user', entityId: String(userId), actor, at }, [
    { action: 'update', property: 'password', reason },
  ])
  return voidOldAccess(trx, { account: { userId, login }, at, ...(keepSession !== undefined && { keepSession }) })
}

interface OldAccess extends Pick<NewPassword, 'account' | 'at' | 'keepSession'> {
  /** Who ends it, where it is not the user. */
  actor?: AuditActor
}

/** Ends what the old password opened. Safe to repeat. */
export async function voidOldAccess(
  trx: Trx,
  { account: { userId, login }, at, keepSession, actor }: OldAccess,
): Promise<EndedSession[]> {
  await trx.deleteFrom('password_reset').where('user_id', '=', userId).execute()
  await forgetChallenges(trx, login)
  await unlock(trx, login)
  const which = { userId, ...(keepSession !== undefined && { except: keepSession }) }
  return endSessions(trx, { which, reason: 'password-changed', actor: actor ?? null, at })
}
