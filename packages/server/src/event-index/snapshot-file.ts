import { closeSync, openSync, readSync } from 'node:fs'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Deserializer, Serializer } from 'node:v8'
import { crc32 } from 'node:zlib'
import type { SnapshotXid } from '../db/queues/queue-position.ts'
import type { DatabaseIdentity } from '../db/sql/database-identity.ts'
import { type Chunk, EventArrays } from './event-arrays.ts'
import type { Index } from './find.ts'

/**
 * The index as a file, so that a restart reads only what changed since: a magic word, then the head, the texts, and each
 * chunk, as V8 writes objects, behind their length and their checksum.
 */
const MAGIC = Buffer.from('benchwatch-index')
/** Raise it when the content changes its meaning. */
const VERSION = 4

/** The index with every change below the snapshot xid. */
export interface Snapshot extends Index {
  identity: DatabaseIdentity
  snapshotXid: SnapshotXid
}

/** Says why a file can't be used, as the end of a sentence. */
export class UnusableSnapshot extends Error {}

/**
 * Writes the file beside the old one and then replaces that. The index must not apply changes in the meantime; searches
 * may continue, because each leaves the arrays as they were.
 */
export async function writeSnapshot(file: string, snapshot: Snapshot): Promise<void> {
  const temporary = `${file}.tmp`
  try {
    // Beside an external database nothing else may have made the folder yet.
    await mkdir(dirname(file), { recursive: true })
    const handle = await open(temporary, 'w', 0o600)
    try {
      await handle.writeFile(MAGIC)
      for (const part of partsOf(snapshot)) {
        await handle.writeFile(Uint32Array.of(part.length, crc32(part)))
        await handle.writeFile(part)
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

function headOf({ arrays, ...head }: Snapshot) {
  const { kinds, texts, ownerCount, chunks } = arrays
  texts.sort()
  const { bytes: _, ...ofTexts } = texts
  // Without the room for more kinds, which takes no memory before it is written or read from a file.
  const { columns, ...ofKinds } = kinds
  const filled = Object.fromEntries(
    Object.entries(columns).map(([name, numbers]) => [name, numbers.slice(0, kinds.size)]),
  )
  return {
    version: VERSION,
    chunkSize: arrays.rows.length,
    ...head,
    kinds: { ...ofKinds, columns: filled as typeof columns },
    texts: ofTexts,
    ownerCount,
    chunks: chunks.length,
  }
}

function* partsOf(snapshot: Snapshot): Generator<Uint8Array> {
  const { texts } = snapshot.arrays
  const [chunks, textBytes] = [[...snapshot.arrays.chunks], texts.startOf(texts.count)]
  yield serialized(headOf(snapshot))
  yield texts.bytes.subarray(0, textBytes)
  for (const chunk of chunks) yield serialized(chunk)
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
    const { version, chunkSize, kinds, texts, ownerCount, chunks, ...head } = deserialized(readPart()) as Head
    const arrays = Object.assign(new EventArrays(), { ownerCount })
    if (version !== VERSION || chunkSize !== arrays.rows.length)
      throw new UnusableSnapshot('was written by another version')
    const { system, database, events, timeline } = head.identity
    if (system !== identity.system || database !== identity.database || events !== identity.events) {
      throw new UnusableSnapshot('belongs to another database')
    }
    if (timeline !== identity.timeline || BigInt(head.snapshotXid) > BigInt(nextXid)) {
      throw new UnusableSnapshot('belongs to another history of the database')
    }
    const { subjects, places, kinds: numbers, ...rest } = kinds
    Object.assign(arrays.kinds, rest)
    Object.assign(arrays.kinds.subjects, subjects)
    Object.assign(arrays.kinds.places, places)
    Object.assign(arrays.kinds.kinds, numbers)
    Object.assign(arrays.texts, texts, { bytes: readPart() })
    for (let chunk = 0; chunk < chunks; chunk += 1) arrays.chunks.push(deserialized(readPart()) as Chunk)
    return { ...head, arrays }
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return null
    throw error instanceof UnusableSnapshot ? error : new UnusableSnapshot('is damaged', { cause: error })
  } finally {
    if (descriptor !== null) closeSync(descriptor)
  }
}

function createPartReader(descriptor: number): () => Buffer {
  const read = (length: number) => {
    const bytes = Buffer.allocUnsafeSlow(length)
    if (readSync(descriptor, bytes) !== length) throw new UnusableSnapshot('is damaged')
    return bytes
  }
  if (!MAGIC.equals(read(MAGIC.length))) throw new UnusableSnapshot('is damaged')
  return () => {
    const head = read(8)
    const bytes = read(head.readUInt32LE(0))
    if (crc32(bytes) !== head.readUInt32LE(4)) throw new UnusableSnapshot('is damaged')
    return bytes
  }
}

/** Unlike `serialize`, copies each array, so that none of those read keeps the bytes of a whole part in memory. */
function serialized(part: object): Uint8Array {
  const serializer = new Serializer()
  serializer.writeHeader()
  serializer.writeValue(part)
  return serializer.releaseBuffer()
}

function deserialized(bytes: Buffer): unknown {
  const deserializer = new Deserializer(bytes)
  deserializer.readHeader()
  const part: unknown = deserializer.readValue()
  // Frees the bytes now and not with the next collection, which an idle server may not need for hours.
  ;(bytes.buffer as ArrayBuffer).transfer(0)
  return part
}
