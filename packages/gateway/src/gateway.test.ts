import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, it, onTestFinished } from 'vitest'
import { startGateway, startHeartbeat } from './gateway.ts'
import { Outbox } from './outbox.ts'
import type { Source } from './source.ts'
import { ReceivingServer } from './testing/receiving-server.ts'
import { anAlarm } from './testing/reports.ts'

function aSource(start: Source) {
  return { name: 'skids', kind: 'mqtt', isSynced: true, lostAfterMs: 60_000, instruments: [], start }
}

it('after a restart, a source may report its link while it starts', async () => {
  const outboxDir = await mkdtemp(join(tmpdir(), 'benchwatch-gateway-'))
  onTestFinished(() => rm(outboxDir, { recursive: true }))
  const before = await Outbox.open({ directory: join(outboxDir, 'GW-UPP-01'), gateway: 'GW-UPP-01', maxBytes: 1e6 })
  await before.keep({ name: 'server/knows', value: 'links,sources' })
  await before.close()
  const starts: string[] = []
  const gateway = await startGateway({
    gateway: { name: 'GW-UPP-01', key: 'key' },
    serverUrl: 'http://127.0.0.1:1',
    outboxDir,
    outboxMaxBytes: 1e6,
    sources: [
      aSource(async ({ link }) => {
        starts.push('begun')
        link('skids', 'up')
        starts.push('done')
        return { stop: async () => undefined }
      }),
    ],
    log: pino({ level: 'silent' }),
  })
  await gateway.stop()
  expect(starts).toEqual(['begun', 'done'])
})

it('a heartbeat that the outbox cannot number is logged and does not end the gateway', async () => {
  const logged: string[] = []
  const log = pino({}, { write: (line) => logged.push((JSON.parse(line) as { msg: string }).msg) })
  const sent: unknown[] = []
  const heart = startHeartbeat({
    name: 'GW-UPP-01',
    outbox: {
      epoch: 'epoch',
      takeSequence: () => Promise.reject(new Error('No space left on device')),
      beginEpoch: () => Promise.resolve(),
    },
    send: async (items) => {
      sent.push(items)
      return { kind: 'failed', reason: 'Nobody listens.' }
    },
    onArrival: () => undefined,
    onRecovery: () => undefined,
    onKnown: () => undefined,
    dataOf: () => ({}),
    log,
  })
  await heart.stop()
  expect(logged).toEqual([
    'A heartbeat could not be sent, because the outbox is not writable. Check that its disk is not full.',
  ])
  expect(sent).toEqual([])
})

it('delivers new alarms from an outbox that was restored from an older copy', async () => {
  const outboxDir = await mkdtemp(join(tmpdir(), 'benchwatch-gateway-'))
  onTestFinished(() => rm(outboxDir, { recursive: true }))
  const copy = `${outboxDir}-copy`
  onTestFinished(() => rm(copy, { recursive: true }))
  const server = new ReceivingServer()
  await server.listen()
  onTestFinished(() => server.close())
  const logged: string[] = []
  const alarms = () =>
    [...server.stored.values()].flatMap((item) => (item.type === 'benchwatch.alarm.raised' ? [item.data.alertId] : []))

  /** Runs the gateway until the server has this alarm, which its source raises while it starts. */
  async function runFor(alertId: string): Promise<void> {
    const gateway = await startGateway({
      gateway: { name: 'GW-UPP-01', key: server.key },
      serverUrl: server.url(),
      outboxDir,
      outboxMaxBytes: 1e6,
      sources: [
        aSource(async ({ report }) => {
          await report(anAlarm(alertId))
          return { stop: async () => undefined }
        }),
      ],
      log: pino({}, { write: (line) => logged.push((JSON.parse(line) as { msg: string }).msg) }),
    })
    await server.until(() => alarms().includes(alertId))
    await gateway.stop()
  }

  await runFor('before the copy')
  await cp(outboxDir, copy, { recursive: true })
  await runFor('after the copy')
  await rm(outboxDir, { recursive: true })
  await cp(copy, outboxDir, { recursive: true })
  await runFor('after the restore')
  expect(alarms()).toEqual(['before the copy', 'after the copy', 'after the restore'])
  // The heartbeat by which the gateway notices it, and nothing else.
  expect(server.violations.splice(0)).toEqual([expect.stringMatching(/ is used twice$/)])
  expect(logged.filter((line) => line.startsWith('The server already has items'))).toHaveLength(1)
})
