import dayjs from 'dayjs'
import { lineKey } from './compare-address.ts'
import { type Side, sides } from './compare-clock.ts'
import type { PlacedLine } from './compare-stream.ts'

/** Arranges the lines of two logs as table rows in order of time. */

/**
 * At most one line of each log. Both only if the second log's line directly follows the first's within the same
 * second.
 */
export interface LinesRow {
  kind: 'lines'
  key: string
  at: number
  first: PlacedLine | null
  second: PlacedLine | null
  /**
   * How long, in ms, the log without a line in this row is silent. Set at the start of the silence and repeated
   * further down.
   */
  silence: number | null
}
export type CompareRow =
  | LinesRow
  /** Neither log has lines. `at` is the middle. */
  | { kind: 'gap'; key: string; at: number; length: number }
  /** A new day begins in the viewer's zone. */
  | { kind: 'day'; key: string; at: number }
  | { kind: 'event'; key: string; at: number }

/** Minimum length of silence to be shown, in ms. */
export const SILENCE_MS = 60_000
/** Rows between repetitions of a long silence, so that one is always visible. */
const REPEAT_EVERY = 12

/** `eventAt` is null without an event, or if its moment is not loaded. Interleaved: one line per row. */
export function compareRows(
  lines: readonly PlacedLine[],
  { eventAt, isInterleaved }: { eventAt: number | null; isInterleaved: boolean },
): CompareRow[] {
  const rows: CompareRow[] = []
  const events = eventAt === null ? [] : [eventAt]
  const pairs = withSilences(isInterleaved ? lines.map((line) => rowOf(line)) : paired(lines, eventAt))
  let before: number | null = null
  for (const row of pairs) {
    while (events[0] !== undefined && events[0] <= row.at) before = addEvent(rows, { at: events.shift() ?? 0, before })
    addBetween(rows, { before, at: row.at, key: row.key })
    rows.push(row)
    before = lastAt(row)
  }
  for (const at of events) addEvent(rows, { at, before })
  return rows
}

/** Pairing does not depend on where loading began, so rows do not change when older lines arrive. */
function paired(lines: readonly PlacedLine[], eventAt: number | null): LinesRow[] {
  const rows: LinesRow[] = []
  for (let index = 0; index < lines.length; index += 1) {
    const [line, next] = [lines[index], lines[index + 1]]
    if (line === undefined) break
    const isPair =
      line.side === 'first' &&
      next?.side === 'second' &&
      isSameSecond(line.at, next.at) &&
      // The event's mark goes between two rows, so it must not fall within a pair.
      !(eventAt !== null && line.at < eventAt && eventAt <= next.at)
    rows.push(rowOf(line, isPair ? next : null))
    if (isPair) index += 1
  }
  return rows
}

function rowOf(line: PlacedLine, beside: PlacedLine | null = null): LinesRow {
  return {
    kind: 'lines',
    key: lineKey({ side: line.side, id: line.hit._id }),
    at: line.at,
    first: line.side === 'first' ? line : null,
    second: line.side === 'second' ? line : beside,
    silence: null,
  }
}

function isSameSecond(a: number, b: number): boolean {
  return Math.floor(a / 1000) === Math.floor(b / 1000)
}

/** Shows in the empty cells below a line how long its log is silent; beyond the last line that is unknown. */
function withSilences(rows: readonly LinesRow[]): LinesRow[] {
  const result = [...rows]
  for (const side of sides) {
    let last: { at: number; index: number } | null = null
    for (const [index, row] of rows.entries()) {
      const line = row[side]
      if (line === null) continue
      const silence = last === null ? 0 : line.at - last.at
      for (let silent = (last?.index ?? index) + 1; silent < index && silence >= SILENCE_MS; silent += REPEAT_EVERY) {
        const begun = result[silent]
        if (begun !== undefined) result[silent] = { ...begun, silence }
      }
      last = { at: line.at, index }
    }
  }
  return result
}

function addEvent(rows: CompareRow[], { at, before }: { at: number; before: number | null }): number {
  addBetween(rows, { before, at, key: 'event' })
  rows.push({ kind: 'event', key: 'event', at })
  return at
}

/** Adds gaps and day changes between two rows; nothing above the first, because earlier lines are not loaded. */
function addBetween(rows: CompareRow[], { before, at, key }: { before: number | null; at: number; key: string }): void {
  if (before === null) return
  if (at - before >= SILENCE_MS)
    rows.push({ kind: 'gap', key: `gap:${key}`, at: (before + at) / 2, length: at - before })
  if (!dayjs(at).isSame(before, 'day'))
    rows.push({ kind: 'day', key: `day:${key}`, at: dayjs(at).startOf('day').valueOf() })
}

function lastAt(row: LinesRow): number {
  return row.second?.at ?? row.at
}

/** Returns the row with this line, else the row nearest to the moment, preferring the event's. Null without rows. */
export function rowAt(
  rows: readonly CompareRow[],
  { at, line }: { at: number; line?: { side: Side; id: string } | undefined },
): number | null {
  const exact =
    line === undefined ? -1 : rows.findIndex((row) => row.kind === 'lines' && row[line.side]?.hit._id === line.id)
  if (exact !== -1) return exact
  let nearest: number | null = null
  let distance = Number.POSITIVE_INFINITY
  for (const [index, row] of rows.entries()) {
    const away = Math.abs(row.at - at)
    if (away > distance || (away === distance && row.kind !== 'event')) continue
    nearest = index
    distance = away
  }
  return nearest
}
