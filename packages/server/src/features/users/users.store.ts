import type { Role } from '@benchwatch/contract/vocabulary'
import type { DataScope } from '../../db/actor.ts'
import { type AuditActor, recordAudit } from '../../db/audit.ts'
import { changedProperties } from '../../db/changed-properties.ts'
import type { Trx } from '../../db/connect.ts'
import { fold } from '../../db/fold.ts'
import { customersOfUser, scopeOf } from './users.lookup.ts'

export interface NewUser {
  /** The e-mail address that the user types at sign-in, in lower case. */
  login: string
  name: string | null
  email: string
  msisdn: string | null
  role: Role
  scope: DataScope
  /** PHC string of `hashPassword`; null if the user cannot sign in with a password. */
  passwordHash: string | null
  /** True to require an SMS code at each sign-in; needs a phone number. */
  smsMfa?: boolean
  /** True if the password only opens the step that sets a new one, until `temporaryPasswordUntil` if given. */
  mustChangePassword?: boolean
  temporaryPasswordUntil?: Date
}

/**
 * Adds a user with their data scope, inside the caller's transaction. Returns the new id, or undefined if the login is
 * taken.
 */
export async function insertUser(
  trx: Trx,
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
  await addCustomers(trx, row.id, user.scope)
  await recordAudit(trx, { entityType: 'user', entityId: String(row.id), actor, at }, [
    { action: 'created', property: 'login', newValue: login },
    { action: 'created', property: 'role', newValue: user.role },
    { action: 'created', property: 'scope', newValue: scopeText(user.scope) },
  ])
  return row.id
}

/** Properties of a user that an administrator may replace. */
export interface ChangeableUser {
  name: string | null
  msisdn: string | null
  role: Role
  scope: DataScope
  smsMfa: boolean
  disabled: boolean
}

export interface LockedUser extends ChangeableUser {
  id: number
  login: string
  /** True if the identity provider keeps the account by SCIM. */
  isProvisioned: boolean
}

/**
 * Locks and returns the user with this id; undefined if there is none, for a deleted user, and for the system marker.
 */
export async function lockUser(trx: Trx, id: number): Promise<LockedUser | undefined> {
  const row = await trx
    .selectFrom('app_user as u')
    .select(['u.id', 'u.login', 'u.name', 'u.msisdn', 'u.role', 'u.all_customers', 'u.sms_mfa', 'u.disabled_at'])
    .select(customersOfUser)
    .leftJoin('scim_user as p', 'p.user_id', 'u.id')
    .select('p.follows_groups')
    .where('u.id', '=', id)
    .where('u.role', '<>', 'system')
    .where('u.deleted_at', 'is', null)
    .forUpdate('u')
    .executeTakeFirst()
  return (
    row && {
      id: row.id,
      login: row.login,
      name: row.name,
      msisdn: row.msisdn,
      role: row.role as Role,
      scope: scopeOf(row),
      smsMfa: row.sms_mfa,
      disabled: row.disabled_at !== null,
      isProvisioned: row.follows_groups === true,
    }
  )
}

/**
 * Replaces the properties that an administrator may replace; the caller must have locked the user. Writes one audit
 * log entry per property and returns the names of the changed properties.
 */
export async function replaceUser(
  trx: Trx,
  { before, after, actor, at }: { before: LockedUser; after: ChangeableUser; actor: AuditActor; at: Date },
): Promise<Set<string>> {
  const entries = changedProperties(asRecorded(before), asRecorded(after))
  const changed = new Set(entries.map(({ property = '' }) => property))
  if (changed.size === 0) return changed
  await trx
    .updateTable('app_user')
    .set({
      name: after.name,
      name_folded: fold(after.name ?? ''),
      msisdn: after.msisdn,
      role: after.role,
      all_customers: after.scope === 'all',
      sms_mfa: after.smsMfa,
      ...(changed.has('disabled') && { disabled_at: after.disabled ? at : null }),
    })
    .where('id', '=', before.id)
    .execute()
  if (changed.has('scope')) {
    await trx.deleteFrom('user_customer').where('user_id', '=', before.id).execute()
    await addCustomers(trx, before.id, after.scope)
  }
  await recordAudit(trx, { entityType: 'user', entityId: String(before.id), actor, at }, entries)
  return changed
}

/** Replaces a user's password by a temporary one and writes the audit log. */
export async function setTemporaryPassword(
  trx: Trx,
  {
    userId,
    passwordHash,
    until,
    actor,
    at,
  }: { userId: number; passwordHash: string; until: Date; actor: AuditActor; at: Date },
): Promise<void> {
  await trx
    .updateTable('app_user')
    .set({
      password_hash: passwordHash,
      must_change_password: true,
      temporary_password_until: until,
      password_changed_at: null,
    })
    .where('id', '=', userId)
    .execute()
  await recordAudit(trx, { entityType: 'user', entityId: String(userId), actor, at }, [{ action: 'invited' }])
}

async function addCustomers(trx: Trx, userId: number, scope: DataScope): Promise<void> {
  if (scope === 'all' || scope.length === 0) return
  await trx
    .insertInto('user_customer')
    .values(scope.map((customerId) => ({ user_id: userId, customer_id: customerId })))
    .execute()
}

function asRecorded(user: ChangeableUser): Record<string, string | null> {
  return {
    name: user.name,
    msisdn: user.msisdn,
    role: user.role,
    scope: scopeText(user.scope),
    smsMfa: String(user.smsMfa),
    disabled: String(user.disabled),
  }
}

/** Sorted ids, so that the same list in another order is not a change. */
function scopeText(scope: DataScope): string {
  return scope === 'all' ? 'all' : [...scope].sort((a, b) => a - b).join(',')
}
