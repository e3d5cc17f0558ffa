import { closeSync, openSync, readSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import type { SnapshotXid } from '../db/queues/queue-position.ts'
import { type Chunk, type Dimension, EventArrays } from './event-arrays.ts'
import type { DatabaseIdentity } from './index-rows.queries.ts'

/**
 * The index as a file, so that a restart reads only what changed since. A head of JSON describes the arrays, which
 * follow as they are in memory. In front of the head stand a magic word and its length; each part ends with its checksum.
 */
const MAGIC = Buffer.from('benchwatch-index')
/** Raise it when the arrays change their meaning. */
const VERSION = 1
/** Bytes that are copied and written at a time. */
const PIECE = 1 << 20

const arrayTypes = { Float64Array, Uint32Array, Uint16Array, Uint8Array }
type ArrayType = keyof typeof arrayTypes
type Numbers = Float64Array | Uint32Array | Uint16Array | Uint8Array

interface Head {
  version: number
  identity: DatabaseIdentity
  snapshotXid: SnapshotXid
  ownerCount: number
  chunks: (Pick<Chunk, 'firstId' | 'epoch'> & { hasEmails: boolean })[]
  parts: { type: ArrayType; length: number }[]
}

export interface Snapshot {
  identity: DatabaseIdentity
  snapshotXid: SnapshotXid
  arrays: EventArrays
}

/** Says why a file can't be used, as the end of a sentence. */
export class UnusableSnapshot extends Error {}

/**
 * Writes the file beside the old one and then replaces that. The index must not take changes over meanwhile; searches
 * may go on, because each leaves the arrays as they were.
 */
export async function writeSnapshot(file: string, { identity, snapshotXid, arrays }: Snapshot): Promise<void> {
  const { texts, kinds, ownerCount } = arrays
  texts.sort()
  const parts: Numbers[] = [
    texts.bytes.subarray(0, texts.startOf(texts.count)),
    texts.ends.slice(0, texts.count),
    texts.sorted,
  ]
  parts.push(...Object.values(kinds.columns).map((values) => Uint32Array.from(values)))
  const chunks = arrays.chunks.map(({ firstId, epoch, emailed, lastActions, ...chunk }) => {
    parts.push(chunk.created, chunk.kinds, chunk.texts, chunk.owners, chunk.states, ...(emailed ? [emailed] : []))
    parts.push(Uint16Array.from(lastActions.keys()), Float64Array.from(lastActions.values()))
    return { firstId, epoch, hasEmails: emailed !== null }
  })
  const types = parts.map((part) => ({ type: part.constructor.name as ArrayType, length: part.length }))
  const json = Buffer.from(
    JSON.stringify({ version: VERSION, identity, snapshotXid, ownerCount, chunks, parts: types } satisfies Head),
  )
  const temporary = `${file}.tmp`
  try {
    await writeParts(temporary, [json, ...parts])
    await rename(temporary, file)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

async function writeParts(file: string, [head, ...others]: readonly [Buffer, ...Numbers[]]): Promise<void> {
  await using handle = await open(file, 'w', 0o600)
  await handle.writeFile(MAGIC)
  await handle.writeFile(Uint32Array.of(head.length))
  for (const part of [head, ...others]) {
    let checksum = 0
    for (let at = 0; at < part.byteLength; at += PIECE) {
      // Copied, because a search changes the arrays for a moment while the disk is written.
      const piece = Buffer.from(bytesOf(part).subarray(at, at + PIECE))
      checksum = crc32(piece, checksum)
      await handle.writeFile(piece)
    }
    await handle.writeFile(Uint32Array.of(checksum))
  }
  await handle.sync()
}

/**
 * Reads the file; null if there is none. Throws UnusableSnapshot if it is damaged, or not of this version, this database
 * and this history of it.
 */
export function readSnapshot(
  file: string,
  { identity, nextXid }: { identity: DatabaseIdentity; nextXid: SnapshotXid },
): Snapshot | null {
  let descriptor: number
  try {
    descriptor = openSync(file, 'r')
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return null
    throw error
  }
  try {
    if (!MAGIC.equals(readBytes(descriptor, Buffer.alloc(MAGIC.length)))) throw new UnusableSnapshot('is damaged')
    const json = readPart(descriptor, Buffer.alloc(Math.min(readNumber(descriptor), 1 << 26)))
    const head = JSON.parse(json.toString()) as Head
    const { system, database, timeline } = head.identity
    if (head.version !== VERSION) throw new UnusableSnapshot('was written by another version')
    if (system !== identity.system || database !== identity.database)
      throw new UnusableSnapshot('belongs to another database')
    if (timeline !== identity.timeline || BigInt(head.snapshotXid) > BigInt(nextXid)) {
      throw new UnusableSnapshot('belongs to another history of the database')
    }
    const parts = head.parts.map(({ type, length }) => readPart(descriptor, new arrayTypes[type](length)))
    return { identity, snapshotXid: head.snapshotXid, arrays: arraysOf(head, parts) }
  } catch (error) {
    throw error instanceof UnusableSnapshot ? error : new UnusableSnapshot('is damaged', { cause: error })
  } finally {
    closeSync(descriptor)
  }
}

function arraysOf({ ownerCount, chunks }: Head, parts: readonly Numbers[]): EventArrays {
  const arrays = new EventArrays()
  const left = parts.values()
  const next = <T extends Numbers>() => left.next().value as T
  arrays.ownerCount = ownerCount
  Object.assign(arrays.texts, { bytes: next(), ends: next(), sorted: next() })
  arrays.texts.count = arrays.texts.ends.length
  arrays.texts.rehash()
  const columns = Object.keys(arrays.kinds.columns).map((name) => [name as Dimension, next()] as const)
  columns[0]?.[1].forEach((_, kind) => {
    const values = columns.map(([name, numbers]) => [name, numbers[kind] as number])
    arrays.kinds.numberOf(Object.fromEntries(values) as Record<Dimension, number>)
  })
  for (const { hasEmails, ...about } of chunks) {
    const [created, kinds, texts] = [next<Uint32Array>(), next<Uint32Array>(), next<Uint32Array>()]
    const [owners, states] = [next<Uint16Array>(), next<Uint8Array>()]
    const emailed = hasEmails ? next<Float64Array>() : null
    const [rows, instants] = [next(), next()]
    const lastActions = new Map(Array.from(rows, (row, index) => [row, instants[index] as number]))
    arrays.chunks.push({ ...about, created, kinds, texts, owners, states, emailed, lastActions })
  }
  return arrays
}

function readPart<T extends Numbers>(descriptor: number, part: T): T {
  readBytes(descriptor, bytesOf(part))
  if (readNumber(descriptor) !== crc32(bytesOf(part))) throw new UnusableSnapshot('is damaged')
  return part
}

function readNumber(descriptor: number): number {
  return new DataView(readBytes(descriptor, new Uint8Array(4)).buffer).getUint32(0, true)
}

function readBytes<T extends Uint8Array>(descriptor: number, bytes: T): T {
  for (let at = 0; at < bytes.length; ) {
    const read = readSync(descriptor, bytes, at, Math.min(bytes.length - at, 1 << 30), null)
    if (read === 0) throw new UnusableSnapshot('is damaged')
    at += read
  }
  return bytes
}

function bytesOf({ buffer, byteOffset, byteLength }: Numbers): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength)
}
