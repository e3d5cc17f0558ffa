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
  const gauge = (name: string, help: string, read: (state: ProductState) => Readings | null) =>
    new Gauge({
      name: `benchwatch_${name}`,
      help,
      labelNames: labelsOf(name),
      registers: [registry],
      async collect() {
        this.reset()
        const now = await state()
        const readings = now && read(now)
        if (!readings) {
          // A gauge without labels reports 0 until it is removed.
          if (labelsOf(name).length === 0) this.remove()
          return
        }
        for (const [labels, value] of readings) this.set(labels, value)
      },
    })
  const own = (name: string, help: string, read: () => Readings) =>
    new Gauge({
      name: `benchwatch_${name}`,
      help,
      labelNames: labelsOf(name),
      registers: [registry],
      collect() {
        const readings = read()
        // A gauge without labels reports 0 until it is removed.
        if (readings.length === 0) this.remove()
        for (const [labels, value] of readings) this.set(labels, value)
      },
    })

  gauge('live_messages_waiting', 'Live messages not published yet', ({ liveWaiting }) => one(liveWaiting))
  gauge('messages_waiting', 'E-mails and text messages in the queue', ({ messagesWaiting }) =>
    by('channel', messagesWaiting),
  )
  gauge('messages_oldest_age_seconds', 'Age of the oldest message in the queue', ({ messagesOldestAge }) =>
    one(messagesOldestAge),
  )
  gauge('messages_failed', 'E-mails and text messages given up within a day', ({ messagesFailed }) =>
    by('channel', messagesFailed),
  )
  gauge('notifications_waiting', 'Pending notifications by what they wait for', ({ notifications }) =>
    by('state', notifications),
  )
  gauge('jobs', 'Waiting jobs and jobs given up', ({ jobs }) => by('state', jobs))
  gauge(
    'webhook_deliveries',
    'Deliveries of webhooks that wait, and those parked within a day',
    ({ webhookDeliveries }) => by('state', webhookDeliveries),
  )
  gauge('webhooks_paused', 'Webhooks that are tried less often because their receivers fail', ({ webhooksPaused }) =>
    one(webhooksPaused),
  )
  gauge('service_cases', 'Service cases that do not exist yet, by whether an attempt has failed', ({ serviceCases }) =>
    by('state', serviceCases),
  )
  gauge('service_cases_oldest_age_seconds', 'Age of the oldest service case that does not exist yet', (state) =>
    one(state.serviceCasesOldestAge),
  )
  gauge('audit_seal_lag_seconds', 'Age of the oldest audit log row without a seal', ({ sealLag }) => one(sealLag))
  gauge('gateways', 'Gateways by the state of their feed', ({ gateways }) => by('state', gateways))
  gauge('gateway_links', 'Sources of gateways that are not silent, by state', ({ gatewayLinks }) =>
    by('state', gatewayLinks),
  )
  gauge('parked_items', 'Parked items of gateways', ({ parkedItems }) => one(parkedItems))
  gauge('alarm_tests', 'Gateways by the result of the last test of their alarm chain', ({ alarmTests }) =>
    by('result', alarmTests),
  )
  gauge(
    'alarm_test_arrived_age_seconds',
    'Seconds since a test of the alarm chain arrived in time',
    ({ lastArrivedAge }) => (lastArrivedAge === null ? null : one(lastArrivedAge)),
  )
  new Gauge({
    name: 'benchwatch_database_up',
    help: '1 if the database answered',
    registers: [registry],
    async collect() {
      this.set((await state()) === undefined ? 0 : 1)
    },
  })
  own('leader', '1 if this process is the leader', () => one(sources.isLeading() ? 1 : 0))
  own('database_connections', 'Connections of this process for user requests', () => by('state', sources.pool()))
  own('event_index_ready', '1 if the index in memory answers searches for events', () =>
    one(sources.search().engine === 'index' && sources.search().isReady ? 1 : 0),
  )
  own('live_bus_ready', '0 while live messages are read from PostgreSQL because NATS is down', () =>
    one(sources.degraded().includes('nats') ? 0 : 1),
  )
  own('event_search_ready', '0 while PostgreSQL answers searches for events in place of a faster engine', () =>
    one(sources.search().isReady ? 1 : 0),
  )
  own('read_replica_ready', '1 while long reads go to the read replica; 0 while the primary replaces it', () => {
    const replica = sources.replica()
    return replica ? one(replica.isUsed ? 1 : 0) : []
  })
  own('read_replica_lag_seconds', 'How long the read replica has been behind; absent while it is down', () => {
    const { lagMs } = sources.replica() ?? { lagMs: null }
    return lagMs === null ? [] : one(lagMs / 1000)
  })
  own('event_search_lag_seconds', 'How far the engine of event searches is behind the database', () =>
    one(sources.search().lagMs / 1000),
  )
}

type Readings = [labels: Record<string, string>, value: number][]

const labelNames: Record<string, string> = {
  messages_waiting: 'channel',
  messages_failed: 'channel',
  notifications_waiting: 'state',
  jobs: 'state',
  service_cases: 'state',
  gateways: 'state',
  gateway_links: 'state',
  alarm_tests: 'result',
  webhook_deliveries: 'state',
  database_connections: 'state',
}

function labelsOf(name: string): string[] {
  const label = labelNames[name]
  return label === undefined ? [] : [label]
}

function one(value: number): Readings {
  return [[{}, value]]
}

function by(label: string, values: Readonly<Record<string, number>>): Readings {
  return Object.entries(values).map(([key, value]) => [{ [label]: key }, value])
}

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
