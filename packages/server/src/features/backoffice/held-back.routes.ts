import * as contract from '@benchwatch/contract/backoffice'
import type { FastifyInstance } from 'fastify'
import type { FeatureContext } from '../context.ts'
import { releaseHeldBackEvent } from './held-back.service.ts'
import { readHeldBackEvents } from './held-back.store.ts'

/** Events that were not made for want of a running contract: 3-decisions 5. */
export function registerHeldBackRoutes(app: FastifyInstance, context: FeatureContext): void {
  const { bind, db } = context

  bind(app, contract.listHeldBackEvents, ({ caller, query }) =>
    readHeldBackEvents(db, { ...query, scope: caller.scope }),
  )

  bind(app, contract.releaseHeldBackEvent, async ({ caller, params, reply }) => {
    const event = await releaseHeldBackEvent(context, { id: params.id, caller })
    reply.code(201)
    return event
  })
}
