import * as contract from '@benchwatch/contract/kpi'
import type { KpiMeasure } from '@benchwatch/contract/vocabulary'
import type { FastifyInstance } from 'fastify'
import type { DataScope } from '../../db/actor.ts'
import { REPORTING_POOL_SIZE } from '../../db/connect.ts'
import type { LongReads } from '../../db/replica/long-reads.ts'
import type { Clock } from '../../platform/clock.ts'
import { Queue } from '../../platform/concurrency.ts'
import { problem } from '../../platform/http/problem.ts'
import type { FeatureContext } from '../context.ts'
import { featureIsOn } from '../users/users.lookup.ts'
import { narrowScope, readCustomerNames } from './kpi-customers.queries.ts'
import { type KpiReading, tableOf } from './kpi-measure.ts'
import { measures } from './kpi-measures.ts'
import type { KpiProvider } from './kpi-provider.ts'
import { parseCustomerNames, parseRange } from './kpi-question.ts'

/** A longer queue could not be answered within the time limit of the route. */
const MOST_WAITING = 200

const STATEMENT_TIMED_OUT = '57014'

/** A request for a table. */
export interface KpiTableInput {
  measure: KpiMeasure
  from: Date
  until: Date
  scope: DataScope
  /** The selected customers of the scope; undefined for all. */
  names: string[] | undefined
}

interface Begun {
  reading: Promise<KpiReading>
  /** Number of callers that still wait for it. */
  waiting: number
}

export type KpiTables = ReturnType<typeof createKpiTables>

export function registerKpiRoutes(
  app: FastifyInstance,
  { bind, db, reads, clock, kpi }: FeatureContext & { reads: LongReads; kpi: KpiProvider },
): void {
  const tables = createKpiTables({ reads, clock })

  bind(app, contract.listKpiDashboards, async ({ caller }) => [...(await kpi.dashboards(caller))])

  bind(app, contract.getKpiDashboard, async ({ caller, params }) => {
    const embed = await kpi.embed(caller, params.id)
    if (!embed)
      throw problem(
        'not-found',
        'This dashboard does not exist or is not available to you. Open KPI from the side bar.',
      )
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

/**
 * Creates the reader of tables. It reads as many at once as there are connections for them and queues the others.
 * Requests of the same scope for the same table share one reading, and a reading that no caller waits for any more is
 * not started, so opening a dashboard ten times costs as much as opening it once. Rejects with `overloaded`.
 */
export function createKpiTables({ reads, clock }: { reads: LongReads; clock: Clock }) {
  const queue = new Queue({ atOnce: REPORTING_POOL_SIZE, maxWaiting: MOST_WAITING })
  const inFlight = new Map<string, Begun>()

  function begin(key: string, input: KpiTableInput): Begun {
    const reading = queue.take('tables', async () => {
      try {
        return inFlight.get(key)?.waiting === 0 ? { rows: [], more: 0 } : await read(input)
      } finally {
        inFlight.delete(key)
      }
    })
    if (!reading)
      throw problem('overloaded', 'Too many dashboards are being loaded. Try again in a moment.', { retryAfter: 5 })
    const begun = { reading, waiting: 0 }
    inFlight.set(key, begun)
    return begun
  }

  function read({ measure, names, from, until, scope: whole }: KpiTableInput): Promise<KpiReading> {
    const reading = reads.inSnapshot(async (trx) => {
      const scope = names === undefined ? whole : await narrowScope(trx, { scope: whole, names })
      return measures[measure].read(trx, { from, until, scope, now: clock.now() })
    }, 'reporting')
    return reading.catch((error: Error & { code?: string }) => {
      if (error.code !== STATEMENT_TIMED_OUT) throw error
      throw problem('overloaded', 'This table takes too long. Choose fewer days or customers, or try again later.', {
        retryAfter: 30,
        cause: error,
      })
    })
  }

  /** Returns the table while the caller is connected; `gone` withdraws the request. */
  return async (input: KpiTableInput, gone: AbortSignal): Promise<KpiReading> => {
    const key = JSON.stringify([input.measure, input.from, input.until, input.scope, input.names])
    const joined = inFlight.get(key) ?? begin(key, input)
    joined.waiting += 1
    gone.addEventListener('abort', () => (joined.waiting -= 1), { once: true })
    return joined.reading
  }
}
