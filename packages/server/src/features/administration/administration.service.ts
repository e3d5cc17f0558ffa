import type {
  Account,
  ApiToken,
  createApiToken,
  FeatureFlag,
  inviteUser as inviteUserRoute,
  updateAccount as updateAccountRoute,
} from '@benchwatch/contract/administration/administration'
import type { RouteTypes } from '@benchwatch/contract/route'
import type { FeatureKey } from '@benchwatch/contract/vocabulary'
import type { Config } from '../../config.ts'
import { type DataScope, holds, type ScimActor, type UserActor } from '../../db/actor.ts'
import { recordAudit } from '../../db/audit.ts'
import type { Db, Trx } from '../../db/connect.ts'
import { announce } from '../../db/queues/outbox.ts'
import { rowId } from '../../db/sql/wire-id.ts'
import { inTransaction } from '../../db/transaction.ts'
import { contentTag, requireUnchanged } from '../../platform/http/etag.ts'
import { fieldProblem, type ProblemError, problem } from '../../platform/http/problem.ts'
import { insertApiToken, newApiToken, revokeApiToken } from '../auth/api-tokens.store.ts'
import { locksOf } from '../auth/auth.lookup.ts'
import { TEMPORARY_PASSWORD_DAYS, temporaryPassword } from '../auth/credentials/one-time-code.ts'
import { voidOldAccess } from '../auth/credentials/password.store.ts'
import { hashPassword } from '../auth/credentials/password-hash.ts'
import { removeSecondFactor } from '../auth/credentials/second-factor.store.ts'
import { unlock } from '../auth/credentials/sign-in-failure.store.ts'
import { endSessions } from '../auth/session/session.store.ts'
import type { FeatureContext } from '../context.ts'
import { addGatewayKeys, gatewayExists, revokeGatewayKey } from '../ingest/gateway-keys.store.ts'
import { createGatewayKey } from '../ingest/gateway-keys.ts'
import { accountReadyMail, type FactorChange, invitationMail, secondFactorChangedMail } from '../messages/mail-texts.ts'
import { hasSms } from '../outgoing-messages.ts'
import { manages } from '../users/users.lookup.ts'
import {
  type ChangeableUser,
  insertUser,
  type LockedUser,
  lockUser,
  replaceUser,
  setTemporaryPassword,
} from '../users/users.store.ts'
import { type AccountInput, refuseAccessChange, refuseAccount } from './account-rules.ts'
import {
  customerIds,
  findAccountById,
  otherAdministrators,
  readApiTokens,
  readFeatureFlags,
  readGatewayKeys,
} from './administration.queries.ts'
import { lockAdministration, signedInUsersWithout, writeFlag } from './administration.store.ts'

/** The way to sign in: a temporary password if this server keeps passwords, else the provider's own sign-in. */
type SignInMethod =
  | { password: string; stored: { passwordHash: string; mustChangePassword: true; temporaryPasswordUntil: Date } }
  | { password: null; stored: { passwordHash: null } }

type Brand = Pick<Config, 'product' | 'publicUrl' | 'supportEmail'>
export type Needs = Pick<FeatureContext, 'db' | 'clock' | 'config' | 'messages'>

/** Adds a user and mails the invitation in one transaction. Throws bad-change, unknown-reference, login-taken. */
export async function inviteUser(
  { db, clock, config, messages }: Needs,
  { input, caller }: { input: RouteTypes<typeof inviteUserRoute>['body']; caller: UserActor },
): Promise<Account> {
  const at = clock.now()
  refuseInvalid(input, config)
  const way = await newSignInMethod(config, at)
  return inTransaction(db, async (trx) => {
    await lockAdministration(trx, caller)
    const scope = await grantedScope(trx, { keys: input.customers, caller })
    const login = input.email.toLowerCase()
    const { name, role, msisdn, smsMfa } = input
    const user = { login, email: login, name, role, msisdn, smsMfa, scope, ...way.stored }
    const id = await insertUser(trx, { user, actor: caller, at })
    if (id === undefined) {
      throw problem('login-taken', `There is already a user ${login}. Choose another address, or edit that user.`)
    }
    await messages.queue(trx, [invitation({ login, name, way }, config)], at)
    return readAccount(trx, { id, at, config })
  })
}

interface AccountChange {
  id: string
  change: RouteTypes<typeof updateAccountRoute>['body']
  ifMatch: string | undefined
  caller: UserActor
}

/**
 * Replaces the account settings that administrators may edit, effective from the commit. Throws not-found, bad-change,
 * unknown-reference, own-account, last-administrator.
 */
export async function updateAccount(
  { db, clock, config, messages }: Needs,
  { id, change, ifMatch, caller }: AccountChange,
): Promise<Account> {
  const at = clock.now()
  return inTransaction(db, async (trx) => {
    await lockAdministration(trx, caller)
    const before = await lockAccount(trx, { id, caller })
    requireUnchanged(ifMatch, accountTag(await readAccount(trx, { id: before.id, at, config })))
    refuseInvalid(change, config)
    const scope = await grantedScope(trx, { keys: change.customers, caller })
    const { name, role, msisdn, smsMfa, disabled } = change
    const after = { name, role, msisdn, smsMfa, disabled, scope }
    const changed = await changeAccount(trx, { before, after, actor: caller, at })
    if (
      config.scim !== null &&
      before.isProvisioned &&
      ['name', 'role', 'scope', 'disabled'].some((property) => changed.has(property))
    ) {
      throw problem(
        'bad-change',
        'The identity provider keeps name, role, customers and state of this account. Change them there.',
      )
    }
    if (changed.has('smsMfa')) {
      const notice = factorNotice({ login: before.login, change: smsMfa ? 'sms-on' : 'sms-off' }, config)
      await messages.queue(trx, [notice], at)
    }
    return readAccount(trx, { id: before.id, at, config })
  })
}

/** Returns the ETag of what administrators change of an account. */
export function accountTag({ name, role, customers, msisdn, smsMfa, state }: Account): string {
  return contentTag({ name, role, customers, msisdn, smsMfa, disabled: state === 'disabled' })
}

/**
 * Replaces the settings of a locked account within the administration's lock. Ends the sessions of a disabled user and
 * closes the sockets of a user whose role or scope changed. Returns the changed properties. Throws own-account,
 * last-administrator.
 */
export async function changeAccount(
  trx: Trx,
  { before, after, actor, at }: { before: LockedUser; after: ChangeableUser; actor: UserActor | ScimActor; at: Date },
): Promise<Set<string>> {
  const refusal = refuseAccessChange({
    before,
    after,
    callerId: actor.type === 'user' ? actor.id : null,
    otherAdministrators: await otherAdministrators(trx, before.id),
  })
  if (refusal) throw problem(refusal.code, refusal.sentence)
  const changed = await replaceUser(trx, { before, after, actor, at })
  if (changed.has('disabled') && after.disabled) {
    await endSessions(trx, { which: { userId: before.id }, reason: 'disabled', actor, at })
  } else if (changed.has('role') || changed.has('scope')) {
    await announce(trx, [
      {
        audience: { userId: before.id },
        message: { entity: 'user', action: 'update', property: 'session', payload: {} },
      },
    ])
  }
  return changed
}

/**
 * Mails a new invitation. If this server keeps passwords, the old password becomes void and all sessions end. Throws
 * not-found, bad-change for a disabled account, own-account.
 */
export async function repeatInvitation(
  { db, clock, config, messages }: Needs,
  { id, caller }: { id: string; caller: UserActor },
): Promise<void> {
  const at = clock.now()
  const way = await newSignInMethod(config, at)
  await inTransaction(db, async (trx) => {
    await lockAdministration(trx, caller)
    const account = await lockAccount(trx, { id, caller })
    if (account.disabled)
      throw problem('bad-change', 'This user is disabled. Enable the account before inviting again.')
    if (account.id === caller.id) {
      throw problem('own-account', 'You cannot invite yourself. Change your password in your account instead.')
    }
    if (way.password !== null) {
      const { passwordHash, temporaryPasswordUntil: until } = way.stored
      await setTemporaryPassword(trx, { userId: account.id, passwordHash, until, actor: caller, at })
      await voidOldAccess(trx, { account: { userId: account.id, login: account.login }, actor: caller, at })
    }
    await messages.queue(trx, [invitation({ login: account.login, name: account.name, way }, config)], at)
  })
}

/** Lifts the lock after failed sign-ins, and writes the audit log if there was one. Throws not-found. */
export async function liftLock({ db, clock }: Needs, { id, caller }: { id: string; caller: UserActor }): Promise<void> {
  const at = clock.now()
  await inTransaction(db, async (trx) => {
    const { id: userId, login } = await lockAccount(trx, { id, caller })
    const locks = await locksOf(trx, { logins: [login], at })
    await unlock(trx, login)
    if (!locks.has(login)) return
    const subject = { entityType: 'user', entityId: String(userId), actor: caller, at } as const
    await recordAudit(trx, subject, [{ action: 'unlocked' }])
  })
}

/** Removes the authenticator app and recovery codes from an account and mails its owner. Throws not-found. */
export async function removeFactors(
  { db, clock, config, messages }: Needs,
  { id, caller }: { id: string; caller: UserActor },
): Promise<void> {
  const at = clock.now()
  await inTransaction(db, async (trx) => {
    const { id: userId, login } = await lockAccount(trx, { id, caller })
    const removed = await removeSecondFactor(trx, { userId, actor: caller, at })
    if (removed) await messages.queue(trx, [factorNotice({ login, change: 'reset' }, config)], at)
  })
}

export function noSuchUser(id: string): ProblemError {
  return problem('not-found', `There is no user ${id}. Reload the list.`)
}

/** Returns the user with this wire ID and locks the row. Throws not-found, also for one whom the caller may not manage. */
export async function lockAccount(
  trx: Trx,
  { id, caller }: { id: string; caller: Pick<UserActor, 'scope'> },
): Promise<LockedUser> {
  const row = rowId(id)
  const account = row === undefined ? undefined : await lockUser(trx, row)
  if (!account || !manages(caller, account)) throw noSuchUser(id)
  return account
}

function refuseInvalid(input: AccountInput, config: Needs['config']): void {
  const refusal = refuseAccount(input, { hasSms: hasSms(config) })
  if (refusal) throw fieldProblem('bad-change', `body.${refusal.property}`, refusal.sentence)
}

/** Returns the scope of these customers, null for all. Nobody grants more than their own. */
async function grantedScope(
  trx: Trx,
  { keys, caller }: { keys: readonly string[] | null; caller: UserActor },
): Promise<DataScope> {
  if (keys === null) {
    if (caller.scope === 'all') return 'all'
    throw fieldProblem('bad-change', 'body.customers', 'You may not see all customers. Choose some of yours.')
  }
  const ids = await customerIds(trx, keys)
  return [...new Set(keys)].map((key) => {
    const id = ids.get(key)
    if (id !== undefined && holds(caller.scope, id)) return id
    const path = `body.customers.${keys.indexOf(key)}`
    if (id !== undefined)
      throw fieldProblem('bad-change', path, `You may not see the customer "${key}". Choose one of yours.`)
    throw fieldProblem(
      'unknown-reference',
      path,
      `There is no customer "${key}". Register it first, or choose another one.`,
    )
  })
}

async function readAccount(
  trx: Trx,
  { id, at, config }: { id: number; at: Date; config: Needs['config'] },
): Promise<Account> {
  const account = await findAccountById(trx, { id, caller: { scope: 'all' }, at, config })
  if (!account) throw new Error(`The user ${id} could not be read.`)
  return account
}

/** Builds the mail that invites a user, for the first time or again. */
function invitation({ login, name, way }: { login: string; name: string | null; way: SignInMethod }, brand: Brand) {
  const head = { channel: 'email', to: login } as const
  if (way.password === null) return { ...head, ...accountReadyMail({ name, login }, brand), template: 'account-ready' }
  return {
    ...head,
    ...invitationMail({ name, login, temporaryPassword: way.password, days: TEMPORARY_PASSWORD_DAYS }, brand),
    template: 'invitation',
    isSecret: true,
    // The mail is useless once the password has expired.
    giveUpAt: way.stored.temporaryPasswordUntil,
  }
}

/** Builds the mail that tells a user about an administrator's change to their second factor. */
function factorNotice({ login, change }: { login: string; change: FactorChange }, brand: Brand) {
  return {
    channel: 'email',
    to: login,
    ...secondFactorChangedMail({ login, change }, brand),
    template: 'second-factor-changed',
  } as const
}

/** Creates a way to sign in. Called before a transaction: hashing deliberately takes a tenth of a second. */
async function newSignInMethod({ identity }: Pick<Config, 'identity'>, at: Date): Promise<SignInMethod> {
  if (identity.provider !== 'local') return { password: null, stored: { passwordHash: null } }
  const password = temporaryPassword()
  const temporaryPasswordUntil = new Date(at.getTime() + TEMPORARY_PASSWORD_DAYS * 86_400_000)
  const passwordHash = await hashPassword(password)
  return { password, stored: { passwordHash, mustChangePassword: true, temporaryPasswordUntil } }
}

// Gateways and other systems authenticate with a key or token, shown once and stored as a hash.

type Writing = Pick<FeatureContext, 'db' | 'clock'>

/** A gateway that the caller names; one outside the data scope is not found. */
interface OfGateway {
  gateway: string
  caller: UserActor
}

/** Returns the keys of a gateway. Throws not-found for an unregistered gateway. */
export async function listGatewayKeys(db: Db, { gateway, caller }: OfGateway) {
  await needGateway(db, { gateway, caller })
  return { values: await readGatewayKeys(db, gateway) }
}

/** Creates a key. Older keys stay valid until the new one is first used or they are revoked. Throws not-found. */
export async function makeGatewayKey({ db, clock }: Writing, { gateway, caller }: OfGateway) {
  const { key, hash } = createGatewayKey()
  return inTransaction(db, async (trx) => {
    await needGateway(trx, { gateway, caller })
    await addGatewayKeys(trx, { keys: [{ gateway, hash }], actor: caller, at: clock.now() })
    const [head] = await readGatewayKeys(trx, gateway)
    if (!head) throw new Error(`The new key of ${gateway} could not be read.`)
    return { ...head, key }
  })
}

/** Revokes a key. Throws not-found for an unknown gateway or key. */
export async function endGatewayKey(
  { db, clock }: Writing,
  { gateway, id, caller }: OfGateway & { id: string },
): Promise<void> {
  await inTransaction(db, async (trx) => {
    await needGateway(trx, { gateway, caller })
    const row = rowId(id)
    const found =
      row !== undefined && (await revokeGatewayKey(trx, { gateway, id: row, actor: caller, at: clock.now() }))
    if (!found) throw problem('not-found', `The gateway "${gateway}" has no key ${id}. Reload the list of keys.`)
  })
}

const YEAR_MS = 365 * 86_400_000
/** Two years including leap days. Tokens outlive the people who remember them, so they have to expire. */
const LONGEST_TOKEN_MS = 2 * YEAR_MS + 86_400_000

/**
 * Creates a token for another system. Throws bad-change unless it expires within the next two years, and if it would
 * write to events that its creator does not see.
 */
export async function makeApiToken(
  { db, clock }: Writing,
  { input, caller }: { input: RouteTypes<typeof createApiToken>['body']; caller: UserActor },
): Promise<ApiToken & { token: string }> {
  const at = clock.now()
  const lifetime = input.expiresAt.getTime() - at.getTime()
  if (lifetime <= 0 || lifetime > LONGEST_TOKEN_MS) {
    throw fieldProblem(
      'bad-change',
      'body.expiresAt',
      'A token must expire within the next two years. Choose another expiry date.',
    )
  }
  if (input.scopes.includes('cases') && caller.scope !== 'all') {
    const sentence = 'A token for service cases reaches all customers. Ask an administrator of all customers for it.'
    throw fieldProblem('bad-change', 'body.scopes', sentence)
  }
  const { token, hash } = newApiToken()
  return inTransaction(db, async (trx) => {
    const id = await insertApiToken(trx, { ...input, hash, by: caller, at })
    const [made] = await readApiTokens(trx, id)
    if (!made) throw new Error(`The new API token ${id} could not be read.`)
    return { ...made, token }
  })
}

/** Revokes a token. Throws not-found. */
export async function endApiToken(
  { db, clock }: Writing,
  { id, caller }: { id: string; caller: UserActor },
): Promise<void> {
  await inTransaction(db, async (trx) => {
    const row = rowId(id)
    const found = row !== undefined && (await revokeApiToken(trx, { id: row, by: caller, at: clock.now() }))
    if (!found) throw problem('not-found', `There is no API token ${id}. Reload the list.`)
  })
}

async function needGateway(db: Db, { gateway, caller: { scope } }: OfGateway): Promise<void> {
  if (!(await gatewayExists(db, { name: gateway, scope }))) throw noSuchGateway(gateway)
}

export function noSuchGateway(name: string): Error {
  return problem('not-found', `There is no gateway "${name}" in the registry. Register it first, or check the name.`)
}

interface FlagChange {
  key: FeatureKey
  /** Wire ID; null means the deployment. */
  userId: string | null
  value: 'true' | 'false' | null
  caller: UserActor
}

/**
 * Sets or clears a flag for the deployment or for one user and writes the audit log. Affected users who are signed in
 * are notified at once. Returns the new state of the flag. Throws not-found for an unknown user.
 */
export async function setFlag(
  { db, clock }: Writing,
  { key, userId, value, caller }: FlagChange,
): Promise<FeatureFlag> {
  return inTransaction(db, async (trx) => {
    await lockAdministration(trx, caller)
    const user = userId === null ? null : await lockAccount(trx, { id: userId, caller })
    const changed = await writeFlag(trx, {
      key,
      userId: user?.id ?? null,
      value: value === null ? null : value === 'true',
      actor: caller,
      at: clock.now(),
    })
    if (changed) {
      const concerned = user ? [user.id] : await signedInUsersWithout(trx, key)
      await announce(
        trx,
        concerned.map((id) => ({
          audience: { userId: id },
          message: { entity: 'user', action: 'update', property: 'features', payload: {} },
        })),
      )
    }
    const [flag] = await readFeatureFlags(trx, { caller, keys: [key] })
    if (!flag) throw new Error(`The flag ${key} could not be read.`)
    return flag
  })
}
