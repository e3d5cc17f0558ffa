import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { DatabaseHandle, Trx } from '../db/connect.ts'
import type { ReplicaSettings } from '../db/replica/long-reads.ts'
import { BeginAgain } from '../db/transaction.ts'
import { forgetForeignChanges } from '../features/events/events.store.ts'
import type { EventSearch, Page, SearchMoment, SearchState } from '../features/events/search/event-search.ts'
import type { EventSelection } from '../features/events/search/filters.queries.ts'
import { postgresSearch } from '../features/events/search/postgres-search.ts'
import { readValueRanks } from '../features/events/search/value-ranks.queries.ts'
import type { Log } from '../platform/log.ts'
import { estimateEvents, readChanges } from './index-rows.queries.ts'
import type { Answer, FromWorker, IndexState, Question, WorkerInput } from './worker.ts'

/** How often a database that is still small is looked at again. */
const GROWN_MS = 60_000
const FIRST_RETRY_MS = 1000
/** The server ends ten seconds after it was asked to, at the latest. */
const STOP_MS = 8000
/** Ids that `each` yields at a time. */
const BATCH = 5000

const defaults = {
  /** Below this number of events, a scan in the database is fast enough, so the memory is saved. */
  worthFrom: 200_000,
  advanceMs: 1000,
  /** With more changes since the last advance, PostgreSQL answers: each search reads them all, 50 ms of the event loop. */
  mostChanges: 50_000,
  saveMs: 600_000,
  saveFrom: 20_000,
}

interface IndexInput extends Partial<typeof defaults> {
  database: Pick<DatabaseHandle, 'db' | 'connection'>
  replica?: ReplicaSettings | null
  /** The folder of the snapshot file. */
  dataDir: string
  log: Log
}

/**
 * Starts a search that answers from an index in memory, exactly in the caller's snapshot, as soon as there are many events
 * and the index is loaded. PostgreSQL answers before that and while the index is away. The caller stops it.
 */
export function startEventIndex(input: IndexInput): EventSearch {
  return new IndexSearch({ ...defaults, ...input })
}

class IndexSearch implements EventSearch {
  readonly #input: IndexInput & typeof defaults
  readonly #stopping = new AbortController()
  readonly #finished: Promise<void>
  readonly #waiting = new Map<number, Omit<PromiseWithResolvers<Answer | null>, 'promise'>>()
  #worker: Worker | null = null
  #state: IndexState | null = null
  #questions = 0

  constructor(input: IndexInput & typeof defaults) {
    this.#input = input
    this.#finished = this.#keepRunning()
  }

  state(): SearchState {
    const engine = this.#worker ? 'index' : 'postgres'
    return { engine, isReady: engine === 'postgres' || this.#state !== null, lagMs: 0 }
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#worker?.postMessage(null)
    const timer = setTimeout(() => void this.#worker?.terminate(), STOP_MS)
    await this.#finished
    clearTimeout(timer)
  }

  begin(): SearchMoment {
    const worker = this.#worker
    const state = this.#state
    const { mostChanges } = this.#input
    const postgres = postgresSearch.begin()
    if (!worker || !state) return postgres
    // Returns null where PostgreSQL has to answer. Throws a serialization failure if the index has advanced.
    const ask = async (trx: Trx, question: Pick<Question, 'find' | 'count'>) => {
      const { timeline, json } = await readChanges(trx, state.snapshotXid, mostChanges)
      if (timeline !== state.timeline || json === null || this.#worker !== worker) return null
      this.#questions += 1
      const id = this.#questions
      const { promise, resolve, reject } = Promise.withResolvers<Answer | null>()
      this.#waiting.set(id, { resolve, reject })
      const { snapshotXid } = state
      worker.postMessage({ id, snapshotXid, changes: json, ...question } satisfies Question)
      return promise
    }
    const search = async (trx: Trx, selection: EventSelection, page: Page | null) => {
      const valueRanks = page ? await readValueRanks(trx, page.orderBy) : '[]'
      return (await ask(trx, { find: { selection, page, valueRanks }, count: [] }))?.found
    }
    return {
      async find(trx, selection, page) {
        const found = await search(trx, selection, page)
        return found ? { ...found, ids: [...found.ids], asOf: null } : postgres.find(trx, selection, page)
      },
      async *each(trx, selection, order) {
        const found = await search(trx, selection, { ...order, offset: 0, limit: Number.MAX_SAFE_INTEGER })
        if (!found) yield* postgres.each(trx, selection, order)
        else
          for (let from = 0; from < found.ids.length; from += BATCH) yield [...found.ids.subarray(from, from + BATCH)]
      },
      async count(trx, questions) {
        const answer = await ask(trx, { find: null, count: questions })
        return answer ? { counts: answer.counts, asOf: null } : postgres.count(trx, questions)
      },
    }
  }

  async #keepRunning(): Promise<void> {
    const { database, log, worthFrom } = this.#input
    const { signal } = this.#stopping
    let retryMs = FIRST_RETRY_MS
    while (!signal.aborted) {
      let waitMs = GROWN_MS
      try {
        if ((await estimateEvents(database.db)) >= worthFrom) {
          await forgetForeignChanges(database.db)
          if (!signal.aborted) await this.#runWorker()
        }
      } catch (error) {
        if (signal.aborted) return
        log.warn(
          { err: error, retryMs },
          'the event index ended and will be started again; PostgreSQL answers meanwhile',
        )
        waitMs = retryMs
        retryMs = Math.min(retryMs * 2, GROWN_MS)
      }
      await pause(waitMs, undefined, { signal }).catch(() => undefined)
    }
  }

  /** Throws the error that the worker ends with. */
  async #runWorker(): Promise<void> {
    const { database, replica = null, dataDir, log, advanceMs, saveMs, saveFrom } = this.#input
    const file = join(dataDir, 'event-index.bin')
    const workerData: WorkerInput = { connection: database.connection, replica, file, advanceMs, saveMs, saveFrom }
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const program = new URL('./worker.ts', import.meta.url)
    // Its memory is arrays, so a small young generation is enough and saves 40 MB.
    const worker = new Worker(program, { workerData, resourceLimits: { maxYoungGenerationSizeMb: 8 } })
    worker.on('error', reject)
    worker.on('exit', () => resolve())
    worker.on('message', (message: FromWorker) => {
      if ('state' in message) this.#state = message.state
      else if ('level' in message) log[message.level](message.fields, message.message)
      else {
        const { resolve, reject } = this.#waiting.get(message.id) ?? {}
        this.#waiting.delete(message.id)
        if (message.answer) resolve?.(message.answer)
        else reject?.(new BeginAgain())
      }
    })
    this.#worker = worker
    try {
      await promise
    } finally {
      this.#worker = null
      this.#state = null
      for (const { resolve } of this.#waiting.values()) resolve(null)
      this.#waiting.clear()
    }
  }
}
