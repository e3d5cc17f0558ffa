import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CallRequest, OPCUAClient, PublishResponse } from 'node-opcua-client'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Report } from '../report.ts'
import { Cable } from '../testing/cable.ts'
import { MemoryOutbox } from '../testing/memory-outbox.ts'
import { OpcUaServerProcess, type ServerArguments } from '../testing/opcua/server-process.ts'
import { openCertificates, trustCertificate } from './opcua/certificates.ts'
import { opcua, opcuaSource } from './opcua.ts'

// Against a server in another process: the alarm demo and the nodesets of node-opcua.

const rules = [
  {
    when: { kind: 'condition' },
    raise: {
      template: 'OPCUA-{conditionName}',
      component: '{sourceName}',
      description: '{message}',
      severity: '{severity|words}',
    },
  },
  { when: { kind: 'change' }, log: { type: 'EVENT', message: '{conditionName}: {severityBefore} to {severity}' } },
  {
    when: { kind: 'event', severity: '>= 500' },
    raise: { template: 'LADS-1900', component: '{sourceName}', autoClear: '0s' },
  },
  { when: { kind: 'event' }, log: { type: 'EVENT', message: '{message}', module: '{sourceName}' } },
  { when: { kind: 'state' }, status: '{state|states}', log: { type: 'EVENT', message: '{state} {run?}' } },
  {
    when: { kind: ['counter', 'value'] },
    usage: { component: '{name}', metric: '{name}', value: '{value}', scale: 0.5 },
  },
]
const tables = {
  words: { '>= 700': 'high', '>= 300': 'medium', '*': 'low' },
  states: { Running: 'method run', Stopped: 'ready', '*': 'Unknown' },
}

let folder: string
let outbox: MemoryOutbox
/** Runs during all tests, because starting one takes 2 s of processor time. */
let standing: OpcUaServerProcess
/** That of the running test: the standing one, or one of its own that may be killed. */
let server: OpcUaServerProcess
let source: { stop(): Promise<void> } | null

// Keys take long to make, so all tests share those of the server and of the gateway.
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'opcua-'))
  for (const name of ['pki', 'pki-secure', 'pki-unknown']) await openCertificates(join(folder, name))
  standing = await OpcUaServerProcess.prepare(join(folder, 'server'))
  await standing.start({ lads: true })
})
afterAll(async () => {
  await standing.kill()
  await rm(folder, { recursive: true })
})
beforeEach(() => {
  outbox = new MemoryOutbox()
  server = standing
  source = null
})
afterEach(async () => {
  await stop()
  if (server === standing) await server.tell({ calm: true })
  else await server.kill()
})

async function startOwnServer(given: ServerArguments): Promise<void> {
  server = await OpcUaServerProcess.prepare(join(folder, 'killed-server'))
  await server.start(given)
}

async function start(given: Record<string, unknown> = {}, certificates = join(folder, 'pki')): Promise<void> {
  const config = opcuaSource.parse({
    kind: 'opcua',
    name: 'hall',
    endpoint: server.endpoint,
    security: 'none',
    devices: [{ instrument: 'IP-20431187' }],
    rules,
    tables,
    ...given,
  })
  source = await opcua(config)(outbox.context({ certificates }))
}

/** Returns the client of the source, once that is up. */
async function startBehind(cable: Cable): Promise<OPCUAClient> {
  const created = vi.spyOn(OPCUAClient, 'create')
  await start({ endpoint: `opc.tcp://127.0.0.1:${cable.port}` })
  await expect.poll(link).toBe('up')
  const client = created.mock.results[0]?.value as OPCUAClient
  created.mockRestore()
  return client
}

async function stop(): Promise<void> {
  await source?.stop()
  source = null
}

function reports<const T extends string>(type: T): Extract<Report, { type: `benchwatch.${T}` }>[] {
  return outbox.reports.filter(
    (report): report is Extract<Report, { type: `benchwatch.${T}` }> => report.type === `benchwatch.${type}`,
  )
}

const count = (type: string) => () => reports(type).length
/** State of the link, with its reason. */
const link = () => outbox.links.get('hall')
const thumbprintIn = (sentence = '') => /gateway:trust -- ([0-9a-f]{40})$/.exec(sentence)?.[1] ?? ''

describe('conditions', () => {
  it('that are active are raised at the start, once, and cleared when they end', async () => {
    await server.tell({ level: 0.95 })
    await start()
    await expect.poll(count('alarm.raised')).toBe(1)
    await server.tell({ level: 0.85 })
    await server.tell({ level: 0.5 })
    await expect.poll(count('alarm.cleared')).toBe(1)
    await server.tell({ level: 0.1 })
    await expect.poll(count('alarm.raised')).toBe(2)
    const [first, second] = reports('alarm.raised')
    expect(first).toMatchObject({ subject: 'IP-20431187', data: { componentName: '1:TankLevel' } })
    expect(second?.data.alertId).not.toBe(first?.data.alertId)
    expect(reports('alarm.cleared')).toMatchObject([{ data: { alertId: first?.data.alertId } }])
  })

  it('that end while the server is killed return to normal, and nothing is raised twice', async () => {
    await startOwnServer({ level: 0.95 })
    await start()
    await expect.poll(count('alarm.raised')).toBe(1)
    await server.kill()
    await expect.poll(link).toContain(server.endpoint)
    await server.start({ level: 0.5 })
    await expect.poll(count('alarm.cleared')).toBe(1)
    expect(link()).toBe('up')
    await server.tell({ level: 0.95 })
    await expect.poll(count('alarm.raised')).toBe(2)
  })

  it('that last while the server is killed are not raised again', async () => {
    await startOwnServer({ level: 0.95 })
    await start()
    await expect.poll(count('alarm.raised')).toBe(1)
    await server.kill()
    await server.start({ level: 0.95 })
    await server.tell({ event: { message: 'after the restart', severity: 100 } })
    await expect.poll(link).toBe('up')
    await server.tell({ level: 0.5 })
    await expect.poll(count('alarm.cleared')).toBe(1)
    expect(reports('alarm.raised')).toHaveLength(1)
  })

  it('that end while the gateway is away return to normal at its next start', async () => {
    await server.tell({ level: 0.95 })
    await start()
    await expect.poll(count('alarm.raised')).toBe(1)
    await stop()
    await server.tell({ level: 0.5 })
    await start()
    await expect.poll(count('alarm.cleared')).toBe(1)
    expect(reports('alarm.raised')).toHaveLength(1)
  })

  it('that the server no longer retains end with the next refresh', async () => {
    await server.tell({ level: 0.95 })
    await start()
    await expect.poll(count('alarm.raised')).toBe(1)
    await server.tell({ forget: true, refreshRequired: true })
    await expect.poll(count('alarm.cleared')).toBe(1)
  })

  it('that change their severity write a log line and no alarm', async () => {
    await start()
    await expect.poll(link).toBe('up')
    await server.tell({ severity: 300 })
    await server.tell({ severity: 800 })
    await expect.poll(count('log.appended')).toBe(1)
    expect(reports('alarm.raised')).toMatchObject([{ data: { severity: 'medium' } }])
    expect(reports('log.appended')).toMatchObject([{ data: { lines: [{ message: 'Severe: 300 to 800' }] } }])
  })
})

describe('events without a condition', () => {
  it('are alarms that end automatically, or log lines, as the rules say', async () => {
    await start()
    await expect.poll(link).toBe('up')
    await server.tell({ event: { message: 'Door open', severity: 600 } })
    await server.tell({ event: { message: 'Door closed', severity: 100 } })
    await expect.poll(count('log.appended')).toBe(1)
    expect(reports('alarm.raised')).toMatchObject([{ data: { templateId: 'LADS-1900' } }])
    expect(reports('alarm.cleared')).toHaveLength(1)
    expect(reports('log.appended')).toMatchObject([{ data: { lines: [{ message: 'Door closed' }] } }])
  })

  it.each([
    ['is broken', (cable: Cable) => cable.cut()],
    ['stalls', (cable: Cable) => cable.stall()],
  ])('that are raised while the network %s arrive afterwards', async (_, trouble) => {
    const cable = await Cable.to(server.port)
    const client = await startBehind(cable)
    await server.tell({ event: { message: 'Door open', severity: 100 } })
    await expect.poll(count('log.appended')).toBe(1)
    // It has the number of the next message.
    await new Promise<void>((resolve) =>
      client.on('receive_response', (response: unknown) => {
        if (response instanceof PublishResponse && !response.notificationMessage.notificationData?.length) resolve()
      }),
    )
    trouble(cable)
    await server.tell({ event: { message: 'Door closed', severity: 100 } })
    await expect.poll(link).toMatch(/^down/)
    cable.mend()
    await expect.poll(count('log.appended')).toBe(2)
    await expect.poll(link).toBe('up')
    await stop()
    await cable.end()
  })
})

it('a connection that breaks again as soon as it is repaired is down', async () => {
  const cable = await Cable.to(server.port)
  const client = await startBehind(cable)
  cable.cut()
  await expect.poll(link).toMatch(/^down/)
  client.on('send_request', (request: unknown) => {
    if (!(request instanceof CallRequest)) return
    client.removeAllListeners('send_request')
    cable.cut()
  })
  cable.mend()
  await once(client, 'connection_lost')
  await once(client, 'backoff')
  expect(link()).toMatch(/^down/)
  cable.mend()
  await expect.poll(link).toBe('up')
  await stop()
  await cable.end()
})

describe('values', () => {
  const values = [
    { node: 'nsu=urn:benchwatch:test-server;s=Number', as: 'Strokes' },
    { node: 'nsu=urn:benchwatch:test-server;s=Text', as: 'Words' },
    { node: 'ns=1;s=Nothing', as: 'Nothing' },
    { node: 'nsu=urn:unknown;s=Nothing', as: 'Stranger' },
  ]

  it('that are no number, of the wrong type or missing are counted, and stop nothing', async () => {
    await start({ values })
    await expect.poll(count('usage.sampled')).toBe(1)
    await expect.poll(() => outbox.counts.faulty).toBe(3)
    for (const [at, given] of [{ number: 'NaN' }, { bad: true }, { text: 'still no number' }].entries()) {
      await server.tell({ value: given })
      await expect.poll(() => outbox.counts.faulty).toBe(4 + at)
    }
    await server.tell({ value: { number: 8 } })
    await expect.poll(count('usage.sampled')).toBe(2)
    expect(reports('usage.sampled').at(-1)).toMatchObject({
      data: { components: [{ usage: [{ metric: 'Strokes', value: 4 }] }] },
    })
    await server.tell({ value: { bad: true } })
    await expect.poll(() => outbox.faults.at(-1)).toContain('BadSensorFailure')
    expect(link()).toBe('up')
  })
})

it('a status is unknown while the value that it was read from is bad', async () => {
  await server.tell({ value: { number: 8 } })
  const values = [{ node: 'nsu=urn:benchwatch:test-server;s=Number', as: 'Strokes' }]
  await start({ values, rules: [{ when: { value: 8 }, status: 'method run' }, { ignore: true }] })
  const told = () => reports('status.changed').map(({ data }) => data.instrumentStatus)
  await expect.poll(told).toEqual(['method run'])
  await server.tell({ value: { bad: true } })
  await expect.poll(told).toEqual(['method run', 'Unknown'])
  await server.tell({ value: { number: 8 } })
  await expect.poll(told).toEqual(['method run', 'Unknown', 'method run'])
})

describe('a LADS device', () => {
  it('reports its state with the run of its program, its counters, and the events of its units', async () => {
    await server.tell({ freezer: { device: 'Operate', unit: 'Stopped', run: '', hours: 2 } })
    await start({
      devices: [
        { instrument: 'IP-20431187', lads: { serialNumber: 'FRZ-0815' } },
        { instrument: 'IP-20431188', lads: { serialNumber: 'other' } },
        { instrument: 'IP-20431189' },
      ],
    })
    await expect.poll(count('status.changed')).toBe(1)
    expect(outbox.faults.at(-1)).toContain('Freezer (serial number FRZ-0815)')
    await server.tell({ freezer: { unit: 'Running', run: 'R-2026-7' } })
    await expect.poll(count('status.changed')).toBe(2)
    await server.tell({
      freezer: { event: { message: 'Lid open', severity: 100 } },
      event: { message: 'Elsewhere', severity: 100 },
    })
    const lines = () =>
      reports('log.appended').flatMap(({ subject, data }) => data.lines.map(({ message }) => [subject, message]))
    await expect.poll(lines).toEqual([
      ['IP-20431187', 'Stopped '],
      ['IP-20431187', 'Running R-2026-7'],
      ['IP-20431187', 'Lid open'],
      ['IP-20431189', 'Elsewhere'],
    ])
    expect(reports('status.changed').map(({ data }) => [data.instrumentStatus, data.run])).toEqual([
      ['ready', undefined],
      ['method run', 'R-2026-7'],
    ])
    expect(reports('usage.sampled')).toMatchObject([
      {
        subject: 'IP-20431187',
        data: { components: [{ usage: [{ metric: 'OperationDuration', value: 3_600_000 }] }] },
      },
    ])
  })
})

describe('a storm', () => {
  it('of 1,000 alarms becomes few items, and ends with nothing open', async () => {
    await start()
    await expect.poll(link).toBe('up')
    const begun = performance.now()
    await server.tell({ storm: { conditions: 50, rounds: 20 } })
    await server.tell({ event: { message: 'after the storm', severity: 100 } })
    await expect.poll(count('log.appended')).toBe(1)
    const raised = reports('alarm.raised')
    // The first alarms of each minute that it touches are reported; the rest are merged.
    const minutes = Math.ceil((performance.now() - begun) / 60_000) + 1
    expect(raised.length).toBeGreaterThanOrEqual(60)
    expect(raised.length).toBeLessThanOrEqual(60 * minutes + 1)
    const cleared = reports('alarm.cleared')
    expect(new Set(cleared.map(({ data }) => data.alertId))).toEqual(new Set(raised.map(({ data }) => data.alertId)))
    expect(link()).toBe('up')
    expect(outbox.counts.faulty).toBe(0)
  })
})

describe('a secure connection', () => {
  const security = { mode: 'SignAndEncrypt', policy: 'Basic256Sha256' }
  const certificates = () => join(folder, 'pki-secure')

  it('needs a trusted certificate, which is refused with its thumbprint until somebody trusts it', async () => {
    await startOwnServer({ level: 0.95 })
    await start({ security }, certificates())
    await expect.poll(link).toContain('is not trusted')
    const thumbprint = thumbprintIn(link())
    expect(await trustCertificate(certificates(), 'f'.repeat(40))).toBeNull()
    expect(await trustCertificate(certificates(), thumbprint.toUpperCase())).toContain('Test server')
    await expect.poll(count('alarm.raised')).toBe(1)
    expect(link()).toBe('up')

    await server.kill()
    await server.start({ level: 0.95, valid: 366 })
    await expect.poll(link).toContain(`has changed from thumbprint ${thumbprint}`)
    await trustCertificate(certificates(), thumbprintIn(link()))
    await expect.poll(link).toBe('up')
    expect(reports('alarm.raised')).toHaveLength(1)
  })

  it('begins again when the clock of the gateway is set forward', async () => {
    await startOwnServer({})
    await start({ security }, certificates())
    await expect.poll(link).toContain('is not trusted')
    await trustCertificate(certificates(), thumbprintIn(link()))
    await expect.poll(link).toBe('up')
    vi.setSystemTime(Date.now() + 86_400_000)
    onTestFinished(() => {
      vi.useRealTimers()
    })
    await server.tell({ level: 0.95 })
    await expect.poll(count('alarm.raised')).toBe(1)
  })

  it.each([
    [{ begins: -20, valid: 10 }, 'expired on'],
    [{ begins: 5, valid: 10 }, 'is only valid from'],
  ])('is refused with a certificate of %o', async (given, reason) => {
    await startOwnServer(given)
    await start({ security }, certificates())
    await expect.poll(link).toContain('is not trusted')
    await trustCertificate(certificates(), thumbprintIn(link()))
    await expect.poll(link).toContain(reason)
  })

  it('of a policy that the server lacks, or of a stranger, is refused in one sentence', async () => {
    const passwordFile = join(folder, 'password')
    await writeFile(passwordFile, 'wrong')
    await start({ user: { name: 'benchwatch', passwordFile } })
    await expect.poll(link).toMatch(/does not accept the user benchwatch\. Check the name and its password file\.$/)
    await writeFile(passwordFile, 'secret\n')
    await expect.poll(link).toBe('up')
    await stop()
    await start({ user: { name: 'benchwatch', passwordFile: join(folder, 'none') } })
    await expect.poll(link).toMatch(/none can't be read \(ENOENT\)\.$/)
    await stop()
    await start({ security: { mode: 'Sign', policy: 'Aes256_Sha256_RsaPss' } })
    await expect.poll(link).toContain('It offers: none, Sign with Basic256Sha256,')
  })

  it('is refused in one sentence by a server that does not trust the gateway', async () => {
    const unknown = join(folder, 'pki-unknown')
    await startOwnServer({ strict: true })
    await start({ security }, unknown)
    await expect.poll(link).toContain('is not trusted')
    await trustCertificate(unknown, thumbprintIn(link()))
    await expect.poll(link).toMatch(/does not trust this gateway\. Trust .*own\/certs\/gateway\.pem at the server\.$/)
  })

  it('is signed in by a certificate', async () => {
    const own = join(folder, 'pki', 'own')
    const user = { certificateFile: join(own, 'certs/gateway.pem'), keyFile: join(own, 'private/private_key.pem') }
    await start({ user })
    await expect.poll(link).toBe('up')
  })
})
