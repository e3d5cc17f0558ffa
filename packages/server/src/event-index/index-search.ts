import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { DatabaseHandle, Trx } from '../db/connect.ts'
import { forgetForeignChanges } from '../features/events/events.store.ts'
import type {
  EventOrder,
  EventSearch,
  Found,
  Page,
  SearchMoment,
  SearchState,
} from '../features/events/search/event-search.ts'
import type { EventSelection } from '../features/events/search/filters.queries.ts'
import { postgresSearch } from '../features/events/search/postgres-search.ts'
import { readValueRanks } from '../features/events/search/value-ranks.queries.ts'
import type { Log } from '../platform/log.ts'
import { estimateEvents, readChanges } from './index-rows.queries.ts'
import { type Answer, type FromWorker, type IndexState, type Question, STOP, type WorkerInput } from './worker.ts'

/** Below this a scan in the database is fast enough, and the memory is better left alone. */
const WORTH_FROM = 200_000
/** How often a database that is still small is looked at again. */
const GROWN_MS = 60_000
/** More changes since the last advance are not worth sending with each search. */
const MOST_CHANGES = 20_000
const FIRST_RETRY_MS = 1000
const LAST_RETRY_MS = 60_000
/** The server ends after ten seconds at most. */
const STOP_MS = 8000
/** Ids that `each` yields at a time. */
const BATCH = 5000

const defaults = { worthFrom: WORTH_FROM, advanceMs: 1000, saveMs: 600_000, saveFrom: 20_000 }

interface IndexInput extends Partial<typeof defaults> {
  database: Pick<DatabaseHandle, 'db' | 'connection'>
  /** The folder of the snapshot file. */
  dataDir: string
  log: Log
}

/**
 * Starts a search that answers from an index in memory as soon as there are enough events and the index is loaded.
 * PostgreSQL answers before that, and while the index is away. The caller stops it.
 */
export function startEventIndex(input: IndexInput): IndexSearch {
  return new IndexSearch(input)
}

/** A worker thread with the index, and the questions that it has not answered yet. */
class RunningWorker {
  state: IndexState | null = null
  /** Resolves with the error that ended it, or null if it ended as asked. */
  readonly ended: Promise<Error | null>
  readonly #worker: Worker
  readonly #waiting = new Map<number, (answer: Answer | null) => void>()
  #questions = 0

  constructor(input: WorkerInput, log: Log) {
    const file = new URL('./worker.ts', import.meta.url)
    // Its memory is arrays; a small young generation saves 40 MB.
    this.#worker = new Worker(file, { workerData: input, resourceLimits: { maxYoungGenerationSizeMb: 8 } })
    this.#worker.on('message', (message: FromWorker) => {
      if ('state' in message) this.state = message.state
      else if ('answer' in message) {
        this.#waiting.get(message.answer.id)?.(message.answer)
        this.#waiting.delete(message.answer.id)
      } else log[message.log](message.fields, message.message)
    })
    this.ended = new Promise((resolve) => {
      let fault: Error | null = null
      this.#worker.on('error', (error) => {
        fault = error as Error
      })
      this.#worker.on('exit', () => {
        this.state = null
        for (const answer of this.#waiting.values()) answer(null)
        this.#waiting.clear()
        resolve(fault)
      })
    })
  }

  /** Returns null if the worker ends before it answers. */
  ask(question: Omit<Question, 'id'>): Promise<Answer | null> {
    if (this.state === null) return Promise.resolve(null)
    this.#questions += 1
    const id = this.#questions
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve)
      this.#worker.postMessage({ ...question, id })
    })
  }

  async stop(): Promise<void> {
    this.#worker.postMessage(STOP)
    const timer = setTimeout(() => this.#worker.terminate(), STOP_MS)
    await this.ended
    clearTimeout(timer)
  }
}

/** Searches events in the index, exactly in the caller's snapshot; otherwise in PostgreSQL. */
export class IndexSearch implements EventSearch {
  readonly #input: IndexInput & typeof defaults
  readonly #stopping = new AbortController()
  readonly #finished: Promise<void>
  #running: RunningWorker | null = null

  constructor(input: IndexInput) {
    this.#input = { ...defaults, ...input }
    this.#finished = this.#keepRunning()
  }

  begin(): SearchMoment {
    const running = this.#running
    return running?.state ? new IndexMoment(running, running.state) : postgresSearch.begin()
  }

  state(): SearchState {
    return {
      engine: this.#running ? 'index' : 'postgres',
      isReady: this.#running === null || this.#running.state !== null,
      lagMs: 0,
    }
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#running?.stop()
    await this.#finished
  }

  async #keepRunning(): Promise<void> {
    const { database, log, worthFrom } = this.#input
    const { signal } = this.#stopping
    let retryMs = FIRST_RETRY_MS
    while (!signal.aborted) {
      let waitMs = GROWN_MS
      try {
        if ((await estimateEvents(database.db)) >= worthFrom) {
          const fault = await this.#run()
          if (signal.aborted) return
          throw fault ?? new Error('The worker ended by itself.')
        }
      } catch (error) {
        if (signal.aborted) return
        log.warn({ err: error, retryMs }, 'the event index is away and will be started again; PostgreSQL answers')
        waitMs = retryMs
        retryMs = Math.min(retryMs * 2, LAST_RETRY_MS)
      }
      await pause(waitMs, undefined, { signal }).catch(() => undefined)
    }
  }

  async #run(): Promise<Error | null> {
    const { database, dataDir, log, advanceMs, saveMs, saveFrom } = this.#input
    await forgetForeignChanges(database.db)
    if (this.#stopping.signal.aborted) return null
    const file = join(dataDir, 'event-index.bin')
    this.#running = new RunningWorker({ connection: database.connection, file, advanceMs, saveMs, saveFrom }, log)
    const fault = await this.#running.ended
    this.#running = null
    return fault
  }
}

/** Answers of the index as it was when a transaction began. */
class IndexMoment implements SearchMoment {
  readonly #running: RunningWorker
  readonly #state: IndexState

  constructor(running: RunningWorker, state: IndexState) {
    this.#running = running
    this.#state = state
  }

  async find(trx: Trx, selection: EventSelection, page: Page | null): Promise<Found> {
    const answer = await this.#ask(trx, selection, page)
    return answer && 'found' in answer ? answer.found : postgresSearch.begin().find(trx, selection, page)
  }

  async *each(trx: Trx, selection: EventSelection, order: EventOrder): AsyncGenerator<readonly number[]> {
    const { orderBy, order: direction } = order
    const answer = await this.#ask(trx, selection, { orderBy, order: direction })
    if (answer && 'ids' in answer) {
      for (let from = 0; from < answer.ids.length; from += BATCH) yield [...answer.ids.subarray(from, from + BATCH)]
    } else yield* postgresSearch.begin().each(trx, selection, order)
  }

  /** Returns null where PostgreSQL has to answer. Throws a serialization failure if the index has advanced. */
  async #ask(trx: Trx, selection: EventSelection, page: Page | EventOrder | null): Promise<Answer | null> {
    const { snapshotXid, timeline, age } = this.#state
    const [changes, valueRanks] = await Promise.all([
      readChanges(trx, { snapshotXid, most: MOST_CHANGES }),
      page ? readValueRanks(trx, page.orderBy) : [],
    ])
    if (changes === null || changes.timeline !== timeline) return null
    const answer = await this.#running.ask({ age, changes, selection, valueRanks, page })
    if (answer === null) return null
    if ('hasMovedOn' in answer) throw new MovedOn()
    if ('error' in answer) throw new Error('The event index failed.', { cause: answer.error })
    return answer
  }
}

/** The code is PostgreSQL's for a transaction that should begin anew. */
class MovedOn extends Error {
  readonly code = '40001'
}
