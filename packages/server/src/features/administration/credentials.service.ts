import type { ApiToken, createApiToken } from '@benchwatch/contract/administration/administration'
import type { RouteTypes } from '@benchwatch/contract/route'
import type { UserActor } from '../../db/actor.ts'
import type { Db } from '../../db/connect.ts'
import { rowId } from '../../db/sql/wire-id.ts'
import { inTransaction } from '../../db/transaction.ts'
import { fieldProblem, problem } from '../../platform/http/problem.ts'
import { insertApiToken, newApiToken, revokeApiToken } from '../auth/api-tokens.store.ts'
import type { FeatureContext } from '../context.ts'
import { addGatewayKeys, gatewayExists, revokeGatewayKey } from '../ingest/gateway-keys.store.ts'
import { createGatewayKey } from '../ingest/gateway-keys.ts'
import { readApiTokens, readGatewayKeys } from './administration.queries.ts'

/** Gateways and other systems authenticate with a key or token, shown once and stored as a hash. */

type Needs = Pick<FeatureContext, 'db' | 'clock'>

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
export async function makeGatewayKey({ db, clock }: Needs, { gateway, caller }: OfGateway) {
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
  { db, clock }: Needs,
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
  { db, clock }: Needs,
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
  { db, clock }: Needs,
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
