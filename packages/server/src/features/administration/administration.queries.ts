import type { Account, ApiToken, FeatureFlag } from '@benchwatch/contract/administration/administration'
import { type ApiTokenScope, type FeatureKey, featureKeys, type Role } from '@benchwatch/contract/vocabulary'
import { sql } from 'kysely'
import type { UserActor } from '../../db/actor.ts'
import type { Db } from '../../db/connect.ts'
import { holdsWords } from '../../db/sql/words.ts'
import { locksOf } from '../auth/auth.lookup.ts'
import type { FeatureContext } from '../context.ts'
import { managedUsers, NO_NAME } from '../users/users.lookup.ts'

interface Reading {
  at: Date
  config: Pick<FeatureContext['config'], 'identity' | 'scim'>
}

/** The administrator who asks; see `managedUsers`. */
type Manager = Pick<UserActor, 'scope'>

interface Page extends Reading {
  caller: Manager
  keyword: string | undefined
  limit: number
  offset: number
}

/**
 * Returns a page of the users whom the caller manages, by name, and the total. All words of the keyword must occur in
 * name or e-mail.
 */
export async function listAccounts(
  db: Db,
  { caller, keyword, limit, offset, ...reading }: Page,
): Promise<{ values: Account[]; total: number }> {
  const people = await managedUsers(db, caller).select(['u.id', 'u.name', 'u.login']).execute()
  const found = keyword ? people.filter(namedLike(keyword)) : people
  const ids = found.slice(offset, offset + limit).map(({ id }) => id)
  return { values: await readAccounts(db, { caller, ids, ...reading }), total: found.length }
}

/** Returns one user whom the caller manages, or undefined. */
export async function findAccountById(
  db: Db,
  { id, ...reading }: Reading & { id: number; caller: Manager },
): Promise<Account | undefined> {
  return (await readAccounts(db, { ids: [id], ...reading }))[0]
}

/** Returns the number of enabled administrators of all customers, not counting one account. */
export async function otherAdministrators(db: Db, id: number): Promise<number> {
  const row = await db
    .selectFrom('app_user')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('role', '=', 'admin')
    .where('all_customers', '=', true)
    .where('disabled_at', 'is', null)
    .where('id', '<>', id)
    .executeTakeFirstOrThrow()
  return row.count
}

/** Returns customer IDs by key. Unknown keys are missing from the map. */
export async function customerIds(db: Db, keys: readonly string[]): Promise<Map<string, number>> {
  if (keys.length === 0) return new Map()
  const rows = await db
    .selectFrom('customer')
    .select(['id', 'key'])
    .where('key', 'in', [...keys])
    .execute()
  return new Map(rows.map(({ id, key }) => [key, id]))
}

function namedLike(keyword: string): (person: { name: string | null; login: string }) => boolean {
  const matches = holdsWords(keyword)
  return ({ name, login }) => matches(`${name ?? ''} ${login}`)
}

const ownCustomers = sql<{ key: string; name: string }[]>`coalesce((
  SELECT json_agg(json_build_object('key', c.key, 'name', c.name) ORDER BY c.name_folded, c.id)
  FROM user_customer m JOIN customer c ON c.id = m.customer_id WHERE m.user_id = u.id), '[]')`.as('customers')

const ownFlags = sql<{ key: FeatureKey; value: boolean }[]>`coalesce((
  SELECT json_agg(json_build_object('key', f.key, 'value', f.value) ORDER BY f.key)
  FROM feature_flag f WHERE f.user_id = u.id), '[]')`.as('flags')

async function readAccounts(
  db: Db,
  { caller, ids, at, config }: Reading & { caller: Manager; ids: readonly number[] },
): Promise<Account[]> {
  if (ids.length === 0) return []
  const rows = await managedUsers(db, caller)
    .where('u.id', 'in', [...ids])
    .select(['u.id', 'u.login', 'u.name', 'u.msisdn', 'u.role', 'u.all_customers', 'u.sms_mfa', 'u.totp_confirmed_at'])
    .select(['u.must_change_password', 'u.disabled_at', 'u.created_at', 'u.last_signed_in_at', ownCustomers, ownFlags])
    .leftJoin('scim_user as p', 'p.user_id', 'u.id')
    .select('p.follows_groups')
    .execute()
  const locks = await locksOf(db, { logins: rows.map(({ login }) => login), at })
  return rows.map((row) => {
    const lockedUntil = locks.get(row.login) ?? null
    // Where another provider keeps the passwords, users count as invited until they first sign in.
    const isInvited = config.identity.provider === 'local' ? row.must_change_password : row.last_signed_in_at === null
    return {
      id: String(row.id),
      userId: row.login,
      name: row.name,
      msisdn: row.msisdn,
      role: row.role as Role,
      customers: row.all_customers ? null : row.customers,
      smsMfa: row.sms_mfa,
      totp: row.totp_confirmed_at !== null,
      state: row.disabled_at ? 'disabled' : lockedUntil ? 'locked' : isInvited ? 'invited' : 'active',
      lockedUntil: lockedUntil?.toISOString() ?? null,
      isProvisioned: config.scim !== null && row.follows_groups === true,
      createdAt: row.created_at.toISOString(),
      lastSignedInAt: row.last_signed_in_at?.toISOString() ?? null,
      features: row.flags.map(({ key, value }) => ({ key, value: value ? 'true' : 'false' })),
    }
  })
}

/** Returns API tokens without their secrets, newest first; only one if an ID is given. */
export async function readApiTokens(db: Db, id?: number): Promise<ApiToken[]> {
  const tokens = db
    .selectFrom('api_token as t')
    .innerJoin('app_user as u', 'u.id', 't.created_by')
    .select(['t.id', 't.name', 't.scopes', 'u.name as creator', 't.created_at', 't.expires_at', 't.revoked_at'])
    .select('t.last_used_at')
    .orderBy('t.id', 'desc')
  const rows = await (id === undefined ? tokens : tokens.where('t.id', '=', id)).execute()
  return rows.map((row) => ({
    id: String(row.id),
    name: row.name,
    scopes: row.scopes as ApiTokenScope[],
    createdBy: row.creator ?? NO_NAME,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    revokedAt: row.revoked_at?.toISOString() ?? null,
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
  }))
}

/** Returns flags in the order of `featureKeys` with the deployment's value and the users who override it. */
export async function readFeatureFlags(
  db: Db,
  { caller, keys = featureKeys }: { caller: Manager; keys?: readonly FeatureKey[] },
): Promise<FeatureFlag[]> {
  const rows = await db
    .selectFrom('feature_flag as f')
    .leftJoin('app_user as u', 'u.id', 'f.user_id')
    .select(['f.key', 'f.user_id', 'f.value', 'u.name'])
    .where('f.key', 'in', [...keys])
    .where((eb) => eb.or([eb('f.user_id', 'is', null), eb('f.user_id', 'in', managedUsers(db, caller).select('u.id'))]))
    .orderBy('u.name_folded')
    .orderBy('u.id')
    .execute()
  return keys.map((key) => {
    const ofKey = rows.filter((row) => row.key === key)
    const deployment = ofKey.find(({ user_id }) => user_id === null)
    return {
      key,
      value: deployment ? asText(deployment.value) : null,
      users: ofKey.flatMap(({ user_id, name, value }) =>
        user_id === null ? [] : [{ userId: String(user_id), name: name ?? NO_NAME, value: asText(value) }],
      ),
    }
  })
}

function asText(value: boolean): 'true' | 'false' {
  return value ? 'true' : 'false'
}

/** Returns the keys of a gateway without their secrets, newest first. */
export async function readGatewayKeys(db: Db, gateway: string) {
  const { rows } = await sql<{ id: number; created_at: Date; revoked_at: Date | null }>`
    SELECT k.id, k.created_at, k.revoked_at FROM gateway_key k JOIN gateway g ON g.id = k.gateway_id
    WHERE g.name = ${gateway} ORDER BY k.id DESC`.execute(db)
  return rows.map((row) => ({
    id: String(row.id),
    createdAt: row.created_at.toISOString(),
    revokedAt: row.revoked_at?.toISOString() ?? null,
  }))
}
