import * as contract from '@benchwatch/contract/kpi'
import type { FastifyInstance } from 'fastify'
import type { DatabaseHandle } from '../../db/connect.ts'
import { problem } from '../../platform/http/problem.ts'
import type { FeatureContext } from '../context.ts'
import { featureIsOn } from '../users/users.lookup.ts'
import { readCustomerNames } from './kpi-customers.queries.ts'
import { tableOf } from './kpi-measure.ts'
import { measures } from './kpi-measures.ts'
import type { KpiProvider } from './kpi-provider.ts'
import { parseCustomerNames, parseRange } from './kpi-question.ts'
import { createKpiTables } from './kpi-tables.ts'

export function registerKpiRoutes(
  app: FastifyInstance,
  { bind, db, reporting, clock, kpi }: FeatureContext & Pick<DatabaseHandle, 'reporting'> & { kpi: KpiProvider },
): void {
  const tables = createKpiTables({ reporting, clock })

  bind(app, contract.listKpiDashboards, async ({ caller }) => [...(await kpi.dashboards(caller))])

  bind(app, contract.getKpiDashboard, async ({ caller, params }) => {
    const embed = await kpi.embed(caller, params.id)
    if (!embed)
      throw problem('not-found', 'There is no such dashboard for you. Open the key figures from the side bar.')
    return { dashboardEmbedUrl: embed.url, expiresAt: embed.expiresAt.toISOString() }
  })

  bind(app, contract.listKpiCustomers, ({ caller }) => readCustomerNames(db, caller.scope))

  bind(app, contract.getKpiTable, async ({ caller, params, query, reply }) => {
    const range = parseRange(query)
    const names = parseCustomerNames(query.customers)
    const definition = measures[params.measure]
    for (const key of definition.flags) {
      if (await featureIsOn(db, { userId: caller.id, key })) continue
      const note = `The feature ${key} is switched off for you.`
      return tableOf(params.measure, { ...definition, note }, { rows: [], more: 0 })
    }
    const gone = new AbortController()
    reply.raw.once('close', () => gone.abort())
    const reading = await tables({ measure: params.measure, ...range, scope: caller.scope, names }, gone.signal)
    return tableOf(params.measure, definition, reading)
  })
}
