import { EventEmitter } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { Logger, run, type WorkerEvents } from 'graphile-worker'
import { sql } from 'kysely'
import type { Log } from '../../platform/log.ts'
import { runningSpan } from '../../platform/running-span.ts'
import type { DatabaseHandle, Db } from '../connect.ts'
import type { LeaderTask } from './leader.ts'
import { QueuePosition, type SnapshotXid, snapshotXid } from './queue-position.ts'

/**
 * A job name and its handler. A job may run twice, so it must be idempotent. If its process dies, the job is given to
 * another process only after four hours: urgent work must leave a trace by which a leader task finds it.
 */
export interface JobHandler {
  name: string
  /** Throws to be retried later, up to the job's attempts. `stop` aborts when the process ends. */
  run(payload: unknown, stop: AbortSignal): Promise<void>
}

interface JobOptions {
  /** Replaces a waiting job with the same key. Writers of one key wait for each other's commit. */
  key?: string
  /** The job does not run before this time. */
  runAt?: Date
  /** 25 by default; the waits between them grow to hours. */
  maxAttempts?: number
}

/**
 * Jobs that one process runs at a time; several, so that long ones don't block mails. They use the application's
 * connections.
 */
const CONCURRENCY = 3
/**
 * One connection listens for new jobs, one fetches and completes them; the library wants as many as there are
 * concurrent jobs.
 */
const POOL_SIZE = CONCURRENCY
/** A notification starts a new job at once; polling finds delayed jobs. */
const POLL_MS = 5000
/** When the process stops, running jobs are aborted and have this long to finish. */
const DRAIN_MS = 8000
const RETRY_MS = 1000
/**
 * The library records finished jobs in batches, here of one job each. If recording fails, the queue breaks and is
 * opened again. Without batches nothing awaits the recording, and its failure is an unhandled rejection, which ends
 * the process.
 */
const NOTED_BY_BATCH = { completeJobBatchDelay: 0, failJobBatchDelay: 0 }

/**
 * Writes a job, in the transaction of the change it belongs to, or without one if it is only a wake-up call. After the
 * commit the leader moves it into the queue, within 0.1 s, and a process takes it at once. While OpenTelemetry is on,
 * the payload carries the trace of the request as `traceparent`, so the job continues it in whichever process runs it.
 */
export async function enqueueJob(
  db: Db,
  { name, payload }: { name: string; payload: object },
  options: JobOptions = {},
) {
  const { key = null, runAt = null, maxAttempts = null } = options
  const span = runningSpan.getStore()
  const carried = span ? { ...payload, traceparent: span.traceparent } : payload
  await db
    .insertInto('job_outbox')
    .values({ name, payload: JSON.stringify(carried), key, run_at: runAt, max_attempts: maxAttempts })
    .execute()
}

/**
 * Returns the leader's task that moves written jobs into the queue. The queue sends one notification for all of them;
 * if transactions notified, they could only commit one after the other.
 */
export function jobTask(db: Db): LeaderTask {
  const position = new QueuePosition()
  return { name: 'queue jobs', everyMs: 100, busyMs: 50, run: async () => (await queueJobs(db, position)) > 0 }
}

async function queueJobs(db: Db, position: QueuePosition): Promise<number> {
  const { moved } = await position.scan(async (from) => {
    // One statement of the library may contain a key once: the newest job of a key replaces the others.
    const { rows } = await sql<{ snapshotXid: SnapshotXid; moved: number }>`
      WITH written AS (
        DELETE FROM job_outbox WHERE written_in >= ${from}::xid8 RETURNING id, name, payload, key, run_at, max_attempts),
      newest AS (SELECT DISTINCT ON (coalesce(key, id::text)) * FROM written ORDER BY coalesce(key, id::text), id DESC),
      jobs AS (SELECT array_agg((name, payload, NULL, run_at, max_attempts, key, NULL, NULL)::graphile_worker.job_spec
        ORDER BY id) AS specs FROM newest HAVING count(*) > 0)
      SELECT ${snapshotXid}::text AS "snapshotXid",
        (SELECT count(*)::int FROM jobs, graphile_worker.add_jobs(specs)) AS moved`.execute(db)
    const [row] = rows
    if (!row) throw new Error('PostgreSQL did not return the number of queued jobs.')
    return row
  })
  return moved
}

/** Runs jobs until stopped; reopens a queue that breaks with its database. */
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
  /** Worker names that this process used before its queue broke. */
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
    // Jobs whose end could not be recorded: no process runs them any more, and they would stay locked for four hours.
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

/**
 * Forwards the library's log lines. Debug lines are dropped, because every poll writes some, and so are details, which
 * may contain the payload of a job.
 */
function queueLogger(log: Log): Logger {
  return new Logger(({ taskIdentifier, jobId }) => (level, message, { error }) => {
    const about = { job: taskIdentifier, jobId, err: error }
    if (level === 'error') log.error(about, message)
    else if (level === 'warning') log.warn(about, message)
    else log.trace(about, message)
  })
}
