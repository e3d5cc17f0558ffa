import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { RegistryChange } from '@benchwatch/contract/administration/registry'
import { CsvError, type Info, parse } from 'csv-parse'
import type { z } from 'zod'
import type { Actor } from '../../db/actor.ts'
import type { Db, Trx } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Clock } from '../../platform/clock.ts'
import { contentTag, requireUnchanged } from '../../platform/http/etag.ts'
import { type ProblemError, problem } from '../../platform/http/problem.ts'
import type { FeatureContext } from '../context.ts'
import { RefusedObjects } from './refusals.ts'
import { type RegisteredKind, registeredKinds } from './registered-kinds.ts'
import { type StoredObjects, storedByKey } from './registry.queries.ts'
import { lockInstrumentsOf, lockRegistry, takeImportLock } from './registry-locks.store.ts'
import type { Keyed, RegistryKind, Writing } from './registry-object.ts'
import { takenBack } from './upsert.store.ts'

/**
 * Registers or replaces one object and writes the audit log in the same transaction; returns the stored object. Throws
 * version-mismatch if an If-Match header names another version.
 */
export async function register(
  db: Db,
  {
    kind,
    object,
    ifMatch,
    actor,
    clock,
  }: { kind: RegistryKind; object: Keyed<object>; ifMatch?: string | undefined; actor: Actor; clock: Clock },
): Promise<{ stored: StoredObjects[RegistryKind]; created: boolean }> {
  return inTransaction(db, async (trx) => {
    await lockRegistry(trx)
    await lockInstrumentsOf(trx, { instruments: kind === 'instruments' ? [object.key] : [], contracts: [] })
    if (ifMatch !== undefined) {
      const before = (await storedByKey(trx, kind, [object.key])).get(object.key)
      requireUnchanged(ifMatch, before ? registryTag(kind, before) : null)
    }
    // Read after the locks: what ingest stores until then belongs to the former customer of an instrument that moves.
    const at = clock.now()
    const { created } = await registeredKinds[kind].upsert(trx, { actor, at }, [object])
    const stored = (await storedByKey(trx, kind, [object.key])).get(object.key)
    if (!stored) throw new Error(`The registry did not keep ${kind}/${object.key}.`)
    return { stored, created: created.has(object.key) }
  })
}

/** Returns the ETag of what a PUT replaces of an object. */
export function registryTag(kind: RegistryKind, object: StoredObjects[RegistryKind]): string {
  const { readOnly } = registeredKinds[kind]
  return contentTag(Object.entries(object).filter(([name]) => !readOnly.has(name)))
}

/** Contents of a file: the objects with their line numbers, and the errors of other lines. */
interface ImportFile {
  kind: RegistryKind
  objects: Keyed<object>[]
  /** Line number of each object, by key. */
  lines: Map<string, number>
  errors: ImportError[]
}

/** Lines between two turns of other requests: a few milliseconds. */
const LINES_A_TURN = 500

/** A file as it was sent, without its byte order mark. */
interface SentFile {
  kind: RegistryKind
  text: string
  isCsv: boolean
}

interface Import {
  /** At most one file of a kind. */
  files: readonly SentFile[]
  /** True to check the import without writing anything. */
  dryRun: boolean
  actor: Actor
}

interface Outcome {
  created: number
  updated: number
  errors: (ImportError & { kind: RegistryKind })[]
  /** The first differences from the registry. */
  changes: RegistryChange[]
}

/** Order in which the kinds refer to earlier ones. Nothing refers to the last two. */
const order: readonly RegistryKind[] = [
  ...(['customers', 'sites', 'contracts', 'contacts', 'gateways', 'instrument-families', 'instrument-types'] as const),
  ...(['instruments', 'event-templates'] as const),
]

/** Objects per statement: 20 ms of processing, so that other requests are answered in between. */
const BATCH = 250
const MOST_CHANGES = 1000

/**
 * Registers all objects of the files in one transaction, or none if there is any error. First checks and compares
 * everything without writing. A dry run therefore answers the same as the import, and instrument rows, which gateways
 * wait for, are locked only while they are written. One import at a time: otherwise throws unavailable for a second.
 */
export async function importObjects(
  { db, clock }: Pick<FeatureContext, 'db' | 'clock'>,
  { files: sent, dryRun, actor }: Import,
): Promise<Outcome> {
  const files: ImportFile[] = []
  for (const file of sent.toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind))) {
    files.push(await readImportFile(file))
  }
  if (files.some(({ errors }) => errors.length > MOST_ERRORS)) return refused(files)
  return inTransaction(db, async (trx) => {
    if (!(await takeImportLock(trx))) {
      throw problem('unavailable', 'Another file is being imported. Try again in a minute.', { retryAfter: 10 })
    }
    if (!dryRun || files.length > 1) await lockRegistry(trx)
    const writing = { actor, at: clock.now() }
    const trials = await takenBack(trx, () => tryFiles(trx, writing, files))
    if (trials.some(({ errors }) => errors.length > 0)) return refused(trials)
    if (!dryRun) {
      const changedOf = (kind: RegistryKind) => [...(trials.find((trial) => trial.kind === kind)?.changed ?? [])]
      await lockInstrumentsOf(trx, { instruments: changedOf('instruments'), contracts: changedOf('contracts') })
      // Read after the lock, as in `register`.
      const at = clock.now()
      for (const file of files) await upsertAll(trx, { actor, at }, file)
    }
    return {
      created: trials.reduce((sum, { created }) => sum + created.size, 0),
      updated: trials.reduce((sum, { changed }) => sum + changed.size, 0),
      errors: [],
      changes: trials.flatMap(({ changes }) => changes).slice(0, MOST_CHANGES),
    }
  })
}

function refused(files: readonly Pick<ImportFile, 'kind' | 'errors'>[]): Outcome {
  const errors = files.flatMap(({ kind, errors }) => listedErrors(errors).map((error) => ({ ...error, kind })))
  return { created: 0, updated: 0, errors, changes: [] }
}

/**
 * Checks and compares the files in turn. Inserts new objects that later files may refer to; the caller takes
 * them back. After a file with an error, the others would only lack its objects.
 */
async function tryFiles(trx: Trx, writing: Writing, files: readonly ImportFile[]): Promise<Done[]> {
  const trials: Done[] = []
  for (const [index, file] of files.entries()) {
    const isBroken = trials.some(({ errors }) => errors.length > 0)
    const trial = await upsertAll(trx, { ...writing, isTrial: true }, isBroken ? { ...file, objects: [] } : file)
    trials.push(trial)
    if (index < files.length - 1 && trial.errors.length === 0 && trial.created.size > 0) {
      await upsertAll(trx, writing, { ...file, objects: file.objects.filter(({ key }) => trial.created.has(key)) })
    }
  }
  return trials
}

interface Done {
  kind: RegistryKind
  created: Set<string>
  changed: Set<string>
  changes: RegistryChange[]
  /** Errors of the file, and of the objects that a trial refused. */
  errors: ImportError[]
}

/** @throws RefusedObjects, unless it is a trial, which lists the errors of every object. */
async function upsertAll(trx: Trx, writing: Writing, file: ImportFile): Promise<Done> {
  const { kind } = file
  const done: Done = { kind, created: new Set(), changed: new Set(), changes: [], errors: [...file.errors] }
  for (let from = 0; from < file.objects.length && done.errors.length <= MOST_ERRORS; from += BATCH) {
    try {
      const upserted = await registeredKinds[kind].upsert(trx, writing, file.objects.slice(from, from + BATCH))
      for (const key of upserted.created) done.created.add(key)
      for (const key of upserted.changed) done.changed.add(key)
      if (done.changes.length >= MOST_CHANGES) continue
      for (const [key, properties] of upserted.differences) {
        done.changes.push({ kind, key, isNew: upserted.created.has(key), properties })
      }
    } catch (error) {
      if (!(error instanceof RefusedObjects && writing.isTrial)) throw error
      for (const [key, why] of error.problems) done.errors.push(...errorsOfProblem(why, file.lines.get(key) ?? 0))
    }
  }
  return done
}

/** Converts the places that a PUT would report in its body to places in the line. */
function errorsOfProblem({ message, extras }: ProblemError, line: number): ImportError[] {
  const places = extras.errors ?? [{ path: 'key', message }]
  return places.map((place) => ({ line, path: place.path.replace(/^body\./, ''), message: place.message }))
}

/** Reads NDJSON: one object per line, blank lines skipped. */
async function* readNdjsonLines(text: string): AsyncGenerator<ReadLine> {
  let line = 0
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf('\n', from)
    const content = text.slice(from, end === -1 ? text.length : end).trim()
    from = end === -1 ? text.length : end + 1
    line += 1
    if (line % LINES_A_TURN === 0) await nextTurn()
    if (content !== '') yield readLine(content, line)
  }
}

function readLine(content: string, line: number): ReadLine {
  try {
    return { line, value: JSON.parse(content) }
  } catch {
    return { error: { line, path: '', message: 'is not JSON: write one object per line' } }
  }
}

/** Validates every line with the schema of its kind. Stops once there are more errors than are reported. */
async function readImportFile({ kind: name, text, isCsv }: SentFile): Promise<ImportFile> {
  const kind = registeredKinds[name]
  const lines = isCsv ? readCsvLines(text, kind) : readNdjsonLines(text)
  const file: ImportFile = { kind: name, objects: [], lines: new Map(), errors: [] }
  const holders = new Map<string, number>()
  for await (const read of lines) {
    if (file.errors.length > MOST_ERRORS) return file
    if ('error' in read) file.errors.push(read.error)
    else takeObject(read, { file, holders, kind })
  }
  if (file.objects.length + file.errors.length === 0) {
    file.errors.push({ line: 1, path: '', message: 'The file contains nothing to register.' })
  }
  return file
}

function takeObject(
  { line, value }: { line: number; value: unknown },
  { file, holders, kind }: { file: ImportFile; holders: Map<string, number>; kind: RegisteredKind },
): void {
  const read = kind.parse(value)
  if ('issues' in read) {
    file.errors.push(...read.issues.flatMap((issue) => errorsOfIssue(issue, { line, value, kind })))
    return
  }
  const { object } = read
  const sameKey = file.lines.get(object.key)
  if (sameKey !== undefined) {
    file.errors.push({
      line,
      path: 'key',
      message: `is the same as on line ${sameKey}: each object may occur only once in a file`,
    })
    return
  }
  file.lines.set(object.key, line)
  const unique = kind.unique?.(object)
  const holder = unique && holders.get(unique.value)
  if (unique && holder !== undefined) {
    file.errors.push({ line, path: unique.property, message: `is the same as on line ${holder}: it must be unique` })
    return
  }
  if (unique) holders.set(unique.value, line)
  file.objects.push(object)
}

function errorsOfIssue(
  issue: z.core.$ZodIssue,
  { line, value, kind }: { line: number; value: unknown; kind: RegisteredKind },
): ImportError[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((name) => ({ line, path: name, message: unknownField(name, kind) }))
  }
  const [name] = issue.path
  const path = issue.path.join('.')
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  if (!isObject) return [{ line, path, message: 'is not an object' }]
  const isMissing = issue.path.length === 1 && (value as Record<PropertyKey, unknown>)[name as string] === undefined
  return [{ line, path, message: isMissing ? 'is missing' : issue.message }]
}

/** An error at one place of a file. Lines count from 1, including the CSV header. No path: the line as a whole. */
interface ImportError {
  line: number
  path: string
  message: string
}

/** More errors than users fix before the next attempt. */
const MOST_ERRORS = 1000

/** A line, or its error. `value` holds the properties that the line sets. */
export type ReadLine = { line: number; value: unknown } | { error: ImportError }

/** Splitting a chunk of this size into cells takes a few milliseconds; other requests are answered in between. */
const PIECE = 64 * 1024

/**
 * Reads a CSV file. The first line has the column names, which equal the JSON property names; it also decides whether
 * commas or semicolons separate cells. Empty cells count as missing, and blank lines are skipped. With semicolons,
 * numbers may have a decimal comma, as spreadsheets in many European countries write them.
 */
export async function* readCsvLines(text: string, kind: RegisteredKind): AsyncGenerator<ReadLine> {
  // The parser counts CRLF within quotes as two lines.
  const plain = text.replace(/\r\n?/g, '\n')
  const delimiter = headOf(plain).includes(';') ? ';' : ','
  const parser = parse({ delimiter, record_delimiter: '\n', info: true, relax_column_count: true, trim: true })
  let names: readonly string[] | undefined
  try {
    for await (const { record, info } of Readable.from(pieces(plain)).pipe(parser) as AsyncIterable<Parsed>) {
      if (record.every((cell) => cell === '')) continue
      const line = info.lines - record.reduce((breaks, cell) => breaks + (cell.split('\n').length - 1), 0)
      if (names) {
        yield readRecord(record, { names, line, kind, delimiter })
        continue
      }
      const errors = headErrors(record, { line, kind })
      for (const error of errors) yield { error }
      // Every line would only repeat the errors of the header.
      if (errors.length > 0) return
      names = record
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    yield { error: { line: (error as unknown as Info).lines, path: '', message: asSentence(error) } }
  }
}

interface Parsed {
  record: string[]
  info: Info
}

function headOf(text: string): string {
  return text.trimStart().split('\n', 1)[0] ?? ''
}

async function* pieces(text: string): AsyncGenerator<string> {
  for (let from = 0; from < text.length; from += PIECE) {
    yield text.slice(from, from + PIECE)
    await nextTurn()
  }
}

function headErrors(names: readonly string[], { line, kind }: { line: number; kind: RegisteredKind }): ImportError[] {
  const errors = names.flatMap((name, index): ImportError[] => {
    if (!kind.columns.has(name)) return [{ line, path: name, message: unknownField(name, kind) }]
    return names.indexOf(name) === index ? [] : [{ line, path: name, message: 'occurs twice in the header' }]
  })
  if (names.includes('key')) return errors
  return [...errors, { line, path: 'key', message: 'is missing: the first line must name the columns, including key' }]
}

/** Returns why a given field cannot be imported. */
function unknownField(name: string, kind: RegisteredKind): string {
  if (kind.readOnly.has(name)) return 'is set by the server and cannot be imported: leave it out'
  return `is not a field of this kind; its fields are ${[...kind.columns.keys()].sort().join(', ')}`
}

function readRecord(
  record: readonly string[],
  { names, line, kind, delimiter }: { names: readonly string[]; line: number; kind: RegisteredKind; delimiter: string },
): ReadLine {
  if (record.length > names.length) {
    const message = `has ${record.length} cells for ${names.length} columns: put text that contains "${delimiter}" in quotes`
    return { error: { line, path: '', message } }
  }
  const value: Record<string, unknown> = {}
  names.forEach((name, index) => {
    const cell = record[index] ?? ''
    if (cell !== '') value[name] = readCell(cell, kind.columns.get(name) ?? 'text', delimiter)
  })
  return { line, value }
}

/** Keeps text that is not a valid number or boolean, so that the schema reports the error. */
function readCell(cell: string, type: 'text' | 'number' | 'boolean', delimiter: string): unknown {
  if (type === 'number') {
    const number = delimiter === ';' ? cell.replace(',', '.') : cell
    return /^-?\d{1,15}(\.\d{1,20})?$/.test(number) ? Number(number) : cell
  }
  if (type === 'boolean' && /^(true|false)$/i.test(cell)) return cell.toLowerCase() === 'true'
  return cell
}

function asSentence(error: CsvError): string {
  switch (error.code) {
    case 'CSV_QUOTE_NOT_CLOSED':
      return 'an opening quote is never closed'
    case 'INVALID_OPENING_QUOTE':
    case 'CSV_INVALID_CLOSING_QUOTE':
      return 'a quote is inside a cell: put the cell in quotes and double the quotes in it'
    default:
      return 'is not valid CSV'
  }
}

/** Returns the errors in line order, cut at the maximum; in that case, the last one says so. */
function listedErrors(errors: readonly ImportError[]): ImportError[] {
  const sorted = [...errors].sort((a, b) => a.line - b.line)
  const next = sorted[MOST_ERRORS]
  if (!next) return sorted
  return [
    ...sorted.slice(0, MOST_ERRORS),
    { line: next.line, path: '', message: 'There are more errors from this line on. Fix those above first.' },
  ]
}
