import {
  createApiToken,
  createGatewayKey,
  getAccount,
  getConnectedGateway,
  inviteUser as inviteUserRoute,
  listAccounts as listAccountsRoute,
  listApiTokens,
  listConnectedGateways as listConnectedGatewaysRoute,
  listFeatureFlags,
  listGatewayKeys as listGatewayKeysRoute,
  repeatInvitation as repeatInvitationRoute,
  resetSecondFactor,
  revokeApiToken,
  revokeGatewayKey,
  setFeatureFlag,
  setUserFeatureFlag,
  unlockAccount,
  updateAccount as updateAccountRoute,
} from '@benchwatch/contract/administration/administration'
import type { FastifyInstance } from 'fastify'
import { rowId } from '../../db/sql/wire-id.ts'
import type { FeatureContext } from '../context.ts'
import {
  accountTag,
  inviteUser,
  liftLock,
  noSuchUser,
  removeFactors,
  repeatInvitation,
  updateAccount,
} from './accounts.service.ts'
import { findAccountById, listAccounts, readApiTokens, readFeatureFlags } from './administration.queries.ts'
import {
  endApiToken,
  endGatewayKey,
  listGatewayKeys,
  makeApiToken,
  makeGatewayKey,
  noSuchGateway,
} from './credentials.service.ts'
import { setFlag } from './feature-flags.service.ts'
import { findConnectedGateway, listConnectedGateways } from './gateways.queries.ts'

/** Registers the routes for administrators: users, feature flags, gateway keys, API tokens. */
export function registerAdministrationRoutes(app: FastifyInstance, context: FeatureContext): void {
  const { bind, db, clock, config } = context
  const reading = () => ({ at: clock.now(), config })

  bind(app, listAccountsRoute, ({ query: { keyword, limit, offset }, caller }) =>
    listAccounts(db, { caller, keyword, limit, offset, ...reading() }),
  )
  bind(app, getAccount, async ({ params, caller, reply }) => {
    const id = rowId(params.id)
    const account = id === undefined ? undefined : await findAccountById(db, { id, caller, ...reading() })
    if (!account) throw noSuchUser(params.id)
    reply.header('etag', accountTag(account))
    return account
  })
  bind(app, inviteUserRoute, async ({ body: input, caller, reply }) => {
    const account = await inviteUser(context, { input, caller })
    reply.code(201)
    return account
  })
  bind(app, updateAccountRoute, async ({ params: { id }, body: change, caller, request, reply }) => {
    const account = await updateAccount(context, { id, change, ifMatch: request.headers['if-match'], caller })
    reply.header('etag', accountTag(account))
    return account
  })
  bind(app, repeatInvitationRoute, async ({ params: { id }, caller }) => {
    await repeatInvitation(context, { id, caller })
    return undefined
  })
  bind(app, unlockAccount, async ({ params: { id }, caller }) => {
    await liftLock(context, { id, caller })
    return undefined
  })
  bind(app, resetSecondFactor, async ({ params: { id }, caller }) => {
    await removeFactors(context, { id, caller })
    return undefined
  })

  bind(app, listFeatureFlags, async ({ caller }) => ({ values: await readFeatureFlags(db, { caller }) }))
  bind(app, setFeatureFlag, ({ params: { key }, body: { value }, caller }) =>
    setFlag(context, { key, userId: null, value, caller }),
  )
  bind(app, setUserFeatureFlag, ({ params: { id: userId, key }, body: { value }, caller }) =>
    setFlag(context, { key, userId, value, caller }),
  )

  bind(app, listConnectedGatewaysRoute, ({ query, caller: { scope } }) =>
    listConnectedGateways(db, { ...query, scope }),
  )
  bind(app, getConnectedGateway, async ({ params: { gateway: name }, caller: { scope } }) => {
    const gateway = await findConnectedGateway(db, { name, scope, now: clock.now() })
    if (!gateway) throw noSuchGateway(name)
    return gateway
  })
  bind(app, listGatewayKeysRoute, ({ params: { gateway }, caller }) => listGatewayKeys(db, { gateway, caller }))
  bind(app, createGatewayKey, async ({ params: { gateway }, caller, reply }) => {
    const key = await makeGatewayKey(context, { gateway, caller })
    reply.code(201)
    return key
  })
  bind(app, revokeGatewayKey, async ({ params: { gateway, id }, caller }) => {
    await endGatewayKey(context, { gateway, id, caller })
    return undefined
  })

  bind(app, listApiTokens, async () => ({ values: await readApiTokens(db) }))
  bind(app, createApiToken, async ({ body: input, caller, reply }) => {
    const token = await makeApiToken(context, { input, caller })
    reply.code(201)
    return token
  })
  bind(app, revokeApiToken, async ({ params: { id }, caller }) => {
    await endApiToken(context, { id, caller })
    return undefined
  })
}
