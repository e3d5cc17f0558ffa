import { spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { freePort } from '../testing/free-port.ts'
import { MemoryOutbox } from '../testing/memory-outbox.ts'
import { httpIn, httpSource } from './http.ts'

const ALERTMANAGER = '/usr/bin/prometheus-alertmanager'
const RSYSLOG = '/usr/sbin/rsyslogd'
const hasRsyslog = existsSync(RSYSLOG) && existsSync(`/usr/lib/${libraries()}/rsyslog/omelasticsearch.so`)

/** Debian's folder of the libraries of this machine. */
function libraries(): string {
  return process.arch === 'arm64' ? 'aarch64-linux-gnu' : 'x86_64-linux-gnu'
}

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

  // Debian: apt-get install prometheus-alertmanager
  it.runIf(existsSync(ALERTMANAGER))('takes the alerts of a running Alertmanager', async () => {
    await begin()
    const port = await freePort()
    const receiver = { name: 'benchwatch', webhook_configs: [{ url: `${address}/alertmanager`, send_resolved: true }] }
    const route = { receiver: 'benchwatch', group_wait: '0s', group_interval: '1s' }
    const configuration = join(directory, 'alertmanager.yml')
    await writeFile(configuration, JSON.stringify({ route, receivers: [receiver] }))
    const alertmanager = spawn(
      ALERTMANAGER,
      [
        `--config.file=${configuration}`,
        `--storage.path=${join(directory, 'alertmanager')}`,
        `--web.listen-address=127.0.0.1:${port}`,
        '--cluster.listen-address=',
      ],
      { stdio: ['ignore', 'ignore', 'pipe'] },
    )
    const ended = new Promise((resolve) => alertmanager.once('exit', resolve))
    try {
      await told(alertmanager.stderr, /Listening on|msg=Listening/)
      const labels = { alertname: 'FreezerWarm', instrument: 'IP-1', severity: 'critical', part: 'Compressor' }
      const alert = (more: object) =>
        fetch(`http://127.0.0.1:${port}/api/v2/alerts`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify([{ labels, annotations: { summary: 'Above -60 °C' }, ...more }]),
        })
      expect((await alert({})).status).toBe(200)
      await outbox.until(() => outbox.reports.length === 1)
      expect(outbox.reports[0]).toMatchObject({ subject: 'IP-1', data: { templateId: 'MON-FreezerWarm' } })
      await alert({ endsAt: new Date(Date.now() - 1000).toISOString() })
      await outbox.until(() => outbox.reports.length === 2)
      expect(outbox.told()).toEqual(['raised Compressor', 'alarm.cleared'])
    } finally {
      alertmanager.kill()
      await ended
    }
  })

  // Debian: apt-get install rsyslog-elasticsearch
  it.runIf(hasRsyslog)('takes the lines of a running rsyslog', async () => {
    await begin({ routes: [{ path: '/', format: 'elasticsearch' }] })
    const port = await freePort()
    const configuration = join(directory, 'rsyslog.conf')
    await writeFile(
      configuration,
      `module(load="imudp")
input(type="imudp" address="127.0.0.1" port="${port}")
module(load="omelasticsearch")
template(name="ecs" type="list" option.jsonf="on") {
  property(outname="@timestamp" name="timereported" dateFormat="rfc3339" format="jsonf")
  property(outname="message" name="msg" format="jsonf")
  property(outname="log.level" name="syslogseverity-text" format="jsonf")
  property(outname="host.name" name="hostname" format="jsonf")
}
action(type="omelasticsearch" server="127.0.0.1" serverport="${new URL(address).port}" uid="" pwd="" bulkmode="on"
  template="ecs" searchIndex="logs" searchType="" action.resumeRetryCount="-1")
`,
    )
    const rsyslog = spawn(RSYSLOG, ['-n', '-f', configuration, '-i', join(directory, 'rsyslog.pid')], {
      stdio: 'ignore',
    })
    const ended = new Promise((resolve) => rsyslog.once('exit', resolve))
    const sender = createSocket('udp4')
    // A datagram that comes before rsyslog listens is lost.
    const timer = setInterval(() => sender.send('<11>Nov 20 13:00:00 IP-1 cooling: Door open', port, '127.0.0.1'), 200)
    try {
      await outbox.until(() => outbox.reports.length > 0)
      expect(outbox.reports[0]).toMatchObject({
        subject: 'IP-1',
        data: { logType: 'WINDOWSSYSTEMEVENT', lines: [{ message: ' Door open', level: 'err' }] },
      })
    } finally {
      clearInterval(timer)
      sender.close()
      rsyslog.kill()
      await ended
    }
  })
})

/** Resolves when the output of a program matches. */
function told(output: Readable, sign: RegExp): Promise<void> {
  let text = ''
  return new Promise((resolve, reject) => {
    output.on('data', (part) => {
      text += String(part)
      if (sign.test(text)) resolve()
    })
    output.once('end', () => reject(new Error(text)))
  })
}
