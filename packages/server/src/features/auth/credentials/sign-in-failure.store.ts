import { type AuditEntry, recordAudit } from '../../../db/audit.ts'
import type { Db } from '../../../db/connect.ts'
import { inTransaction } from '../../../db/transaction.ts'
import { keyedHash } from '../session/sealed-secret.ts'

/**
 * Failures in a row of a login name, whether or not there is such an account. The name is kept as a keyed hash, because
 * people type their password where the name belongs.
 */

/** How long the first lock lasts, and each further one; the last stays (3-decisions 2). */
const LOCK_MINUTES = [1, 2, 4, 8, 15]

/** Until when a name is locked; undefined when it isn't. */
export async function lockedUntil(db: Db, { login, at }: { login: string; at: Date }): Promise<Date | undefined> {
  const row = await db
    .selectFrom('sign_in_failure')
    .select('locked_until')
    .where('login_hash', '=', await loginHash(db, login))
    .executeTakeFirst()
  return row?.locked_until && row.locked_until > at ? row.locked_until : undefined
}

/** Counts one more failure; returns until when it locks the name, if it does. */
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

/** Writes into the record of an account, if there is one of this name, that somebody failed, and that it is locked. */
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

/** A row that nobody added to for a day is over: guessing would go on at a hundred tries a day anyhow. */
const FORGET_MS = 24 * 3_600_000

export async function forgetOldFailures(db: Db, at: Date): Promise<void> {
  await db
    .deleteFrom('sign_in_failure')
    .where('last_at', '<', new Date(at.getTime() - FORGET_MS))
    .execute()
}

/** What a name is kept as. */
export function loginHash(db: Db, login: string): Promise<Buffer> {
  return keyedHash(db, { text: login.toLowerCase(), use: 'login' })
}

/**
 * For how long a name is locked by its latest failure, in milliseconds; 0 when it isn't. `failures` are those in a row,
 * with this one; `limit` of them lock, and once a lock has passed each further one locks again, for longer.
 */
export function lockMs(failures: number, limit: number): number {
  if (failures < limit) return 0
  const step = Math.min(failures - limit, LOCK_MINUTES.length - 1)
  return (LOCK_MINUTES[step] ?? 0) * 60_000
}
