import { type AuditActor, recordAudit } from '../../../db/audit.ts'
import type { Db, Trx } from '../../../db/connect.ts'
import { inTransaction } from '../../../db/transaction.ts'
import { problem } from '../../../platform/http/problem.ts'
import { type EndedSession, endSessions } from '../session/session.store.ts'
import { forgetChallenges } from './challenge.store.ts'
import { unlock } from './sign-in-failure.store.ts'

/** Lifetime of a mailed code, in minutes. */
export const RESET_CODE_MINUTES = 10

interface NewPassword {
  account: { userId: number; login: string }
  /** The hash that the current password was checked against, if it was required. */
  instead?: string | null
  /** PHC string from `hashPassword`. */
  passwordHash: string
  /** The reason for the change: first sign-in, mailed code, or a signed-in user. */
  reason: 'first-sign-in' | 'reset' | 'changed'
  actor: AuditActor
  at: Date
  /** The session that changed the password; it stays open. */
  keepSession?: string
}

/**
 * Sets a password chosen by the user. Voids the temporary password and all codes, locks and challenges of the old one,
 * and ends all sessions except the named one. Returns the ended sessions. Throws `bad-credentials` if the current
 * password has changed in the meantime: a user who recovered an account must not lose it to a change that was in
 * flight.
 */
export async function putPassword(
  trx: Trx,
  { account, instead, passwordHash, reason, actor, at, keepSession }: NewPassword,
): Promise<EndedSession[]> {
  const { userId } = account
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
  if (numUpdatedRows === 0n) throw problem('bad-credentials', 'Your password was changed in the meantime.')
  await recordAudit(trx, { entityType: 'user', entityId: String(userId), actor, at }, [
    { action: 'update', property: 'password', reason },
  ])
  return voidOldAccess(trx, { account, at, keepSession })
}

interface OldAccess extends Pick<NewPassword, 'account' | 'at' | 'keepSession'> {
  /** Who ends the access, if not the user. */
  actor?: AuditActor
}

/** Ends all access that the old password granted. Safe to repeat. */
export async function voidOldAccess(
  trx: Trx,
  { account: { userId, login }, at, keepSession, actor }: OldAccess,
): Promise<EndedSession[]> {
  await trx.deleteFrom('password_reset').where('user_id', '=', userId).execute()
  await forgetChallenges(trx, login)
  await unlock(trx, login)
  return endSessions(trx, {
    which: { userId, except: keepSession },
    reason: 'password-changed',
    actor: actor ?? null,
    at,
  })
}

/** Stores the hash of a mailed code. The previous code becomes void. */
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
 * Returns the verdict on a mailed code. A wrong code uses up a try. Only the correct code gets the answer that it is
 * expired or had too many wrong tries; others cannot distinguish a mailed code from one that never existed.
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

/** Marks a code as used. Returns false if it was replaced or used first by another request. */
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

/** Deletes codes one day after they expire; until then a late code can be distinguished from a wrong one. */
export async function forgetOldResets(db: Db, at: Date): Promise<void> {
  await db
    .deleteFrom('password_reset')
    .where('expires_at', '<', new Date(at.getTime() - 86_400_000))
    .execute()
}
