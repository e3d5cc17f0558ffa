import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type RunningGateway, startGateway } from './gateway.ts'
import { Line } from './report.ts'
import type { Source, SourceContext } from './source.ts'
import { ReceivingServer } from './testing/receiving-server.ts'
import { aLog, anAlarm } from './testing/reports.ts'

const aSource = (start: Source) => ({
  name: 'test',
  kind: 'test',
  start,
  lostAfterMs: 60_000,
  instruments: [],
  isSynced: true,
})

describe('a line', () => {
  const never = new AbortController().signal
  const stored = { kind: 'too large' } as const

  it('carries while it is up, and nothing while it is cut', async () => {
    const line = new Line()
    let sent = 0
    const send = () => {
      sent++
      return Promise.resolve(stored)
    }
    expect(await line.carry(send, never)).toBe(stored)
    line.cut()
    expect(await line.carry(send, never)).toMatchObject({ kind: 'failed' })
    line.restore()
    expect(await line.carry(send, never)).toBe(stored)
    expect(sent).toBe(2)
  })

  it('breaks a request that is under way', async () => {
    const line = new Line()
    const broken = line.carry(
      (signal) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve({ kind: 'failed', reason: 'broken' }))
        }),
      never,
    )
    line.cut()
    expect(await broken).toEqual({ kind: 'failed', reason: 'broken' })
  })
})

describe('a gateway that loses its line', () => {
  let directory: string
  let server: ReceivingServer
  let gateway: RunningGateway

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'line-'))
    server = new ReceivingServer()
    await server.listen()
  })
  afterEach(async () => {
    await gateway.stop()
    await server.close()
    await rm(directory, { recursive: true })
  })

  it('keeps new reports, and sends everything once the connection is back', async () => {
    const context = await new Promise<SourceContext>((given) => {
      void startGateway({
        gateway: { name: 'GW-UPP-01', key: server.key },
        serverUrl: server.url(),
        outboxDir: directory,
        outboxMaxBytes: 1e8,
        sources: [
          aSource(async (to) => {
            given(to)
            return { stop: async () => undefined }
          }),
        ],
        log: pino({ level: 'silent' }),
      }).then((running) => {
        gateway = running
      })
    })
    await context.report(anAlarm('before'))
    const alarms = () =>
      [...server.stored.values()].flatMap((item) =>
        item.type === 'benchwatch.alarm.raised' ? [item.data.alertId] : [],
      )
    await server.until(() => alarms().includes('before'))
    context.line.cut()
    await context.report(anAlarm('during'))
    await context.report(aLog('during'))
    // A second gateway on the same server: once its alarm has arrived, the first gateway has had time to send too.
    const other = await startGateway({
      gateway: { name: 'GW-UPP-02', key: server.key },
      serverUrl: server.url(),
      outboxDir: directory,
      outboxMaxBytes: 1e8,
      sources: [
        aSource(async ({ report }) => {
          await report(anAlarm('other'))
          return { stop: async () => undefined }
        }),
      ],
      log: pino({ level: 'silent' }),
    })
    await server.until(() => alarms().includes('other'))
    await other.stop()
    expect(alarms()).toEqual(['before', 'other'])
    expect([...server.stored.values()].filter(({ type }) => type === 'benchwatch.log.appended')).toEqual([])
    context.line.restore()
    await server.until(() => alarms().includes('during'))
    expect(alarms()).toEqual(['before', 'other', 'during'])
    await server.until(() => [...server.stored.values()].some(({ type }) => type === 'benchwatch.log.appended'))
  })
})
