import * as contract from '@benchwatch/contract/administration/backoffice'
import type { FastifyInstance } from 'fastify'
import type { LongReads } from '../../db/replica/long-reads.ts'
import type { FeatureContext } from '../context.ts'
import { createEvent } from './event-creation.service.ts'
import { readGatewayFeeds } from './feed.queries.ts'
import { releaseHeldBackEvent } from './held-back.service.ts'
import { readHeldBackEvents } from './held-back.store.ts'
import { injectLog, orderTestsNow } from './injection/injection.service.ts'
import { getInstrumentState, setInstrumentState } from './instrument-state.service.ts'
import { readClientPcNames, readCustomerEmails } from './instrument-state.store.ts'
import { discardParkedItem, retryParkedItem } from './parked-items.service.ts'
import { readParkedItems } from './parked-items.store.ts'

/** Registers the support desk's tools: document 2 sections 2, 5 and 7, wire 10. */
export function registerBackofficeRoutes(app: FastifyInstance, context: FeatureContext): void {
  const { bind, db } = context

  bind(app, contract.createBackofficeEvent, ({ caller, body }) => createEvent(context, { form: body, caller }))

  bind(app, contract.getBackofficeInstrumentStatus, ({ caller, query }) =>
    getInstrumentState(db, { ipid: query.ipid, caller }),
  )

  bind(app, contract.setBackofficeInstrumentStatus, ({ caller, body }) =>
    setInstrumentState(context, { input: body, caller }),
  )

  bind(app, contract.injectLog, async ({ caller, body }) => {
    const _id = await injectLog(context, { form: body, caller })
    return { _id }
  })

  bind(app, contract.listCustomerEmails, ({ caller }) => readCustomerEmails(db, caller.scope))

  bind(app, contract.readUnicornPcNames, ({ caller, body }) =>
    readClientPcNames(db, { installedProductIds: body.instrumentInstalledProductIds, scope: caller.scope }),
  )
}

/** Registers the state of the data feed: arrivals per gateway, parked items, and tests of the alarm chain. */
export function registerFeedRoutes(app: FastifyInstance, context: FeatureContext & { reads: LongReads }): void {
  const { bind, db, clock, config, reads } = context

  bind(app, contract.listGatewayFeeds, ({ caller }) =>
    readGatewayFeeds(db, {
      scope: caller.scope,
      silenceMs: config.gatewaySilenceSeconds * 1000,
      now: clock.now(),
    }),
  )

  bind(app, contract.getReadReplica, async () => {
    const replica = reads.replica()
    if (!replica) return { state: 'none' as const, lagSeconds: null, maxLagSeconds: null }
    const { lagMs, mostLagMs, isUsed } = replica
    return {
      state: isUsed ? ('used' as const) : lagMs === null ? ('away' as const) : ('behind' as const),
      lagSeconds: lagMs === null ? null : lagMs / 1000,
      maxLagSeconds: mostLagMs / 1000,
    }
  })

  bind(app, contract.injectTestAlarms, ({ caller }) => orderTestsNow(context, caller.scope))

  bind(app, contract.listParkedItems, ({ caller, query }) => readParkedItems(db, { ...query, scope: caller.scope }))

  bind(app, contract.retryParkedItem, ({ caller, params, body }) =>
    retryParkedItem(context, { id: params.id, replacement: body.item, caller }),
  )

  bind(app, contract.discardParkedItem, ({ caller, params, body }) =>
    discardParkedItem(context, { id: params.id, reason: body.reason, caller }),
  )
}

/** Registers the events that were held back because no contract was running: 3-decisions 5. */
export function registerHeldBackRoutes(app: FastifyInstance, context: FeatureContext): void {
  const { bind, db } = context

  bind(app, contract.listHeldBackEvents, ({ caller, query }) =>
    readHeldBackEvents(db, { ...query, scope: caller.scope }),
  )

  bind(app, contract.releaseHeldBackEvent, ({ caller, params }) =>
    releaseHeldBackEvent(context, { id: params.id, caller }),
  )
}
