import { getInstrumentTimeline } from '@benchwatch/contract/instruments/instrument-timeline'
import * as contract from '@benchwatch/contract/instruments/instruments'
import type { FastifyInstance } from 'fastify'
import { readInstrumentTypes } from '../../db/instrument-type.ts'
import { problem } from '../../platform/http/problem.ts'
import type { FeatureContext } from '../context.ts'
import { noSuchInstrument } from '../no-such-instrument.ts'
import { featureIsOn } from '../users/users.lookup.ts'
import { checkInstrumentFilter, findLinkedClients } from './instruments.lookup.ts'
import {
  countInstruments,
  findEdgeGateway,
  listFamilies,
  listInstruments,
  listPlannedMaintenance,
  readInstrument,
  readStatuses,
  readTimeline,
} from './instruments.queries.ts'

const DAY_MS = 86_400_000
/** Default and longest span of a timeline. */
const USUAL_SPAN_MS = 7 * DAY_MS
const LONGEST_SPAN_MS = 366 * DAY_MS

export function registerInstrumentRoutes(app: FastifyInstance, { bind, db, clock }: FeatureContext): void {
  bind(app, contract.listInstruments, async ({ caller, query, body }) => {
    await checkInstrumentFilter(db, { userId: caller.id, filter: body.filter })
    const { limit, offset, orderBy, order, keyword, instrumentFamily: family, start, stop } = query
    return listInstruments(db, {
      search: { filter: body.filter, keyword, family, start, stop },
      scope: caller.scope,
      page: { limit, offset, orderBy, order },
      now: clock.now(),
    })
  })

  bind(app, contract.countInstruments, async ({ caller, body: { searches } }) => {
    for (const { filter } of searches) await checkInstrumentFilter(db, { userId: caller.id, filter })
    return countInstruments(db, { searches, scope: caller.scope, now: clock.now() })
  })

  bind(app, contract.listPlannedMaintenance, ({ caller, query: { keyword, limit, offset } }) =>
    listPlannedMaintenance(db, { keyword, scope: caller.scope, now: clock.now(), limit, offset }),
  )

  bind(app, contract.listInstrumentTypes, () => readInstrumentTypes(db))
  bind(app, contract.listInstrumentFamilies, ({ caller }) => listFamilies(db, caller.scope))

  bind(app, contract.getInstrument, async ({ caller, params }) => {
    const { scope, id: viewerId } = caller
    const instrument = await readInstrument(db, { id: params.id, scope, viewerId, now: clock.now() })
    if (!instrument) throw noSuchInstrument()
    return instrument
  })

  bind(app, getInstrumentTimeline, async ({ caller, params, query }) => {
    const stop = query.stop ?? clock.now()
    const start = query.start ?? new Date(stop.getTime() - USUAL_SPAN_MS)
    if (start >= stop || stop.getTime() - start.getTime() > LONGEST_SPAN_MS) {
      throw problem('validation-failed', 'start must be before stop, by at most 366 days. Choose another span.')
    }
    const { id: userId, scope } = caller
    const withRuntimes = await featureIsOn(db, { userId, key: 'FETCH_INSTRUMENT_DAILY_RUNTIMES' })
    const timeline = await readTimeline(db, { id: params.id, scope, start, stop, withRuntimes })
    if (!timeline) throw noSuchInstrument()
    return timeline
  })

  bind(app, contract.readInstrumentStatuses, ({ caller, body }) =>
    readStatuses(db, { installedProductIds: body.instrumentInstalledProductIds, scope: caller.scope }),
  )

  bind(app, contract.getLinkedClients, async ({ caller, query }) => {
    const installedProductId = query.instrumentInstalledProductId
    const clients = await findLinkedClients(db, { installedProductId, scope: caller.scope })
    if (!clients) throw noSuchInstrument()
    return clients
  })

  bind(app, contract.getEdgeGateway, async ({ caller, params }) => {
    const gateway = await findEdgeGateway(db, { installedProductId: params.id, scope: caller.scope })
    if (!gateway)
      throw problem(
        'not-found',
        'Gateway could not be found. Check the installed product ID; the gateway may belong to a customer you cannot see.',
      )
    return gateway
  })
}
