import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { rowId } from '../../db/sql/wire-id.ts'
import { groupKey } from './group-rights.ts'
import type { ListQuery } from './scim-messages.ts'

/** A user or a group as SCIM writes it, without the address in `meta`. */
export interface Resource {
  schemas: readonly string[]
  id: string
  meta: { resourceType: 'User' | 'Group'; created: string }
  [attribute: string]: unknown
}

type Part = Pick<ListQuery, 'filters' | 'offset' | 'limit'>

/** Returns one page of the accounts that the provider may see, by id: all except those that it deleted. */
export async function listUsers(
  db: Db,
  { filters, offset, limit }: Part,
): Promise<{ total: number; resources: Resource[] }> {
  let users = db
    .selectFrom('app_user as u')
    .leftJoin('scim_user as p', 'p.user_id', 'u.id')
    .where('u.role', '<>', 'system')
    .where('u.deleted_at', 'is', null)
    .where('p.deleted_at', 'is', null)
  const isActive = sql<boolean>`CASE WHEN p.follows_groups THEN p.is_active ELSE u.disabled_at IS NULL END`
  for (const { attribute, value } of filters) {
    if (attribute === 'id') users = users.where('u.id', '=', rowId(value) ?? null)
    if (attribute === 'userName') users = users.where('u.login', '=', value.toLowerCase())
    if (attribute === 'externalId') users = users.where('p.external_id', '=', value)
    if (attribute === 'active') users = users.where(isActive, '=', value === 'true')
  }
  const { total } = await users.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const rows = await users
    .select(['u.id', 'u.login', 'u.name', 'u.created_at', 'p.external_id'])
    .select(isActive.as('is_active'))
    .select(
      sql<{ value: string; display: string }[]>`coalesce((
        SELECT json_agg(json_build_object('value', g.id::text, 'display', g.name) ORDER BY g.id)
        FROM scim_member m JOIN scim_group g ON g.id = m.group_id WHERE m.user_id = u.id), '[]')`.as('groups'),
    )
    .orderBy('u.id')
    .offset(offset)
    .limit(limit)
    .execute()
  const resources = rows.map((row) => ({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
    id: String(row.id),
    ...(row.external_id !== null && { externalId: row.external_id }),
    userName: row.login,
    ...(row.name !== null && { displayName: row.name, name: { formatted: row.name } }),
    active: row.is_active,
    emails: [{ value: row.login, type: 'work', primary: true }],
    groups: row.groups,
    meta: { resourceType: 'User' as const, created: row.created_at.toISOString() },
  }))
  return { total, resources }
}

/** Returns one page of the provider's groups, by id. */
export async function listGroups(
  db: Db,
  { filters, offset, limit, withMembers }: ListQuery,
): Promise<{ total: number; resources: Resource[] }> {
  let groups = db.selectFrom('scim_group as g')
  for (const { attribute, value } of filters) {
    if (attribute === 'id') groups = groups.where('g.id', '=', rowId(value) ?? null)
    if (attribute === 'displayName') groups = groups.where('g.name_key', '=', groupKey(value))
    if (attribute === 'externalId') groups = groups.where('g.external_id', '=', value)
  }
  const { total } = await groups.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const rows = await groups
    .select(['g.id', 'g.name', 'g.external_id', 'g.created_at'])
    .select(
      sql<{ value: string; display: string }[]>`coalesce((
        SELECT json_agg(json_build_object('value', u.id::text, 'display', u.login) ORDER BY u.id)
        FROM scim_member m JOIN app_user u ON u.id = m.user_id WHERE m.group_id = g.id AND ${withMembers}), '[]')`.as(
        'members',
      ),
    )
    .orderBy('g.id')
    .offset(offset)
    .limit(limit)
    .execute()
  const resources = rows.map((row) => ({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
    id: String(row.id),
    ...(row.external_id !== null && { externalId: row.external_id }),
    displayName: row.name,
    ...(withMembers && { members: row.members }),
    meta: { resourceType: 'Group' as const, created: row.created_at.toISOString() },
  }))
  return { total, resources }
}

/** Returns the id of the account with this login that was not deleted here. */
export async function findByLogin(db: Db, login: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('app_user')
    .where('login', '=', login)
    .where('role', '<>', 'system')
    .where('deleted_at', 'is', null)
    .select('id')
    .executeTakeFirst()
  return row?.id
}

/** Returns the accounts whose rights may depend on the configuration. */
export async function providedUserIds(db: Db): Promise<number[]> {
  const rows = await db.selectFrom('scim_user').where('deleted_at', 'is', null).select('user_id').execute()
  return rows.map(({ user_id }) => user_id)
}
