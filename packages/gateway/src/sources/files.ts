import { createHash } from 'node:crypto'
import type { Stats } from 'node:fs'
import { type FileHandle, open, readdir, stat } from 'node:fs/promises'
import { join, matchesGlob, resolve } from 'node:path'
import { setTimeout as pauseFor } from 'node:timers/promises'
import { parse } from 'csv-parse/sync'
import { z } from 'zod'
import { type RunningMapping, startMapping } from '../mapping/mapping.ts'
import { checkEnds, checkTemplates, duration, mappedSource } from '../mapping/rules.ts'
import type { Facts } from '../mapping/templates.ts'
import type { Source, SourceContext } from '../source.ts'

/**
 * Reads the files of a folder as they grow: CSV or lines of JSON. The folder is listed repeatedly, because network
 * shares do not report changes. A note, stored with the reports, records how far each file was read.
 */

export const filesSource = z
  .strictObject({
    kind: z.literal('files'),
    ...mappedSource,
    folder: z.string().min(1),
    /** Which names, for example `*.csv`. */
    match: z
      .string()
      .min(1)
      .max(200)
      // A name has no slash; only `**/` also stands for no folder.
      .regex(
        /^(?:\*\*\/)*[^/]*$/,
        'must be a pattern of file names without a folder, such as "*.csv". Name the folder in folder',
      )
      .default('*'),
    format: z.enum(['csv', 'jsonl']),
    delimiter: z.string().length(1, 'must be one character, such as ";" or "\\t" for a tab').default(','),
    decimal: z.enum(['.', ',']).default('.'),
    /** Names of the columns; without them, the first line of each file has them. */
    columns: z.array(z.string().min(1)).min(1).max(500).optional(),
    encoding: z.enum(['utf-8', 'windows-1252']).default('utf-8'),
    every: duration.refine((ms) => ms >= 100, 'must be 100ms or longer').default(2000),
    maxBytes: z.number().int().min(100).max(1_000_000).default(65_536),
  })
  .superRefine(checkTemplates)
  .superRefine(checkEnds)
export type FilesConfig = z.output<typeof filesSource>

const progress = z.object({
  /** Bytes that are read. */
  offset: z.number(),
  /** Digest of the first bytes that were read: a file with another beginning is another file. */
  head: z.string(),
  headBytes: z.number(),
  columns: z.array(z.string()).nullable(),
  /** The rest of a line that was too long comes next; it is not a record. */
  isCut: z.boolean(),
  /** The same for the same file, also under another name. */
  identity: z.string().optional(),
})
type Progress = z.output<typeof progress>

const HEAD_BYTES = 1024
/** After this time without a change, the last line is complete even without its line end. */
const STILL_MS = 60_000
const RECORDS_AT_ONCE = 100
const BEGINNING: Progress = { offset: 0, head: '', headBytes: 0, columns: null, isCut: false }

/** A file as it was found, and since when it looks like that. */
interface Seen {
  size: number
  mtimeMs: number
  since: number
}

interface FilesOptions {
  /** In milliseconds; not the time of day, which may be set. */
  now?: () => number
  isMountPoint?: (folder: string) => Promise<boolean>
}

export function files(
  config: FilesConfig,
  { now = () => performance.now(), isMountPoint = isOnOtherDisk }: FilesOptions = {},
): Source {
  return async (context) => {
    const mapping = startMapping(config, context)
    const stopping = new AbortController()
    const { signal } = stopping
    const prefix = `${config.name}/file/`
    const known = new Map<string, Progress>()
    for (const [name, value] of context.notes)
      if (name.startsWith(prefix)) known.set(name.slice(prefix.length), progress.parse(JSON.parse(value)))
    const keep = async (file: string, at: Progress | null) => {
      await context.keep({ name: prefix + file, value: at && JSON.stringify(at) })
      if (at) known.set(file, at)
      else known.delete(file)
    }

    const seen = new Map<string, Seen>()
    const reading = { config, context, mapping, signal, now, seen, keep }
    const mountNote = `${config.name}/mount`
    /** The folder with its last files was the mount point of a share. */
    let wasMounted = context.notes.has(mountNote)
    let isUp = false
    /** Progress before the last round. */
    let earlier: [file: string, Progress][] = []
    async function look(): Promise<void> {
      const names = new Set((await readdir(config.folder)).filter((name) => matchesGlob(name, config.match)))
      const isMounted = await isMountPoint(config.folder)
      if (names.size === 0 && wasMounted && !isMounted) throw new Error('its share is not mounted')
      if (names.size > 0 && isMounted !== wasMounted) {
        await context.keep({ name: mountNote, value: isMounted ? 'yes' : null })
        wasMounted = isMounted
      }
      const found = await inOrder([...names], config.folder)
      if (!isUp) context.link(config.name, 'up')
      isUp = true
      // A file that was away may be another one, although it looks the same.
      for (const file of seen.keys()) if (!names.has(file)) seen.delete(file)
      // A file may be replaced between two looks at the folder, so that it has no name in one of them.
      const before = [...earlier, ...known]
      earlier = [...known]
      for (const { name: file, listed } of found) {
        if (signal.aborted) return
        await readFile(file, { ...reading, listed, at: known.get(file) ?? BEGINNING, before }).catch(
          (error: unknown) => {
            seen.delete(file)
            context.fault(`${file} can't be read: ${reasonOf(error)}.`)
          },
        )
      }
      // An empty folder may be the mount point of a share that is not mounted, whose files will return.
      if (names.size > 0) for (const file of known.keys()) if (!names.has(file)) await keep(file, null)
    }

    async function run(): Promise<void> {
      while (!signal.aborted) {
        await look().catch((error: unknown) => {
          isUp = false
          context.link(config.name, 'down', `The folder ${resolve(config.folder)} can't be read: ${reasonOf(error)}.`)
        })
        await pauseFor(config.every, undefined, { signal }).catch(() => undefined)
      }
    }
    const running = run()
    return {
      async stop() {
        stopping.abort()
        await running
        await mapping.stop()
      },
    }
  }
}

async function isOnOtherDisk(folder: string): Promise<boolean> {
  const [own, above] = await Promise.all([stat(folder), stat(join(folder, '..'))])
  return own.dev !== above.dev
}

interface Reading {
  config: FilesConfig
  context: SourceContext
  mapping: RunningMapping
  signal: AbortSignal
  now: () => number
  seen: Map<string, Seen>
  listed: Stats | null
  at: Progress
  /** Progress of each name before this round, the newest last: one of those files may have this name now. */
  before: readonly (readonly [file: string, Progress])[]
  keep(file: string, at: Progress): Promise<void>
}

/**
 * Returns the files, those that were written first: the end of an alarm may be in the file that replaced that of its
 * beginning.
 */
async function inOrder(names: readonly string[], folder: string): Promise<{ name: string; listed: Stats | null }[]> {
  const files = await Promise.all(
    names.map(async (name) => ({ name, listed: await stat(join(folder, name)).catch(() => null) })),
  )
  const timeOf = ({ listed }: { listed: Stats | null }) => listed?.mtimeMs ?? 0
  return files.sort((a, b) => timeOf(a) - timeOf(b) || (a.name < b.name ? -1 : 1))
}

/** Reads what was added to a file. A failed write ends it; the next round continues at the note. */
async function readFile(
  file: string,
  { config, context, mapping, signal, now, seen, listed, at: from, before, keep }: Reading,
): Promise<void> {
  const path = join(config.folder, file)
  const found = listed ?? (await stat(path))
  if (!found.isFile()) return
  const { size, mtimeMs } = found
  const last = seen.get(file)
  const isSame = last?.size === size && last.mtimeMs === mtimeMs
  if (!isSame) seen.set(file, { size, mtimeMs, since: now() })
  else if (size === from.offset) return
  // The time of the file is that of the instrument or the share, whose clock may be wrong.
  const isStill = isSame && now() - last.since > STILL_MS
  const handle = await open(path)
  try {
    // The name may belong to another file since.
    const about = await handle.stat()
    let at = from
    if (at.offset === 0 || !(await isReadIn(handle, about, at))) {
      at = BEGINNING
      for (const [name, other] of before)
        if (name !== file && other.identity === identityOf(about) && (await isReadIn(handle, about, other))) at = other
      // It may grow to its old size before anything of it can be reported.
      if (at !== from) await keep(file, at)
    }
    while (!signal.aborted && at.offset < about.size) {
      const bytes = await bytesOf(handle, at.offset, config.maxBytes + 1)
      // The file has become shorter in the meantime.
      if (bytes.length === 0) return
      if (at.isCut) {
        const end = bytes.indexOf(LINE_END)
        at = { ...at, offset: at.offset + (end === -1 ? bytes.length : end + 1), isCut: end === -1 }
        continue
      }
      const isLast = isStill && at.offset + bytes.length >= about.size
      const records = recordsOf(bytes, { config, isLast })
      if (records.length === 0) return
      const messages: Facts[] = []
      let { offset, columns } = at
      let isCut = false
      for (const { text, length, fault, isPart } of records) {
        isCut = isPart === true
        const id = `${file} ${offset} ${text}`
        const isFirst = offset === 0
        offset += length
        if (fault) context.fault(`${file}, byte ${offset - length}: ${fault}`)
        else if (text.trim() !== '') {
          const read = factsOf(isFirst ? text.replace(/^\ufeff/, '') : text, config, config.columns ?? columns)
          if (read.fault) context.fault(`${file}, byte ${offset - length}: ${read.fault}`)
          if (read.columns) columns = read.columns
          if (read.facts) messages.push({ file, ...read.facts, id, repeated: false })
        }
      }
      const headBytes = Math.min(HEAD_BYTES, offset)
      const head = digest(await bytesOf(handle, 0, headBytes))
      at = { offset, columns, isCut, headBytes, head, identity: identityOf(about) }
      // Called in one tick, so that the outbox stores all of it or nothing.
      await Promise.all([mapping.take(messages), keep(file, at)]).catch((error: unknown) => {
        context.log.error({ err: error }, 'A file could not be stored and is read again. Check the disk.')
        throw new Error("its reports could not be stored. Check the gateway's disk", { cause: error })
      })
    }
  } finally {
    await handle.close()
  }
}

/** True if a file contains what was read of it. */
async function isReadIn(handle: FileHandle, { size }: Stats, { offset, head, headBytes }: Progress): Promise<boolean> {
  return offset <= size && digest(await bytesOf(handle, 0, headBytes)) === head
}

/** A new file may get the number of a deleted one, but not its birth. */
function identityOf({ ino, birthtimeMs }: Stats): string {
  return `${ino} ${birthtimeMs}`
}

async function bytesOf(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position)
  return buffer.subarray(0, bytesRead)
}

function digest(bytes: Buffer): string {
  return bytes.length === 0 ? '' : createHash('sha256').update(bytes).digest('hex')
}

interface FileRecord {
  text: string
  /** Bytes, with the line end. */
  length: number
  fault?: string
  /** Its line continues after it. */
  isPart?: boolean
}

const LINE_END = 10
const QUOTE = 34
/** Blanks before a field, and the bytes of a byte order mark. */
const BLANKS = new Set([32, 9, 0xef, 0xbb, 0xbf])

/** Splits bytes into complete records. In CSV, a line end within quotes belongs to its record. */
function recordsOf(bytes: Buffer, { config, isLast }: { config: FilesConfig; isLast: boolean }): FileRecord[] {
  const decoder = new TextDecoder(config.encoding, { ignoreBOM: true })
  const records: FileRecord[] = []
  let from = 0
  let isQuoted = false
  /** Only there does a quote open a text; `3/4"` has a character. */
  let isFieldStart = true
  const delimiter = config.delimiter.charCodeAt(0)
  const push = (to: number, fault?: string) => {
    const text = decoder.decode(bytes.subarray(from, to)).replace(/\r?\n$/, '')
    records.push({ text, length: to - from, ...(fault !== undefined && { fault, isPart: bytes[to - 1] !== LINE_END }) })
    from = to
    isQuoted = false
    isFieldStart = true
  }
  for (let at = 0; at < bytes.length && records.length < RECORDS_AT_ONCE; at++) {
    const byte = bytes[at] ?? 0
    if (isQuoted) {
      if (byte === QUOTE && bytes[at + 1] === QUOTE) at++
      else isQuoted = byte !== QUOTE
    } else if (byte === LINE_END) push(at + 1)
    else {
      isQuoted = byte === QUOTE && isFieldStart && config.format === 'csv'
      isFieldStart = !isQuoted && (byte === delimiter || (isFieldStart && BLANKS.has(byte)))
    }
  }
  if (records.length > 0) return records
  const isTooLong = bytes.length > config.maxBytes
  // An open quote must not swallow the rest of the file: only its line is skipped.
  const lineEnd = bytes.indexOf(LINE_END)
  if (isTooLong || (isLast && isQuoted))
    push(
      lineEnd === -1 ? bytes.length : lineEnd + 1,
      `A record has more than maxBytes (${config.maxBytes}), or an open quote.`,
    )
  else if (isLast) push(bytes.length)
  return records
}

interface Read {
  facts?: Facts
  /** The line has the names of the columns. */
  columns?: string[]
  fault?: string
}

function factsOf(
  text: string,
  { format, delimiter, decimal, encoding }: FilesConfig,
  columns: readonly string[] | null,
): Read {
  // Every second byte is 0.
  if (text.split('\u0000').length - 1 > text.length / 3)
    return { fault: 'This is UTF-16. Have the file written as utf-8.' }
  try {
    if (format === 'jsonl') return { facts: { json: JSON.parse(text) as unknown } }
    const [cells = []]: string[][] = parse(text, {
      delimiter,
      relax_column_count: true,
      relax_quotes: true,
      trim: true,
    })
    if (!columns) {
      const [first = ''] = cells
      if (text.includes('\ufffd'))
        return {
          columns: cells,
          fault: `The column names are not ${encoding}. Set encoding: windows-1252, or have the file written as utf-8.`,
        }
      if (cells.length === 1 && /[;,\t|]/.test(first))
        return { columns: cells, fault: `There is one column, '${first}'. Set delimiter to what separates columns.` }
      return { columns: cells }
    }
    if (cells.length !== columns.length)
      return { fault: `The line has ${cells.length} columns instead of ${columns.length}.` }
    const values = decimal === ',' ? cells.map((cell) => cell.replace(/^([+-]?\d+),(\d+)$/, '$1.$2')) : cells
    return { facts: { row: Object.fromEntries(columns.map((name, index) => [name, values[index]])) } }
  } catch {
    return { fault: `This is not ${format === 'csv' ? 'CSV' : 'JSON'}: ${text.slice(0, 80)}` }
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return 'code' in error ? String(error.code) : error.message
}
