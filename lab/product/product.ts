import { spawn } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { leanNode } from '../../scripts/program.ts'
import { repositoryRoot } from '../repository.ts'

/** The product in its own process, driven from outside. */
export interface Product {
  baseUrl: string
  dataDir: string
  /** The process id of the server; the database has its own. */
  pid: number
  /** The milliseconds from the start of the process to its log line `ready`. */
  readyMs: number
  /**
   * The milliseconds from the start until the index or ClickHouse answers searches. It never resolves where PostgreSQL
   * alone answers.
   */
  engineMs: Promise<number>
  /** Ends the server and the database that it started. */
  stop(): Promise<void>
}

/** The number of events from which the product keeps an index of them in memory. */
export const INDEXED_FROM = 200_000

/** The log lines of the server when another engine than PostgreSQL answers searches. */
const ENGINE_READY = new Set([
  'the event index was read from its file',
  'the event index was built from the database',
  'ClickHouse answers searches',
])

export interface StartOptions {
  dataDir: string
  environment?: Record<string, string>
  /** Called with each line of the server's log, a JSON object. */
  onLog?: (line: string) => void
}

/** Ends each server that was started, ready or not. */
const running = new Set<() => Promise<void>>()

/** Ends every product that still runs, such as after an error. */
export async function stopProducts(): Promise<void> {
  await Promise.all([...running].map((stop) => stop()))
}

/** Ends every product that still runs, and then the program, on Ctrl-C. */
export function stopProductsOnSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      stopProducts().then(
        () => process.exit(130),
        () => process.exit(1),
      )
    })
  }
}

/** A large database writes its memory to disk before it ends; a stop that takes longer than this hangs. */
const STOP_MS = 120_000

/**
 * Starts the server on a data directory and a free port of the loopback, and waits until it logs `ready`. Rejects with
 * its output if it ends earlier.
 */
export async function startProduct({ dataDir, environment = {}, onLog }: StartOptions): Promise<Product> {
  await mkdir(dataDir, { recursive: true })
  const started = performance.now()
  const server = spawn(process.execPath, [join(repositoryRoot, 'packages/server/src/main.ts')], {
    cwd: repositoryRoot,
    env: {
      ...process.env,
      ...leanNode,
      PORT: '0',
      HOST: '127.0.0.1',
      DATA_DIR: dataDir,
      DEMO: 'off',
      // As in npm start. A token must last for a run of some minutes, without a new sign-in in the middle of a sample.
      ACCESS_TOKEN_MINUTES: '60',
      BENCHWATCH_PARENT: 'stdin',
      // No measurement waits for a server outside.
      MAP_TILES_URL: 'off',
      ...environment,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  // The pipe breaks when the server ends, which its exit reports already.
  server.stdin.on('error', () => undefined)
  let said = ''
  const engine = Promise.withResolvers<number>()
  const ended = new Promise<number | null>((done) => server.once('close', done))
  const stop = async () => {
    const force = setTimeout(() => server.kill('SIGKILL'), STOP_MS)
    server.stdin.end()
    await ended
    clearTimeout(force)
    running.delete(stop)
  }
  running.add(stop)
  const baseUrl = await new Promise<string>((ready, reject) => {
    server.once('error', reject)
    server.stderr.on('data', (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-4000)
    })
    ended.then(
      (code) => {
        running.delete(stop)
        reject(new Error(`The server ended with ${code} before it was ready:\n${said}`))
      },
      () => undefined,
    )
    createInterface({ input: server.stdout }).on('line', (line) => {
      onLog?.(line)
      if (!line.startsWith('{')) return
      const entry = JSON.parse(line) as { msg?: string; address?: string; level?: number }
      if ((entry.level ?? 0) >= 50) process.stderr.write(`server: ${line.slice(0, 500)}\n`)
      if (entry.level !== undefined && entry.level >= 50) said = `${said}${line}\n`.slice(-4000)
      if (entry.msg === 'ready' && entry.address) ready(entry.address)
      if (ENGINE_READY.has(entry.msg ?? '')) engine.resolve(performance.now() - started)
    })
  })
  const readyMs = performance.now() - started
  return { ...{ baseUrl, dataDir, pid: server.pid ?? 0, readyMs, stop }, engineMs: engine.promise }
}
