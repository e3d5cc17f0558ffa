import type { z } from 'zod'
import { type ReadLine, unknownField } from './csv-lines.ts'
import { type ImportError, MOST_ERRORS } from './import-errors.ts'
import type { ImportKind } from './import-kinds.ts'
import type { Keyed } from './registry-object.ts'

/** What a file holds: the objects with the lines on which they stand, and what is wrong with the other lines. */
export interface ImportFile {
  objects: Keyed<object>[]
  /** Line of each object, by key. */
  lines: Map<string, number>
  errors: ImportError[]
}

/** Holds every line to the schema of its kind. Stops once there are more errors than are told. */
export async function readImportFile(lines: AsyncIterable<ReadLine>, kind: ImportKind): Promise<ImportFile> {
  const file: ImportFile = { objects: [], lines: new Map(), errors: [] }
  const holders = new Map<string, number>()
  for await (const read of lines) {
    if (file.errors.length > MOST_ERRORS) return file
    if ('error' in read) file.errors.push(read.error)
    else takeObject(read, { file, holders, kind })
  }
  if (file.objects.length + file.errors.length === 0) {
    file.errors.push({ line: 1, path: '', message: 'The file holds nothing to register.' })
  }
  return file
}

function takeObject(
  { line, value }: { line: number; value: unknown },
  { file, holders, kind }: { file: ImportFile; holders: Map<string, number>; kind: ImportKind },
): void {
  const read = kind.parse(value)
  if ('issues' in read) {
    file.errors.push(...read.issues.flatMap((issue) => asErrors(issue, { line, value, kind })))
    return
  }
  const { object } = read
  const sameKey = file.lines.get(object.key)
  if (sameKey !== undefined) {
    file.errors.push({ line, path: 'key', message: `is that of line ${sameKey}: each object stands once in a file` })
    return
  }
  file.lines.set(object.key, line)
  const unique = kind.unique(object)
  const holder = unique && holders.get(unique.value)
  if (unique && holder !== undefined) {
    file.errors.push({ line, path: unique.property, message: `is that of line ${holder}: it names one thing` })
    return
  }
  if (unique) holders.set(unique.value, line)
  file.objects.push(object)
}

function asErrors(
  issue: z.core.$ZodIssue,
  { line, value, kind }: { line: number; value: unknown; kind: ImportKind },
): ImportError[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((name) => ({ line, path: name, message: unknownField(name, kind) }))
  }
  const [name] = issue.path
  const path = issue.path.join('.')
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  if (!isObject) return [{ line, path, message: 'is not an object with its properties' }]
  const isMissing = issue.path.length === 1 && (value as Record<PropertyKey, unknown>)[name as string] === undefined
  return [{ line, path, message: isMissing ? 'is missing' : issue.message }]
}
