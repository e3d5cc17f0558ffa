import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Delivery, deliver } from './delivery.ts'
import { Outbox } from './outbox.ts'
import type { Lane } from './report.ts'
import { retryDelay, type Sender, startSender } from './sender.ts'
import { freePort } from './testing/free-port.ts'
import { ReceivingServer } from './testing/receiving-server.ts'
import { aLog, anAlarm, aStatus } from './testing/reports.ts'

let directory: string
let outbox: Outbox
let server: ReceivingServer
let senders: Sender[]
let log: { level: string; message: string }[]
/** Retry pauses that the sender requested, without the waits for new items. */
let pauses: number[]
const everything = { items: 100_000, bytes: 1e9 }
const all: Lane[] = ['alarms', 'statuses', 'logs']

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sender-'))
  outbox = await Outbox.open({ directory, gateway: 'GW-UPP-01', maxBytes: 1e9 })
  server = new ReceivingServer()
  await server.listen()
  senders = []
  log = []
  pauses = []
})
afterEach(async () => {
  await Promise.all(senders.map((sender) => sender.stop()))
  await outbox.close()
  await rm(directory, { recursive: true })
  await server.close()
})

const write = (level: string) => (_fields: object, message: string) => {
  log.push({ level, message })
}

/** Starts a sender whose pauses take no time, except the one that waits for new items. */
function start(lanes: Lane[] = all, send = sendTo(server)): Sender {
  const sender = startSender({
    outbox,
    lanes,
    deliver: send,
    log: { info: write('info'), warn: write('warn'), error: write('error') },
    pause: (milliseconds, signal) => {
      if (Number.isFinite(milliseconds)) {
        pauses.push(milliseconds)
        return new Promise((resolve) => setImmediate(resolve))
      }
      if (signal.aborted) return Promise.resolve()
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve()))
    },
  })
  senders.push(sender)
  return sender
}

function sendTo(to: ReceivingServer, timeoutMs = 60_000) {
  const destination = { serverUrl: to.url(), gateway: 'GW-UPP-01', key: to.key, timeoutMs }
  return (items: readonly string[], signal: AbortSignal): Promise<Delivery> => deliver(destination, items, signal)
}

/** Items are sent at once; the timeout only allows for a busy machine. */
const PATIENCE = { timeout: 60_000, interval: 5 }
/** Resolves when the answer has come back and the outbox has removed the delivered items. */
const drained = () => vi.waitFor(() => expect(outbox.size()).toBe(0), PATIENCE)
const left = async (lane: Lane) => (await outbox.read([lane], everything)).items.length
const alertIds = () =>
  [...server.stored.values()].flatMap((item) => (item.type === 'benchwatch.alarm.raised' ? item.data.alertId : []))

describe('the sender', () => {
  it('delivers waiting and later items, and empties the outbox', async () => {
    await outbox.append(anAlarm('a1'))
    start()
    await server.until(() => server.stored.size === 1)
    await outbox.append(anAlarm('a2'))
    await server.until(() => server.stored.size === 2)
    await drained()
    expect(alertIds()).toEqual(['a1', 'a2'])
  })

  it('sends at most 500 items and less than 1 MB at a time', async () => {
    await Promise.all(Array.from({ length: 1_200 }, (_, line) => outbox.append(aLog(`line ${line}`))))
    await Promise.all(Array.from({ length: 60 }, () => outbox.append(aLog('x'.repeat(50_000)))))
    start()
    await server.until(() => server.stored.size === 1_260)
    expect(Math.max(...server.batches.map(({ items }) => items.length))).toBe(500)
    for (const { items } of server.batches) expect(JSON.stringify(items).length).toBeLessThan(1_000_000)
  })

  it('waits as long as a busy server asks, and keeps everything meanwhile', async () => {
    server.next({ answer: 503, headers: { 'retry-after': '7' } }, { answer: 429, headers: { 'retry-after': '2' } })
    await outbox.append(anAlarm('a1'))
    start()
    await server.until(() => server.stored.size === 1)
    await drained()
    expect(pauses).toEqual([7_000, 2_000])
    expect(log.map(({ level }) => level)).toEqual(['warn', 'info'])
  })

  it('understands a Retry-After that is a date', async () => {
    server.next({ answer: 503, headers: { 'retry-after': new Date(Date.now() + 60_000).toUTCString() } })
    await outbox.append(anAlarm('a1'))
    start()
    await server.until(() => server.stored.size === 1)
    expect(pauses[0]).toBeGreaterThan(50_000)
    expect(pauses[0]).toBeLessThanOrEqual(60_000)
  })

  it('waits longer each time while the server fails or refuses without a time', async () => {
    server.next({ answer: 500 }, { answer: 503 }, { answer: 502 }, { answer: 500 })
    await outbox.append(anAlarm('a1'))
    start()
    await server.until(() => server.stored.size === 1)
    expect(pauses).toHaveLength(4)
    for (const [index, pause] of pauses.entries()) {
      expect(pause).toBeGreaterThanOrEqual(250 * 2 ** index)
      expect(pause).toBeLessThanOrEqual(500 * 2 ** index)
    }
  })

  it('delivers once when the server has stored a batch and the answer was lost', async () => {
    server.next('commits and drops', 'commits and drops')
    await outbox.append(anAlarm('a1'))
    await outbox.append(aStatus())
    start()
    await server.until(() => server.batches.length === 3)
    await drained()
    expect(server.stored.size).toBe(2)
    expect(server.duplicates).toBe(4)
  })

  it('loses nothing when everything that can happen happens', async () => {
    const mishaps = ['commits and drops', { answer: 503 }, { answer: 500 }, { answer: 413 }] as const
    for (let round = 0; round < 24; round++) server.next(mishaps[round % 4] ?? { answer: 500 })
    start(['alarms', 'statuses'])
    start(['logs'])
    const appended = Array.from({ length: 900 }, (_, index) =>
      outbox.append(index % 3 === 0 ? anAlarm(`a${index}`) : aLog(`l${index}`)),
    )
    await Promise.all(appended)
    await server.until(() => server.stored.size === 900)
    await drained()
    expect(alertIds()).toEqual(Array.from({ length: 300 }, (_, index) => `a${index * 3}`))
  })

  it('goes on after the server was away altogether', async () => {
    const port = await freePort()
    await outbox.append(anAlarm('a1'))
    const away = { serverUrl: `http://127.0.0.1:${port}`, gateway: 'GW-UPP-01', key: server.key, timeoutMs: 60_000 }
    const back = new ReceivingServer()
    let tries = 0
    start(all, async (items, signal) => {
      if (++tries === 3) await back.listen(port)
      return deliver(away, items, signal)
    })
    await back.until(() => back.stored.size === 1)
    await drained()
    await back.close()
    expect(tries).toBe(3)
    expect(log.map(({ level }) => level)).toEqual(['warn', 'info'])
    expect(log[0]?.message).toMatch(/new items are kept.*ECONNREFUSED/)
  })

  it('says which port HTTP clients refuse', async () => {
    const to = { serverUrl: 'http://127.0.0.1:4190', gateway: 'GW-UPP-01', key: 'any', timeoutMs: 5000 }
    expect(await deliver(to, [], new AbortController().signal)).toEqual({
      kind: 'failed',
      reason: expect.stringMatching(/^Port 4190 .* another port/),
    })
  })

  it('halves a batch that takes too long on a slow line until it arrives', async () => {
    await Promise.all(Array.from({ length: 100 }, (_, line) => outbox.append(aLog(`line ${line}`))))
    const fast = sendTo(server)
    const slow = sendTo(server, 0)
    start(all, (items, signal) => (items.length > 30 ? slow : fast)(items, signal))
    await server.until(() => server.stored.size === 100)
    await drained()
  })

  it('halves a batch that is too large until it fits, and takes the full size again afterwards', async () => {
    server.mostItems = 100
    await Promise.all(Array.from({ length: 450 }, (_, line) => outbox.append(aLog(`line ${line}`))))
    start()
    await server.until(() => server.stored.size === 450)
    const messages = [...server.stored.values()].map((item) =>
      item.type === 'benchwatch.log.appended' ? item.data.lines[0]?.message : '',
    )
    expect(messages).toEqual(Array.from({ length: 450 }, (_, line) => `line ${line}`))
    expect(pauses).toEqual([])
  })

  it('gives up a single item that nobody takes, says which, and goes on with the rest', async () => {
    await Promise.all(['good 1', 'bad', 'good 2'].map((text) => outbox.append(aLog(text))))
    const send = sendTo(server)
    start(all, (items, signal) =>
      items.some((item) => item.includes('"bad"'))
        ? Promise.resolve({ kind: 'not understood', reason: 'The server answered 400.' })
        : send(items, signal),
    )
    await server.until(() => server.stored.size === 2)
    await drained()
    expect(log.filter(({ level }) => level === 'error').map(({ message }) => message)).toEqual([
      "An item can't be delivered and was dropped. The server answered 400.",
    ])
  })

  it('keeps an alarm that something before the server refuses or breaks, and says where to look', async () => {
    const broken = { answer: 400, body: { type: 'urn:benchwatch:error:malformed-json' } }
    server.next({ answer: 400 }, { answer: 413 }, { answer: 422 }, broken)
    await outbox.append(anAlarm('a1'))
    start()
    await server.until(() => server.stored.size === 1)
    await drained()
    expect(log.map(({ level }) => level)).toEqual(['warn', 'info'])
    expect(log[0]?.message).toMatch(/answered 400. Check BENCHWATCH_URL and the proxies/)
  })

  it.each([
    [400, 'validation-failed', { kind: 'not understood', reason: 'The server answered 400. No.' }],
    [413, 'payload-too-large', { kind: 'too large' }],
  ])('believes a %s of the server itself', async (answer, code, delivery) => {
    server.next({ answer, body: { type: `urn:benchwatch:error:${code}`, detail: 'No.' } })
    expect(await sendTo(server)(['{}'], new AbortController().signal)).toEqual(delivery)
  })

  it('lets go of items that the server has parked, and says why', async () => {
    server.parks = ({ type }) => type === 'benchwatch.alarm.raised'
    await outbox.append(anAlarm('a1'))
    start()
    await server.until(() => server.stored.size === 1)
    await drained()
    expect(log).toEqual([
      { level: 'warn', message: 'The server has parked an item: This instrument is not registered.' },
    ])
  })

  it.each([
    [401, /does not accept the key of GW-UPP-01.*npm run gateway:key -- GW-UPP-01/],
    [403, /belongs to another gateway/],
    [404, /Check BENCHWATCH_URL/],
  ])('says one clear sentence on %i, keeps everything, and asks again once a minute', async (status, sentence) => {
    server.always({ answer: status })
    await outbox.append(anAlarm('a1'))
    start()
    await server.until(() => server.requests >= 4)
    server.always(null)
    await server.until(() => server.stored.size === 1)
    expect(log.filter(({ level }) => level === 'error')).toHaveLength(1)
    expect(log[0]?.message).toMatch(sentence)
    expect(new Set(pauses)).toEqual(new Set([60_000]))
  })

  it('takes an answer that is none for a failure: some proxies say 200 to everything', async () => {
    server.next({ answer: 200, body: { hello: 'proxy' } })
    await outbox.append(anAlarm('a1'))
    start()
    await server.until(() => server.stored.size === 1)
    expect(pauses).toHaveLength(1)
  })

  it('follows no redirect, which would carry its key elsewhere', async () => {
    server.next({ answer: 307, headers: { location: 'http://127.0.0.1:1/' } })
    await outbox.append(anAlarm('a1'))
    start()
    await server.until(() => server.stored.size === 1)
    expect(log[0]?.message).toContain('The server answered 307.')
  })

  it('continues when the outbox could not be read for a moment, as on a full disk', async () => {
    await outbox.append(anAlarm('a1'))
    vi.spyOn(outbox, 'read').mockRejectedValueOnce(new Error('No space left on device'))
    start()
    await drained()
    expect(alertIds()).toEqual(['a1'])
    expect(log).toEqual([
      { level: 'error', message: "The outbox can't be read or written. Check that its disk is not full." },
    ])
  })

  it('finishes the request in flight before it stops', async () => {
    const send = sendTo(server)
    const started = Promise.withResolvers<void>()
    const goOn = Promise.withResolvers<void>()
    await outbox.append(anAlarm('a1'))
    const sender = start(all, async (items, signal) => {
      started.resolve()
      await goOn.promise
      return send(items, signal)
    })
    await started.promise
    const stopped = sender.stop()
    goOn.resolve()
    await stopped
    expect(alertIds()).toEqual(['a1'])
    expect(outbox.size()).toBe(0)
  })

  it('delivers an alarm while a request with logs hangs and a backlog of logs waits behind it', async () => {
    await Promise.all(Array.from({ length: 2_000 }, (_, line) => outbox.append(aLog(`line ${line}`))))
    const send = sendTo(server)
    const hanging = Promise.withResolvers<void>()
    start(['logs'], (_items, signal) => {
      hanging.resolve()
      return new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve({ kind: 'failed', reason: 'aborted' }))
      })
    })
    start(['alarms', 'statuses'], send)
    await hanging.promise
    await outbox.append(anAlarm('urgent'))
    await server.until(() => server.stored.size === 1)
    expect(alertIds()).toEqual(['urgent'])
    await vi.waitFor(async () => expect(await left('alarms')).toBe(0), PATIENCE)
    expect(await left('logs')).toBe(2_000)
  })

  it('puts an alarm that arrives during a backlog of logs into the very next batch', async () => {
    await Promise.all(Array.from({ length: 2_000 }, (_, line) => outbox.append(aLog(`line ${line}`))))
    const send = sendTo(server)
    let requests = 0
    start(all, async (items, signal) => {
      if (++requests === 2) await outbox.append(anAlarm('urgent'))
      return send(items, signal)
    })
    await server.until(() => server.stored.size === 2_001)
    expect(server.batches[2]?.items.some(({ type }) => type === 'benchwatch.alarm.raised')).toBe(true)
  })
})

describe('retry delay', () => {
  it('doubles from half a second to half a minute', () => {
    const longest = [0, 1, 2, 3, 6, 7, 500].map((failed) => retryDelay(failed, () => 1))
    expect(longest).toEqual([500, 1_000, 2_000, 4_000, 30_000, 30_000, 30_000])
  })

  it('draws half of it by lot', () => {
    expect(retryDelay(2, () => 0)).toBe(1_000)
    expect(retryDelay(2, () => 0.5)).toBe(1_500)
  })
})
