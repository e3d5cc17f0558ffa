import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { freePort } from '../testing/free-port.ts'
import { MemoryOutbox } from '../testing/memory-outbox.ts'
import { httpIn, httpSource } from './http.ts'

const rules = [
  {
    when: { fingerprint: '*' },
    instrument: '{labels.instrument}',
    raise: {
      template: 'MON-{labels.alertname}',
      component: '{labels.part?}',
      severity: '{labels.severity|words}',
      description: '{annotations.summary?}',
    },
  },
  { when: { 'json.state': '*' }, instrument: '{json.id}', status: '{json.state}' },
  {
    when: { specversion: '1.0' },
    instrument: '{subject}',
    raise: { template: 'CE-{data.code}', component: '{type}', autoClear: '0s' },
  },
  {
    when: { message: '*' },
    instrument: '{host.name}',
    log: {
      type: 'WINDOWSSYSTEMEVENT',
      message: '{message}',
      level: '{log.level?}',
      eventCode: '{event.code?}',
      userName: '{winlog.user.name?}',
      hostname: '{host.hostname?}',
    },
  },
]
const routes = [
  { path: '/alertmanager', format: 'alertmanager' },
  { path: '/grafana', format: 'grafana' },
  { path: '/logs', format: 'elasticsearch' },
  { path: '/events', format: 'cloudevents' },
  { path: '/hook', format: 'json' },
]

/** A body of Alertmanager 0.25, as its documentation and program have it (version 4). */
const webhook = (status: 'firing' | 'resolved', startsAt = '2026-11-20T13:00:00.000Z') => ({
  receiver: 'benchwatch',
  status,
  alerts: [
    {
      status,
      labels: { alertname: 'FreezerWarm', instrument: 'IP-1', severity: 'critical', part: 'Compressor' },
      annotations: { summary: 'Above -60 °C' },
      startsAt,
      endsAt: status === 'firing' ? '0001-01-01T00:00:00Z' : '2026-11-20T13:30:00.000Z',
      generatorURL: 'http://prometheus:9090/graph',
      fingerprint: 'a1b2c3d4e5f60718',
    },
  ],
  groupLabels: { alertname: 'FreezerWarm' },
  commonLabels: {},
  commonAnnotations: {},
  externalURL: 'http://alertmanager:9093',
  version: '4',
  groupKey: '{}:{}',
  truncatedAlerts: 0,
})

describe('a source of HTTP', () => {
  let outbox: MemoryOutbox
  let directory: string
  let address: string
  let running: { stop(): Promise<void> } | undefined

  beforeEach(async () => {
    outbox = new MemoryOutbox()
    directory = await mkdtemp(join(tmpdir(), 'http-'))
  })
  afterEach(async () => {
    await running?.stop()
    running = undefined
    await rm(directory, { recursive: true })
  })

  async function begin(more: object = {}, context: object = {}) {
    const listen = `127.0.0.1:${await freePort()}`
    const tables = { words: { critical: 'high', warning: 'medium', '*': 'low' } }
    const config = httpSource.parse({ kind: 'http', name: 'webhooks', listen, routes, rules, tables, ...more })
    running = await httpIn(config)(outbox.context(context))
    address = `http://${listen}`
  }
  async function post(
    path: string,
    body: string | object | Uint8Array<ArrayBuffer>,
    headers: Record<string, string> = {},
  ) {
    const isRaw = typeof body === 'string' || body instanceof Uint8Array
    const answer = await fetch(address + path, { method: 'POST', headers, body: isRaw ? body : JSON.stringify(body) })
    return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Record<string, unknown> }
  }

  it('takes alerts of Alertmanager: each until it is resolved, however often it is repeated', async () => {
    await begin()
    for (const status of ['firing', 'firing', 'resolved', 'resolved'] as const)
      expect(await post('/alertmanager', webhook(status))).toMatchObject({ status: 200 })
    await post('/alertmanager', webhook('firing', '2026-11-20T14:00:00.000Z'))
    expect(outbox.told()).toEqual(['raised Compressor', 'alarm.cleared', 'raised Compressor'])
    expect(outbox.reports[0]).toMatchObject({
      subject: 'IP-1',
      data: {
        templateId: 'MON-FreezerWarm',
        severity: 'high',
        description: 'Above -60 °C',
        logGeneratedAt: '2026-11-20T13:00:00.000Z',
      },
    })
  })

  it('takes alerts of a contact point of Grafana', async () => {
    await begin()
    const { alerts, ...rest } = webhook('firing')
    const grafana = {
      ...rest,
      orgId: 1,
      title: 'x',
      alerts: alerts.map((alert) => ({ ...alert, values: { A: -51.3 }, silenceURL: '' })),
    }
    expect(await post('/grafana', grafana)).toMatchObject({ status: 200, body: { taken: 1 } })
    expect(outbox.told()).toEqual(['raised Compressor'])
  })

  it('takes log lines in bulk, as shippers send them, and answers for each', async () => {
    await begin()
    const document = {
      '@timestamp': '2026-11-20T13:00:00.123Z',
      message: 'The service entered the stopped state.',
      log: { level: 'information' },
      event: { code: '7036' },
      winlog: { user: { name: 'SYSTEM' } },
      host: { name: 'IP-1', hostname: 'PC-1' },
    }
    const bulk = [{ index: { _index: 'winlogbeat' } }, document, { create: {} }, 'broken', { create: {} }, document]
    const lines = bulk.map((line) => (line === 'broken' ? '{broken' : JSON.stringify(line))).join('\n')
    const answer = await post('/logs/_bulk', gzipSync(`${lines}\n`), {
      'content-encoding': 'gzip',
      'content-type': 'application/x-ndjson',
    })
    expect(answer).toMatchObject({ status: 200, body: { errors: true } })
    expect(answer.headers.get('x-elastic-product')).toBe('Elasticsearch')
    expect(answer.body['items']).toMatchObject([
      { index: { status: 201 } },
      { create: { status: 400 } },
      { create: { status: 201 } },
    ])
    const line = {
      timestamp: '2026-11-20T13:00:00.123Z',
      message: 'The service entered the stopped state.',
      level: 'information',
      eventCode: '7036',
      userName: 'SYSTEM',
      hostname: 'PC-1',
    }
    expect(outbox.reports).toMatchObject([
      { subject: 'IP-1', data: { logType: 'WINDOWSSYSTEMEVENT', lines: [line, line] } },
    ])
    expect(outbox.faults).toEqual(['Line 4 is not a JSON object.'])
    // Shippers look first at what they talk to.
    expect(await (await fetch(`${address}/logs`)).json()).toMatchObject({ version: { number: expect.any(String) } })
  })

  it('takes CloudEvents alone, in a batch and in headers, each id once', async () => {
    await begin()
    const event = {
      specversion: '1.0',
      id: '1',
      source: '/plc',
      type: 'door.opened',
      subject: 'IP-1',
      data: { code: 4 },
    }
    await post('/events', event, { 'content-type': 'application/cloudevents+json' })
    await post('/events', [event, { ...event, id: '2' }], { 'content-type': 'application/cloudevents-batch+json' })
    const headers = {
      'ce-specversion': '1.0',
      'ce-id': '3',
      'ce-source': '/plc',
      'ce-type': 'door.opened',
      'ce-subject': 'IP-1',
    }
    await post('/events', { code: 4 }, headers)
    const alertIds = outbox.reports.flatMap(({ type, data }) =>
      type === 'benchwatch.alarm.raised' ? [data.alertId] : [],
    )
    expect(alertIds).toHaveLength(3)
    expect(new Set(alertIds).size).toBe(3)
    expect(await post('/events', { id: '1' })).toMatchObject({ status: 400 })
  })

  it('takes any JSON by mapping', async () => {
    await begin()
    await post('/hook', [{ id: 'IP-1', state: 'ready' }, { id: 'IP-2', state: 'Wash' }, { id: 'IP-3' }])
    expect(outbox.reports).toMatchObject([
      { subject: 'IP-1', data: { instrumentStatus: 'ready' } },
      { subject: 'IP-2', data: { instrumentStatus: 'wash' } },
    ])
    expect(outbox.counts).toEqual({ unmatched: 1, faulty: 0 })
  })

  it('answers 503 when nothing can be written, and takes the repeated request', async () => {
    await begin()
    outbox.isFull = true
    const refused = await post('/alertmanager', webhook('firing'))
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5'])
    outbox.isFull = false
    expect(await post('/alertmanager', webhook('firing'))).toMatchObject({ status: 200 })
    expect(outbox.told()).toEqual(['raised Compressor'])
  })

  it('says in a sentence what it can not take, and counts it', async () => {
    await begin({ maxBytes: 2000 })
    const answers = [
      await post('/alertmanager', '{"alerts": NaN}'),
      await post('/alertmanager', { alerts: [{ status: 'odd' }] }),
      await post('/logs/_bulk', 'hello\n'),
      await post('/hook', gzipSync(JSON.stringify({ text: 'x'.repeat(100_000) })), { 'content-encoding': 'gzip' }),
      await post('/hook', 'not gzip', { 'content-encoding': 'gzip' }),
      await post('/hook', '{}', { 'content-encoding': 'br' }),
      await post('/nowhere', {}),
    ]
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 413, 400, 415, 404])
    for (const { body } of answers) expect(body['error']).toMatch(/^[A-Z].*\.?/)
    expect(outbox.counts.faulty).toBe(6)
    expect((await fetch(`${address}/hook`)).status).toBe(405)
    expect(outbox.reports).toEqual([])
  })

  it('asks for its token, as a bearer or as a password', async () => {
    await writeFile(join(directory, 'token'), 'a-token-of-the-test\n')
    await begin({ tokenFile: join(directory, 'token') })
    const basic = Buffer.from('benchwatch:a-token-of-the-test').toString('base64')
    const as = async (authorization?: string) =>
      (await post('/alertmanager', webhook('firing'), authorization === undefined ? {} : { authorization })).status
    expect([
      await as(),
      await as('Bearer wrong'),
      await as('Bearer a-token-of-the-test'),
      await as(`Basic ${basic}`),
    ]).toEqual([401, 401, 200, 200])
  })

  it('answers 429 above what it can have in flight', async () => {
    let go = () => undefined as void
    const gate = new Promise<void>((resolve) => {
      go = resolve
    })
    await begin({}, { report: () => gate })
    const answers = Array.from({ length: 40 }, (_, index) =>
      post('/hook', { id: `IP-${index}`, state: 'ready' }).then(({ status }) => {
        if (status === 429) go()
        return status
      }),
    )
    const statuses = await Promise.all(answers)
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0)
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(32)
  })

  it('keeps nothing in a trial, and tells senders to come again', async () => {
    await begin({}, { isTrial: true })
    expect(await post('/alertmanager', webhook('firing'))).toMatchObject({ status: 503 })
  })

  it('can not listen to a port that another program has, and says so', async () => {
    await begin()
    const config = httpSource.parse({ kind: 'http', name: 'second', listen: address.slice('http://'.length), routes })
    await expect(httpIn(config)(outbox.context())).rejects.toThrow(/can't be listened to \(EADDRINUSE\)\. Choose/)
  })
})
