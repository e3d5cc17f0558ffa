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
import { findAccountById, listAccounts, readApiTokens, readFeatureFlags } from './administration.queries.ts'
import {
  accountTag,
  endApiToken,
  endGatewayKey,
  inviteUser,
  liftLock,
  listGatewayKeys,
  makeApiToken,
  makeGatewayKey,
  noSuchGateway,
  noSuchUser,
  removeFactors,
  repeatInvitation,
  setFlag,
  updateAccount,
} from './administration.service.ts'
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
  bind(app, inviteUserRoute, ({ body: input, caller }) => inviteUser(context, { input, caller }))
  bind(app, updateAccountRoute, async ({ params: { id }, body: change, caller, request, reply }) => {
    const account = await updateAccount(context, { id, change, ifMatch: request.headers['if-match'], caller })
    reply.header('etag', accountTag(account))
    return account
  })
  bind(app, repeatInvitationRoute, ({ params: { id }, caller }) => repeatInvitation(context, { id, caller }))
  bind(app, unlockAccount, ({ params: { id }, caller }) => liftLock(context, { id, caller }))
  bind(app, resetSecondFactor, ({ params: { id }, caller }) => removeFactors(context, { id, caller }))

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
  bind(app, createGatewayKey, ({ params: { gateway }, caller }) => makeGatewayKey(context, { gateway, caller }))
  bind(app, revokeGatewayKey, ({ params: { gateway, id }, caller }) => endGatewayKey(context, { gateway, id, caller }))

  bind(app, listApiTokens, async () => ({ values: await readApiTokens(db) }))
  bind(app, createApiToken, ({ body: input, caller }) => makeApiToken(context, { input, caller }))
  bind(app, revokeApiToken, ({ params: { id }, caller }) => endApiToken(context, { id, caller }))
}
