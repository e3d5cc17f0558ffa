import { closeSync, openSync, readSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import type { SnapshotXid } from '../db/queues/queue-position.ts'
import { type Dimension, EventArrays, ROWS } from './event-arrays.ts'
import type { DatabaseIdentity } from './index-rows.queries.ts'

/**
 * The index as a file, so that a restart reads only what changed since. It begins with a magic word and a head of JSON;
 * the arrays follow as they are in memory. Head and arrays each end with their checksum.
 */
const MAGIC = 'benchwatch-index'
/** Raise it when the arrays change their meaning. */
const VERSION = 1
const LONGEST_HEAD = 1 << 26
/** Bytes that are copied and written at a time. */
const PIECE = 1 << 20

type Numbers = Float64Array | Uint32Array | Int32Array | Uint16Array | Uint8Array
const types = { Float64Array, Uint32Array, Int32Array, Uint16Array, Uint8Array }

interface Head {
  version: number
  identity: DatabaseIdentity
  snapshotXid: SnapshotXid
  ownerCount: number
  chunks: { firstId: number; epoch: number; earliest: number; latest: number; hasEmails: boolean }[]
  arrays: { type: keyof typeof types; length: number }[]
}

export interface Snapshot {
  identity: DatabaseIdentity
  snapshotXid: SnapshotXid
  arrays: EventArrays
}

/** Says why a file can't be used, as the end of a sentence. */
export class UnusableSnapshot extends Error {}

/**
 * Writes the file beside the old one and replaces that. Searches may go on meanwhile, because they leave the arrays as
 * they were; changes may not.
 */
export async function writeSnapshot(file: string, { identity, snapshotXid, arrays }: Snapshot): Promise<void> {
  arrays.texts.sort()
  const { texts, kinds, ownerCount } = arrays
  const content: Numbers[] = [
    texts.bytes.subarray(0, texts.length),
    texts.ends.subarray(0, texts.count),
    texts.sorted,
    texts.isRepeat,
    ...Object.values(kinds.values).map(({ values, size }) => values.subarray(0, size)),
  ]
  const chunks = arrays.chunks.map((chunk) => {
    const { firstId, epoch, earliest, latest, emailed, lastActions } = chunk
    content.push(chunk.created, chunk.kinds, chunk.texts, chunk.owners, chunk.states)
    content.push(
      Uint16Array.from(lastActions.keys()),
      Float64Array.from(lastActions.values()),
      ...(emailed ? [emailed] : []),
    )
    return { firstId, epoch, earliest, latest, hasEmails: emailed !== null }
  })
  const described = content.map((numbers) => ({
    type: numbers.constructor.name as keyof typeof types,
    length: numbers.length,
  }))
  const head: Head = { version: VERSION, identity, snapshotXid, ownerCount, chunks, arrays: described }
  const json = Buffer.from(JSON.stringify(head))
  const temporary = `${file}.tmp`
  try {
    const handle = await open(temporary, 'w', 0o600)
    try {
      await handle.writeFile(Buffer.concat([Buffer.from(MAGIC), fourBytes(json.length), json, fourBytes(crc32(json))]))
      for (const numbers of content) {
        const bytes = bytesOf(numbers)
        let checksum = 0
        for (let at = 0; at < bytes.length; at += PIECE) {
          // Copied, because a search changes the arrays for a moment while the disk is written.
          const piece = Buffer.from(bytes.subarray(at, at + PIECE))
          checksum = crc32(piece, checksum)
          await handle.writeFile(piece)
        }
        await handle.writeFile(fourBytes(checksum))
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

/**
 * Reads the file. Returns null if there is none. Throws UnusableSnapshot if it is damaged, or if it is not of this
 * database, this timeline or this version.
 */
export function readSnapshot(
  file: string,
  { nextXid, ...identity }: DatabaseIdentity & { nextXid: SnapshotXid },
): Snapshot | null {
  let descriptor: number
  try {
    descriptor = openSync(file, 'r')
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return null
    throw error
  }
  try {
    if (Buffer.from(readBytes(descriptor, new Uint8Array(MAGIC.length))).toString() !== MAGIC) throw damaged()
    const length = readFourBytes(descriptor)
    if (length > LONGEST_HEAD) throw damaged()
    const json = readChecked(descriptor, new Uint8Array(length))
    const head = JSON.parse(Buffer.from(json).toString()) as Head
    if (head.version !== VERSION) throw new UnusableSnapshot('was written by another version')
    const { system, database, timeline } = head.identity
    if (system !== identity.system || database !== identity.database) {
      throw new UnusableSnapshot('belongs to another database')
    }
    if (timeline !== identity.timeline || BigInt(head.snapshotXid) > BigInt(nextXid)) {
      throw new UnusableSnapshot('belongs to another history of the database')
    }
    const content = head.arrays.map(({ type, length }) => readChecked(descriptor, new types[type](length)))
    return { identity: head.identity, snapshotXid: head.snapshotXid, arrays: arraysOf(head, content) }
  } catch (error) {
    throw error instanceof UnusableSnapshot ? error : damaged(error)
  } finally {
    closeSync(descriptor)
  }
}

function arraysOf({ ownerCount, chunks }: Head, content: readonly Numbers[]): EventArrays {
  const arrays = new EventArrays()
  const left = content.values()
  const next = <T extends Numbers>() => left.next().value as T
  arrays.ownerCount = ownerCount
  arrays.texts.restore({ bytes: next(), ends: next(), sorted: next(), isRepeat: next() })
  const dimensions = Object.keys(arrays.kinds.values) as Dimension[]
  const values = dimensions.map((name) => [name, next()] as const)
  const kind = {} as Record<Dimension, number>
  for (let number = 0; number < (values[0]?.[1].length ?? 0); number += 1) {
    for (const [name, ofKinds] of values) kind[name] = ofKinds[number] as number
    arrays.kinds.numberOf(kind)
  }
  for (const { hasEmails, ...about } of chunks) {
    const columns = {
      created: next<Uint32Array>(),
      kinds: next<Uint32Array>(),
      texts: next<Uint32Array>(),
      owners: next<Uint16Array>(),
      states: next<Uint8Array>(),
    }
    const rows = next()
    const instants = next()
    const lastActions = new Map(Array.from(rows, (row, index) => [row, instants[index] as number]))
    if (columns.states.length !== ROWS) throw damaged()
    arrays.chunks.push({ ...about, ...columns, lastActions, emailed: hasEmails ? next<Float64Array>() : null })
  }
  return arrays
}

function damaged(cause?: unknown): UnusableSnapshot {
  return new UnusableSnapshot('is damaged', { cause })
}

function readChecked<T extends Numbers>(descriptor: number, numbers: T): T {
  readBytes(descriptor, bytesOf(numbers))
  if (readFourBytes(descriptor) !== crc32(bytesOf(numbers))) throw damaged()
  return numbers
}

function readBytes(descriptor: number, bytes: Uint8Array): Uint8Array {
  for (let at = 0; at < bytes.length; ) {
    const read = readSync(descriptor, bytes, at, Math.min(bytes.length - at, 1 << 30), null)
    if (read === 0) throw damaged()
    at += read
  }
  return bytes
}

function readFourBytes(descriptor: number): number {
  return Buffer.from(readBytes(descriptor, new Uint8Array(4))).readUInt32LE()
}

function fourBytes(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

function bytesOf({ buffer, byteOffset, byteLength }: Numbers): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength)
}
