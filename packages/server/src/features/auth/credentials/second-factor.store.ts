import { type AuditActor, recordAudit } from '../../../db/audit.ts'
import type { Db, Trx } from '../../../db/connect.ts'
import { tokenHash } from '../../../platform/secret-token.ts'
import { seal, unseal } from '../session/sealed-secret.ts'
import { newRecoveryCode, RECOVERY_CODES, recoveryCodeIn } from './one-time-code.ts'

interface Totp {
  secret: string
  isConfirmed: boolean
  /** Time step of the last accepted code. */
  lastStep: number
}

export async function findTotp(db: Db, userId: number): Promise<Totp | undefined> {
  const row = await db
    .selectFrom('app_user')
    .select(['totp_secret', 'totp_confirmed_at', 'totp_last_step'])
    .where('id', '=', userId)
    .executeTakeFirst()
  if (!row?.totp_secret) return undefined
  return {
    secret: await unseal(db, { sealed: row.totp_secret, use: sealUse(userId) }),
    isConfirmed: row.totp_confirmed_at !== null,
    lastStep: row.totp_last_step,
  }
}

/** Stores a secret that takes effect when it is confirmed. Returns false if a confirmed secret exists. */
export async function keepTotpSecret(db: Db, { userId, secret }: { userId: number; secret: string }): Promise<boolean> {
  const sealed = await seal(db, { text: secret, use: sealUse(userId) })
  const row = await db
    .updateTable('app_user')
    .set({ totp_secret: sealed })
    .where('id', '=', userId)
    .where('totp_confirmed_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Records the time step of an accepted code. Returns false if this or a later step was used in the meantime. */
export async function spendTotpStep(db: Db, { userId, step }: { userId: number; step: number }): Promise<boolean> {
  const row = await db
    .updateTable('app_user')
    .set({ totp_last_step: step })
    .where('id', '=', userId)
    .where('totp_last_step', '<', step)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

interface Change {
  userId: number
  actor: AuditActor
  at: Date
}

/** Activates the stored secret. Returns the recovery codes, or undefined if there was nothing to confirm. */
export async function confirmTotp(trx: Trx, { userId, actor, at }: Change): Promise<string[] | undefined> {
  const row = await trx
    .updateTable('app_user')
    .set({ totp_confirmed_at: at })
    .where('id', '=', userId)
    .where('totp_secret', 'is not', null)
    .where('totp_confirmed_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (!row) return undefined
  await record(trx, { userId, actor, at }, { oldValue: null, newValue: 'authenticator app' })
  return putRecoveryCodes(trx, userId)
}

/** Removes the authenticator app and recovery codes of an account. Returns false if there was no app. */
export async function removeSecondFactor(trx: Trx, { userId, actor, at }: Change): Promise<boolean> {
  const row = await trx
    .updateTable('app_user')
    .set({ totp_secret: null, totp_confirmed_at: null, totp_last_step: 0 })
    .where('id', '=', userId)
    .where('totp_confirmed_at', 'is not', null)
    .returning('id')
    .executeTakeFirst()
  await trx.deleteFrom('recovery_code').where('user_id', '=', userId).execute()
  if (row) await record(trx, { userId, actor, at }, { oldValue: 'authenticator app', newValue: null })
  return row !== undefined
}

/** Replaces all recovery codes. Returns undefined if the account has no authenticator app. */
export async function renewRecoveryCodes(trx: Trx, { userId, actor, at }: Change): Promise<string[] | undefined> {
  const user = await trx
    .selectFrom('app_user')
    .select('totp_confirmed_at')
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirst()
  if (!user?.totp_confirmed_at) return undefined
  await recordAudit(trx, { entityType: 'user', entityId: String(userId), actor, at }, [
    { action: 'update', property: 'recoveryCodes' },
  ])
  return putRecoveryCodes(trx, userId)
}

/** Uses up a recovery code. Returns false if it does not belong to this account or was used. */
export async function spendRecoveryCode(
  trx: Trx,
  { userId, letters, actor, at }: Change & { letters: string },
): Promise<boolean> {
  // Locks the user before the codes, in the same order as the functions that replace codes.
  await trx.selectFrom('app_user').select('id').where('id', '=', userId).forUpdate().execute()
  const row = await trx
    .updateTable('recovery_code')
    .set({ used_at: at })
    .where('user_id', '=', userId)
    .where('code_hash', '=', tokenHash(letters))
    .where('used_at', 'is', null)
    .returning('user_id')
    .executeTakeFirst()
  if (!row) return false
  await recordAudit(trx, { entityType: 'user', entityId: String(userId), actor, at }, [
    { action: 'update', property: 'recoveryCodes', reason: 'used' },
  ])
  return true
}

export async function recoveryCodesLeft(db: Db, userId: number): Promise<number> {
  const { left } = await db
    .selectFrom('recovery_code')
    .select((eb) => eb.fn.countAll<number>().as('left'))
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(left)
}

async function putRecoveryCodes(trx: Trx, userId: number): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode)
  await trx.deleteFrom('recovery_code').where('user_id', '=', userId).execute()
  await trx
    .insertInto('recovery_code')
    .values(codes.map((code) => ({ user_id: userId, code_hash: tokenHash(recoveryCodeIn(code) ?? '') })))
    .execute()
  return codes
}

async function record(
  trx: Trx,
  { userId, actor, at }: Change,
  change: { oldValue: string | null; newValue: string | null },
): Promise<void> {
  await recordAudit(trx, { entityType: 'user', entityId: String(userId), actor, at }, [
    { action: 'update', property: 'secondFactor', ...change },
  ])
}

function sealUse(userId: number): string {
  return `totp-secret/${userId}`
}
