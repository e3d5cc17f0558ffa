import { setTimeout as pause } from 'node:timers/promises'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import type { Client } from 'pg'
import { type ConnectionTarget, connectDatabase } from '../db/connect.ts'
import { readSnapshotXid, type SnapshotXid } from '../db/queues/queue-position.ts'
import { inClientTransaction } from '../db/transaction.ts'
import type { EventOrder, Found, Page } from '../features/events/search/event-search.ts'
import type { EventSelection } from '../features/events/search/filters.queries.ts'
import type { ValueRank } from '../features/events/search/value-ranks.queries.ts'
import { findInIndex, type Index, listInIndex } from './find.ts'
import { type Changes, readChanges, readEverything, readIdentity, readLocations } from './index-rows.queries.ts'
import { readSnapshot, type Snapshot, UnusableSnapshot, writeSnapshot } from './snapshot-file.ts'

/** More changes are not taken over one by one, because reading all events anew is faster. */
const MOST_NEWS = 200_000

export interface WorkerInput {
  connection: ConnectionTarget
  /** The snapshot file. */
  file: string
  /** How often changes are taken over. */
  advanceMs: number
  /** How often the file is written, if at least `saveFrom` changes were taken over since. */
  saveMs: number
  saveFrom: number
}

/** Tells what the index contains: every change below the snapshot xid. */
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
  /** An order without a limit asks for all ids. */
  page: Page | EventOrder | null
}

/** `hasMovedOn`: the index has advanced since. */
export type Answer = { found: Found } | { ids: Float64Array } | { hasMovedOn: true } | { error: unknown }

export type FromWorker =
  | { is: 'state'; state: IndexState | null }
  | { is: 'log'; level: 'info' | 'warn'; message: string; fields: object }
  | { is: 'answer'; id: number; answer: Answer }

interface Kept extends Index, Snapshot {
  age: number
}

/** Keeps the index up to date and on disk and answers questions, until it is sent null. */
async function keepIndex(input: WorkerInput, port: MessagePort): Promise<void> {
  const stopping = new AbortController()
  let kept: Kept | null = null
  port.on('message', (question: Question | null) => {
    if (question === null) return stopping.abort()
    const answer = kept?.age === question.age ? answerTo(question, kept) : { hasMovedOn: true as const }
    const transfer = 'ids' in answer ? [answer.ids.buffer as ArrayBuffer] : []
    port.postMessage({ is: 'answer', id: question.id, answer } satisfies FromWorker, transfer)
  })
  const log = (level: 'info' | 'warn', message: string, fields: object = {}) =>
    port.postMessage({ is: 'log', level, message, fields } satisfies FromWorker)
  const take = (next: Kept | null) => {
    kept = next
    const state = next && { snapshotXid: next.snapshotXid, timeline: next.identity.timeline, age: next.age }
    port.postMessage({ is: 'state', state } satisfies FromWorker)
  }
  let unsaved = 0
  let savedAt = performance.now()
  const save = async () => {
    if (!kept || unsaved < input.saveFrom) return
    savedAt = performance.now()
    try {
      await writeSnapshot(input.file, kept)
      unsaved = 0
    } catch (error) {
      log('warn', 'the event index could not be saved, so the next start takes longer', { err: plain(error) })
    }
  }
  const load = async (client: Client) => {
    const started = performance.now()
    take(null)
    const { identity } = await inClientTransaction(client, readIdentity)
    take({ ...(await readEverything(client)), identity, age: 0 })
    log('info', 'the event index was built from the database', { seconds: secondsSince(started) })
    unsaved = input.saveFrom
    await save()
  }
  /** Takes over what changed. */
  const advance = async (client: Client, index: Kept) => {
    const { snapshotXid, changes } = await inClientTransaction(
      client,
      async (trx) => ({
        snapshotXid: await readSnapshotXid(trx),
        changes: await readChanges(trx, index.snapshotXid, MOST_NEWS),
      }),
      { isSnapshot: true },
    )
    if (changes === null) {
      // While a long transaction that writes holds the snapshot xid back, reading everything anew gains nothing.
      return BigInt(snapshotXid) > BigInt(index.snapshotXid) ? load(client) : undefined
    }
    if (changes.timeline !== index.identity.timeline) {
      log('warn', 'the event index is built anew, because the database continues on another timeline')
      return load(client)
    }
    putChanges(index, changes)
    const count = changes.events.length + changes.deleted.length + changes.sites.length
    unsaved += count
    take({ ...index, snapshotXid, age: index.age + Math.min(count, 1) })
  }
  const start = async (client: Client) => {
    const started = performance.now()
    try {
      const saved = readSnapshot(input.file, await inClientTransaction(client, readIdentity))
      if (!saved) return load(client)
      log('info', 'the event index was read from its file', { seconds: secondsSince(started) })
      await advance(client, { ...saved, locations: await inClientTransaction(client, readLocations), age: 0 })
    } catch (error) {
      if (!(error instanceof UnusableSnapshot)) throw error
      log('warn', `the event index is built anew, because its file ${error.message}`)
      await load(client)
    }
  }

  const database = await connectDatabase({ connection: input.connection, poolSize: 1 })
  let client: Client | null = null
  while (!stopping.signal.aborted) {
    try {
      client ??= await database.dedicatedClient()
      await (kept ? advance(client, kept) : start(client))
    } catch (error) {
      // Searches still read what changed themselves, and the next round tries again.
      log('warn', 'the event index could not be brought up to date', { err: plain(error) })
      await client?.end().catch(() => undefined)
      client = null
    }
    if (performance.now() - savedAt > input.saveMs) await save()
    await pause(input.advanceMs, undefined, { signal: stopping.signal }).catch(() => undefined)
  }
  await save()
  await client?.end()
  await database.close()
  port.close()
}

/** Lays changes over the index, answers, and takes them back. */
function answerTo({ changes, page, ...question }: Question, index: Index): Answer {
  const undo = putChanges(index, changes)
  try {
    if (page !== null && !('limit' in page)) return { ids: listInIndex(index, { ...question, page }) }
    return { found: findInIndex(index, { ...question, page }) }
  } catch (error) {
    return { error: plain(error) }
  } finally {
    undo()
  }
}

/** Returns what takes the changes back. */
function putChanges({ arrays, locations }: Index, { events, deleted, sites }: Changes): () => void {
  const before = [...events.map((event) => arrays.put(event)), ...deleted.map(({ id }) => arrays.remove(id))]
  const numbers = sites.map(({ id, address }) => ({ id, number: locations.put(id, address) }))
  return () => {
    for (const state of before.reverse()) arrays.write(state)
    for (const { id, number } of numbers.reverse()) locations.write(id, number)
  }
}

/** Returns an error as far as it can be sent to another thread. */
function plain(error: unknown): { message: string; stack: string | undefined } {
  const { message, stack } = error instanceof Error ? error : new Error(String(error))
  return { message, stack }
}

function secondsSince(started: number): number {
  return Math.round((performance.now() - started) / 100) / 10
}

if (parentPort) await keepIndex(workerData as WorkerInput, parentPort)
