import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { IngestItem } from '@benchwatch/contract/ingest'
import { aFleet, demoSeed } from '@benchwatch/samples/fleet'
import { lastingSilences } from '@benchwatch/samples/simulator/outages'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ReceivingServer } from './testing/receiving-server.ts'

const fleet = aFleet({ seed: demoSeed })
const names = fleet.gateways.slice(0, 4).map(({ key }) => key)
const instruments = new Map(fleet.instruments.map(({ key, input }) => [key, input.gateway]))

let directory: string
let server: ReceivingServer
let running: ChildProcess[]

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gateway-'))
  server = new ReceivingServer()
  await server.listen()
  running = []
  const keys = names.map((gateway) => ({ gateway, key: server.key }))
  await writeFile(join(directory, 'gateways.json'), JSON.stringify(keys))
})
afterEach(async () => {
  for (const child of running) child.kill('SIGKILL')
  await rm(directory, { recursive: true })
  await server.close()
})

/** Starts the gateway program with instruments that run a thousand times as fast. */
function start(variables: Record<string, string> = {}) {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], {
    env: {
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      BENCHWATCH_URL: server.url(),
      DEMO_GATEWAYS: join(directory, 'gateways.json'),
      OUTBOX_DIR: join(directory, 'outbox'),
      SIMULATOR_SPEED: '1000',
      ...variables,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  running.push(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += String(text)))
  const ended = new Promise<{ code: number | null; signal: string | null; output: string }>((resolve) => {
    child.once('close', (code, signal) => resolve({ code, signal, output }))
  })
  /** Resolves when the program has printed this text; fails with all its output if it ends first. */
  const says = (text: string) =>
    new Promise<void>((resolve, reject) => {
      const look = () => output.includes(text) && resolve()
      for (const stream of [child.stdout, child.stderr]) stream.on('data', look)
      child.once('close', () => reject(new Error(output)))
      look()
    })
  return { child, ended, says }
}

const count = (type: IngestItem['type']) => [...server.stored.values()].filter((item) => item.type === type).length

describe('the gateway program', () => {
  it('reports the status of each instrument at once, then what happens, each through its own gateway', async () => {
    const { child, ended } = start()
    // On a busy machine the last gateway starts long after the first one has reported an alarm.
    await server.until(() => count('benchwatch.heartbeat') >= names.length)
    await server.until(() => count('benchwatch.alarm.raised') > 0 && count('benchwatch.log.appended') > 20)
    child.kill('SIGTERM')
    expect(await ended).toMatchObject({ code: 0, signal: null })
    // Gateways that are disconnected in the demo data stay disconnected.
    const lost = lastingSilences(aFleet({ seed: demoSeed }), new Date()).instruments
    const mine = [...instruments].filter(
      ([key, gateway]) => gateway !== null && names.includes(gateway) && !lost.has(key),
    )
    const items = [...server.stored.values()]
    const told = new Set(items.filter(({ type }) => type === 'benchwatch.status.changed').map(({ subject }) => subject))
    expect(told).toEqual(new Set(mine.map(([key]) => key)))
    const instrumentItems = items.filter(({ type }) => type !== 'benchwatch.heartbeat')
    expect(instrumentItems.filter((item) => item.source !== `/gateways/${instruments.get(item.subject)}`)).toEqual([])
    const beats = items.filter(({ type }) => type === 'benchwatch.heartbeat').map(({ subject }) => subject)
    expect(new Set(beats)).toEqual(new Set(names))
  })

  it('logs at once whether the server accepts it, even with nothing to report', async () => {
    const one = { DEMO_GATEWAYS: '', GATEWAY_NAME: 'GW-UPP-01', GATEWAY_KEY: server.key }
    const known = start(one)
    await known.says('The server accepts this gateway and its reports.')
    known.child.kill('SIGTERM')
    await known.ended

    server.always({ answer: 401 })
    const stranger = start(one)
    await stranger.says('does not accept the key of GW-UPP-01. Print a new one with')
    stranger.child.kill('SIGTERM')
    await stranger.ended
  })

  it('ends cleanly when the program that started it has ended', async () => {
    const { child, ended } = start({ BENCHWATCH_PARENT: 'stdin' })
    await server.until(() => server.stored.size > 0)
    child.stdin.end()
    const { code, output } = await ended
    expect(code).toBe(0)
    expect(output).toContain('the program that started it has ended')
  })

  it('ends cleanly on SIGINT while standard input is open and the server is away', async () => {
    server.always({ answer: 503 })
    const { child, ended } = start({ BENCHWATCH_PARENT: 'stdin' })
    await server.until(() => server.requests > 4)
    child.kill('SIGINT')
    expect(await ended).toMatchObject({ code: 0, signal: null })
  })

  it('loses nothing and repeats nothing under a new id when it is killed and started again', async () => {
    server.knows = ['run']
    for (let life = 1; life <= 2; life++) {
      const { child, ended } = start()
      await server.until(() => count('benchwatch.heartbeat') >= names.length * life)
      const before = server.stored.size
      for (let mishap = 0; mishap < 4; mishap++) server.next('commits and drops')
      await server.until(() => server.stored.size > before + 60)
      child.kill('SIGKILL')
      await ended
    }
    // The items that were in the outboxes at the kill arrive now; the server compares items that repeat an id.
    const last = start({ SIMULATOR: 'off' })
    const beats = names.length * 3
    await server.until(() => count('benchwatch.heartbeat') >= beats && names.every(isCountedThrough))
    last.child.kill('SIGTERM')
    expect((await last.ended).code).toBe(0)
    expect(server.duplicates).toBeGreaterThan(0)
  })

  /** Returns true if the sequences run from 1 without gaps over all runs; only a power cut leaves numbers out. */
  function isCountedThrough(name: string): boolean {
    const mine = [...server.stored.values()].filter(({ source }) => source === `/gateways/${name}`)
    const sequences = mine.map(({ sequence }) => sequence).sort((a, b) => a - b)
    return sequences.every((sequence, index) => sequence === index + 1)
  }

  it('says in one sentence what is wrong with its configuration, and ends with 1', async () => {
    const { ended } = start({ DEMO_GATEWAYS: join(directory, 'missing.json') })
    const { code, output } = await ended
    expect(code).toBe(1)
    expect(output).toMatch(/^\S*missing\.json can't be read \(ENOENT\)\. It must contain .*\n$/)
  })

  it('does not share an outbox with another process', async () => {
    const first = start()
    await server.until(() => server.stored.size > 0)
    const second = await start().ended
    expect(second.code).toBe(1)
    expect(second.output).toContain('Another gateway process uses the outbox')
    first.child.kill('SIGTERM')
    expect((await first.ended).code).toBe(0)
  })
})
