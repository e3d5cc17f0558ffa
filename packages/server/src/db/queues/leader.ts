import { setTimeout as pause } from 'node:timers/promises'
import { Signal } from '../../platform/concurrency.ts'
import type { Log } from '../../platform/log.ts'
import { advisoryLocks } from '../advisory-locks.ts'
import type { DatabaseHandle } from '../connect.ts'
import { keepAlive } from './heartbeat.ts'

/** Work that only one process does at a time, such as numbering messages. It must be idempotent. */
export interface LeaderTask {
  name: string
  everyMs: number
  /** The interval while something is to be found: until a second has passed since a run returned something truthy. */
  busyMs?: number
  /** Also runs as soon as another task rings. */
  wake?: Signal
  /** Pause after each run; rings that arrive meanwhile cause a single run. */
  restMs?: number
  run(): Promise<unknown>
}

const BUSY_FOR_MS = 1000

/** Chooses the time until a task runs again. */
export class Pace {
  readonly #task: Pick<LeaderTask, 'everyMs' | 'busyMs'>
  readonly #now: () => number
  #busyUntil = Number.NEGATIVE_INFINITY

  /** `now` returns milliseconds since any fixed moment. */
  constructor(task: Pick<LeaderTask, 'everyMs' | 'busyMs'>, now = () => performance.now()) {
    this.#task = task
    this.#now = now
  }

  /** Returns the milliseconds until the next run, after one that found something or did not. */
  next(hasFound: boolean): number {
    const { everyMs, busyMs = everyMs } = this.#task
    if (hasFound) this.#busyUntil = this.#now() + BUSY_FOR_MS
    return this.#now() < this.#busyUntil ? busyMs : everyMs
  }
}

/** Another process takes over within this time after the leader's connection is lost. */
const RETRY_MS = 1000
/**
 * The leader shows on its connection that it is alive. The connection of a frozen process stays open, so the database
 * ends it after this silence, and another process takes over.
 */
const SILENT_MS = 6000

/**
 * Runs the tasks while this process holds the leader lock, and waits for the lock otherwise. The lock has its own
 * connection: if that breaks, the process is no longer leader and tries to become it again.
 */
export function startLeader(
  database: DatabaseHandle,
  tasks: readonly LeaderTask[],
  log: Log,
  { silentMs = SILENT_MS } = {},
): { isLeading(): boolean; wakeTasks(): void; stop(): Promise<void> } {
  const stopping = new AbortController()
  let isLeading = false
  const onTurn = (leads: boolean) => {
    isLeading = leads
  }
  const wakes = new Map(tasks.map((task) => [task, task.wake ?? new Signal()]))
  const finished = lead({ database, wakes, log, silentMs, stop: stopping.signal, onTurn })
  return {
    isLeading: () => isLeading,
    /** Lets every task run at once instead of after its interval. */
    wakeTasks() {
      for (const wake of wakes.values()) wake.ring()
    },
    async stop() {
      stopping.abort()
      await finished
    },
  }
}

interface Leading {
  database: DatabaseHandle
  /** The tasks, each with the signal that wakes it. */
  wakes: ReadonlyMap<LeaderTask, Signal>
  log: Log
  silentMs: number
  stop: AbortSignal
  /** Called whenever this process becomes leader or stops being leader. */
  onTurn(leads: boolean): void
}

async function lead({ database, wakes, log, silentMs, stop, onTurn }: Leading): Promise<void> {
  while (!stop.aborted) {
    try {
      const client = await database.dedicatedClient()
      const lost = new AbortController()
      const watched = keepAlive(client, stop, { everyMs: silentMs / 5 }).then(() => lost.abort())
      try {
        const { rows } = await client.query<{ leader: boolean }>('SELECT pg_try_advisory_lock($1) AS leader', [
          advisoryLocks.leader,
        ])
        if (rows[0]?.leader) {
          onTurn(true)
          await client.query(`SET idle_session_timeout = ${silentMs}`)
          const until = AbortSignal.any([stop, lost.signal])
          await Promise.all([...wakes].map(([task, wake]) => repeat(task, { wake, until, log })))
        }
      } finally {
        onTurn(false)
        await client.end()
        await watched
      }
    } catch (error) {
      if (!stop.aborted) log.warn({ err: error }, 'the leader lock could not be requested')
    }
    await pause(RETRY_MS, undefined, { signal: stop }).catch(() => undefined)
  }
}

async function repeat(
  task: LeaderTask,
  { wake, until, log }: { wake: Signal; until: AbortSignal; log: Log },
): Promise<void> {
  const pace = new Pace(task)
  while (!until.aborted) {
    let hasFound = false
    try {
      hasFound = Boolean(await task.run())
    } catch (error) {
      if (!until.aborted) log.error({ err: error, task: task.name }, 'leader task failed')
    }
    if (task.restMs !== undefined) await pause(task.restMs, undefined, { signal: until }).catch(() => undefined)
    await wake.wait(pace.next(hasFound), until)
  }
}
