import { createHash } from 'node:crypto'
import { type FileHandle, open, readdir, stat } from 'node:fs/promises'
import { join, matchesGlob } from 'node:path'
import { setTimeout as pauseFor } from 'node:timers/promises'
import { parse } from 'csv-parse/sync'
import { z } from 'zod'
import { type RunningMapping, startMapping } from '../mapping/mapping.ts'
import { checkTemplates, duration, mappedSource } from '../mapping/rules.ts'
import type { Facts } from '../mapping/templates.ts'
import type { Source, SourceContext } from '../source.ts'

/**
 * Reads the files of a folder as they grow: CSV or lines of JSON. The folder is listed repeatedly, because network
 * shares do not report changes. A note, stored after the reports, records how far each file was read.
 */

export const filesSource = z
  .strictObject({
    kind: z.literal('files'),
    ...mappedSource,
    folder: z.string().min(1),
    /** Which names, for example `*.csv`. */
    match: z.string().min(1).max(200).default('*'),
    format: z.enum(['csv', 'jsonl']),
    delimiter: z.string().length(1).default(','),
    /** Names of the columns; without them, the first line of each file has them. */
    columns: z.array(z.string().min(1)).min(1).max(500).optional(),
    encoding: z.enum(['utf-8', 'windows-1252']).default('utf-8'),
    every: duration.refine((ms) => ms >= 100, 'must be 100ms or longer').default(2000),
    maxBytes: z.number().int().min(100).max(1_000_000).default(65_536),
  })
  .superRefine(checkTemplates)
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
})
type Progress = z.output<typeof progress>

const HEAD_BYTES = 1024
/** After this time without a change, the last line is complete even without its line end. */
const STILL_MS = 60_000
/** As many as the mapping recognises when they come again after a crash. */
const RECORDS_AT_ONCE = 100
const BEGINNING: Progress = { offset: 0, head: '', headBytes: 0, columns: null, isCut: false }

export function files(config: FilesConfig, { now = Date.now }: { now?: () => number } = {}): Source {
  return async (context) => {
    const mapping = startMapping(config, context)
    const stopping = new AbortController()
    const { signal } = stopping
    const prefix = `${config.name}/file/`
    const known = new Map<string, Progress>()
    for (const [name, value] of context.notes)
      if (name.startsWith(prefix)) known.set(name.slice(prefix.length), progress.parse(JSON.parse(value)))
    const keep = async (file: string, at: Progress | null) => {
      if (at) known.set(file, at)
      else known.delete(file)
      await context.keep({ name: prefix + file, value: at && JSON.stringify(at) })
    }

    const reading = { config, context, mapping, signal, now, keep }
    let isUp = false
    /** The files were absent or not watched: one of the same name and size may be another file. */
    let wereAway = true
    async function look(): Promise<void> {
      const names = (await readdir(config.folder)).filter((name) => matchesGlob(name, config.match)).sort()
      if (!isUp) context.link(config.name, 'up')
      isUp = true
      const isDoubtful = wereAway
      wereAway = names.length === 0
      // An empty folder may be the mount point of a share that is not mounted, whose files will return.
      if (names.length > 0) for (const file of known.keys()) if (!names.includes(file)) await keep(file, null)
      for (const file of names) {
        if (signal.aborted) return
        await readFile(file, { ...reading, isDoubtful, at: known.get(file) ?? BEGINNING }).catch((error: unknown) =>
          mapping.fault(`${file} can't be read: ${reasonOf(error)}.`),
        )
      }
    }

    async function run(): Promise<void> {
      while (!signal.aborted) {
        await look().catch((error: unknown) => {
          isUp = false
          context.link(config.name, 'down', `The folder ${config.folder} can't be read: ${reasonOf(error)}.`)
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

interface Reading {
  config: FilesConfig
  context: SourceContext
  mapping: RunningMapping
  signal: AbortSignal
  now: () => number
  at: Progress
  /** Its first bytes are compared even if it has not grown. */
  isDoubtful: boolean
  keep(file: string, at: Progress): Promise<void>
}

/** Reads what was added to a file. A failed write ends it; the next round continues at the note. */
async function readFile(
  file: string,
  { config, context, mapping, signal, now, at: from, isDoubtful, keep }: Reading,
): Promise<void> {
  const path = join(config.folder, file)
  const about = await stat(path)
  if (!about.isFile() || (about.size === from.offset && from.offset > 0 && !isDoubtful)) return
  const handle = await open(path)
  try {
    const begins = await bytesOf(handle, 0, from.headBytes)
    let at = about.size < from.offset || digest(begins) !== from.head ? BEGINNING : from
    const isStill = now() - about.mtimeMs > STILL_MS
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
        if (fault) mapping.fault(`${file}, byte ${offset - length}: ${fault}`)
        else if (text.trim() !== '') {
          const read = factsOf(isFirst ? text.replace(/^\ufeff/, '') : text, config, config.columns ?? columns)
          if (read.kind === 'columns') columns = read.columns
          else if (read.kind === 'fault') mapping.fault(`${file}, byte ${offset - length}: ${read.fault}`)
          else messages.push({ file, ...read.facts, id })
        }
      }
      await mapping.take(messages).catch((error: unknown) => {
        context.log.error({ err: error }, 'A file could not be stored and is read again. Check the disk.')
        throw error
      })
      const headBytes = Math.min(HEAD_BYTES, offset)
      at = { offset, columns, isCut, headBytes, head: digest(await bytesOf(handle, 0, headBytes)) }
      await keep(file, at)
    }
  } finally {
    await handle.close()
  }
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

/** Splits bytes into complete records. In CSV, a line end within quotes belongs to its record. */
function recordsOf(bytes: Buffer, { config, isLast }: { config: FilesConfig; isLast: boolean }): FileRecord[] {
  const decoder = new TextDecoder(config.encoding, { ignoreBOM: true })
  const records: FileRecord[] = []
  let from = 0
  let isQuoted = false
  const push = (to: number, fault?: string) => {
    const text = decoder.decode(bytes.subarray(from, to)).replace(/\r?\n$/, '')
    records.push({ text, length: to - from, ...(fault !== undefined && { fault, isPart: bytes[to - 1] !== LINE_END }) })
    from = to
    isQuoted = false
  }
  for (let at = 0; at < bytes.length && records.length < RECORDS_AT_ONCE; at++) {
    if (bytes[at] === QUOTE && config.format === 'csv') isQuoted = !isQuoted
    else if (bytes[at] === LINE_END && !isQuoted) push(at + 1)
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

type Read = { kind: 'columns'; columns: string[] } | { kind: 'fault'; fault: string } | { kind: 'facts'; facts: Facts }

function factsOf(text: string, { format, delimiter }: FilesConfig, columns: readonly string[] | null): Read {
  try {
    if (format === 'jsonl') return { kind: 'facts', facts: { json: JSON.parse(text) as unknown } }
    const [cells = []]: string[][] = parse(text, { delimiter, relax_column_count: true, trim: true })
    if (!columns) return { kind: 'columns', columns: cells }
    if (cells.length !== columns.length)
      return { kind: 'fault', fault: `The line has ${cells.length} columns instead of ${columns.length}.` }
    return { kind: 'facts', facts: { row: Object.fromEntries(columns.map((name, index) => [name, cells[index]])) } }
  } catch {
    return { kind: 'fault', fault: `This is not ${format === 'csv' ? 'CSV' : 'JSON'}: ${text.slice(0, 80)}` }
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return 'code' in error ? String(error.code) : error.message
}
