import { EventEmitter } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { Logger, run, type WorkerEvents } from 'graphile-worker'
import { sql } from 'kysely'
import type { Log } from '../../platform/log.ts'
import type { DatabaseHandle, Db } from '../connect.ts'

/**
 * A kind of job and what does it. It may run twice, so a repeat must do no harm. One whose process died is given to
 * another only after four hours: work that can't wait so long leaves a trace by which a leader task finds it.
 */
export interface JobHandler {
  name: string
  /** Throws to be called again later, up to the job's attempts. `stop` tells that the process ends. */
  run(payload: unknown, stop: AbortSignal): Promise<void>
}

interface Wish {
  /** A job that waits under this key is replaced by this one. Writers of one key wait for each other's commit. */
  key?: string
  /** Not before this time. */
  runAt?: Date
  /** 25 unless said otherwise; the waits between them grow to hours. */
  maxAttempts?: number
}

/** Jobs that one process does at a time: long ones leave room for mails. They use the connections of the application. */
const CONCURRENCY = 3
/** One hears of new jobs, one takes and ends them; the library wants as many as there are jobs at a time. */
const POOL_SIZE = CONCURRENCY
/** A notification brings a new job at once; this finds the ones that have waited for their time. */
const POLL_MS = 5000
/** Jobs under way at a stop are told at once, and have this long. */
const DRAIN_MS = 8000
const RETRY_MS = 1000
/**
 * Ends of jobs are noted by the library's batches, of one job each. When that fails the queue breaks and is opened again; without
 * batches nobody waits for the note, and a failure of it is an unhandled rejection, which ends the process.
 */
const NOTED_BY_BATCH = { completeJobBatchDelay: 0, failJobBatchDelay: 0 }

/**
 * Writes a job in the transaction of what it is about, in none where it only knocks; after the commit a process takes it at
 * once. One call notifies once, so a transaction writes one job for all its rows.
 */
export async function enqueueJob(db: Db, { name, payload }: { name: string; payload: object }, wish: Wish = {}) {
  await sql`SELECT graphile_worker.add_job(${name}::text, ${JSON.stringify(payload)}::json, NULL::text,
    ${wish.runAt ?? null}::timestamptz, ${wish.maxAttempts ?? null}::int, ${wish.key ?? null}::text)`.execute(db)
}

/** Takes jobs until stopped; a queue that breaks with its database is opened again. */
export function startJobs(
  database: DatabaseHandle,
  handlers: readonly JobHandler[],
  log: Log,
): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const finished = keepWorking({ database, handlers, log, stop: stopping.signal, before: [] })
  return {
    async stop() {
      stopping.abort()
      await finished
    },
  }
}

interface Working {
  database: DatabaseHandle
  handlers: readonly JobHandler[]
  log: Log
  stop: AbortSignal
  /** Names under which this process took jobs before its queue broke. */
  before: string[]
}

async function keepWorking(working: Working): Promise<void> {
  const { log, stop } = working
  while (!stop.aborted) {
    try {
      await work(working)
    } catch (error) {
      if (!stop.aborted) log.warn({ err: error }, 'the job queue could not be opened')
    }
    await pause(RETRY_MS, undefined, { signal: stop }).catch(() => undefined)
  }
}

async function work({ database, handlers, log, stop, before }: Working): Promise<void> {
  const pool = database.libraryPool(POOL_SIZE)
  const events: WorkerEvents = new EventEmitter()
  events.on('pool:create', ({ workerPool }) => before.push(workerPool.id))
  try {
    // Jobs whose end could not be noted: nobody does them any more, and nobody else would take them for four hours.
    await pool.query('SELECT graphile_worker.force_unlock_workers($1::text[])', [before])
    before.length = 0
    const runner = await run({
      events,
      preset: { worker: NOTED_BY_BATCH },
      pgPool: pool,
      logger: queueLogger(log),
      concurrency: CONCURRENCY,
      pollInterval: POLL_MS,
      noHandleSignals: true,
      taskList: Object.fromEntries(handlers.map(({ name, run: act }) => [name, (payload) => act(payload, stop)])),
    })
    const ended = runner.promise.catch((error: unknown) => {
      if (!stop.aborted) log.warn({ err: error }, 'the job queue broke')
    })
    await Promise.race([ended, aborted(stop)])
    if (!stop.aborted) return
    const drained = runner.stop('the server stops').catch(() => undefined)
    const inTime = await Promise.race([drained.then(() => true), pause(DRAIN_MS, false, { ref: false })])
    if (!inTime) await runner.kill('jobs did not end in time').catch(() => undefined)
  } finally {
    await pool.end()
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

/** What the library tells. Its debug lines come with every poll, and its details may hold what a job is about. */
function queueLogger(log: Log): Logger {
  return new Logger(({ taskIdentifier, jobId }) => (level, message, { error }) => {
    const about = { job: taskIdentifier, jobId, err: error }
    if (level === 'error') log.error(about, message)
    else if (level === 'warning') log.warn(about, message)
    else log.trace(about, message)
  })
}
