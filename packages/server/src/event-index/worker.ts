import { setTimeout as pause } from 'node:timers/promises'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { type ConnectionTarget, connectDatabase, type DatabaseHandle } from '../db/connect.ts'
import { readSnapshotXid, type SnapshotXid } from '../db/queues/queue-position.ts'
import { type ReplicaSettings, startLongReads } from '../db/replica/long-reads.ts'
import { readIdentity } from '../db/sql/database-identity.ts'
import { inClientTransaction } from '../db/transaction.ts'
import type { ColumnCounts, CountQuestion, Page } from '../features/events/search/event-search.ts'
import type { EventSelection } from '../features/events/search/filters.queries.ts'
import type { ValueRanks } from '../features/events/search/value-ranks.queries.ts'
import { EventArrays } from './event-arrays.ts'
import { countInIndex, findInIndex, type Index, type IndexFound } from './find.ts'
import { type Changes, copyEvents, parseChanges, readChanges, readLocations } from './index-rows.queries.ts'
import { readSnapshot, type Snapshot, UnusableSnapshot, writeSnapshot } from './snapshot-file.ts'

/** Above this number of changes, reading all events again is faster than applying them one by one. */
const MOST_NEWS = 200_000

export interface WorkerInput {
  connection: ConnectionTarget
  /** The index is built from it. Null: from `connection`. */
  replica: ReplicaSettings | null
  /** The snapshot file. */
  file: string
  /** How often changes are taken over. */
  advanceMs: number
  /** How often the file is written, if at least `saveFrom` changes were taken over since. */
  saveMs: number
  saveFrom: number
}

/** Reports what the index contains: every change below the snapshot xid. */
export interface IndexState {
  snapshotXid: SnapshotXid
  timeline: string
}

export interface Question {
  id: number
  /** Changes from this snapshot xid on, as the caller sees them, in JSON. */
  snapshotXid: SnapshotXid
  changes: string
  /** The search, with its ranks in JSON; null if values alone are counted. */
  find: { selection: EventSelection; valueRanks: string; page: Page | null } | null
  count: readonly CountQuestion[]
}

export interface Answer {
  found: IndexFound | null
  counts: ColumnCounts[]
}

/** A message of the worker: its state, a line for the log, or an answer, which is null if the index has advanced since. */
export type FromWorker =
  | { state: IndexState }
  | { level: 'info' | 'warn'; message: string; fields: object }
  | { id: number; answer: Answer | null }

type Client = Awaited<ReturnType<DatabaseHandle['dedicatedClient']>>

/** The server itself says where long reads go. */
const silent = { info: () => undefined, warn: () => undefined }

const input = workerData as WorkerInput
const port = parentPort as MessagePort
const stopping = new AbortController()
const started = performance.now()
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
  let index: Snapshot | null = null
  port.on('message', (question: Question | null) => {
    if (question === null) return stopping.abort()
    const answer = index?.snapshotXid === question.snapshotXid ? answerWithChanges(index, question) : null
    post({ id: question.id, answer }, answer?.found ? [answer.found.ids.buffer as ArrayBuffer] : [])
  })
  const database = await connectDatabase({ connection: input.connection, poolSize: 1 })
  const client = await database.dedicatedClient()
  index = (await readSaved(client)) ?? (await readEverything(client, database))
  while (!stopping.signal.aborted) {
    index = await advance(client, index)
    postState(index)
    if (performance.now() - savedAt > input.saveMs) await save(index)
    await pause(input.advanceMs, undefined, { signal: stopping.signal }).catch(() => undefined)
  }
  await save(index)
  await client.end()
  await database.close()
  port.close()
}

function postState({ snapshotXid, identity: { timeline } }: Snapshot): void {
  post({ state: { snapshotXid, timeline } })
}

/** Announces a loaded index. Its state comes first: whoever has read the log expects it to answer. */
function announce(index: Snapshot, origin: string): void {
  postState(index)
  log('info', `the event index was ${origin}`)
}

/** Reads the index from its file; null if there is none, if it can't be used, or if too much has changed since. */
async function readSaved(client: Client): Promise<Snapshot | null> {
  try {
    const saved = readSnapshot(input.file, await inClientTransaction(client, readIdentity))
    const index = saved && (await advance(client, saved))
    if (index) announce(index, 'read from its file')
    return index
  } catch (error) {
    if (!(error instanceof UnusableSnapshot)) throw error
    log('warn', `the event index is built anew, because its file ${error.message}`)
    return null
  }
}

/**
 * Builds the index, from the replica if there is one. Its snapshot is then of an earlier moment than one of the primary
 * would be, and so is its snapshot xid: below it, the replica has replayed every transaction to its end. The next advance
 * takes everything from that xid on from the primary, so nothing is missed.
 */
async function readEverything(client: Client, database: DatabaseHandle): Promise<Snapshot> {
  // Read before the copy: a failover in the meantime begins another timeline, and the next advance notices.
  const { identity } = await inClientTransaction(client, readIdentity)
  const reads = await startLongReads({ database, replica: input.replica, log: silent })
  const reading = reads.beside(client)
  let source = 'database'
  const index = await reading.inSnapshot(async (trx, reader) => {
    source = reader === client ? 'database' : 'replica'
    const snapshotXid = await readSnapshotXid(trx)
    const locations = await readLocations(trx)
    const arrays = new EventArrays()
    await copyEvents(reader, trx, (event) => arrays.put(event))
    return { identity, snapshotXid, locations, arrays }
  })
  await reading.end()
  await reads.stop()
  index.arrays.texts.sort()
  announce(index, `built from the ${source}`)
  unsaved = input.saveFrom
  savedAt = Number.NEGATIVE_INFINITY
  return index
}

async function save(index: Snapshot): Promise<void> {
  if (unsaved < input.saveFrom) return
  savedAt = performance.now()
  try {
    await writeSnapshot(input.file, index)
    unsaved = 0
  } catch (error) {
    log('warn', `the event index could not be saved, so the next start takes longer: ${String(error)}`)
  }
}

/** Takes over what changed. Throws UnusableSnapshot if that is too much, or if the database has another history. */
async function advance(client: Client, index: Snapshot): Promise<Snapshot> {
  const { snapshotXid, timeline, json } = await inClientTransaction(
    client,
    async (trx) => ({
      snapshotXid: await readSnapshotXid(trx),
      ...(await readChanges(trx, index.snapshotXid, MOST_NEWS)),
    }),
    { isSnapshot: true },
  )
  if (timeline !== index.identity.timeline) throw new UnusableSnapshot('belongs to another history of the database')
  // While a writing transaction keeps the snapshot xid from advancing, searches would add the same changes anyway.
  if (snapshotXid === index.snapshotXid) return index
  if (json === null) throw new UnusableSnapshot('is too old')
  const changes = parseChanges(json)
  const count = changes.events.length + changes.deleted.length + changes.sites.length
  // Searches in progress need not start again if nothing changed.
  if (count === 0) return index
  putChanges(index, changes)
  unsaved += count
  return { ...index, snapshotXid }
}

/** Lays changes over the index, searches, and takes them back. */
function answerWithChanges(index: Index, { changes, find, count }: Question): Answer {
  const undo = putChanges(index, parseChanges(changes))
  try {
    const valueRanks = JSON.parse(find?.valueRanks ?? '[]') as ValueRanks[]
    return { found: find && findInIndex(index, { ...find, valueRanks }), counts: countInIndex(index, count) }
  } finally {
    undo()
  }
}

/** Returns what takes the changes back. */
function putChanges({ arrays, locations }: Index, { events, deleted, sites }: Changes): () => void {
  const before = [...events.map((event) => arrays.put(event)), ...deleted.map((id) => arrays.remove(id))]
  const locationsBefore = sites.map(({ id }) => [id, locations.get(id)] as const)
  for (const { id, location_key } of sites) locations.set(id, location_key)
  return () => {
    for (const state of before.reverse()) arrays.write(state)
    for (const [id, location] of locationsBefore) locations.set(id, location)
  }
}

await keepIndex()
