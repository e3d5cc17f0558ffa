import { setTimeout as pause } from 'node:timers/promises'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import type { Client } from 'pg'
import { type ConnectionTarget, connectDatabase } from '../db/connect.ts'
import { readSnapshotXid, type SnapshotXid } from '../db/queues/queue-position.ts'
import { inClientTransaction } from '../db/transaction.ts'
import type { Page } from '../features/events/search/event-search.ts'
import type { EventSelection } from '../features/events/search/filters.queries.ts'
import type { ValueRank } from '../features/events/search/value-ranks.queries.ts'
import { EventArrays } from './event-arrays.ts'
import { findInIndex, type Index, type IndexFound, SiteLocations } from './find.ts'
import { type Changes, copyEvents, readAddresses, readChanges, readIdentity } from './index-rows.queries.ts'
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

/** What the worker tells: its state, a line for the log, or an answer, which is null if the index has advanced since. */
export type FromWorker =
  | { state: IndexState }
  | { level: 'info' | 'warn'; message: string; fields: object }
  | { id: number; found: IndexFound | null }

interface Kept extends Index, Snapshot {
  age: number
}

/**
 * Keeps the index up to date and on disk and answers questions, until it is sent null. Every other fault ends it, and the
 * next worker starts from the file.
 */
async function keepIndex(input: WorkerInput, port: MessagePort): Promise<void> {
  const stopping = new AbortController()
  let kept: Kept | null = null
  port.on('message', (question: Question | null) => {
    if (question === null) return stopping.abort()
    const found = kept?.age === question.age ? findWithChanges(kept, question) : null
    port.postMessage({ id: question.id, found } satisfies FromWorker, found ? [found.ids.buffer as ArrayBuffer] : [])
  })
  const log = (level: 'info' | 'warn', message: string, fields: object) =>
    port.postMessage({ level, message, fields } satisfies FromWorker)

  const database = await connectDatabase({ connection: input.connection, poolSize: 1 })
  const client = await database.dedicatedClient()
  const started = performance.now()
  const seconds = () => ({ seconds: Math.round((performance.now() - started) / 100) / 10 })
  let unsaved = 0
  let savedAt = started
  let index = await readSaved(client, input.file, log)
  if (index) log('info', 'the event index was read from its file', seconds())
  else {
    index = await readEverything(client)
    log('info', 'the event index was built from the database', seconds())
    unsaved = input.saveFrom
    savedAt = Number.NEGATIVE_INFINITY
  }
  const save = async (snapshot: Snapshot) => {
    if (unsaved < input.saveFrom) return
    savedAt = performance.now()
    try {
      await writeSnapshot(input.file, snapshot)
      unsaved = 0
    } catch (error) {
      log('warn', 'the event index could not be saved, so the next start takes longer', { message: String(error) })
    }
  }
  while (!stopping.signal.aborted) {
    const advanced = await advance(client, index)
    unsaved += advanced.count
    index = kept = advanced.index
    const state = { snapshotXid: index.snapshotXid, timeline: index.identity.timeline, age: index.age }
    port.postMessage({ state } satisfies FromWorker)
    if (performance.now() - savedAt > input.saveMs) await save(index)
    await pause(input.advanceMs, undefined, { signal: stopping.signal }).catch(() => undefined)
  }
  await save(index)
  await client.end()
  await database.close()
  port.close()
}

/** Reads the index from its file; null if there is none, if it can't be used, or if too much has changed since. */
async function readSaved(
  client: Client,
  file: string,
  log: (level: 'info' | 'warn', message: string, fields: object) => void,
): Promise<Kept | null> {
  const { known, addresses } = await inClientTransaction(client, async (trx) => ({
    known: await readIdentity(trx),
    addresses: await readAddresses(trx),
  }))
  try {
    const saved = readSnapshot(file, known)
    if (!saved) return null
    const index = { ...saved, locations: new SiteLocations(addresses), age: 0 }
    return (await advance(client, index)).index
  } catch (error) {
    if (!(error instanceof UnusableSnapshot)) throw error
    log('warn', `the event index is built anew, because its file ${error.message}`, {})
    return null
  }
}

async function readEverything(client: Client): Promise<Kept> {
  const read = async (trx: Parameters<Parameters<typeof inClientTransaction>[1]>[0]) => {
    const { identity } = await readIdentity(trx)
    const snapshotXid = await readSnapshotXid(trx)
    const locations = new SiteLocations(await readAddresses(trx))
    const arrays = new EventArrays()
    await copyEvents(client, trx, (event) => arrays.put(event))
    arrays.texts.sort()
    return { identity, snapshotXid, locations, arrays, age: 0 }
  }
  return inClientTransaction(client, read, { isSnapshot: true })
}

/** Takes over what changed. Throws UnusableSnapshot if that is too much, or if the database has another history. */
async function advance(client: Client, index: Kept): Promise<{ index: Kept; count: number }> {
  const { snapshotXid, changes } = await inClientTransaction(
    client,
    async (trx) => ({
      snapshotXid: await readSnapshotXid(trx),
      changes: await readChanges(trx, index.snapshotXid, MOST_NEWS),
    }),
    { isSnapshot: true },
  )
  // While a long transaction that writes holds the snapshot xid back, reading everything anew gains nothing.
  if (changes === null && snapshotXid === index.snapshotXid) return { index, count: 0 }
  if (changes === null) throw new UnusableSnapshot('is too old')
  if (changes.timeline !== index.identity.timeline) {
    throw new UnusableSnapshot('belongs to another history of the database')
  }
  putChanges(index, changes)
  const count = changes.events.length + changes.deleted.length + changes.sites.length
  return { index: { ...index, snapshotXid, age: index.age + Math.min(count, 1) }, count }
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

if (parentPort) await keepIndex(workerData as WorkerInput, parentPort)
