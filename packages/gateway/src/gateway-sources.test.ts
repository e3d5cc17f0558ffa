import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type RunningGateway, startGateway } from './gateway.ts'
import { startMapping } from './mapping/mapping.ts'
import { mappedSource } from './mapping/rules.ts'
import type { Source, SourceContext } from './source.ts'
import { hasMosquitto, Mosquitto } from './testing/mosquitto.ts'
import { ReceivingServer } from './testing/receiving-server.ts'

const mappedFields = z.strictObject(mappedSource)
let directory: string
let server: ReceivingServer

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sources-'))
  server = new ReceivingServer()
  await server.listen()
})
afterEach(async () => {
  await server.close()
  await rm(directory, { recursive: true })
})

const items = () => [...server.stored.values()]
const links = () => items().flatMap((item) => (item.type === 'benchwatch.heartbeat' ? (item.data.links ?? []) : []))
const statuses = () =>
  items().flatMap((item) => (item.type === 'benchwatch.status.changed' ? [item.data.instrumentStatus] : []))
const alarms = () => items().flatMap((item) => (item.type === 'benchwatch.alarm.raised' ? [item.data] : []))

describe('a gateway with sources', () => {
  let gateway: RunningGateway
  let logged: string

  beforeEach(() => {
    logged = ''
  })
  afterEach(() => gateway.stop())

  async function start(...sources: Source[]) {
    gateway = await startGateway({
      gateway: { name: 'GW-UPP-01', key: server.key },
      serverUrl: server.url(),
      outboxDir: directory,
      outboxMaxBytes: 1e8,
      sources: sources.map((start, index) => ({
        name: `source-${index}`,
        kind: 'test',
        start,
        lostAfterMs: 60_000,
        instruments: [],
        isSynced: true,
      })),
      log: pino({ level: 'info' }, { write: (line) => (logged += line) }),
    })
  }

  it('reports its links to a server that supports them and logs them, at once when one changes', async () => {
    server.knows = ['links']
    let lose = () => undefined as void
    await start(async (context) => {
      context.link('source-0', 'up')
      lose = () => context.link('source-0', 'down', 'The cable is out.')
      return { stop: async () => undefined }
    })
    await server.until(() => links().length === 1)
    lose()
    await server.until(() => links().length === 2)
    expect(links()).toMatchObject([
      { name: 'source-0', kind: 'test', state: 'up' },
      { state: 'down', reason: 'The cable is out.' },
    ])
    expect(logged).toContain('source-0 is up.')
    expect(logged).toContain('source-0 is down. The cable is out.')
  })

  it('reports its release, its backlog and the counts of its sources to a server that supports them', async () => {
    server.knows = ['links', 'sources']
    await start(async (context) => {
      context.unmatched({ field: 'topic', name: 'lab/door' })
      context.link('source-0', 'up')
      return { stop: async () => undefined }
    })
    const told = () => items().flatMap((item) => (item.type === 'benchwatch.heartbeat' ? [item.data] : []))
    await server.until(() => told().some(({ version }) => version !== undefined))
    expect(told().at(-1)).toMatchObject({
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      backlog: 0,
      links: [{ items: 0, unmatched: 1, unmatchedNames: [{ field: 'topic', name: 'lab/door', count: 1 }] }],
    })
  })

  it('sends plain heartbeats to an older server', async () => {
    await start(async (context) => {
      context.link('source-0', 'up')
      await context.report({
        type: 'benchwatch.status.changed',
        subject: 'IP-20431187',
        time: new Date(),
        data: { instrumentStatus: 'ready' },
      })
      return { stop: async () => undefined }
    })
    await server.until(() => items().length === 2)
    expect(
      items()
        .map(({ type }) => type)
        .sort(),
    ).toEqual(['benchwatch.heartbeat', 'benchwatch.status.changed'])
    expect(links()).toEqual([])
  })

  const at = new Date('2026-11-20T17:00:00.000Z')

  /** Returns the status that a server of this knowledge is sent. */
  async function statusSentTo(knows: string[]) {
    server.knows = knows
    let report: SourceContext['report'] | undefined
    await start(async (context) => {
      report = context.report
      return { stop: async () => undefined }
    })
    await server.until(() => items().length === 1)
    await report?.({
      type: 'benchwatch.status.changed',
      subject: 'IP-20431187',
      time: new Date(),
      data: { instrumentStatus: 'method run', at: at.toISOString(), run: 'B-7' },
    })
    await server.until(() => items().length === 2)
    return items().flatMap((item) => (item.type === 'benchwatch.status.changed' ? [item.data] : []))
  }

  it('sends the parts of a status to a server that knows them', async () => {
    expect(await statusSentTo(['at', 'run'])).toEqual([{ instrumentStatus: 'method run', at, run: 'B-7' }])
    expect(statuses()).toHaveLength(1)
  })

  it('leaves out the time of the instrument for a server that knows only runs', async () => {
    expect(await statusSentTo(['run'])).toEqual([{ instrumentStatus: 'method run', run: 'B-7' }])
  })

  it('leaves out the run for an older server', async () => {
    expect(await statusSentTo(['reason'])).toEqual([{ instrumentStatus: 'method run' }])
  })

  it('remembers the last status after a restart, and reports it again with a run that arrives alone', async () => {
    const told: string[] = []
    const source: Source = async ({ report, statusOf }) => {
      told.push(statusOf('IP-20431187') ?? 'none')
      const data = { instrumentStatus: 'method run' } as const
      await report({ type: 'benchwatch.status.changed', subject: 'IP-20431187', time: new Date(), data })
      return { stop: async () => undefined }
    }
    await start(source)
    await server.until(() => statuses().length === 1)
    await gateway.stop()
    await start(source)
    await server.until(() => statuses().length === 2)
    expect(told).toEqual(['none', 'method run'])
  })

  it('reports a status that is repeated once, whichever source repeats it', async () => {
    const status = (instrumentStatus: 'ready' | 'wash') => ({
      type: 'benchwatch.status.changed' as const,
      subject: 'IP-20431187',
      time: new Date(),
      data: { instrumentStatus },
    })
    const told: Source = async ({ report }) => {
      for (const one of ['ready', 'ready', 'wash', 'wash', 'ready'] as const) await report(status(one))
      return { stop: async () => undefined }
    }
    await start(told)
    await server.until(() => statuses().length === 3)
    expect(statuses()).toEqual(['ready', 'wash', 'ready'])
  })

  it('ends the alarms of a source that is no longer in the file', async () => {
    const other: Source = async () => ({ stop: async () => undefined })
    const raising: Source = async (context) => {
      const raise = { template: 'SKID-1042', component: 'Door', while: { on: true } }
      const mapping = startMapping(mappedFields.parse({ name: 'source-1', rules: [{ raise }] }), context)
      await mapping.take([{ instrument: 'IP-20431187', on: true }])
      return mapping
    }
    await start(other, raising)
    await server.until(() => alarms().length === 1)
    await gateway.stop()
    await start(other)
    await server.until(() => items().some(({ type }) => type === 'benchwatch.log.appended'))
    const ends = () => items().flatMap((item) => (item.type === 'benchwatch.alarm.cleared' ? [item.data.alertId] : []))
    await server.until(() => ends().length === 1)
    expect(ends()).toEqual(alarms().map(({ alertId }) => alertId))
  })

  it('shows a source that can not start as down, starts it again, and runs the others meanwhile', async () => {
    server.knows = ['links']
    const isToldDown = () => links().some(({ state }) => state === 'down')
    await start(
      async (context) => {
        if (!isToldDown()) throw new Error('The port is taken.')
        context.link('source-0', 'up')
        return { stop: async () => undefined }
      },
      async (context) => {
        context.link('source-1', 'up')
        return { stop: async () => undefined }
      },
    )
    await server.until(() => links().some(({ name, state }) => name === 'source-0' && state === 'up'))
    expect(links()).toContainEqual(expect.objectContaining({ state: 'down', reason: 'The port is taken.' }))
    expect(links()).toContainEqual(expect.objectContaining({ name: 'source-1', state: 'up' }))
  })
})

describe('the gateway program with a file of sources', () => {
  let running: ChildProcess[]

  beforeEach(() => {
    running = []
  })
  afterEach(() => {
    for (const child of running) child.kill('SIGKILL')
  })

  async function program(sources: string) {
    const file = join(directory, 'sources.yaml')
    await writeFile(file, sources)
    const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], {
      env: {
        NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
        BENCHWATCH_URL: server.url(),
        GATEWAY_NAME: 'GW-UPP-01',
        GATEWAY_KEY: server.key,
        OUTBOX_DIR: join(directory, 'outbox'),
        GATEWAY_SOURCES: file,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    running.push(child)
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += String(text)))
    const ended = new Promise<string>((resolve) => child.once('close', () => resolve(output)))
    return { child, ended }
  }

  it('ends with every fault of the file and its line', async () => {
    const { child, ended } = await program(
      'sources:\n  - kind: http\n    name: x\n    listen: nowhere\n    routes: []\n',
    )
    expect(await ended).toMatch(/sources\.yaml:4: x, listen: .*\n.*sources\.yaml:5: x, routes: /)
    expect(child.exitCode).toBe(1)
    const other = await program(
      'sources:\n  - { kind: http, name: x, gateway: GW-2, listen: "127.0.0.1:1", routes: [{ path: /, format: json }] }\n',
    )
    expect(await other.ended).toContain(
      "The source x needs 'gateway', the name of one that this process runs: GW-UPP-01.",
    )
  })

  it.runIf(hasMosquitto)('loses no message of a broker when it is killed, and raises none twice', async () => {
    const broker = new Mosquitto()
    await broker.start()
    const file = `sources:
  - kind: mqtt
    name: skids
    url: ${broker.url()}
    topics: [lab/+/alarm]
    alarmsPerMinute: 10000
    rules:
      - instrument: "{topic2}"
        raise: { template: "SKID-{json.code}", component: "Part {json.code}", autoClear: 0s }
`
    const lines = (from: number) => Array.from({ length: 400 }, (_, index) => JSON.stringify({ code: from + index }))
    // The session at the broker begins with the first connection.
    server.knows = ['links']
    const first = await program(file)
    await server.until(() => links().some(({ state }) => state === 'up'))
    await broker.publishLines('lab/IP-20431187/alarm', lines(1000))
    await server.until(() => alarms().length > 20)
    first.child.kill('SIGKILL')
    await first.ended
    await broker.publishLines('lab/IP-20431187/alarm', lines(2000))
    await broker.stop('SIGTERM')
    await broker.start()
    const second = await program(file)
    await server.until(() => new Set(alarms().map(({ templateId }) => templateId)).size === 800)
    // Everything is there; what was in flight at the kill is recognised.
    second.child.kill('SIGTERM')
    await second.ended
    expect(alarms()).toHaveLength(800)
    await broker.remove()
  })
})
