import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { freePort } from '../testing/free-port.ts'
import { MemoryOutbox } from '../testing/memory-outbox.ts'
import { modbus, modbusSource } from './modbus.ts'

// Debian: apt-get install python3-pymodbus python3-serial-asyncio
const hasModbus = spawnSync('/usr/bin/python3', ['-c', 'import pymodbus.server']).status === 0
if (!hasModbus) process.stdout.write('The Modbus source is not tested: python3-pymodbus is not installed.\n')

const script = fileURLToPath(import.meta.resolve('../testing/modbus-server.py'))
const COIL = 1
const HOLDING = 3
const INPUT = 4

const rules = [
  {
    when: { name: ['lid', 'door', 'fan'] },
    raise: { template: 'CAB-7', component: '{name}', while: { value: true } },
  },
  { when: { name: '*' }, usage: { component: 'Pump', metric: '{name}', value: '{value}' } },
]

describe.runIf(hasModbus)('a source of Modbus TCP', () => {
  let outbox: MemoryOutbox
  let server: ChildProcess | undefined
  let running: { stop(): Promise<void> } | undefined
  let port: number

  beforeEach(async () => {
    outbox = new MemoryOutbox()
    port = await freePort()
  })
  afterEach(async () => {
    await running?.stop()
    running = undefined
    await kill()
  })

  /** Resolves when the server listens. It writes every refused point to standard error. */
  async function serve() {
    server = spawn('/usr/bin/python3', [script, String(port)], { stdio: ['pipe', 'pipe', 'ignore'] })
    await expect.poll(isListening).toBe(true)
  }
  const isListening = () =>
    new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true)).once('error', () => resolve(false))
      socket.once('connect', () => socket.destroy())
    })
  async function kill() {
    if (!server) return
    const ended = once(server, 'exit')
    server.kill('SIGKILL')
    await ended
    server = undefined
  }
  async function set(...words: number[]) {
    if (!server?.stdout) throw new Error('The server is not started.')
    const done = once(server.stdout, 'data')
    server.stdin?.write(`${words.join(' ')}\n`)
    await done
  }
  const configOf = (points: object[]) =>
    modbusSource.parse({
      kind: 'modbus',
      name: 'cabinet',
      address: `127.0.0.1:${port}`,
      timeout: '1s',
      points: points.map((point) => ({ instrument: 'IP-1', every: '100ms', ...point })),
      rules,
    })
  async function begin(...points: object[]) {
    running = await modbus(configOf(points))(outbox.context())
  }
  const link = () => outbox.links.get('cabinet')
  const usage = () =>
    outbox.reports.flatMap(({ type, data }) =>
      type === 'benchwatch.usage.sampled'
        ? data.components.flatMap((component) => component.usage.map(({ metric, value }) => [metric, value]))
        : [],
    )

  it('raises while a coil, an input or a bit is set, each once', async () => {
    await serve()
    await set(COIL, 3, 1)
    await begin(
      { name: 'lid', table: 'coil', at: 3 },
      { name: 'door', table: 'discrete', at: 4 },
      { name: 'fan', table: 'holding', at: 5, bit: 2 },
    )
    await outbox.until(() => outbox.reports.length === 1)
    await set(HOLDING, 5, 4)
    await outbox.until(() => outbox.reports.length === 2)
    await set(COIL, 3, 0)
    await outbox.until(() => outbox.reports.length === 3)
    expect(outbox.told()).toEqual(['raised lid', 'raised fan', 'alarm.cleared'])
    expect(outbox.reports[0]).toMatchObject({ subject: 'IP-1', data: { templateId: 'CAB-7' } })
    expect(link()).toBe('up')
  })

  it('reads numbers of one to four registers in both orders', async () => {
    await serve()
    await set(HOLDING, 10, 65_535, 0x0001, 0x86a0, 0x86a0, 0x0001, 0x42c8, 0x8000)
    await set(INPUT, 10, 0x4059, 0x1000, 0, 0)
    await begin(
      { name: 'int16', table: 'holding', at: 10, as: 'int16' },
      { name: 'uint32', table: 'holding', at: 11, as: 'uint32' },
      { name: 'int32', table: 'holding', at: 13, as: 'int32', first: 'low' },
      { name: 'float32', table: 'holding', at: 15, as: 'float32' },
      { name: 'float64', table: 'input', at: 10, as: 'float64' },
    )
    await outbox.until(() => outbox.reports.length === 5)
    expect(usage()).toEqual([
      ['int16', -1],
      ['uint32', 100_000],
      ['int32', 100_000],
      ['float32', 100.25],
      ['float64', 100.25],
    ])
    await set(HOLDING, 10, 7)
    await outbox.until(() => outbox.reports.length === 6)
    expect(usage().at(-1)).toEqual(['int16', 7])
  })

  it('counts what is no number or does not exist, once, and reads the others', async () => {
    await serve()
    await set(HOLDING, 20, 0x7fc0, 0)
    await begin(
      { name: 'NaN', table: 'holding', at: 20, as: 'float32' },
      { name: 'nowhere', table: 'holding', at: 2000 },
      { name: 'hours', table: 'holding', at: 30 },
    )
    await outbox.until(() => outbox.reports.length === 1)
    await set(HOLDING, 30, 1)
    await outbox.until(() => outbox.reports.length === 2)
    expect(outbox.faults).toEqual(['NaN is not a number.', "nowhere can't be read: it has no such address."])
    expect(usage()).toEqual([
      ['hours', 0],
      ['hours', 1],
    ])
  })

  it('says that the server is killed, and clears what has ended when it is back', async () => {
    await serve()
    await set(COIL, 3, 1)
    await begin({ name: 'lid', table: 'coil', at: 3 })
    await outbox.until(() => outbox.reports.length === 1)
    await kill()
    await outbox.until(() => link()?.startsWith('down') === true)
    expect(link()).toMatch(/^down: The connection to 127\.0\.0\.1:\d+ is lost\.$/)
    await serve()
    await outbox.until(() => outbox.reports.length === 2)
    expect(outbox.told()).toEqual(['raised lid', 'alarm.cleared'])
    expect(link()).toBe('up')
  })

  it('ends the alarm of a point that is no longer in the file', async () => {
    await serve()
    await set(COIL, 3, 1, 1)
    const door = { name: 'door', table: 'coil', at: 4 }
    await begin(door, { name: 'lid', table: 'coil', at: 3 })
    await outbox.until(() => outbox.reports.length === 2)
    await running?.stop()
    await begin(door)
    await outbox.until(() => outbox.reports.length === 4)
    expect(outbox.told()).toEqual(['raised door', 'raised lid', 'alarm.cleared', 'log.appended'])
  })

  it('tells a value again that could not be stored', async () => {
    await serve()
    await set(COIL, 3, 1)
    outbox.isFull = true
    await begin({ name: 'lid', table: 'coil', at: 3 })
    await outbox.until(() => link() === 'up')
    outbox.isFull = false
    await outbox.until(() => outbox.reports.length === 1)
    expect(outbox.told()).toEqual(['raised lid'])
  })

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['noise', Buffer.alloc(100_000, 0xff)],
  ])('says that a server which answers with %s does not answer', async (_, bytes) => {
    const stranger = createServer((socket) => {
      socket.on('error', () => undefined)
      socket.on('data', () => socket.write(bytes))
    }).listen(port, '127.0.0.1')
    await begin({ name: 'lid', table: 'coil', at: 3 })
    await outbox.until(() => link() !== undefined)
    expect(link()).toMatch(/^down: 127\.0\.0\.1:\d+ does not answer for unit 1\.$/)
    await running?.stop()
    running = undefined
    await new Promise((resolve) => stranger.close(resolve))
  })

  /** A server that answers with what `answer` makes of the address of each request: the rest after the function code. */
  async function serveAnswers(answer: (at: number) => { code?: number; rest: number[] } | null) {
    const sockets = new Set<Socket>()
    const devices = createServer((socket) => {
      sockets.add(socket.on('error', () => undefined))
      socket.on('data', (request: Buffer) => {
        const given = answer(request.readUInt16BE(8))
        if (!given) return
        const { code = request[7] ?? 0, rest } = given
        socket.write(Buffer.from([...request.subarray(0, 5), rest.length + 2, request[6] ?? 0, code, ...rest]))
      })
    }).listen(port, '127.0.0.1')
    await once(devices, 'listening')
    return {
      async [Symbol.asyncDispose]() {
        await running?.stop()
        running = undefined
        for (const socket of sockets) socket.destroy()
        await new Promise((resolve) => devices.close(resolve))
      },
    }
  }
  const isSet = { rest: [1, 1] }

  it('is down while a converter does not reach the device', async () => {
    let isReached = true
    await using _ = await serveAnswers(() => (isReached ? isSet : { code: 0x81, rest: [11] }))
    await begin({ name: 'lid', table: 'coil', at: 3 })
    await outbox.until(() => outbox.reports.length === 1)
    isReached = false
    await outbox.until(() => link() !== 'up')
    expect(link()).toMatch(/^down: 127\.0\.0\.1:\d+ does not reach unit 1\.$/)
    expect(outbox.told()).toEqual(['raised lid'])
  })

  it('keeps an alarm whose coil is answered without a value', async () => {
    let isEmpty = false
    await using _ = await serveAnswers(() => (isEmpty ? { rest: [0] } : isSet))
    await begin({ name: 'lid', table: 'coil', at: 3 })
    await outbox.until(() => outbox.reports.length === 1)
    isEmpty = true
    await outbox.until(() => outbox.faults.length === 1)
    expect(outbox.faults).toEqual(["lid can't be read: the answer is empty."])
    expect(outbox.told()).toEqual(['raised lid'])
  })

  it('reads the points after one that the server does not answer', async () => {
    await using _ = await serveAnswers((at) => (at === 3 ? null : isSet))
    await begin({ name: 'lid', table: 'coil', at: 3 }, { name: 'door', table: 'coil', at: 4 })
    await outbox.until(() => outbox.reports.length === 1)
    expect(outbox.told()).toEqual(['raised door'])
  })

  it('says that nobody listens', async () => {
    await begin({ name: 'lid', table: 'coil', at: 3 })
    await outbox.until(() => link() !== undefined)
    expect(link()).toMatch(/^down: 127\.0\.0\.1:\d+ can't be read: ECONNREFUSED$/)
  })

  it('refuses a bit of a coil', () => {
    expect(() => configOf([{ name: 'lid', table: 'coil', at: 3, bit: 2 }])).toThrow('only registers of type uint16')
  })
})
