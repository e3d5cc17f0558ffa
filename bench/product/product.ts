import { spawn } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { repositoryRoot } from '../repository.ts'

/** The product as its own process, driven from outside. */
export interface Product {
  baseUrl: string
  dataDir: string
  /** Process id of the server; the database has its own. */
  pid: number
  /** From the start of the process to its line `ready`, in milliseconds. */
  readyMs: number
  /** From the start until long ranges are searched in memory, in milliseconds; never for few events. */
  columnsMs: Promise<number>
  /** Ends the server and the database that it started. */
  stop(): Promise<void>
}

/** What the server logs when it has loaded what it keeps of events in memory, some seconds after it is ready. */
const COLUMNS_READY = 'events stand in memory as columns'

export interface StartOptions {
  dataDir: string
  environment?: Record<string, string>
  /** Hears each line of the server's log, a JSON object. */
  onLog?: (line: string) => void
}

/** How to end each server that was started, ready or not. */
const running = new Set<() => Promise<void>>()

/** Ends every product that still runs, for the end of a program by Ctrl-C. */
export async function stopProducts(): Promise<void> {
  await Promise.all([...running].map((stop) => stop()))
}

/** A large database writes what is in memory before it ends; longer than this is no stop but a hang. */
const STOP_MS = 120_000

/**
 * Starts the server on a data directory and a free port of the loopback and waits until it says `ready`. Rejects with
 * what it said when it ends before.
 */
export async function startProduct({ dataDir, environment = {}, onLog }: StartOptions): Promise<Product> {
  await mkdir(dataDir, { recursive: true })
  const started = performance.now()
  const server = spawn(process.execPath, [join(repositoryRoot, 'packages/server/src/main.ts')], {
    cwd: repositoryRoot,
    env: {
      ...process.env,
      PORT: '0',
      HOST: '127.0.0.1',
      DATA_DIR: dataDir,
      DEMO: 'off',
      // As npm start runs it; a run of some minutes must not sign in again in the middle of a sample.
      ACCESS_TOKEN_MINUTES: '60',
      BENCHWATCH_PARENT: 'stdin',
      // No measurement waits for a server outside.
      MAP_TILES_URL: 'off',
      ...environment,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  // The end of the server breaks the pipe; its exit tells that already.
  server.stdin.on('error', () => undefined)
  let said = ''
  const columns = Promise.withResolvers<number>()
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
      if (entry.msg === COLUMNS_READY) columns.resolve(performance.now() - started)
    })
  })
  const readyMs = performance.now() - started
  return { ...{ baseUrl, dataDir, pid: server.pid ?? 0, readyMs, stop }, columnsMs: columns.promise }
}
