import { setTimeout as pause } from 'node:timers/promises'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import type { Client } from 'pg'
import { type ConnectionTarget, connectDatabase, type DatabaseHandle } from '../db/connect.ts'
import { readSnapshotXid, type SnapshotXid } from '../db/queues/queue-position.ts'
import { inClientTransaction } from '../db/transaction.ts'
import type { EventOrder, Found, Page } from '../features/events/search/event-search.ts'
import type { EventSelection } from '../features/events/search/filters.queries.ts'
import type { ValueRank } from '../features/events/search/value-ranks.queries.ts'
import { findInIndex, type Index, listInIndex } from './find.ts'
import {
  type Changes,
  type DatabaseIdentity,
  readChanges,
  readEverything,
  readIdentity,
  readLocations,
} from './index-rows.queries.ts'
import { readSnapshot, UnusableSnapshot, writeSnapshot } from './snapshot-file.ts'

/** More changes are not taken over one by one, because reading all events anew is faster. */
const MOST_NEWS = 200_000

export interface WorkerInput {
  connection: ConnectionTarget
  /** The snapshot file. */
  file: string
  /** How often changes are taken over. */
  advanceMs: number
  /** How often the snapshot file is written, if at least `saveFrom` changes have been taken over. */
  saveMs: number
  saveFrom: number
}

/** What the index contains: every change below the snapshot xid. */
export interface IndexState {
  snapshotXid: SnapshotXid
  timeline: string
  /** Grows with each advance that changed something. */
  age: number
}

export interface Question {
  id: number
  /** The age that the changes belong to. */
  age: number
  changes: Changes
  selection: EventSelection
  valueRanks: ValueRank[]
  /** A list of all ids if it is an order without a limit. */
  page: Page | EventOrder | null
}

export type Answer =
  | { id: number; found: Found }
  | { id: number; ids: Float64Array }
  /** The index has advanced since. */
  | { id: number; hasMovedOn: true }
  | { id: number; error: unknown }

export type FromWorker =
  | { state: IndexState | null }
  | { log: 'info' | 'warn'; message: string; fields: Record<string, unknown> }
  | { answer: Answer }

/** Sent to a worker that must end; everything else is a question. */
export const STOP = 'stop'

/** Keeps the index, answers questions about it, and saves it; everything in this worker thread. */
class IndexKeeper {
  readonly #input: WorkerInput
  readonly #port: MessagePort
  readonly #stopping = new AbortController()
  #database: DatabaseHandle | undefined
  #client: Client | undefined
  #index: (Index & IndexState) | null = null
  #identity: DatabaseIdentity | undefined
  #unsaved = 0
  #savedAt = performance.now()

  constructor(input: WorkerInput, port: MessagePort) {
    this.#input = input
    this.#port = port
    port.on('message', (message: Question | typeof STOP) => {
      if (message === STOP) this.#stopping.abort()
      else this.#answer(message)
    })
  }

  async run(): Promise<void> {
    const { signal } = this.#stopping
    const { connection, advanceMs, saveMs, saveFrom } = this.#input
    this.#database = await connectDatabase({ connection, poolSize: 1 })
    await this.#open(await this.#connected())
    let isReached = true
    while (!signal.aborted) {
      await pause(advanceMs, undefined, { signal }).catch(() => undefined)
      if (signal.aborted) break
      try {
        await this.#advance(await this.#connected())
        isReached = true
      } catch (error) {
        if (error instanceof OtherHistory) throw error
        // Said once; searches still read what changed, and the next round tries again.
        if (isReached) this.#log('warn', 'the event index could not be brought up to date', { err: plain(error) })
        isReached = false
        await this.#disconnect()
      }
      if (performance.now() - this.#savedAt > saveMs && this.#unsaved >= saveFrom) await this.#save()
    }
    if (this.#unsaved >= saveFrom) await this.#save()
    await this.#disconnect()
    await this.#database.close()
    this.#port.close()
  }

  async #connected(): Promise<Client> {
    this.#client ??= await this.#database?.dedicatedClient()
    if (!this.#client) throw new Error('There is no database.')
    return this.#client
  }

  async #disconnect(): Promise<void> {
    await this.#client?.end().catch(() => undefined)
    this.#client = undefined
  }

  /** Reads the snapshot file and what changed since, or all events. */
  async #open(client: Client): Promise<void> {
    const { file } = this.#input
    const started = performance.now()
    const identity = await inClientTransaction(client, readIdentity)
    const { nextXid, ...known } = identity
    this.#identity = known
    try {
      const saved = readSnapshot(file, identity)
      if (saved) {
        const { arrays, snapshotXid } = saved
        const locations = await inClientTransaction(client, readLocations)
        this.#index = { arrays, locations, snapshotXid, timeline: known.timeline, age: 0 }
        await this.#advance(client)
        const seconds = secondsSince(started)
        if (this.#index.age >= 0) this.#log('info', 'the event index was read from its file', { seconds })
        return
      }
    } catch (error) {
      if (!(error instanceof UnusableSnapshot)) throw error
      this.#log('warn', `the event index is built anew, because its file ${error.message}`, { file })
    }
    await this.#load(client)
  }

  async #load(client: Client): Promise<void> {
    this.#index = null
    this.#post({ state: null })
    const started = performance.now()
    const read = await readEverything(client)
    this.#index = { ...read, timeline: this.#identity?.timeline ?? '', age: 0 }
    this.#postState()
    this.#log('info', 'the event index was built from the database', { seconds: secondsSince(started) })
    await this.#save()
  }

  /** Takes over what changed. */
  async #advance(client: Client): Promise<void> {
    const index = this.#index
    if (!index) return this.#load(client)
    const { snapshotXid } = index
    const news = await inClientTransaction(
      client,
      async (trx) => ({
        snapshotXid: await readSnapshotXid(trx),
        changes: await readChanges(trx, { snapshotXid, most: MOST_NEWS }),
      }),
      { isSnapshot: true },
    )
    const { changes } = news
    if (changes === null) {
      // A long transaction that writes holds the snapshot xid back. Reading everything anew would gain nothing.
      if (BigInt(news.snapshotXid) > BigInt(snapshotXid)) await this.#load(client)
      return
    }
    if (changes.timeline !== index.timeline) throw new OtherHistory()
    putChanges(index, changes)
    const count = changes.events.length + changes.deleted.length + changes.sites.length
    if (count > 0) index.age += 1
    this.#unsaved += count
    index.snapshotXid = news.snapshotXid
    this.#postState()
  }

  async #save(): Promise<void> {
    if (!this.#index || !this.#identity) return
    const started = performance.now()
    this.#savedAt = started
    try {
      const { arrays, snapshotXid } = this.#index
      await writeSnapshot(this.#input.file, { identity: this.#identity, snapshotXid, arrays })
      this.#unsaved = 0
      this.#log('info', 'the event index was saved', { seconds: secondsSince(started) })
    } catch (error) {
      const { file } = this.#input
      this.#log('warn', 'the event index could not be saved, so the next start takes longer', {
        file,
        err: plain(error),
      })
    }
  }

  #answer(question: Question): void {
    const { id } = question
    const index = this.#index
    if (index?.age !== question.age) return this.#post({ answer: { id, hasMovedOn: true } })
    try {
      const answer = withChanges(index, question.changes, (): Answer => {
        const { page } = question
        if (page === null || 'limit' in page) return { id, found: findInIndex(index, { ...question, page }) }
        return { id, ids: listInIndex(index, { ...question, order: page }) }
      })
      this.#post({ answer }, 'ids' in answer ? [answer.ids.buffer as ArrayBuffer] : [])
    } catch (error) {
      this.#post({ answer: { id, error: plain(error) } })
    }
  }

  #postState(): void {
    if (!this.#index) return
    const { snapshotXid, timeline, age } = this.#index
    this.#post({ state: { snapshotXid, timeline, age } })
  }

  #log(log: 'info' | 'warn', message: string, fields: Record<string, unknown>): void {
    this.#post({ log, message, fields })
  }

  #post(message: FromWorker, transfer: ArrayBuffer[] = []): void {
    this.#port.postMessage(message, transfer)
  }
}

/** After a failover the index contains changes that are lost, so a new worker builds it anew. */
class OtherHistory extends Error {
  override message = 'the database continues on another timeline'
}

function putChanges({ arrays, locations }: Index, { events, deleted, sites }: Changes) {
  return {
    events: [...events.map((event) => arrays.put(event)), ...deleted.map((id) => arrays.remove(id))],
    sites: sites.map(({ id, address }) => ({ id, before: locations.put(id, address) })),
  }
}

/** Does work on the index as it is with some changes, and takes them back. */
function withChanges<T>(index: Index, changes: Changes, work: () => T): T {
  const before = putChanges(index, changes)
  try {
    return work()
  } finally {
    for (const event of before.events.reverse()) index.arrays.write(event)
    for (const site of before.sites.reverse()) index.locations.write(site.id, site.before)
  }
}

/** An error as far as it can be sent to another thread. */
function plain(error: unknown): { message: string; stack: string | undefined } {
  const { message, stack } = error instanceof Error ? error : new Error(String(error))
  return { message, stack }
}

function secondsSince(started: number): number {
  return Math.round((performance.now() - started) / 100) / 10
}

if (parentPort) await new IndexKeeper(workerData as WorkerInput, parentPort).run()
