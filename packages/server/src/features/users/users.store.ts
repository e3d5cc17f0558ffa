import type { Role } from '@benchwatch/contract/vocabulary'
import type { DataScope } from '../../db/actor.ts'
import { type AuditActor, recordAudit } from '../../db/audit.ts'
import type { Db } from '../../db/connect.ts'
import { fold } from '../../db/fold.ts'

export interface NewUser {
  /** What is typed at sign-in: an e-mail address. Kept in lower case. */
  login: string
  name: string | null
  email: string
  msisdn: string | null
  role: Role
  scope: DataScope
  /** PHC text of `hashPassword`; null for an account that can't sign in by password. */
  passwordHash: string | null
  /** A code by SMS at each sign-in; takes a number. */
  smsMfa?: boolean
  /** The password only opens the step in which its owner sets one, until `temporaryPasswordUntil` where that is given. */
  mustChangePassword?: boolean
  temporaryPasswordUntil?: Date
}

/**
 * Adds a user with their data scope, inside the caller's transaction. Returns the new id, or undefined when the login
 * is taken.
 */
export async function insertUser(
  trx: Db,
  { user, actor, at }: { user: NewUser; actor: AuditActor; at: Date },
): Promise<number | undefined> {
  const login = user.login.toLowerCase()
  const row = await trx
    .insertInto('app_user')
    .values({
      login,
      name: user.name,
      name_folded: fold(user.name ?? ''),
      email: user.email,
      msisdn: user.msisdn,
      role: user.role,
      all_customers: user.scope === 'all',
      password_hash: user.passwordHash,
      sms_mfa: user.smsMfa ?? false,
      must_change_password: user.mustChangePassword ?? false,
      temporary_password_until: user.temporaryPasswordUntil ?? null,
      created_at: at,
    })
    .onConflict((conflict) => conflict.column('login').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!row) return undefined
  if (user.scope !== 'all' && user.scope.length > 0) {
    await trx
      .insertInto('user_customer')
      .values(user.scope.map((customerId) => ({ user_id: row.id, customer_id: customerId })))
      .execute()
  }
  await recordAudit(trx, { entityType: 'user', entityId: String(row.id), actor, at }, [
    { action: 'created', property: 'login', newValue: login },
    { action: 'created', property: 'role', newValue: user.role },
    { action: 'created', property: 'scope', newValue: user.scope === 'all' ? 'all' : user.scope.join(',') },
  ])
  return row.id
}
