import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { gatewayItems } from '../../testing/gateway-items.ts'
import { registerSampleFleet, type SampleFleet } from '../../testing/sample-fleet.ts'
import { TEST_NOW, type TestApp, testApp } from '../../testing/test-app.ts'
import { type TestDatabase, testDatabase } from '../../testing/test-database.ts'

const TOKEN = 'a-token-for-prometheus'

let database: TestDatabase
let fleet: SampleFleet
let server: TestApp

beforeAll(async () => {
  database = await testDatabase()
  fleet = await registerSampleFleet(database, TEST_NOW)
})
beforeEach(async () => {
  server = await testApp(database, { environment: { METRICS_TOKEN: TOKEN } })
  return () => server.close()
})
afterAll(() => server.close())

async function get(authorization?: string, of = server) {
  const response = await of.app.http.inject({
    method: 'GET',
    url: '/metrics',
    headers: authorization === undefined ? {} : { authorization },
  })
  return { status: response.statusCode, type: response.headers['content-type'], text: response.body }
}

/** Returns samples by name with labels, as printed: 'x_total{a="b"}'. */
async function samples(): Promise<Map<string, number>> {
  const { text } = await get(`Bearer ${TOKEN}`)
  return new Map(
    text.split('\n').flatMap((line) => {
      const space = line.lastIndexOf(' ')
      return line.startsWith('#') || space < 0 ? [] : [[line.slice(0, space), Number(line.slice(space + 1))] as const]
    }),
  )
}

describe('metrics', () => {
  it('are told to who sends the token, as Prometheus reads them', async () => {
    const { status, type, text } = await get(`Bearer ${TOKEN}`)
    expect([status, type]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8'])
    expect(text).toContain('# TYPE benchwatch_http_requests_total counter')
    expect(text).toContain('process_cpu_seconds_total')
  })

  it.each([undefined, `Bearer ${TOKEN}x`, 'Bearer ', `Basic ${TOKEN}`])('not to who sends %s', async (header) => {
    const { status, text } = await get(header)
    expect([status, text]).toEqual([401, 'Send METRICS_TOKEN as a bearer token.\n'])
  })

  it('are nowhere unless they are configured', async () => {
    const plain = await testApp(database)
    expect((await get(`Bearer ${TOKEN}`, plain)).status).toBe(404)
    expect(plain.app.metricsPort).toBeNull()
    await plain.close()
  })

  it('have a port of their own where one is configured, and there no token is asked for', async () => {
    const own = await testApp(database, { environment: { METRICS_PORT: '0' } })
    const answer = await fetch(`http://127.0.0.1:${own.app.metricsPort}/metrics`)
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('benchwatch_leader')])
    expect((await fetch(`http://127.0.0.1:${own.app.metricsPort}/`)).status).toBe(404)
    expect((await get(undefined, own)).status).toBe(404)
    await own.close()
  })

  it('ask for the token at their own port too, where there is one', async () => {
    const own = await testApp(database, { environment: { METRICS_PORT: '0', METRICS_TOKEN: TOKEN } })
    const address = `http://127.0.0.1:${own.app.metricsPort}/metrics`
    expect((await fetch(address)).status).toBe(401)
    expect((await fetch(address, { headers: { authorization: `Bearer ${TOKEN}` } })).status).toBe(200)
    await own.close()
  })

  it('count requests by route and status, whatever address was asked for', async () => {
    await server.call('getHealth')
    await server.call('getServiceEvent', { params: { id: '17' } })
    await server.app.http.inject({ method: 'GET', url: '/no/such/page/4711' })
    await server.app.http.inject({ method: 'GET', url: '/api/no/such/4711' })
    const found = await samples()
    expect(found.get('benchwatch_http_requests_total{method="GET",route="/api/health",status="200"}')).toBe(1)
    expect(found.get('benchwatch_http_requests_total{method="GET",route="/api/alarms/:id",status="401"}')).toBe(1)
    expect(found.get('benchwatch_http_requests_total{method="any",route="other",status="404"}')).toBe(2)
    expect(found.get('benchwatch_http_request_duration_seconds_count{method="GET",route="/api/health"}')).toBe(1)
    expect([...found.keys()].join('\n')).not.toMatch(/4711|\/17/)
  })

  it('count items by what became of them, and the delay of their events', async () => {
    const { name: gateway, key } = fleet.gateways.helix
    const items = gatewayItems('metrics', TEST_NOW)
    const sent = items.raised()
    const send = (body: unknown[]) =>
      server.call('ingestBatch', { params: { gateway }, body, headers: { authorization: `Bearer ${key}` } })
    const link = { name: 'skids', kind: 'mqtt', state: 'down', since: TEST_NOW.toISOString() }
    await send([sent, items.heartbeat({ links: [link] }), items.raised({ alertType: 77 })])
    await send([sent])
    const found = await samples()
    const of = (result: string) => found.get(`benchwatch_ingest_items_total{result="${result}"}`)
    expect([of('accepted'), of('duplicate'), of('rejected')]).toEqual([2, 1, 1])
    expect(found.get('benchwatch_ingest_batch_duration_seconds_count')).toBe(2)
    expect(found.get('benchwatch_parked_items')).toBe(1)
    expect(found.get('benchwatch_gateways{state="heard"}')).toBe(1)
    expect(found.get('benchwatch_gateways{state="never"}')).toBe(1)
    expect(found.get('benchwatch_gateway_links{state="down"}')).toBe(1)
    expect(found.get('benchwatch_gateway_links{state="up"}')).toBe(0)
    await expect.poll(async () => (await samples()).get('benchwatch_event_to_live_seconds_count')).toBe(1)
  })

  it('tell what waits and what was given up', async () => {
    await sql`
      INSERT INTO outbound_message (channel, recipient, template, created_at, sent_at, next_attempt_at, give_up_at, failed_at)
      SELECT channel, 'somebody', 'test', at, NULL, at + interval '9 days', at + interval '9 days', failed_at
      FROM (VALUES ('email', ${TEST_NOW}::timestamptz - interval '90 s', NULL::timestamptz),
        ('email', ${TEST_NOW}::timestamptz, NULL), ('sms', ${TEST_NOW}::timestamptz, ${TEST_NOW}::timestamptz),
        ('sms', ${TEST_NOW}::timestamptz, ${TEST_NOW}::timestamptz - interval '25 h')) AS v (channel, at, failed_at)`.execute(
      database.db,
    )
    const found = await samples()
    expect(found.get('benchwatch_messages_waiting{channel="email"}')).toBe(2)
    expect(found.get('benchwatch_messages_waiting{channel="sms"}')).toBe(0)
    expect(found.get('benchwatch_messages_oldest_age_seconds')).toBe(90)
    expect(found.get('benchwatch_messages_failed{channel="sms"}')).toBe(1)
    expect(found.get('benchwatch_jobs{state="failed"}')).toBe(0)
    expect(found.get('benchwatch_database_up')).toBe(1)
    expect(found.get('benchwatch_alarm_tests{result="missing"}')).toBe(0)
    expect(found.has('benchwatch_alarm_test_arrived_age_seconds')).toBe(false)
    expect(found.get('benchwatch_event_index_ready')).toBe(0)
    expect(found.get('benchwatch_event_search_ready')).toBe(1)
    expect(found.get('benchwatch_event_search_lag_seconds')).toBe(0)
    await expect.poll(async () => (await samples()).get('benchwatch_leader')).toBe(1)
  })

  it('name no gateway, instrument, customer or address', async () => {
    const { text } = await get(`Bearer ${TOKEN}`)
    expect(text).not.toMatch(/GW-|IP-\d|Helix|Nordic|@/)
  })

  const repository = new URL('../../../../../', import.meta.url)
  const read = (file: string) => readFileSync(new URL(file, repository), 'utf8')
  const shown: string[] = JSON.parse(read('deploy/monitoring/dashboard.json')).panels.flatMap(
    ({ targets = [] }: { targets?: { expr: string }[] }) => targets.map(({ expr }) => expr),
  )
  const rules = [...read('deploy/monitoring/alert-rules.yaml').matchAll(/^ *expr: (.+)$/gm)].map(
    ([, expr = '']) => expr,
  )

  it.each([
    ['dashboard', shown],
    ['alert rules', rules],
  ])('the %s ask only for metrics and labels that exist', async (_name, expressions) => {
    const { text } = await get(`Bearer ${TOKEN}`)
    const exists = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name))
    expect(expressions.length).toBeGreaterThan(10)
    const asked = expressions.flatMap((expr) => [
      ...expr.matchAll(/\b((?:benchwatch|process|nodejs)_\w+?)(?:_bucket)?\b(?:\{([^}]*)\})?/g),
    ])
    expect(asked.map(([, name = '']) => name).filter((name) => !exists.has(name))).toEqual([])
    const labels = asked.flatMap(([, name = '', selectors = '']) =>
      [...selectors.matchAll(/(\w+)=(?:~?)"([^"]*)"/g)].map(([, label = '', value = '']) => ({ name, label, value })),
    )
    const states = labels.filter(({ label }) => ['state', 'result'].includes(label))
    expect(states.length).toBeGreaterThan(3)
    const lacks = ({ name, label, value }: (typeof states)[number]) => !text.includes(`${name}{${label}="${value}"}`)
    // Items of gateways are counted by this process, so a result appears with its first item.
    expect(states.filter((one) => one.name !== 'benchwatch_ingest_items_total').filter(lacks)).toEqual([])
  })

  it('the documentation lists every metric of the product, and no other', async () => {
    const { text } = await get(`Bearer ${TOKEN}`)
    const namesIn = (page: string, pattern: RegExp) => new Set([...page.matchAll(pattern)].map(([, name]) => name))
    expect(namesIn(read('docs/monitoring.md'), /^\| `(benchwatch_\w+)` \|/gm)).toEqual(
      namesIn(text, /^# TYPE (benchwatch_\S+)/gm),
    )
  })
})
