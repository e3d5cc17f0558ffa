import * as contract from '@benchwatch/contract/backoffice'
import type { FastifyInstance } from 'fastify'
import type { FeatureContext } from '../context.ts'
import { createEvent } from './event-creation.service.ts'
import { readClientPcNames, readCustomerEmails } from './instrument-contacts.queries.ts'
import { getInstrumentState, setInstrumentState } from './instrument-state.service.ts'
import { injectLog } from './log-injection.service.ts'

/** The tools of the support desk: document 2 sections 2, 5 and 7, wire 10. */
export function registerBackofficeRoutes(app: FastifyInstance, context: FeatureContext): void {
  const { bind, db } = context

  bind(app, contract.createBackofficeEvent, async ({ caller, body, reply }) => {
    const event = await createEvent(context, { form: body, caller })
    reply.code(201)
    return event
  })

  bind(app, contract.getBackofficeInstrumentStatus, ({ caller, query }) =>
    getInstrumentState(db, { ipid: query.ipid, caller }),
  )

  bind(app, contract.setBackofficeInstrumentStatus, ({ caller, body }) =>
    setInstrumentState(context, { wanted: body, caller }),
  )

  bind(app, contract.injectLog, async ({ caller, body, reply }) => {
    const _id = await injectLog(context, { form: body, caller })
    reply.code(201)
    return { _id }
  })

  bind(app, contract.listCustomerEmails, ({ caller }) => readCustomerEmails(db, caller.scope))

  bind(app, contract.readUnicornPcNames, ({ caller, body }) =>
    readClientPcNames(db, { installedProductIds: body.instrumentInstalledProductIds, scope: caller.scope }),
  )
}
