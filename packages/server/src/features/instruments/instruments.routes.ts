import { getEdgeGateway, getLinkedClients, readInstrumentStatuses } from '@benchwatch/contract/instruments'
import type { FastifyInstance } from 'fastify'
import { problem } from '../../platform/http/problem.ts'
import type { FeatureContext } from '../context.ts'
import { findLinkedClients } from './instruments.lookup.ts'
import { findEdgeGateway, readStatuses } from './instruments.queries.ts'

export function registerInstrumentRoutes(app: FastifyInstance, { bind, db }: FeatureContext): void {
  bind(app, readInstrumentStatuses, ({ caller, body }) =>
    readStatuses(db, { installedProductIds: body.instrumentInstalledProductIds, scope: caller.scope }),
  )

  bind(app, getLinkedClients, async ({ caller, query }) => {
    const installedProductId = query.instrumentInstalledProductId
    const clients = await findLinkedClients(db, { installedProductId, scope: caller.scope })
    if (!clients) throw problem('not-found', 'Instrument could not be found. Check its installed product id.')
    return clients
  })

  bind(app, getEdgeGateway, async ({ caller, params }) => {
    const gateway = await findEdgeGateway(db, { installedProductId: params.id, scope: caller.scope })
    if (!gateway)
      throw problem('not-found', 'Gateway could not be found. Check the installed product id; you may not see it.')
    return gateway
  })
}
