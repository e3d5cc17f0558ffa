import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ReadLine } from './csv-lines.ts'

/** Lines after which other requests get their turn: a few milliseconds. */
const LINES_A_TURN = 500

/** Reads NDJSON: one object a line, blank lines left out. */
export async function* readNdjsonLines(text: string): AsyncGenerator<ReadLine> {
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
    return { error: { line, path: '', message: 'is not JSON: one object a line' } }
  }
}
