import type { GroupRights } from '../../config.ts'
import type { Trx } from '../../db/connect.ts'
import type { LeaderTask } from '../../db/queues/leader.ts'
import { rowId } from '../../db/sql/wire-id.ts'
import { inTransaction } from '../../db/transaction.ts'
import { type ProblemError, problem } from '../../platform/http/problem.ts'
import { customerIds } from '../administration/administration.queries.ts'
import { changeAccount } from '../administration/administration.service.ts'
import { lockAdministration } from '../administration/administration.store.ts'
import type { FeatureContext } from '../context.ts'
import { insertUser, type LockedUser, lockUser } from '../users/users.store.ts'
import { rightsOf } from './group-rights.ts'
import { findByLogin, providedUserIds } from './scim.queries.ts'
import {
  addMember,
  deleteGroup,
  findGroup,
  findProvidedUser,
  groupNamesOf,
  insertGroup,
  leaveGroups,
  type ProvidedUser,
  putProvidedUser,
  removeMember,
  updateGroup,
} from './scim.store.ts'
import { type GroupChange, invalid, type UserChange } from './scim-messages.ts'

/**
 * Accounts as the identity provider keeps them. Each change settles the accounts that it touches in the same
 * transaction: role and data scope follow the groups, and an account without a role or deactivated by the provider is
 * disabled, which ends its sessions.
 */

export interface ScimNeeds extends Pick<FeatureContext, 'db' | 'clock' | 'log'> {
  groups: readonly GroupRights[]
}

const actor = { type: 'scim' } as const

/** Returns the id of the new account, or of one that the provider had deleted. Throws login-taken, validation-failed. */
export async function createUser(needs: ScimNeeds, change: UserChange): Promise<string> {
  const { userName: login, name = null } = change
  if (login === undefined) throw invalid('userName is required.')
  return inAdministration(needs, async (trx, at) => {
    const known = await findByLogin(trx, login)
    const before = known === undefined ? undefined : await findProvidedUser(trx, known)
    if (known !== undefined && !before?.isDeleted) {
      throw problem('login-taken', `There is already a user ${login}. Find it by filter, and change it.`)
    }
    const user = { login, email: login, name, msisdn: null, role: 'customer', scope: [], passwordHash: null } as const
    const userId = known ?? (await insertUser(trx, { user, actor, at }))
    if (userId === undefined) throw new Error(`The account ${login} could not be added.`)
    const provided = { externalId: null, isActive: true, followsGroups: true, isDeleted: false }
    await settle(trx, needs, { userId, provided, change, at })
    return String(userId)
  })
}

/** Changes what the request names. Throws not-found, validation-failed, last-administrator. */
export async function changeUser(needs: ScimNeeds, { id, change }: { id: string; change: UserChange }): Promise<void> {
  await inAdministration(needs, async (trx, at) => {
    const { userId, provided, login } = await visibleUser(trx, id)
    if (change.userName !== undefined && change.userName !== login)
      throw invalid('userName cannot change. Create a new account for the new address.', 'mutability')
    await settle(trx, needs, { userId, provided, change, at })
  })
}

/** Disables the account and hides it from the provider. Events keep naming it. Throws not-found, last-administrator. */
export async function removeUser(needs: ScimNeeds, id: string): Promise<void> {
  await inAdministration(needs, async (trx, at) => {
    const { userId, provided } = await visibleUser(trx, id)
    await leaveGroups(trx, userId)
    await settle(trx, needs, { userId, provided: { ...provided, isDeleted: true }, change: { active: false }, at })
  })
}

/** Returns the id. Throws login-taken, validation-failed, last-administrator. */
export async function createGroup(
  needs: ScimNeeds,
  { name, externalId = null, members }: GroupChange,
): Promise<string> {
  if (name === undefined) throw invalid('displayName is required.')
  return inAdministration(needs, async (trx, at) => {
    const id = await insertGroup(trx, { name, externalId, at })
    if (id === undefined) throw groupTaken(name)
    await changeMembers(trx, needs, { id, before: new Set(), members, at })
    return String(id)
  })
}

/** Throws not-found, login-taken, validation-failed, last-administrator. */
export async function changeGroup(
  needs: ScimNeeds,
  { id, change }: { id: string; change: GroupChange },
): Promise<void> {
  await inAdministration(needs, async (trx, at) => {
    const { row, group } = await needGroup(trx, id)
    const { name = group.name, externalId = group.externalId } = change
    if (!(await updateGroup(trx, { id: row, before: group, after: { name, externalId }, at }))) throw groupTaken(name)
    const isRenamed = name !== group.name
    await changeMembers(trx, needs, { id: row, before: group.memberIds, members: change.members, at, isRenamed })
  })
}

/** Throws not-found, last-administrator. */
export async function removeGroup(needs: ScimNeeds, id: string): Promise<void> {
  await inAdministration(needs, async (trx, at) => {
    const { row, group } = await needGroup(trx, id)
    await deleteGroup(trx, { id: row, name: group.name, at })
    for (const userId of group.memberIds) await settleAgain(trx, needs, { userId, at })
  })
}

/**
 * Settles every account that SCIM keeps, because the configured groups or the registered customers may have changed.
 * An account that must not change, such as the last administrator, does not stop the others.
 */
export async function settleAll(needs: ScimNeeds): Promise<void> {
  for (const userId of await providedUserIds(needs.db)) {
    try {
      await inAdministration(needs, (trx, at) => settleAgain(trx, needs, { userId, at }))
    } catch (error) {
      needs.log.error({ err: error, user: userId }, 'the groups of a user could not be applied')
    }
  }
}

/** One change of accounts at a time, as in the administration. */
async function inAdministration<T>({ db, clock }: ScimNeeds, work: (trx: Trx, at: Date) => Promise<T>): Promise<T> {
  return inTransaction(db, async (trx) => {
    await lockAdministration(trx, actor)
    return work(trx, clock.now())
  })
}

interface VisibleUser {
  userId: number
  login: string
  provided: ProvidedUser
}

/** Returns an account that the provider may see, with what it said about it. Throws not-found. */
async function visibleUser(trx: Trx, id: string): Promise<VisibleUser> {
  const user = await findVisible(trx, rowId(id))
  if (!user) throw problem('not-found', `There is no user ${id}.`)
  return user
}

async function findVisible(trx: Trx, id: number | undefined): Promise<VisibleUser | undefined> {
  const user = id === undefined ? undefined : await lockUser(trx, id)
  const known = user && (await findProvidedUser(trx, user.id))
  if (!user || known?.isDeleted) return undefined
  return { userId: user.id, login: user.login, provided: known ?? asFound(user) }
}

/** An account that is older than SCIM keeps role, scope and state until the provider changes them. */
function asFound(user: LockedUser): ProvidedUser {
  return { externalId: null, isActive: !user.disabled, followsGroups: false, isDeleted: false }
}

async function settleAgain(trx: Trx, needs: ScimNeeds, { userId, at }: { userId: number; at: Date }): Promise<void> {
  const provided = await findProvidedUser(trx, userId)
  if (provided && !provided.isDeleted) await settle(trx, needs, { userId, provided, change: {}, at })
}

interface Settling {
  userId: number
  provided: ProvidedUser
  change: UserChange
  at: Date
}

async function settle(trx: Trx, { groups, log }: ScimNeeds, { userId, provided, change, at }: Settling): Promise<void> {
  const before = await lockUser(trx, userId)
  if (!before) throw new Error(`The account ${userId} could not be read.`)
  const rights = rightsOf(await groupNamesOf(trx, userId), groups)
  const user: ProvidedUser = {
    ...provided,
    externalId: change.externalId === undefined ? provided.externalId : change.externalId,
    // Until an account follows its groups, administrators may disable and enable it, too.
    isActive: change.active ?? (provided.followsGroups ? provided.isActive : !before.disabled),
    followsGroups: provided.followsGroups || rights !== undefined,
  }
  await putProvidedUser(trx, { userId, user, at })
  const { customers = null } = rights ?? {}
  const ids = customers === null ? null : await customerIds(trx, customers)
  const unknown = customers?.filter((key) => !ids?.has(key)) ?? []
  if (unknown.length > 0) log.warn({ customers: unknown }, 'SCIM_GROUPS names customers that are not registered')
  const scope = ids === null ? 'all' : [...ids.values()]
  const hasRights = rights === undefined ? !user.followsGroups : scope === 'all' || scope.length > 0
  const after = {
    name: change.name ?? before.name,
    msisdn: before.msisdn,
    smsMfa: before.smsMfa,
    role: rights?.role ?? before.role,
    scope: rights === undefined ? before.scope : scope,
    disabled: !(user.isActive && hasRights),
  }
  await changeAccount(trx, { before, after, actor, at })
}

interface MembersChange {
  id: number
  before: ReadonlySet<number>
  members: GroupChange['members']
  at: Date
  /** True if the remaining members may have other rights, too. */
  isRenamed?: boolean
}

async function changeMembers(trx: Trx, needs: ScimNeeds, change: MembersChange): Promise<void> {
  const { id: groupId, before, members, at, isRenamed = false } = change
  let after = new Set(before)
  for (const { kind, userIds } of members) {
    const ids = userIds.map((id) => rowId(id) ?? 0)
    if (kind === 'remove') for (const id of ids) after.delete(id)
    else after = new Set(kind === 'replace' ? ids : [...after, ...ids])
  }
  const removed = [...before].filter((id) => !after.has(id))
  const added = [...after].filter((id) => !before.has(id))
  for (const userId of removed) await removeMember(trx, { groupId, userId, at })
  for (const userId of added) {
    const user = await findVisible(trx, userId)
    if (!user) throw invalid('A member is not a user here. Create the user first.')
    await putProvidedUser(trx, { userId, user: user.provided, at })
    await addMember(trx, { groupId, userId, at })
  }
  const touched = isRenamed ? [...before, ...added] : [...removed, ...added]
  for (const userId of touched) await settleAgain(trx, needs, { userId, at })
}

async function needGroup(trx: Trx, id: string) {
  const row = rowId(id)
  const group = row === undefined ? undefined : await findGroup(trx, row)
  if (row === undefined || !group) throw problem('not-found', `There is no group ${id}.`)
  return { row, group }
}

function groupTaken(name: string): ProblemError {
  return problem('login-taken', `There is already a group "${name}". Find it by filter, and change it.`)
}

/** Runs at the start, after which SCIM_GROUPS may be another one, and hourly for customers registered since. */
export function scimTasks({ config, ...context }: FeatureContext): LeaderTask[] {
  const { scim } = config
  if (scim === null) return []
  return [{ name: 'apply SCIM groups', everyMs: 3_600_000, run: () => settleAll({ ...context, groups: scim.groups }) }]
}
