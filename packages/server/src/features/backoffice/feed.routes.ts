import * as contract from '@benchwatch/contract/backoffice'
import type { FastifyInstance } from 'fastify'
import type { FeatureContext } from '../context.ts'
import { readGatewayFeeds } from './feed.queries.ts'
import { orderTestsNow } from './injection.service.ts'
import { retryParkedItem } from './parked-items.service.ts'
import { readParkedItems } from './parked-items.store.ts'

/** The state of the feed: what came from each gateway, what could not be taken, and tests of the whole chain. */
export function registerFeedRoutes(app: FastifyInstance, context: FeatureContext): void {
  const { bind, db, clock, config } = context

  bind(app, contract.listGatewayFeeds, ({ caller }) =>
    readGatewayFeeds(db, {
      scope: caller.scope,
      silenceMs: config.gatewaySilenceSeconds * 1000,
      now: clock.now(),
    }),
  )

  bind(app, contract.injectTestAlarms, async ({ caller, reply }) => {
    const ordered = await orderTestsNow(context, caller.scope)
    reply.code(202)
    return ordered
  })

  bind(app, contract.listParkedItems, ({ caller, query }) => readParkedItems(db, { ...query, scope: caller.scope }))

  bind(app, contract.retryParkedItem, ({ caller, params, body }) =>
    retryParkedItem(context, { id: params.id, mended: body.item, caller }),
  )
}
