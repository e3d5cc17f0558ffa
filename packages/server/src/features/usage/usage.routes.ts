import * as contract from '@benchwatch/contract/instruments/usage'
import type { FastifyInstance } from 'fastify'
import { problem } from '../../platform/http/problem.ts'
import type { FeatureContext } from '../context.ts'
import { noSuchInstrument } from '../no-such-instrument.ts'
import { readComponents, readRuntimes, readUsageHistory } from './usage.queries.ts'

export function registerUsageRoutes(app: FastifyInstance, { bind, db, clock }: FeatureContext): void {
  bind(app, contract.listComponentUsage, async ({ caller, params, query }) => {
    const asked = { id: params.id, scope: caller.scope, now: clock.now(), type: query.instrumentType }
    const components = await readComponents(db, asked)
    if (!components) throw noSuchInstrument()
    return components
  })

  bind(app, contract.getUsageHistory, async ({ caller, params, query }) => {
    const history = await readUsageHistory(db, { id: params.id, scope: caller.scope, now: clock.now(), ...query })
    if (!history) {
      throw problem('not-found', 'This instrument has no such metric. Reload its components.')
    }
    return history
  })

  bind(app, contract.listDailyRuntimes, async ({ caller, params, query }) => {
    const asked = { id: params.id, scope: caller.scope, now: clock.now(), numberOfDays: query.numberOfDays }
    const runtimes = await readRuntimes(db, asked)
    if (!runtimes) throw noSuchInstrument()
    return runtimes
  })
}
