import { Gauge, type Registry } from 'prom-client'
import type { Db } from '../../db/connect.ts'
import type { ReplicaState } from '../../db/replica/long-reads.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import { type ProductState, readProductState } from './product-state.queries.ts'

/** Facts about this process. */
export interface ProcessProbes {
  isLeading(): boolean
  pool(): { total: number; idle: number; waiting: number }
  search(): { engine: string; isReady: boolean; lagMs: number }
  degraded(): readonly string[]
  /** Null without a read replica. */
  replica(): ReplicaState | null
}

interface Sources extends ProcessProbes {
  db: Db
  clock: Clock
  log: Log
}

/** The database is queried at most this often, however many scrapes there are. */
const KEPT_MS = 5000

/**
 * Gauges of waiting, failed and silent parts, measured at each scrape. While the database does not answer, they are
 * absent and `benchwatch_database_up` is 0, so that no stale number hides the failure.
 */
export function measureProduct(registry: Registry, sources: Sources): void {
  const state = keptState(sources)
  const gauge = (name: string, help: string, read: () => Reading | Promise<Reading>, label?: string) =>
    new Gauge({
      name: `benchwatch_${name}`,
      help,
      labelNames: label === undefined ? [] : [label],
      registers: [registry],
      async collect() {
        const reading = await read()
        this.reset()
        if (typeof reading === 'number') this.set(reading)
        // A gauge without labels reports 0 until it is removed.
        else if (label === undefined) this.remove()
        else for (const [key, value] of Object.entries<number>(reading ?? {})) this.set({ [label]: key }, value)
      },
    })
  const stored = (key: keyof ProductState) => async () => (await state())?.[key] ?? null

  gauge('live_messages_waiting', 'Live messages not published yet', stored('liveWaiting'))
  gauge('messages_waiting', 'E-mails and text messages in the queue', stored('messagesWaiting'), 'channel')
  gauge('messages_oldest_age_seconds', 'Age of the oldest message in the queue', stored('messagesOldestAge'))
  gauge('messages_failed', 'E-mails and text messages given up within a day', stored('messagesFailed'), 'channel')
  gauge('notifications_waiting', 'Pending notifications by what they wait for', stored('notifications'), 'state')
  gauge('jobs', 'Waiting jobs and jobs given up', stored('jobs'), 'state')
  gauge(
    'webhook_deliveries',
    'Deliveries of webhooks that wait, and those parked within a day',
    stored('webhookDeliveries'),
    'state',
  )
  gauge('webhooks_paused', 'Webhooks that are tried less often because their receivers fail', stored('webhooksPaused'))
  gauge(
    'service_cases',
    'Service cases that do not exist yet, by whether an attempt has failed',
    stored('serviceCases'),
    'state',
  )
  gauge(
    'service_cases_oldest_age_seconds',
    'Age of the oldest service case that does not exist yet',
    stored('serviceCasesOldestAge'),
  )
  gauge('audit_seal_lag_seconds', 'Age of the oldest audit log row without a seal', stored('sealLag'))
  gauge('gateways', 'Gateways by the state of their feed', stored('gateways'), 'state')
  gauge('gateway_links', 'Sources of gateways that are not silent, by state', stored('gatewayLinks'), 'state')
  gauge('parked_items', 'Parked items of gateways', stored('parkedItems'))
  gauge('alarm_tests', 'Gateways by the result of the last test of their alarm chain', stored('alarmTests'), 'result')
  gauge(
    'alarm_test_arrived_age_seconds',
    'Seconds since a test of the alarm chain arrived in time',
    stored('lastArrivedAge'),
  )
  gauge('database_up', '1 if the database answered', async () => ((await state()) === undefined ? 0 : 1))
  gauge('leader', '1 if this process is the leader', () => (sources.isLeading() ? 1 : 0))
  gauge('database_connections', 'Connections of this process for user requests', () => sources.pool(), 'state')
  gauge('event_index_ready', '1 if the index in memory answers searches for events', () =>
    sources.search().engine === 'index' && sources.search().isReady ? 1 : 0,
  )
  gauge('live_bus_ready', '0 while live messages are read from PostgreSQL because NATS is down', () =>
    sources.degraded().includes('nats') ? 0 : 1,
  )
  gauge('event_search_ready', '0 while PostgreSQL answers searches for events in place of a faster engine', () =>
    sources.search().isReady ? 1 : 0,
  )
  gauge('read_replica_ready', '1 while long reads go to the read replica; 0 while the primary replaces it', () => {
    const replica = sources.replica()
    return replica ? (replica.isUsed ? 1 : 0) : null
  })
  gauge('read_replica_lag_seconds', 'How long the read replica has been behind; absent while it is down', () => {
    const lagMs = sources.replica()?.lagMs ?? null
    return lagMs === null ? null : lagMs / 1000
  })
  gauge(
    'event_search_lag_seconds',
    'How far the engine of event searches is behind the database',
    () => sources.search().lagMs / 1000,
  )
}

/** One value, or one by the label of its gauge; null leaves the gauge out. */
type Reading = number | Readonly<Record<string, number>> | null

/** Returns a cached read of the state; undefined while the database does not answer. */
function keptState({ db, clock, log }: Sources): () => Promise<ProductState | undefined> {
  let kept: { state: Promise<ProductState | undefined>; until: number } | undefined
  return () => {
    if (kept && performance.now() < kept.until) return kept.state
    const state = readProductState(db, clock.now()).catch((error: unknown) => {
      log.warn({ err: error }, 'metrics could not be read from the database')
      return undefined
    })
    kept = { state, until: performance.now() + KEPT_MS }
    return state
  }
}
