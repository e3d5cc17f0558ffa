import { Readable } from 'node:stream'
import * as contract from '@benchwatch/contract/instruments/calendars'
import type { FastifyInstance } from 'fastify'
import { namesTag } from '../../platform/http/etag.ts'
import type { FeatureContext } from '../context.ts'
import { listCalendars } from './calendars.queries.ts'
import { createCalendar, readCalendar, revokeCalendar } from './calendars.service.ts'

export function registerCalendarRoutes(app: FastifyInstance, context: FeatureContext): void {
  const { bind, db } = context

  bind(app, contract.listCalendars, async ({ caller }) => ({ values: await listCalendars(db, caller) }))

  bind(app, contract.createCalendar, ({ caller, body: input }) => createCalendar(context, { input, caller }))

  bind(app, contract.revokeCalendar, ({ caller, params: { id } }) => revokeCalendar(context, { id, caller }))

  bind(app, contract.readCalendar, async ({ params: { token }, request, reply }) => {
    const { etag, text } = await readCalendar(context, token)
    // Kept by the calendar program, but asked for each time: what the owner may see can change at any moment.
    reply.header('cache-control', 'private, no-cache').header('etag', etag)
    if (namesTag(request.headers['if-none-match'], etag)) {
      reply.code(304)
      return undefined
    }
    reply.header('content-disposition', 'inline; filename="calendar.ics"')
    return Readable.from([text()])
  })
}
