import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { CsvError, type Info, parse } from 'csv-parse'
import type { RegisteredKind } from './registered-kinds.ts'

/** An error at one place of a file. Lines count from 1, including the CSV header. No path: the line as a whole. */
export interface ImportError {
  line: number
  path: string
  message: string
}

/** More errors than users fix before the next attempt. */
export const MOST_ERRORS = 1000

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
export function unknownField(name: string, kind: RegisteredKind): string {
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
export function listedErrors(errors: readonly ImportError[]): ImportError[] {
  const sorted = [...errors].sort((a, b) => a.line - b.line)
  const next = sorted[MOST_ERRORS]
  if (!next) return sorted
  return [
    ...sorted.slice(0, MOST_ERRORS),
    { line: next.line, path: '', message: 'There are more errors from this line on. Fix those above first.' },
  ]
}
