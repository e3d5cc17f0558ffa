import * as contract from '@benchwatch/contract/instruments/connections'
import type { FastifyInstance } from 'fastify'
import type { FeatureContext } from '../context.ts'
import { listTemplates, putTemplate, resetTemplate } from './connection-templates.service.ts'

export function registerConnectionRoutes(app: FastifyInstance, context: FeatureContext): void {
  const { bind, db } = context

  bind(app, contract.listConnectionTemplates, ({ caller }) => listTemplates(db, caller.scope))

  bind(app, contract.putConnectionTemplate, ({ params: { kind }, body: input, caller, request }) =>
    putTemplate(context, { kind, input, ifMatch: request.headers['if-match'], caller }),
  )

  bind(app, contract.deleteConnectionTemplate, ({ params: { kind }, caller }) =>
    resetTemplate(context, { kind, caller }),
  )
}
