import type { FeatureKey, Role } from '@benchwatch/contract/vocabulary'
import { type RawBuilder, sql } from 'kysely'
import { type DataScope, holds, type PersonActor, type UserActor } from '../../db/actor.ts'
import type { Db } from '../../db/connect.ts'
import { inScope } from '../../db/scoped.ts'
import { rowId } from '../../db/sql/wire-id.ts'

/** Shown for users without a name (document 1 section 3). */
export const NO_NAME = '(No name configured)'

/** A user who can be assigned an event, and the scope of that user. */
export interface AssignableUser {
  id: number
  name: string
  scope: DataScope
}

/**
 * Selects the users whom the caller may see and assign to, as `u`, by name: the enabled users that the caller may
 * know.
 */
export function visibleUsers(db: Db, caller: Pick<UserActor, 'role' | 'scope'>) {
  return knownUsers(db, caller).where('u.disabled_at', 'is', null)
}

/**
 * Selects the users that the caller may know, including disabled ones, as `u`, by name; never the system marker or
 * deleted users. A customer finds only users of the same customers. Other callers with a limited scope find users
 * whose scope has one of their customers, or all customers (3-decisions 3).
 */
export function knownUsers(db: Db, caller: Pick<UserActor, 'role' | 'scope'>) {
  const ofOwnCustomers = sql<boolean>`EXISTS (
    SELECT 1 FROM user_customer c WHERE c.user_id = u.id AND ${inScope(caller.scope, sql.ref('c.customer_id'))})`
  const users = everybody(db)
  if (caller.role === 'customer') return users.where('u.role', '=', 'customer').where(ofOwnCustomers)
  if (caller.scope === 'all') return users
  return users.where((eb) => eb.or([eb('u.all_customers', '=', true), ofOwnCustomers]))
}

/**
 * Selects the users whom an administrator may manage, including disabled ones, as `u`, by name: those who see no customer
 * that the administrator may not see.
 */
export function managedUsers(db: Db, { scope }: Pick<UserActor, 'scope'>) {
  const users = everybody(db)
  if (scope === 'all') return users
  return users.where('u.all_customers', '=', false).where(
    sql<boolean>`NOT EXISTS (
      SELECT 1 FROM user_customer c WHERE c.user_id = u.id AND NOT ${inScope(scope, sql.ref('c.customer_id'))})`,
  )
}

/** True if `managedUsers` selects the user. */
export function manages({ scope }: Pick<UserActor, 'scope'>, user: { scope: DataScope }): boolean {
  return scope === 'all' || (user.scope !== 'all' && user.scope.every((id) => holds(scope, id)))
}

/** Selects all users, never the system marker or deleted users. */
function everybody(db: Db) {
  return db
    .selectFrom('app_user as u')
    .where('u.role', '<>', 'system')
    .where('u.deleted_at', 'is', null)
    .orderBy('u.name_folded')
    .orderBy('u.id')
}

/** Returns the user with this wire id if the caller may assign to them; otherwise undefined, including for invalid ids. */
export async function findAssignable(
  db: Db,
  { caller, userId }: { caller: Pick<UserActor, 'role' | 'scope'>; userId: string },
): Promise<AssignableUser | undefined> {
  if (!/^[1-9]\d{0,8}$/.test(userId)) return undefined
  const row = await visibleUsers(db, caller)
    .where('u.id', '=', Number(userId))
    .select(['u.id', 'u.name', 'u.all_customers', customersOfUser])
    .executeTakeFirst()
  return row && { id: row.id, name: row.name ?? NO_NAME, scope: scopeOf(row) }
}

/** Returns a user's current account, for work outside a request; undefined if the user is disabled or deleted. */
export async function findPerson(db: Db, id: number): Promise<PersonActor | undefined> {
  const row = await db
    .selectFrom('app_user as u')
    .select(['u.id', 'u.name', 'u.role', 'u.all_customers', customersOfUser])
    .where('u.id', '=', id)
    .where('u.disabled_at', 'is', null)
    .where('u.role', '<>', 'system')
    .executeTakeFirst()
  return row && { type: 'user', id: row.id, name: row.name ?? NO_NAME, role: row.role as Role, scope: scopeOf(row) }
}

/** Returns those of these users whom the caller may see, each with the address for e-mails. Invalid ids are ignored. */
export async function findVisible(
  db: Db,
  { caller, userIds }: { caller: Pick<UserActor, 'role' | 'scope'>; userIds: readonly string[] },
): Promise<(AssignableUser & { email: string })[]> {
  const ids = userIds.map(rowId).filter((id) => id !== undefined)
  if (ids.length === 0) return []
  const rows = await visibleUsers(db, caller)
    .where('u.id', 'in', ids)
    .select(['u.id', 'u.name', 'u.email', 'u.all_customers', customersOfUser])
    .execute()
  return rows.map((row) => ({ id: row.id, name: row.name ?? NO_NAME, email: row.email, scope: scopeOf(row) }))
}

/** Returns true if the caller may see a user's address and number: the user, support and admin (wire 5). */
export function seesAddressOf(caller: Pick<UserActor, 'id' | 'role'>, userId: number | null): boolean {
  return caller.role === 'support' || caller.role === 'admin' || caller.id === userId
}

/** Returns the wire ids of the users whom the caller may assign to, by name. */
export async function assignableUserIds(db: Db, caller: Pick<UserActor, 'role' | 'scope'>): Promise<string[]> {
  const rows = await visibleUsers(db, caller).select('u.id').execute()
  return rows.map(({ id }) => String(id))
}

/** Selects the ids of the customers in the scope of user `u`, for `scopeOf`. */
export const customersOfUser = sql<number[]>`ARRAY(SELECT customer_id FROM user_customer WHERE user_id = u.id)`.as(
  'customer_ids',
)

/** Returns the data scope of a row of app_user with `customersOfUser`. */
export function scopeOf(row: { all_customers: boolean; customer_ids: number[] }): DataScope {
  return row.all_customers ? 'all' : row.customer_ids
}

/** Returns whether a flag is on for a user: the user's own value, else the deployment's, else off (3-decisions 5). */
export async function featureIsOn(db: Db, flag: FlagOfUser): Promise<boolean> {
  const row = await valueFor(db, flag).executeTakeFirst()
  return row?.value ?? false
}

/** The same as a condition in a query, evaluated once for any number of rows. */
export function ifFeatureIsOn(db: Db, flag: FlagOfUser): RawBuilder<boolean> {
  return sql<boolean>`coalesce(${valueFor(db, flag)}, false)`
}

interface FlagOfUser {
  userId: number
  key: FeatureKey
}

function valueFor(db: Db, { userId, key }: FlagOfUser) {
  return db
    .selectFrom('feature_flag')
    .select('value')
    .where('key', '=', key)
    .where((eb) => eb.or([eb('user_id', '=', userId), eb('user_id', 'is', null)]))
    .orderBy('user_id', (order) => order.asc().nullsLast())
    .limit(1)
}

/** Returns whether a flag is on for the deployment, for automatic actions of the product (3-decisions 5). */
export async function featureIsOnForDeployment(db: Db, key: FeatureKey): Promise<boolean> {
  const row = await db
    .selectFrom('feature_flag')
    .select('value')
    .where('key', '=', key)
    .where('user_id', 'is', null)
    .executeTakeFirst()
  return row?.value ?? false
}

/** Returns whether a flag is on for the deployment or for any single user (3-decisions 5). */
export async function featureIsOnForAnybody(db: Db, key: FeatureKey): Promise<boolean> {
  const row = await db
    .selectFrom('feature_flag')
    .select('key')
    .where('key', '=', key)
    .where('value', '=', true)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
