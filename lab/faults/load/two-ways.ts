import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from 'pg'
import { withClient } from '../../product/database.ts'
import { type Answer, HttpClient, jsonOf } from '../product/http-client.ts'
import type { PostgresCluster } from '../product/postgres-cluster.ts'
import { Product } from '../product/product.ts'
import type { Workplace } from '../script/workplace.ts'
import { type Fixture, openFixture } from './fixture.ts'
import { GatewayLoad } from './gateway-load.ts'
import { Probe } from './probe.ts'

/** A server of the product with its share of the gateways. */
export interface Way {
  /** How it reaches the database. */
  name: string
  product: Product
  client: HttpClient
  load: GatewayLoad
  probe: Probe
}

export const PROBE_MS = 500

const METRICS_TOKEN = 'token-of-the-lab'
const INDEX_MS = 120_000
/** More than a busy machine stores within the 5 s after which every request is answered would be sent again and again. */
const BATCH = 100
/** Newest events of the list that are compared one by one. */
const COMPARED = 2000
const PAGE = 100

/**
 * Starts two servers on a cluster, one behind PgBouncer and HAProxy, the other with all hosts in its address, on so many
 * earlier events that both search in their indexes, and lets gateways report to both.
 */
export async function openTwoWays(
  workplace: Workplace,
  cluster: PostgresCluster,
  { rate, gateways, events }: { rate: number; gateways: number; events: number },
): Promise<{ fixture: Fixture; ways: Way[]; answers: Answer[] }> {
  const env = { METRICS_TOKEN, GATEWAY_SILENCE_SECONDS: '0', ACCESS_TOKEN_MINUTES: '60' }
  const databaseUrl = cluster.proxyUrl
  // Debian's PgBouncer supports no prepared statements.
  const pooled = { DATABASE_URL: cluster.poolerUrl, DATABASE_DIRECT_URL: databaseUrl, DATABASE_PREPARE: 'off' }
  const fixture = await openFixture(workplace, { gateways, databaseUrl, env: { ...env, ...pooled } })
  await withClient(databaseUrl, (database) => addEarlierEvents(database, events))
  // A server looks once a minute whether an index has become worth its memory, and when it starts.
  await fixture.product.terminate()
  fixture.product.launch()
  await fixture.product.ready()
  const other = await Product.start(workplace, {
    databaseUrl: cluster.manyHostsUrl,
    env,
    dataDir: `${workplace.folder}/other`,
  })
  const { fleet, ledger, token } = fixture
  const answers: Answer[] = []
  const ways = [
    { name: 'PgBouncer and HAProxy', product: fixture.product },
    { name: 'several hosts', product: other },
  ].map(({ name, product }, at) => {
    const client = new HttpClient(product.url)
    const probing = new HttpClient(product.url, { connections: 500 })
    const [spare, ...busy] = fleet.gateways.filter((_, place) => place % 2 === at)
    if (!spare) throw new Error('At least four gateways are needed.')
    const onDelivery = ({ answer }: { answer: Answer }) => void answers.push({ ...answer, body: '' })
    const load = new GatewayLoad({ client, ledger, gateways: busy, perSecond: rate / 2, batchItems: BATCH, onDelivery })
    const probe = new Probe({ client: probing, token, gateway: spare, ledger, everyMs: PROBE_MS })
    workplace.atEnd(async () => {
      await Promise.all([load.stop(), probe.stop()])
      for (const open of [client, probing]) open.close()
    })
    return { name, product, client, load, probe }
  })
  await Promise.all(ways.map(indexReady))
  return { fixture, ways, answers }
}

/** Stores events of the past days, distributed over all instruments. */
export async function addEarlierEvents(database: Client, count: number): Promise<void> {
  await database.query(
    `INSERT INTO service_event (created_at, log_generated_at, cleared_at, alert_id, template_id, severity, alert_type,
       description, text_folded, instrument_id, gateway_id, site_id, customer_id, full_support, last_action_at)
     SELECT t, t, t, 'earlier-' || n, 'EARLIER-' || n % 50, 1 + n % 3, 1, 'Pressure above limit', 'pressure above limit',
       i.id, i.gateway_id, i.site_id, i.customer_id, false, t
     FROM (SELECT n, now() - n * interval '10 s' AS t FROM generate_series(1, $1::int) AS n) AS past
     JOIN (SELECT *, row_number() OVER (ORDER BY id) - 1 AS place FROM instrument) AS i
       ON i.place = n % (SELECT count(*) FROM instrument)`,
    [count],
  )
  await database.query(`
    INSERT INTO event_origin (customer_id, site_id, component_id)
    SELECT DISTINCT customer_id, site_id, 0 FROM instrument ON CONFLICT DO NOTHING`)
  await database.query('ANALYZE service_event')
}

/** Waits until the index of a server answers its searches. */
export async function indexReady({ name, client }: Pick<Way, 'name' | 'client'>): Promise<void> {
  for (const until = Date.now() + INDEX_MS; Date.now() < until; await pause(100)) {
    const { body } = await client.send({ method: 'GET', path: '/metrics', token: METRICS_TOKEN })
    if (/^benchwatch_event_index_ready 1$/m.test(body)) return
  }
  throw new Error(`The index of the server with ${name} was not ready within ${INDEX_MS / 1000} s.`)
}

interface Listed {
  values: { alarm: { id: string; createdAt: string } }[]
  total: { events: number; instruments: number; customers: number }
}

/** Asks a server for a page of all events, newest first. */
export async function listEvents({ client }: Pick<Way, 'client'>, token: string, offset = 0): Promise<Answer> {
  const path = `/api/alarms?limit=${PAGE}&offset=${offset}&orderBy=createdAt&order=DESC`
  return client.send({ method: 'POST', path, token, body: '{"filter":{}}' })
}

/** Compares the newest events and the totals of a server with a plain count. Returns every difference in words. */
export async function compareSearch(
  way: Way,
  { database, token }: { database: Client; token: string },
): Promise<string[]> {
  const listed: string[] = []
  let total: Listed['total'] | undefined
  for (let offset = 0; offset < COMPARED; offset += PAGE) {
    const page = jsonOf<Listed>(await listEvents(way, token, offset))
    listed.push(...page.values.map(({ alarm }) => alarm.id))
    total = page.total
  }
  const { rows: newest } = await database.query<{ id: string }>(
    'SELECT id::text FROM service_event ORDER BY created_at DESC, id DESC LIMIT $1',
    [COMPARED],
  )
  const { rows } = await database.query<Listed['total']>(
    `SELECT count(*)::int AS events, count(DISTINCT instrument_id)::int AS instruments,
       count(DISTINCT customer_id)::int AS customers FROM service_event`,
  )
  const differences = Object.entries(rows[0] ?? {}).flatMap(([name, counted]) => {
    const shown = total?.[name as keyof Listed['total']]
    return shown === counted ? [] : [`${way.name}: ${name} ${shown} instead of ${counted}`]
  })
  const wrong = newest.filter(({ id }, place) => listed[place] !== id).length
  return wrong === 0 ? differences : [...differences, `${way.name}: ${wrong} of ${COMPARED} places of the list`]
}

/** Collects every event that the lists of a server show, until stopped: its id and when it was created. */
export function watchList(way: Way, token: string): { shown: Set<string>; stop(): Promise<void> } {
  const shown = new Set<string>()
  let isStopping = false
  const finished = (async () => {
    while (!isStopping) {
      const answer = await listEvents(way, token)
      if (answer.status === 200)
        for (const { alarm } of (JSON.parse(answer.body) as Listed).values) shown.add(`${alarm.id} ${alarm.createdAt}`)
      await pause(100)
    }
  })()
  return {
    shown,
    async stop() {
      isStopping = true
      await finished
    },
  }
}
