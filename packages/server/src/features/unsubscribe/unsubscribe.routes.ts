import * as contract from '@benchwatch/contract/messages/unsubscribe'
import type { FastifyInstance } from 'fastify'
import { originOf } from '../auth/credentials/attempts.ts'
import type { FeatureContext } from '../context.ts'
import { splitTemplateId } from '../events/event-codes.ts'
import { readUnsubscriptions } from './unsubscribe.queries.ts'
import { endUnsubscription, linkedWarning, unsubscribe } from './unsubscribe.service.ts'
import type { Rest } from './unsubscribe.store.ts'

/** 3-decisions 7, wire 9 and 10. */
export function registerUnsubscribeRoutes(app: FastifyInstance, context: FeatureContext): void {
  const { bind, db, clock, config } = context

  bind(app, contract.getUnsubscribeInformation, async ({ query: { token }, request }) => {
    const { templateId, rest, ...warning } = await linkedWarning(context, { token, from: originOf(request) })
    return {
      eventTemplateId: templateId,
      instrumentProductDescription: warning.productDescription,
      instrumentDefinedSystemName: warning.systemName,
      errorCode: splitTemplateId(templateId).errorCode,
      componentName: warning.componentName,
      instrumentType: warning.instrumentType,
      isUnsubscribed: rest !== undefined,
      ...answerOf(rest),
    }
  })

  bind(app, contract.unsubscribe, async ({ body, request }) => {
    const { token, unsubscribeDays: days } = body
    return answerOf(await unsubscribe(context, { token, days, from: originOf(request) }))
  })

  bind(app, contract.unsubscribeOneClick, async ({ query: { token }, request }) => {
    return answerOf(await unsubscribe(context, { token, days: null, from: originOf(request) }))
  })

  bind(app, contract.openUnsubscribePage, async ({ query: { token }, reply }) => {
    reply.redirect(`${config.publicUrl}/unsubscribe?token=${encodeURIComponent(token)}`)
  })

  bind(app, contract.listUnsubscriptions, async ({ caller, query }) => {
    return readUnsubscriptions(db, { search: query, scope: caller.scope, now: clock.now() })
  })

  bind(app, contract.deleteUnsubscription, ({ caller, params }) =>
    endUnsubscription(context, { id: params.id, caller }),
  )
}

function answerOf(rest: Rest | undefined) {
  return { unsubscribedUntil: rest?.until?.toISOString() ?? null }
}
