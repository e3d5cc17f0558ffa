import type { Db, Trx } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'

/** How long a mailed code is good. */
export const RESET_CODE_MINUTES = 10

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
