import * as contract from '@benchwatch/contract/support-emails'
import type { FastifyInstance } from 'fastify'
import type { FeatureContext } from '../context.ts'
import { noSuchInstrument } from '../no-such-instrument.ts'
import { readSupportEmails } from './support-emails.queries.ts'

export function registerSupportEmailRoutes(app: FastifyInstance, { bind, db, clock }: FeatureContext): void {
  bind(app, contract.listSupportEmails, async ({ caller, query }) => {
    const emails = await readSupportEmails(db, {
      installedProductId: query.instrumentIpid,
      type: query.instrumentType,
      scope: caller.scope,
      now: clock.now(),
    })
    if (!emails) throw noSuchInstrument()
    return emails
  })
}
