import * as contract from '@benchwatch/contract/kpi'
import type { FastifyInstance } from 'fastify'
import { inTransaction } from '../../db/transaction.ts'
import { problem } from '../../platform/http/problem.ts'
import { Turns } from '../../platform/turns.ts'
import type { FeatureContext } from '../context.ts'
import { featureIsOn } from '../users/users.lookup.ts'
import { narrowScope, readCustomerNames } from './kpi-customers.queries.ts'
import { tableOf } from './kpi-measure.ts'
import { measures } from './kpi-measures.ts'
import type { KpiProvider } from './kpi-provider.ts'
import { parseCustomerNames, parseRange } from './kpi-question.ts'

/**
 * A dashboard asks for all of its measures at once, and each may look at a million events: so few at a time leave the
 * database and its connections to everybody else.
 */
const TABLES_AT_ONCE = 2
const MOST_WAITING = 200
/** Below what the route allows for its answer, so that whoever waits is told. */
const STATEMENT_MS = 20_000

export function registerKpiRoutes(
  app: FastifyInstance,
  { bind, db, clock, kpi }: FeatureContext & { kpi: KpiProvider },
): void {
  const turns = new Turns({ atOnce: TABLES_AT_ONCE, maxWaiting: MOST_WAITING })

  bind(app, contract.listKpiDashboards, async ({ caller }) => [...(await kpi.dashboards(caller))])

  bind(app, contract.getKpiDashboard, async ({ caller, params }) => {
    const embed = await kpi.embed(caller, params.id)
    if (!embed)
      throw problem('not-found', 'There is no such dashboard for you. Open the key figures from the side bar.')
    return { dashboardEmbedUrl: embed.url, expiresAt: embed.expiresAt.toISOString() }
  })

  bind(app, contract.listKpiCustomers, ({ caller }) => readCustomerNames(db, caller.scope))

  bind(app, contract.getKpiTable, async ({ caller, params, query }) => {
    const range = parseRange(query)
    const names = parseCustomerNames(query.customers)
    const definition = measures[params.measure]
    for (const key of definition.flags) {
      if (await featureIsOn(db, { userId: caller.id, key })) continue
      return tableOf(params.measure, { ...definition, note: `The feature ${key} is switched off for you.` }, [])
    }
    const read = () =>
      inTransaction(
        db,
        async (trx) => {
          const scope = names === undefined ? caller.scope : await narrowScope(trx, { scope: caller.scope, names })
          return definition.read(trx, { ...range, scope, now: clock.now() })
        },
        { statementTimeoutMs: STATEMENT_MS, isSnapshot: true },
      )
    const rows = await turns.take('tables', read)
    if (!rows) throw problem('overloaded', 'Many dashboards are being opened. Try again shortly.', { retryAfter: 5 })
    return tableOf(params.measure, definition, rows)
  })
}
