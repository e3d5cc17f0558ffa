import { type ChildProcess, spawn } from 'node:child_process'
import { createWriteStream, readFileSync, type WriteStream } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { repositoryRoot } from '../../repository.ts'
import type { Workplace } from '../script/workplace.ts'
import { HttpClient } from './http-client.ts'
import { processorMs, residentBytes, signalAll } from './process-tree.ts'

/** One run of the server's process. Times are milliseconds of this machine's clock. */
export interface Life {
  pid: number
  startedAt: number
  readyAt: number | null
  endedAt: number | null
  code: number | null
  signal: NodeJS.Signals | null
  peakRss: number
  /**
   * The processor time of its start in milliseconds. Unlike the time until it was ready, this is the same on a busy
   * machine.
   */
  startCpuMs: number | null
}

interface MemorySample {
  at: number
  rss: number
}

export interface ProductOptions {
  /** A free one by default. */
  port?: number | undefined
  dataDir?: string
  /** Another checkout of the product. */
  root?: string
  databaseUrl?: string
  /** Restarts it at once whenever it ends, as a service manager does. */
  supervised?: boolean
  /** The longest time until it is ready; two minutes by default. */
  readyWithinMs?: number
  env?: Record<string, string>
}

const READY_POLL_MS = 20
const MEMORY_POLL_MS = 100
/** The pause before a server that could not start is started again. */
const RESTART_MS = 250
const STOP_MS = 30_000

/** The product as an operator runs it: main.ts in its own process, reached only over HTTP. */
export class Product {
  readonly url: string
  readonly dataDir: string
  readonly root: string
  readonly lives: Life[] = []
  readonly #memory: MemorySample[] = []
  readonly #env: Record<string, string>
  readonly #log: WriteStream
  readonly #logFile: string
  readonly #prober: HttpClient
  readonly #memoryTimer: NodeJS.Timeout
  #supervised = false
  #child: ChildProcess | null = null
  #ended: Promise<void> = Promise.resolve()

  private constructor(workplace: Workplace, port: number, options: ProductOptions) {
    this.url = `http://127.0.0.1:${port}`
    this.dataDir = options.dataDir ?? join(workplace.folder, 'data')
    this.root = options.root ?? repositoryRoot
    this.#env = {
      PATH: process.env['PATH'] ?? '',
      PORT: String(port),
      HOST: '127.0.0.1',
      DEMO: 'off',
      DATA_DIR: this.dataDir,
      BENCHWATCH_PARENT: 'stdin',
      ...(options.databaseUrl !== undefined && { DATABASE_URL: options.databaseUrl }),
      ...options.env,
    }
    this.#logFile = join(workplace.folder, 'server.log')
    this.#log = createWriteStream(this.#logFile, { flags: 'a' })
    this.#prober = new HttpClient(this.url, { patienceMs: 1000 })
    this.#memoryTimer = setInterval(() => this.#sampleMemory(), MEMORY_POLL_MS)
  }

  /** Prepares a product without starting it; it is stopped at the end of the script. */
  static async prepare(workplace: Workplace, options: ProductOptions = {}): Promise<Product> {
    const product = new Product(workplace, options.port ?? (await freePort()), options)
    workplace.atEnd(() => product.stop())
    return product
  }

  /** Starts it and waits until it is ready. */
  static async start(workplace: Workplace, options: ProductOptions = {}): Promise<Product> {
    const product = await Product.prepare(workplace, options)
    product.launch()
    await product.ready({ timeoutMs: options.readyWithinMs })
    // Set only now, because a first start that fails must end the script.
    product.#supervised = options.supervised ?? false
    return product
  }

  /** The environment in which commands beside the server find the same database. */
  get environment(): Record<string, string> {
    return this.#env
  }

  get life(): Life {
    const life = this.lives.at(-1)
    if (!life) throw new Error('The server was never started.')
    return life
  }

  get peakRss(): number {
    return Math.max(...this.lives.map(({ peakRss }) => peakRss))
  }

  /** The processor time of the most expensive start, in milliseconds. */
  get startCpuMs(): number {
    return Math.max(...this.lives.map(({ startCpuMs }) => startCpuMs ?? 0))
  }

  /** Returns the largest resident memory within a span of time, in bytes. */
  peakRssBetween(from: number, to: number): number {
    return Math.max(0, ...this.#memory.filter(({ at }) => at >= from && at < to).map(({ rss }) => rss))
  }

  /** Starts the process without waiting for anything. */
  launch(): void {
    const startedAt = Date.now()
    const child = spawn(process.execPath, [join(this.root, 'packages/server/src/main.ts')], {
      env: this.#env,
      stdio: ['pipe', 'pipe', 'pipe'],
      // Ctrl-C at the terminal reaches only the script, which ends its processes in order.
      detached: true,
    })
    const life: Life = {
      pid: child.pid ?? 0,
      startedAt,
      readyAt: null,
      endedAt: null,
      code: null,
      signal: null,
      peakRss: 0,
      startCpuMs: null,
    }
    this.lives.push(life)
    this.#child = child
    child.stdin.on('error', () => undefined)
    child.stdout.pipe(this.#log, { end: false })
    child.stderr.pipe(this.#log, { end: false })
    this.#ended = new Promise((resolve) => {
      child.once('exit', (code, signal) => {
        life.endedAt = Date.now()
        life.code = code
        life.signal = signal
        resolve()
        if (!this.#supervised) return
        // Restart at once after a run that was ready, and after a pause if the start failed.
        setTimeout(() => this.#supervised && this.launch(), life.readyAt === null ? RESTART_MS : 0)
      })
    })
  }

  /** Waits until a process that was started at or after `since` answers /api/ready with 200. Returns that time. */
  async ready({
    since = 0,
    timeoutMs = 120_000,
  }: {
    since?: number
    timeoutMs?: number | undefined
  } = {}): Promise<number> {
    const until = Date.now() + timeoutMs
    while (Date.now() < until) {
      const life = this.lives.findLast(({ startedAt, endedAt }) => endedAt === null && startedAt >= since)
      if (!life && !this.#supervised && this.life.endedAt !== null) break
      if (life?.readyAt) return life.readyAt
      if (life && (await this.#prober.send({ method: 'GET', path: '/api/ready' })).status === 200) {
        life.readyAt = Date.now()
        life.startCpuMs = processorMs(life.pid)
        return life.readyAt
      }
      await pause(READY_POLL_MS)
    }
    throw new Error(`The server was not ready within ${timeoutMs} ms. The end of its log:\n${this.lastLogLines()}`)
  }

  /** Kills the process as a power cut would, without waiting. A process that has just ended is not an error. */
  kill(): void {
    signalAll([this.life.pid], 'SIGKILL')
  }

  /** Sends SIGTERM and waits. Returns how the process ended. */
  async terminate(): Promise<Life> {
    const life = this.life
    this.#supervised = false
    this.#child?.kill('SIGTERM')
    await this.#ended
    return life
  }

  /** Resolves when the current process has ended. */
  async ended(): Promise<void> {
    await this.#ended
  }

  async stop(): Promise<void> {
    this.#supervised = false
    clearInterval(this.#memoryTimer)
    this.#prober.close()
    const child = this.#child
    if (child && this.lives.at(-1)?.endedAt === null) {
      child.kill('SIGTERM')
      const force = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
      await this.#ended
      clearTimeout(force)
    }
    await new Promise((resolve) => this.#log.end(resolve))
  }

  lastLogLines(lines = 15): string {
    return readFileSync(this.#logFile, 'utf8').trimEnd().split('\n').slice(-lines).join('\n')
  }

  /** Returns the lines of its log that contain this text. */
  logLines(text: string): string[] {
    return readFileSync(this.#logFile, 'utf8')
      .split('\n')
      .filter((line) => line.includes(text))
  }

  #sampleMemory(): void {
    const life = this.lives.at(-1)
    if (!life || life.endedAt !== null) return
    const rss = residentBytes(life.pid) ?? 0
    life.peakRss = Math.max(life.peakRss, rss)
    this.#memory.push({ at: Date.now(), rss })
  }
}

/** Returns a free port. All runs of a product use the same one, as in production. */
export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('No free port was found.')
  return address.port
}
