import { type AuditActor, recordAudit } from '../../../db/audit.ts'
import type { Db, Trx } from '../../../db/connect.ts'
import { inTransaction } from '../../../db/transaction.ts'
import { problem } from '../../../platform/http/problem.ts'
import { type EndedSession, endSessions } from '../session/session.store.ts'
import { forgetChallenges } from './challenge.store.ts'
import { unlock } from './sign-in-failure.store.ts'

/** How long a mailed code is good. */
export const RESET_CODE_MINUTES = 10

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

/** Keeps the hash of the code that was mailed to somebody; the one before is void. */
export async function keepResetCode(
  trx: Trx,
  { userId, codeHash, at }: { userId: number; codeHash: Buffer; at: Date },
): Promise<void> {
  const reset = {
    code_hash: codeHash,
    tries: 0,
    created_at: at,
    expires_at: new Date(at.getTime() + RESET_CODE_MINUTES * 60_000),
  }
  await trx
    .insertInto('password_reset')
    .values({ user_id: userId, ...reset })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(reset))
    .execute()
}

/**
 * Whether this is the code that was mailed. A wrong one takes a try. Only who has the right code is told that it came
 * too late or after too many wrong ones: to all others a code that was mailed looks like one that never was.
 */
export async function judgeResetCode(
  db: Db,
  { userId, codeHash, maxTries, at }: { userId: number; codeHash: Buffer; maxTries: number; at: Date },
): Promise<'right' | 'wrong' | 'expired'> {
  return inTransaction(db, async (trx) => {
    const row = await trx
      .selectFrom('password_reset')
      .select(['code_hash', 'tries', 'expires_at'])
      .where('user_id', '=', userId)
      .forUpdate()
      .executeTakeFirst()
    if (!row) return 'wrong'
    if (row.code_hash.equals(codeHash)) return row.tries < maxTries && row.expires_at > at ? 'right' : 'expired'
    await trx
      .updateTable('password_reset')
      .set((eb) => ({ tries: eb('tries', '+', 1) }))
      .where('user_id', '=', userId)
      .execute()
    return 'wrong'
  })
}

/** Takes a code out of use; false when another one replaced it or somebody else used it first. */
export async function spendResetCode(
  trx: Trx,
  { userId, codeHash }: { userId: number; codeHash: Buffer },
): Promise<boolean> {
  const row = await trx
    .deleteFrom('password_reset')
    .where('user_id', '=', userId)
    .where('code_hash', '=', codeHash)
    .returning('user_id')
    .executeTakeFirst()
  return row !== undefined
}

/** A day longer than it is good, so that a late code is told from a wrong one. */
export async function forgetOldResets(db: Db, at: Date): Promise<void> {
  await db
    .deleteFrom('password_reset')
    .where('expires_at', '<', new Date(at.getTime() - 86_400_000))
    .execute()
}
