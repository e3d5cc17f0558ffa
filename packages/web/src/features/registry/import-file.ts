import type { ImportFile, RegistryKind } from './registry.api.ts'
import { registryFields } from './registry-fields.ts'

/** Files of an import, before and after the server sees them. */

/** The server's limit (contract, MAX_IMPORT_BYTES); a test compares the two. */
export const MAX_IMPORT_BYTES = 8_000_000

/** By its name: NDJSON has one object a line, everything else is read as CSV. */
export function importMediaType(fileName: string): ImportFile['mediaType'] {
  return /\.(?:ndjson|jsonl)$/i.test(fileName) ? 'application/x-ndjson' : 'text/csv'
}

/** The kind that a file's name tells, such as `sites-2026.csv`; null where it tells none. */
export function kindOfFile(fileName: string): RegistryKind | null {
  const kinds = Object.keys(registryFields) as RegistryKind[]
  return kinds.find((kind) => fileName.toLowerCase().startsWith(kind)) ?? null
}

/** The text of a file; null where it is not UTF-8, as of older spreadsheets: its letters would be guessed. */
export function decodeImport(bytes: ArrayBuffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

/** A line of the file as it stands, counted from 1 as the server counts; empty beyond the end. */
export function lineOf(content: string, line: number): string {
  let start = 0
  for (let passed = 1; passed < line; passed += 1) {
    const end = content.indexOf('\n', start)
    if (end < 0) return ''
    start = end + 1
  }
  const end = content.indexOf('\n', start)
  return content.slice(start, end < 0 ? undefined : end).replace(/\r$/, '')
}

/** A CSV with all columns of a kind and one example row; RFC 4180, with a byte order mark for spreadsheets. */
export function importTemplate(kind: RegistryKind): string {
  const { fields, keyExample } = registryFields[kind]
  const head = ['key', ...fields.map(({ name }) => name)]
  const example = [keyExample, ...fields.map((field) => field.example)]
  return `\uFEFF${[head, example].map((row) => row.map(csvCell).join(',')).join('\r\n')}\r\n`
}

function csvCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
