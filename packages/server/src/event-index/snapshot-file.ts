import { closeSync, openSync, readSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { deserialize, serialize } from 'node:v8'
import { crc32 } from 'node:zlib'
import type { SnapshotXid } from '../db/queues/queue-position.ts'
import type { DatabaseIdentity } from '../db/sql/database-identity.ts'
import { type Chunk, type Dimension, EventArrays } from './event-arrays.ts'

/**
 * The index as a file, so that a restart reads only what changed since: a magic word, then parts. Each part is an object
 * as V8 writes it, arrays as they are in memory, behind its length and its checksum.
 */
const MAGIC = Buffer.from('benchwatch-index')
/** Raise it when the content changes its meaning. */
const VERSION = 1
const TEXT_PART = 1 << 22
const LONGEST_PART = 1 << 30

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
export async function writeSnapshot(file: string, snapshot: Snapshot): Promise<void> {
  const temporary = `${file}.tmp`
  try {
    const handle = await open(temporary, 'w', 0o600)
    try {
      await handle.writeFile(MAGIC)
      for (const part of partsOf(snapshot)) {
        const bytes = serialize(part)
        await handle.writeFile(Uint32Array.of(bytes.length, crc32(bytes)))
        await handle.writeFile(bytes)
      }
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(temporary, file)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

type Head = ReturnType<typeof headOf>

function headOf({ identity, snapshotXid, arrays }: Snapshot) {
  const { texts, kinds, ownerCount, chunks } = arrays
  texts.sort()
  const textBytes = texts.startOf(texts.count)
  const ofTexts = { textBytes, ends: texts.ends.slice(0, texts.count), sorted: texts.sorted }
  return {
    version: VERSION,
    identity,
    snapshotXid,
    ownerCount,
    kinds: kinds.columns,
    chunks: chunks.length,
    ...ofTexts,
  }
}

function* partsOf(snapshot: Snapshot): Generator<Head | Uint8Array | Chunk> {
  const { texts, chunks } = snapshot.arrays
  const head = headOf(snapshot)
  yield head
  for (let at = 0; at < head.textBytes; at += TEXT_PART) {
    yield texts.bytes.subarray(at, Math.min(at + TEXT_PART, head.textBytes))
  }
  yield* chunks.slice(0, head.chunks)
}

/**
 * Reads the file; null if there is none. Throws UnusableSnapshot if it is damaged, or not of this version, this database
 * and this history of it.
 */
export function readSnapshot(
  file: string,
  { identity, nextXid }: { identity: DatabaseIdentity; nextXid: SnapshotXid },
): Snapshot | null {
  let descriptor: number | null = null
  try {
    descriptor = openSync(file, 'r')
    const readPart = createPartReader(descriptor)
    const head = readPart() as Head
    if (head.version !== VERSION) throw new UnusableSnapshot('was written by another version')
    const { system, database, timeline } = head.identity
    if (system !== identity.system || database !== identity.database) {
      throw new UnusableSnapshot('belongs to another database')
    }
    if (timeline !== identity.timeline || BigInt(head.snapshotXid) > BigInt(nextXid)) {
      throw new UnusableSnapshot('belongs to another history of the database')
    }
    return { identity, snapshotXid: head.snapshotXid, arrays: readArrays(readPart, head) }
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return null
    throw error instanceof UnusableSnapshot ? error : new UnusableSnapshot('is damaged', { cause: error })
  } finally {
    if (descriptor !== null) closeSync(descriptor)
  }
}

function readArrays(
  readPart: () => unknown,
  { textBytes, ends, sorted, kinds, ownerCount, chunks }: Head,
): EventArrays {
  const arrays = new EventArrays()
  const bytes = new Uint8Array(textBytes)
  for (let at = 0; at < textBytes; at += TEXT_PART) bytes.set(readPart() as Uint8Array, at)
  Object.assign(arrays.texts, { bytes, ends, sorted, count: ends.length })
  arrays.texts.rehash()
  const columns = Object.entries(kinds)
  kinds.site.forEach((_, kind) => {
    const values = columns.map(([name, numbers]) => [name, numbers[kind]])
    arrays.kinds.numberOf(Object.fromEntries(values) as Record<Dimension, number>)
  })
  arrays.ownerCount = ownerCount
  for (let chunk = 0; chunk < chunks; chunk += 1) arrays.chunks.push(readPart() as Chunk)
  return arrays
}

/** Returns a function that reads the next part. All are read into one buffer, which leaves no gaps in the memory. */
function createPartReader(descriptor: number): () => unknown {
  let buffer = Buffer.alloc(TEXT_PART)
  const read = (length: number) => {
    if (length > buffer.length) buffer = Buffer.alloc(Math.min(length, LONGEST_PART))
    const bytes = buffer.subarray(0, length)
    if (readSync(descriptor, bytes, 0, length, null) !== length) throw new UnusableSnapshot('is damaged')
    return bytes
  }
  if (!MAGIC.equals(read(MAGIC.length))) throw new UnusableSnapshot('is damaged')
  return () => {
    const head = read(8)
    const [length, checksum] = [head.readUInt32LE(0), head.readUInt32LE(4)]
    const bytes = read(length)
    if (crc32(bytes) !== checksum) throw new UnusableSnapshot('is damaged')
    const part = deserialize(bytes) as Record<string, unknown> | Uint8Array
    if (part instanceof Uint8Array) return part
    // Arrays that begin at a multiple of their width still lie in the buffer.
    for (const [name, value] of Object.entries(part)) if (isIn(buffer, value)) part[name] = value.slice()
    return part
  }
}

function isIn({ buffer }: Buffer, value: unknown): value is Uint8Array {
  return ArrayBuffer.isView(value) && value.buffer === buffer
}
