import {
  getEventOutcomes,
  getEventSurroundings,
  getServiceResponse,
  listFrequentEvents,
  listRecentEvents,
  listServiceEventHistory,
  listSimilarEvents,
} from '@benchwatch/contract/events/event-details'
import * as contract from '@benchwatch/contract/events/events'
import type { RouteTypes } from '@benchwatch/contract/route'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { UserActor } from '../../db/actor.ts'
import type { LongReads } from '../../db/replica/long-reads.ts'
import type { FeatureContext } from '../context.ts'
import { noSuchInstrument } from '../no-such-instrument.ts'
import { readHistory } from './around/history.queries.ts'
import { readOutcomes } from './around/outcomes.queries.ts'
import {
  readFrequentEvents,
  readRecentEvents,
  readServiceResponse,
  readSimilarEvents,
} from './around/similar-events.queries.ts'
import { readSurroundings } from './around/surroundings.queries.ts'
import { changeServiceEvent, getServiceEvent, noSuchEvent } from './events.service.ts'
import { listEventLocations, listServiceEvents } from './search/event-list.queries.ts'
import type { EventSearch } from './search/event-search.ts'
import { countFilterValues } from './search/filter-counts.queries.ts'
import type { EventQuery } from './search/filters.queries.ts'

export function registerServiceEventRoutes(
  app: FastifyInstance,
  context: FeatureContext & { eventSearch: EventSearch; reads: LongReads },
): void {
  const { bind, db, reads, clock } = context

  bind(app, contract.listServiceEvents, ({ caller, query, body }) => {
    const { limit, offset, orderBy, order } = query
    return listServiceEvents(context, {
      search: searchOf(query, body),
      ...seenBy(caller),
      page: { limit, offset, orderBy, order: order ?? (orderBy === 'createdAt' ? 'DESC' : 'ASC') },
      now: clock.now(),
    })
  })

  bind(app, contract.listEventLocations, ({ caller, query, body }) =>
    listEventLocations(context, { search: searchOf(query, body), scope: caller.scope, now: clock.now() }),
  )

  bind(app, contract.countFilterValues, ({ caller, query, body }) =>
    countFilterValues(context, { search: searchOf(query, body), scope: caller.scope, now: clock.now() }),
  )

  bind(app, contract.getServiceEvent, async ({ caller, params, reply }) =>
    tagged(reply, await getServiceEvent(db, { id: params.id, caller })),
  )

  bind(app, contract.getServiceEventByEventId, async ({ caller, params, reply }) =>
    tagged(reply, await getServiceEvent(db, { id: params.eventId, caller })),
  )

  bind(app, contract.updateServiceEvent, async ({ caller, params, body, request, reply }) => {
    const ifMatch = request.headers['if-match']
    return tagged(reply, await changeServiceEvent(context, { id: params.id, caller, change: body, ifMatch }))
  })

  bind(app, listSimilarEvents, async ({ caller, query }) => {
    const similarity = {
      installedProductId: query.instrumentInstalledProductId,
      templateId: query.templateId,
      thisErrorOnly: query.thisEventOnly,
      before: query.date,
      limit: query.maxResultsQuantity,
    }
    const events = await readSimilarEvents(db, { similarity, ...seenBy(caller) })
    if (!events) throw noSuchInstrument()
    return { values: events.map((alarm) => ({ alarm })) }
  })

  bind(app, listFrequentEvents, async ({ caller, query }) => {
    const installedProductId = query.instrumentInstalledProductId
    const input = { installedProductId, ...seenBy(caller), now: clock.now() }
    const frequent = await reads.inSnapshot((trx) => readFrequentEvents(trx, input), 'db')
    if (!frequent) throw noSuchInstrument()
    return Object.fromEntries(frequent.map(({ templateId, event, count }) => [templateId, { event, count }]))
  })

  bind(app, listRecentEvents, async ({ caller, query }) => {
    const installedProductId = query.instrumentInstalledProductId
    const input = { installedProductId, ...seenBy(caller) }
    const events = await reads.inSnapshot((trx) => readRecentEvents(trx, input), 'db')
    if (!events) throw noSuchInstrument()
    return { values: events.map((alarm) => ({ alarm })) }
  })

  bind(app, listServiceEventHistory, async ({ caller, params }) => {
    const values = await readHistory(db, { id: Number(params.id), caller })
    if (!values) throw noSuchEvent()
    return { values }
  })

  bind(app, getServiceResponse, async ({ caller, params }) => {
    const response = await readServiceResponse(db, { id: Number(params.id), scope: caller.scope })
    if (!response) throw noSuchEvent()
    return response
  })

  bind(app, getEventSurroundings, async ({ caller, params }) => {
    const around = await readSurroundings(db, { id: Number(params.id), ...seenBy(caller), now: clock.now() })
    if (!around) throw noSuchEvent()
    return around
  })

  bind(app, getEventOutcomes, async ({ caller, params }) => {
    const outcomes = await readOutcomes(db, { id: Number(params.id), scope: caller.scope, now: clock.now() })
    if (!outcomes) throw noSuchEvent()
    return outcomes
  })
}

type SearchTypes = RouteTypes<typeof contract.countFilterValues>

/** Converts the query and body of the list, the map and the counts into a search. */
function searchOf(query: SearchTypes['query'], { filter, positions }: SearchTypes['body']): EventQuery {
  const { keyword, start, stop, noOwnerEvents, noActionEvents, fullSupportEvents } = query
  return {
    filter,
    positions,
    keyword,
    start,
    stop,
    flags: { noOwner: noOwnerEvents, noAction: noActionEvents, fullSupport: fullSupportEvents },
  }
}

function seenBy({ scope, id: viewerId }: UserActor) {
  return { scope, viewerId }
}

function tagged(reply: FastifyReply, event: contract.ServiceEvent): contract.ServiceEvent {
  reply.header('etag', `"${event.version}"`)
  return event
}
