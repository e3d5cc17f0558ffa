import { sql } from 'kysely'
import { recordAudit } from '../../db/audit.ts'
import type { Trx } from '../../db/connect.ts'
import { groupKey } from './group-rights.ts'

/** A user as the provider described it. */
export interface ProvidedUser {
  externalId: string | null
  isActive: boolean
  /** False while an account that is older than SCIM keeps the role it had. */
  followsGroups: boolean
  isDeleted: boolean
}

/** Returns undefined for an account that SCIM has not touched. The caller holds the administration's lock. */
export async function findProvidedUser(trx: Trx, userId: number): Promise<ProvidedUser | undefined> {
  return trx
    .selectFrom('scim_user')
    .select(['external_id as externalId', 'is_active as isActive', 'follows_groups as followsGroups'])
    .select(sql<boolean>`deleted_at IS NOT NULL`.as('isDeleted'))
    .where('user_id', '=', userId)
    .executeTakeFirst()
}

export async function putProvidedUser(
  trx: Trx,
  { userId, user, at }: { userId: number; user: ProvidedUser; at: Date },
): Promise<void> {
  const values = {
    external_id: user.externalId,
    is_active: user.isActive,
    follows_groups: user.followsGroups,
    deleted_at: user.isDeleted ? at : null,
  }
  await trx
    .insertInto('scim_user')
    .values({ user_id: userId, ...values })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(values))
    .execute()
}

/** Returns the names of the user's groups. */
export async function groupNamesOf(trx: Trx, userId: number): Promise<string[]> {
  const rows = await trx
    .selectFrom('scim_member as m')
    .innerJoin('scim_group as g', 'g.id', 'm.group_id')
    .where('m.user_id', '=', userId)
    .select('g.name')
    .execute()
  return rows.map(({ name }) => name)
}

export async function leaveGroups(trx: Trx, userId: number): Promise<void> {
  await trx.deleteFrom('scim_member').where('user_id', '=', userId).execute()
}

const actor = { type: 'scim' } as const

interface Group {
  name: string
  externalId: string | null
}

/** Returns the id, or undefined if there is a group with this name. */
export async function insertGroup(
  trx: Trx,
  { name, externalId, at }: Group & { at: Date },
): Promise<number | undefined> {
  const row = await trx
    .insertInto('scim_group')
    .values({ name, name_key: groupKey(name), external_id: externalId, created_at: at })
    .onConflict((conflict) => conflict.column('name_key').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!row) return undefined
  await recordGroup(trx, { id: row.id, at }, { action: 'created', property: 'name', newValue: name })
  return row.id
}

/** Returns the group with the ids of its members. */
export async function findGroup(trx: Trx, id: number): Promise<(Group & { memberIds: Set<number> }) | undefined> {
  const group = await trx
    .selectFrom('scim_group')
    .where('id', '=', id)
    .select(['name', 'external_id as externalId'])
    .executeTakeFirst()
  if (!group) return undefined
  const members = await trx.selectFrom('scim_member').where('group_id', '=', id).select('user_id').execute()
  return { ...group, memberIds: new Set(members.map(({ user_id }) => user_id)) }
}

/** Returns false if another group has this name. */
export async function updateGroup(
  trx: Trx,
  { id, before, after, at }: { id: number; before: Group; after: Group; at: Date },
): Promise<boolean> {
  const taken = await trx
    .selectFrom('scim_group')
    .where('name_key', '=', groupKey(after.name))
    .where('id', '<>', id)
    .select('id')
    .executeTakeFirst()
  if (taken) return false
  await trx
    .updateTable('scim_group')
    .set({ name: after.name, name_key: groupKey(after.name), external_id: after.externalId })
    .where('id', '=', id)
    .execute()
  if (before.name !== after.name)
    await recordGroup(
      trx,
      { id, at },
      { action: 'update', property: 'name', oldValue: before.name, newValue: after.name },
    )
  return true
}

export async function deleteGroup(trx: Trx, { id, name, at }: { id: number; name: string; at: Date }): Promise<void> {
  await trx.deleteFrom('scim_group').where('id', '=', id).execute()
  await recordGroup(trx, { id, at }, { action: 'deleted', property: 'name', oldValue: name })
}

export async function addMember(
  trx: Trx,
  { groupId, userId, at }: { groupId: number; userId: number; at: Date },
): Promise<void> {
  await trx.insertInto('scim_member').values({ group_id: groupId, user_id: userId }).execute()
  await recordGroup(trx, { id: groupId, at }, { action: 'added', property: 'member', newValue: String(userId) })
}

export async function removeMember(
  trx: Trx,
  { groupId, userId, at }: { groupId: number; userId: number; at: Date },
): Promise<void> {
  await trx.deleteFrom('scim_member').where('group_id', '=', groupId).where('user_id', '=', userId).execute()
  await recordGroup(trx, { id: groupId, at }, { action: 'removed', property: 'member', oldValue: String(userId) })
}

async function recordGroup(
  trx: Trx,
  { id, at }: { id: number; at: Date },
  entry: Parameters<typeof recordAudit>[2][number],
): Promise<void> {
  await recordAudit(trx, { entityType: 'scim_group', entityId: String(id), actor, at }, [entry])
}
