import { listServiceEventEmails, shareServiceEvent as shareRoute } from '@benchwatch/contract/events/event-emails'
import type { FastifyInstance } from 'fastify'
import type { FeatureContext } from '../context.ts'
import { noSuchEvent } from '../events/events.service.ts'
import { readEventEmails } from './event-emails.queries.ts'
import { shareServiceEvent } from './share-event.service.ts'

export function registerEventEmailRoutes(app: FastifyInstance, context: FeatureContext): void {
  const { bind, db } = context

  bind(app, shareRoute, async ({ caller, body }) => {
    const message = body.message?.trim() || null
    await shareServiceEvent(context, { caller, eventId: body.eventId, receiverIds: body.receiverIds, message })
  })

  bind(app, listServiceEventEmails, async ({ caller, params }) => {
    const values = await readEventEmails(db, { id: Number(params.id), caller })
    if (!values) throw noSuchEvent()
    return { values }
  })
}
