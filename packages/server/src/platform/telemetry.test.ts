import { execFileSync } from 'node:child_process'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildEventFixture } from '../testing/event-fixture.ts'
import { eventually } from '../testing/eventually.ts'
import { addSamplePerson } from '../testing/sample-people.ts'
import { type Caller, TEST_NOW, type TestApp, testApp } from '../testing/test-app.ts'
import { type TestDatabase, testDatabase } from '../testing/test-database.ts'

const LOGIN = 'vera.lindqvist@benchwatch.example'
const NAME = 'Vera Lindqvist'
const TRACE = 'c0ffee00c0ffee00c0ffee00c0ffee00'
const TRACEPARENT = `00-${TRACE}-0123456789abcdef-01`

type Value = { stringValue?: string; intValue?: number; doubleValue?: number }
type Attributes = { key: string; value: Value }[]
interface Span {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  attributes: Attributes
  startTimeUnixNano: string
  endTimeUnixNano: string
  status: { code?: number }
}
interface Metric {
  name: string
  sum?: { isMonotonic: boolean; dataPoints: { attributes: Attributes; asDouble: number }[] }
  gauge?: { dataPoints: { attributes: Attributes; asDouble: number }[] }
  histogram?: { dataPoints: { bucketCounts: number[]; explicitBounds: number[]; count: number }[] }
}
interface Received {
  path: string
  headers: Record<string, unknown>
  text: string
}

/** A collector: takes OTLP over HTTP as JSON and keeps it. */
async function startCollector(status = 200) {
  const received: Received[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.setEncoding('utf8').on('data', (part: string) => void (text += part))
    request.on('end', () => {
      received.push({ path: request.url ?? '', headers: request.headers, text })
      response.writeHead(status, { 'Content-Type': 'application/json' }).end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const bodies = (path: string) => received.filter((one) => one.path === path).map(({ text }) => JSON.parse(text))
  return {
    endpoint: `http://127.0.0.1:${port}`,
    received,
    spans: (): Span[] =>
      bodies('/v1/traces').flatMap((body) =>
        body.resourceSpans.flatMap(({ scopeSpans }: { scopeSpans: { spans: Span[] }[] }) =>
          scopeSpans.flatMap(({ spans }) => spans),
        ),
      ),
    metrics: (): Metric[] =>
      bodies('/v1/metrics').flatMap((body) =>
        body.resourceMetrics.flatMap(({ scopeMetrics }: { scopeMetrics: { metrics: Metric[] }[] }) =>
          scopeMetrics.flatMap(({ metrics }) => metrics),
        ),
      ),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const valueOf = ({ attributes }: { attributes: Attributes }, key: string) => {
  const value = attributes.find((attribute) => attribute.key === key)?.value
  return value?.stringValue ?? value?.intValue ?? value?.doubleValue
}

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
  await buildEventFixture(database.db, { events: 30, now: TEST_NOW })
  await addSamplePerson(database, { login: LOGIN, name: NAME })
})

const traced = (environment: Record<string, string>) => testApp(database, { environment })

describe('with a collector', () => {
  let collector: Awaited<ReturnType<typeof startCollector>>
  let app: TestApp
  let spans: Span[]
  let metrics: Metric[]
  let logged: { msg: string; trace_id?: string; span_id?: string }[]
  let scraped: string

  beforeAll(async () => {
    collector = await startCollector()
    app = await traced({
      OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.endpoint}/`,
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20secret-of-collector,x-tenant=lab',
      OTEL_SERVICE_NAME: 'benchwatch-test',
      METRICS_TOKEN: 'a-token-for-prometheus',
    })
    const { rows } = await database.pool.query<{ id: number }>('SELECT id FROM app_user WHERE login = $1', [LOGIN])
    const vera: Caller = await app.as(rows[0]?.id ?? 0)
    await vera.call('listServiceEvents', { query: { keyword: NAME }, body: { filter: {} } })
    const { status } = await vera.call('createExport', {
      query: { keyword: '' } as never,
      body: { ids: [], mode: 'exclude', details: 'BASIC', type: 'event', filter: {} },
      headers: { traceparent: TRACEPARENT },
    })
    expect(status).toBe(200)
    await app.call('getHealth')
    await app.app.http.inject({ method: 'GET', url: `/api/nothing/at/${LOGIN}` })
    await eventually(() => expect(app.logged()).toContain('export written'))
    scraped = (
      await app.app.http.inject({ url: '/metrics', headers: { authorization: 'Bearer a-token-for-prometheus' } })
    ).body
    await app.close()
    spans = collector.spans()
    metrics = collector.metrics()
    logged = app
      .logged()
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
  })
  afterAll(() => collector.close())

  const find = (name: string) => spans.filter((span) => span.name === name)

  it('a request continues the trace of its caller, and names its route and status', () => {
    const [request] = find('POST /api/export')
    expect(request).toMatchObject({ traceId: TRACE, parentSpanId: '0123456789abcdef' })
    expect(request && valueOf(request, 'http.response.status_code')).toBe(200)
    expect(request && valueOf(request, 'http.route')).toBe('/api/export')
  })

  it('the statements of a request lie below it, with their text and without values', () => {
    const [request] = find('POST /api/alarms')
    const statements = spans.filter((span) => span.parentSpanId === request?.spanId)
    const texts = statements.map((span) => String(valueOf(span, 'db.query.text')))
    expect(texts.some((text) => text.includes('service_event'))).toBe(true)
    expect(texts.some((text) => text.includes('$1'))).toBe(true)
    expect(statements.every((span) => valueOf(span, 'db.system.name') === 'postgresql')).toBe(true)
    expect(statements.every((span) => BigInt(span.endTimeUnixNano) >= BigInt(span.startTimeUnixNano))).toBe(true)
  })

  it('a job continues the trace of the request that queued it, and so do its statements', () => {
    const [request] = find('POST /api/export')
    const [job] = find('job write exports')
    expect(job).toMatchObject({ traceId: TRACE, parentSpanId: request?.spanId })
    expect(spans.some((span) => span.parentSpanId === job?.spanId && valueOf(span, 'db.query.text'))).toBe(true)
  })

  it('a log entry names its trace and span', () => {
    const [job] = find('job write exports')
    const entry = logged.find(({ msg }) => msg === 'export written')
    expect(entry).toMatchObject({ trace_id: TRACE, span_id: job?.spanId })
  })

  it('probes, unknown addresses and polling leave no spans', () => {
    expect(spans.filter(({ name }) => name.includes('/health') || name.includes('nothing'))).toEqual([])
    const roots = spans.filter(({ parentSpanId }) => !parentSpanId).map(({ name }) => name)
    expect(roots.filter((name) => !/^(?:POST \/api\/|job )/.test(name))).toEqual([])
  })

  it('every metric that Prometheus would scrape arrives with its kind and values', () => {
    const names = [...scraped.matchAll(/^# TYPE (\S+) (\S+)/gm)].map(([, name = '', kind]) => ({ name, kind }))
    const valued = names.filter(({ name }) => new RegExp(`^${name}(?:_bucket)?[ {]`, 'm').test(scraped))
    expect(valued.length).toBeGreaterThan(30)
    for (const { name, kind } of valued) {
      const metric = metrics.find((one) => one.name === name)
      expect(Object.keys(metric ?? {}), name).toContain(kind === 'counter' ? 'sum' : kind)
    }
    const requests = metrics.find(({ name }) => name === 'benchwatch_http_requests_total')?.sum
    const exports = requests?.dataPoints.find((point) => valueOf(point, 'route') === '/api/export')
    expect([requests?.isMonotonic, exports?.asDouble]).toEqual([true, 1])
    const durations = metrics.find(({ name }) => name === 'benchwatch_http_request_duration_seconds')?.histogram
    const [point] = durations?.dataPoints ?? []
    expect(point?.explicitBounds).toEqual([0.01, 0.05, 0.25, 1, 5])
    expect(point?.bucketCounts.length).toBe(6)
    expect(point?.bucketCounts.reduce((sum, count) => sum + count, 0)).toBe(point?.count)
  })

  it('the collector gets the configured headers and the name and version of the service', () => {
    expect(collector.received.length).toBeGreaterThan(1)
    for (const { headers, text } of collector.received) {
      expect(headers).toMatchObject({ authorization: 'Bearer secret-of-collector', 'x-tenant': 'lab' })
      expect(text).toContain('benchwatch-test')
    }
  })

  it('nothing that is sent names a person, a search or an address that was called', () => {
    const sent = collector.received.map(({ text }) => text).join('\n')
    expect(sent).toContain('/api/alarms')
    expect(sent).not.toMatch(/lindqvist|Vera|@benchwatch|Bearer|keyword=/i)
  })
})

describe('beside a collector', () => {
  it('that does not answer, the server answers and ends in time', async () => {
    // Accepts connections and never answers.
    const silent = createServer(() => undefined)
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const address = silent.address()
    const port = typeof address === 'object' && address ? address.port : 0
    const app = await traced({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` })
    expect((await app.call('getReady')).status).toBe(200)
    const started = performance.now()
    await app.close()
    expect(performance.now() - started).toBeLessThan(5000)
    silent.close()
    silent.closeAllConnections()
  })

  it('that refuses what it is sent, the log says so once', async () => {
    const collector = await startCollector(400)
    const app = await traced({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint })
    await app.call('listServiceEvents', { body: { filter: {} } })
    await app.close()
    expect(new Set(collector.received.map(({ path }) => path))).toEqual(new Set(['/v1/metrics', '/v1/traces']))
    expect(app.logged().split('OpenTelemetry could not export').length - 1).toBe(1)
    await collector.close()
  })
})

it('is not loaded while it is off', () => {
  const app = fileURLToPath(new URL('../app.ts', import.meta.url))
  const script = `
    import { registerHooks } from 'node:module'
    const loaded = []
    registerHooks({ resolve(name, context, next) { loaded.push(name); return next(name, context) } })
    await import(${JSON.stringify(app)})
    console.log(JSON.stringify(loaded))`
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
  const loaded: string[] = JSON.parse(output)
  expect(loaded).toContain('fastify')
  // The library of the metrics asks the API, which has no dependency, for the trace of an example.
  expect(loaded.filter((name) => /@opentelemetry\/(?!api$)|telemetry\.ts$/.test(name))).toEqual([])
})
