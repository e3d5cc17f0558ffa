import { type AuditEntry, recordAudit } from '../../../db/audit.ts'
import type { Db } from '../../../db/connect.ts'
import { inTransaction } from '../../../db/transaction.ts'
import { keyedHash } from '../session/sealed-secret.ts'

/**
 * Consecutive failures by login name, whether or not the account exists. The name is stored as a keyed hash, because
 * people sometimes type their password into the name field.
 */

/** Duration of the first lock and of each further one, in minutes; the last value repeats (3-decisions 2). */
const LOCK_MINUTES = [1, 2, 4, 8, 15]

/** Returns the end of the lock of a name, or undefined if it is not locked. */
export async function lockedUntil(db: Db, { login, at }: { login: string; at: Date }): Promise<Date | undefined> {
  const row = await db
    .selectFrom('sign_in_failure')
    .select('locked_until')
    .where('login_hash', '=', await loginHash(db, login))
    .executeTakeFirst()
  return row?.locked_until && row.locked_until > at ? row.locked_until : undefined
}

/** Counts a failure. Returns the end of the lock if this failure locks the name. */
export async function countFailure(
  db: Db,
  { login, limit, at }: { login: string; limit: number; at: Date },
): Promise<Date | undefined> {
  const hash = await loginHash(db, login)
  return inTransaction(db, async (trx) => {
    const { failures } = await trx
      .insertInto('sign_in_failure')
      .values({ login_hash: hash, failures: 1, last_at: at })
      .onConflict((conflict) =>
        conflict
          .column('login_hash')
          .doUpdateSet((eb) => ({ failures: eb('sign_in_failure.failures', '+', 1), last_at: at })),
      )
      .returning('failures')
      .executeTakeFirstOrThrow()
    const ms = lockMs(failures, limit)
    if (ms === 0) return undefined
    const until = new Date(at.getTime() + ms)
    await trx.updateTable('sign_in_failure').set({ locked_until: until }).where('login_hash', '=', hash).execute()
    return until
  })
}

/** Writes the failure, and a lock that it causes, to the audit log of the account with this name, if any. */
export async function recordFailure(
  db: Db,
  { login, code, lockedUntil: until, at }: { login: string; code: string; lockedUntil: Date | undefined; at: Date },
): Promise<void> {
  if (login.includes('\u0000')) return
  await inTransaction(db, async (trx) => {
    const user = await trx.selectFrom('app_user').select('id').where('login', '=', login).forUpdate().executeTakeFirst()
    if (!user) return
    const entries: AuditEntry[] = [{ action: 'attempt-refused', reason: code }]
    if (until) entries.push({ action: 'locked', property: 'lockedUntil', newValue: until.toISOString() })
    await recordAudit(trx, { entityType: 'user', entityId: String(user.id), actor: { type: 'system' }, at }, entries)
  })
}

/** Forgets the failures of a name and lifts its lock. */
export async function unlock(db: Db, login: string): Promise<void> {
  await db
    .deleteFrom('sign_in_failure')
    .where('login_hash', '=', await loginHash(db, login))
    .execute()
}

/** Forgets failures after a day: guessing would be limited to a hundred tries a day either way. */
const FORGET_MS = 24 * 3_600_000

export async function forgetOldFailures(db: Db, at: Date): Promise<void> {
  await db
    .deleteFrom('sign_in_failure')
    .where('last_at', '<', new Date(at.getTime() - FORGET_MS))
    .execute()
}

/** Returns the keyed hash under which a name is stored. */
export function loginHash(db: Db, login: string): Promise<Buffer> {
  return keyedHash(db, { text: login.toLowerCase(), use: 'login' })
}

/**
 * Returns the duration of the lock after a failure in milliseconds, or 0. `failures` counts consecutive failures
 * including this one. Every failure from `limit` on locks the name, each time for longer.
 */
export function lockMs(failures: number, limit: number): number {
  if (failures < limit) return 0
  const step = Math.min(failures - limit, LOCK_MINUTES.length - 1)
  return (LOCK_MINUTES[step] ?? 0) * 60_000
}
