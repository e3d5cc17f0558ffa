import {
  cancelCase as cancelCaseRoute,
  reportCase as reportCaseRoute,
  requestCase as requestCaseRoute,
} from '@benchwatch/contract/events/cases'
import type { FastifyInstance } from 'fastify'
import type { FeatureContext } from '../context.ts'
import type { CaseDesk } from './case-desk.ts'
import { cancelCase, reportCase, requestCase } from './cases.service.ts'

export function registerCaseRoutes(app: FastifyInstance, context: FeatureContext & { desk: CaseDesk | null }): void {
  const { bind } = context

  bind(app, requestCaseRoute, async ({ caller, params, request, reply }) => {
    const event = await requestCase(context, { id: params.id, caller, ifMatch: request.headers['if-match'] })
    reply.header('etag', `"${event.version}"`)
    return event
  })

  bind(app, cancelCaseRoute, async ({ caller, params, reply }) => {
    const event = await cancelCase(context, { id: params.id, caller })
    reply.header('etag', `"${event.version}"`)
    return event
  })

  bind(app, reportCaseRoute, ({ caller, params, body }) =>
    reportCase(context, { number: params.number, report: body, caller }),
  )
}
