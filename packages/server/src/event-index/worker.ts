import { setTimeout as pause } from 'node:timers/promises'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { type ConnectionTarget, connectDatabase, type DatabaseHandle, type Trx } from '../db/connect.ts'
import { readSnapshotXid, type SnapshotXid } from '../db/queues/queue-position.ts'
import { readIdentity } from '../db/sql/database-identity.ts'
import { inClientTransaction } from '../db/transaction.ts'
import type { Page } from '../features/events/search/event-search.ts'
import type { EventSelection } from '../features/events/search/filters.queries.ts'
import type { ValueRank } from '../features/events/search/value-ranks.queries.ts'
import { EventArrays } from './event-arrays.ts'
import { findInIndex, type Index, type IndexFound, SiteLocations } from './find.ts'
import { type Changes, copyEvents, readAddresses, readChanges } from './index-rows.queries.ts'
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
  page: Page | null
}

/** A message of the worker: its state, a line for the log, or an answer, which is null if the index has advanced since. */
export type FromWorker =
  | { state: IndexState }
  | { level: 'info' | 'warn'; message: string; fields: object }
  | { id: number; found: IndexFound | null }

type Client = Awaited<ReturnType<DatabaseHandle['dedicatedClient']>>

interface Kept extends Index, Snapshot {
  age: number
}

const input = workerData as WorkerInput
const port = parentPort as MessagePort
const stopping = new AbortController()
const started = performance.now()
/** Null until changes since the last start were taken over. */
let kept: Kept | null = null
/** Changes since the file was written. */
let unsaved = 0
let savedAt = started

function post(message: FromWorker, transfer: ArrayBuffer[] = []): void {
  port.postMessage(message, transfer)
}

function log(level: 'info' | 'warn', message: string): void {
  const seconds = Math.round((performance.now() - started) / 100) / 10
  post({ level, message, fields: { seconds } })
}

/**
 * Keeps the index up to date and on disk and answers questions, until it is sent null. Any fault but a failed save ends
 * it; the next worker starts from the file.
 */
async function keepIndex(): Promise<void> {
  port.on('message', (question: Question | null) => {
    if (question === null) return stopping.abort()
    const found = kept?.age === question.age ? findWithChanges(kept, question) : null
    post({ id: question.id, found }, found ? [found.ids.buffer as ArrayBuffer] : [])
  })
  const database = await connectDatabase({ connection: input.connection, poolSize: 1 })
  const client = await database.dedicatedClient()
  let index = (await readSaved(client)) ?? (await readEverything(client))
  while (!stopping.signal.aborted) {
    index = kept = await advance(client, index)
    post({ state: { snapshotXid: index.snapshotXid, timeline: index.identity.timeline, age: index.age } })
    if (performance.now() - savedAt > input.saveMs) await save(index)
    await pause(input.advanceMs, undefined, { signal: stopping.signal }).catch(() => undefined)
  }
  await save(index)
  await client.end()
  await database.close()
  port.close()
}

/** Reads the index from its file; null if there is none, if it can't be used, or if too much has changed since. */
async function readSaved(client: Client): Promise<Kept | null> {
  const { known, addresses } = await inClientTransaction(client, async (trx) => ({
    known: await readIdentity(trx),
    addresses: await readAddresses(trx),
  }))
  try {
    const saved = readSnapshot(input.file, known)
    if (!saved) return null
    const index = await advance(client, { ...saved, locations: new SiteLocations(addresses), age: 0 })
    log('info', 'the event index was read from its file')
    return index
  } catch (error) {
    if (!(error instanceof UnusableSnapshot)) throw error
    log('warn', `the event index is built anew, because its file ${error.message}`)
    return null
  }
}

async function readEverything(client: Client): Promise<Kept> {
  const arrays = new EventArrays()
  const read = async (trx: Trx) => {
    const { identity } = await readIdentity(trx)
    const snapshotXid = await readSnapshotXid(trx)
    const locations = new SiteLocations(await readAddresses(trx))
    await copyEvents(client, trx, (event) => arrays.put(event))
    return { identity, snapshotXid, locations, arrays, age: 0 }
  }
  const index = await inClientTransaction(client, read, { isSnapshot: true })
  arrays.texts.sort()
  log('info', 'the event index was built from the database')
  unsaved = input.saveFrom
  savedAt = Number.NEGATIVE_INFINITY
  return index
}

async function save(snapshot: Snapshot): Promise<void> {
  if (unsaved < input.saveFrom) return
  savedAt = performance.now()
  try {
    await writeSnapshot(input.file, snapshot)
    unsaved = 0
  } catch (error) {
    log('warn', `the event index could not be saved, so the next start takes longer: ${String(error)}`)
  }
}

/** Takes over what changed. Throws UnusableSnapshot if that is too much, or if the database has another history. */
async function advance(client: Client, index: Kept): Promise<Kept> {
  const read = async (trx: Trx) => ({
    snapshotXid: await readSnapshotXid(trx),
    changes: await readChanges(trx, index.snapshotXid, MOST_NEWS),
  })
  const { snapshotXid, changes } = await inClientTransaction(client, read, { isSnapshot: true })
  // While a long transaction that writes holds the snapshot xid back, reading everything anew gains nothing.
  if (changes === null && snapshotXid === index.snapshotXid) return index
  if (changes === null) throw new UnusableSnapshot('is too old')
  if (changes.timeline !== index.identity.timeline) {
    throw new UnusableSnapshot('belongs to another history of the database')
  }
  putChanges(index, changes)
  const count = changes.events.length + changes.deleted.length + changes.sites.length
  unsaved += count
  return { ...index, snapshotXid, age: index.age + Math.min(count, 1) }
}

/** Lays changes over the index, searches, and takes them back. */
function findWithChanges(index: Index, { changes, ...question }: Question): IndexFound {
  const undo = putChanges(index, changes)
  try {
    return findInIndex(index, question)
  } finally {
    undo()
  }
}

/** Returns what takes the changes back. */
function putChanges({ arrays, locations }: Index, { events, deleted, sites }: Changes): () => void {
  const before = [...events.map((event) => arrays.put(event)), ...deleted.map(({ id }) => arrays.remove(id))]
  const numbers = sites.map((site) => ({ site, number: locations.put(site) }))
  return () => {
    for (const state of before.reverse()) arrays.write(state)
    for (const { site, number } of numbers.reverse()) locations.write(site.id, number)
  }
}

await keepIndex()
