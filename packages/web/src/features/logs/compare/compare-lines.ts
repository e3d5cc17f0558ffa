import type { LogHit } from '@benchwatch/contract/instruments/logs'
import dayjs from 'dayjs'
import type { LogPage } from '../log-pages.ts'
import { type Side, sides } from './compare-address.ts'

/**
 * Merges two logs by time, and arranges their lines as table rows.
 *
 * The same number of lines covers less time in a busy log than in a quiet one. Where only one log is loaded, the
 * other's lines are unknown, and an empty column would be wrong: so only the span that both cover is shown.
 */

export type Direction = 'older' | 'newer'

export interface PlacedLine {
  side: Side
  hit: LogHit
  /** In ms since 1970, by the shared clock. */
  at: number
}

/** A place in two logs: a line, or a moment of the shared clock. */
export type ComparePlace = PlacedLine | { at: number }

/** The loaded part of a log with its clock difference; null without a log, or if it could not be read. */
export type PlacedLog = { page: Omit<LogPage, 'total'>; ahead: number } | null
export type LogPair = Readonly<Record<Side, PlacedLog>>

/** Returns both logs with the `corrected` one's clock `ahead`. */
export function placedPair(
  [first, second]: readonly (LogPage | undefined)[],
  { corrected, ahead }: { corrected: Side; ahead: number },
): LogPair {
  return {
    first: first ? { page: first, ahead: corrected === 'first' ? ahead : 0 } : null,
    second: second ? { page: second, ahead: corrected === 'second' ? ahead : 0 } : null,
  }
}

/** Both ends are inclusive; infinite if a log has no more lines. */
interface Span {
  from: number
  to: number
}

function coveredSpan(log: PlacedLog): Span {
  const { NEGATIVE_INFINITY: before, POSITIVE_INFINITY: after } = Number
  if (log === null) return { from: before, to: after }
  const { lines, hasOlder, hasNewer } = log.page
  const edge = (line: LogHit | undefined, otherwise: number) => (line ? line.sort[0] - log.ahead : otherwise)
  return { from: hasOlder ? edge(lines.at(0), after) : before, to: hasNewer ? edge(lines.at(-1), before) : after }
}

/** Returns the span covered by all logs; `from` is after `to` if they do not overlap. */
export function sharedSpan(pair: LogPair): Span {
  const [first, second] = [coveredSpan(pair.first), coveredSpan(pair.second)]
  return { from: Math.max(first.from, second.from), to: Math.min(first.to, second.to) }
}

/** True if lines around this moment are loaded; otherwise both logs have to be loaded from there. */
export function coversMoment(pair: LogPair, moment: number): boolean {
  const { from, to } = sharedSpan(pair)
  return (pair.first !== null || pair.second !== null) && moment >= from && moment <= to
}

/** Returns the log that limits the shared span in that direction; null if both are complete. */
export function nextToRead(pair: LogPair, direction: Direction): Side | null {
  const edge = (side: Side) => (direction === 'older' ? -coveredSpan(pair[side]).from : coveredSpan(pair[side]).to)
  const unfinished = sides.filter((side) => pair[side]?.page[direction === 'older' ? 'hasOlder' : 'hasNewer'])
  return unfinished.toSorted((a, b) => edge(a) - edge(b))[0] ?? null
}

/** Returns the lines of the shared span in order of time. Within an instant the logs alternate, the first log first. */
export function sharedLines(pair: LogPair): PlacedLine[] {
  const span = sharedSpan(pair)
  const ranked = sides.flatMap((side) => {
    let [before, rank] = [Number.NaN, 0]
    return linesWithin(pair, side, span).map((line) => {
      rank = line.at === before ? rank + 1 : 0
      before = line.at
      return { line, rank }
    })
  })
  return ranked.sort((a, b) => a.line.at - b.line.at || a.rank - b.rank).map(({ line }) => line)
}

/**
 * At the instant where the other log's loaded part ends, more of its lines may follow; this log's lines of that
 * instant wait, or they would be paired wrongly.
 */
function linesWithin(pair: LogPair, side: Side, { from, to }: Span): PlacedLine[] {
  const log = pair[side]
  const own = coveredSpan(log)
  const lines = log?.page.lines.map((hit) => ({ side, hit, at: hit.sort[0] - log.ahead })) ?? []
  return lines.filter(({ at }) => (own.from === from ? at >= from : at > from) && (own.to === to ? at <= to : at < to))
}

/** Replaces lines by their copies from the search, which have the matches marked. */
export function withMatches(lines: readonly PlacedLine[], matches: LogPair): readonly PlacedLine[] {
  const found = new Map(
    sides.flatMap((side) => (matches[side]?.page.lines ?? []).map((hit) => [lineKey({ side, hit }), hit])),
  )
  return lines.map((line) => ({ ...line, hit: found.get(lineKey(line)) ?? line.hit }))
}

/** Returns the next match from there, in either log; undefined if none is loaded, or if there is none. */
export function nextMatch(
  matches: readonly PlacedLine[],
  place: ComparePlace,
  direction: Direction,
): PlacedLine | undefined {
  const { at } = place
  const index = 'hit' in place ? matches.findIndex((match) => lineKey(match) === lineKey(place)) : -1
  if (index !== -1) return matches[direction === 'newer' ? index + 1 : index - 1]
  return direction === 'newer' ? matches.find((match) => match.at >= at) : matches.findLast((match) => match.at <= at)
}

/** Joins side and id to a key for rows and for opened lines. */
export function lineKey({ side, hit }: Pick<PlacedLine, 'side' | 'hit'>): string {
  return `${side}:${hit._id}`
}

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
  const paired = isInterleaved ? lines.map((line) => rowOf(line, null)) : pairedRows(lines, eventAt)
  addSilences(paired)
  const rows: CompareRow[] = [...paired]
  if (eventAt !== null) {
    const place = rows.findIndex(({ at }) => at >= eventAt)
    rows.splice(place === -1 ? rows.length : place, 0, { kind: 'event', key: 'event', at: eventAt })
  }
  return rows.flatMap((row, index) => [...rowsBetween(rows[index - 1], row), row])
}

/** Pairing does not depend on where loading began, so rows do not change when older lines arrive. */
function pairedRows(lines: readonly PlacedLine[], eventAt: number | null): LinesRow[] {
  const second = (at: number) => Math.floor(at / 1000)
  return lines.flatMap((line, index) => {
    const isPair = (one: PlacedLine | undefined, next: PlacedLine | undefined) =>
      one?.side === 'first' &&
      next?.side === 'second' &&
      second(one.at) === second(next.at) &&
      // The event's mark goes between two rows, so it must not fall within a pair.
      !(eventAt !== null && one.at < eventAt && eventAt <= next.at)
    if (isPair(lines[index - 1], line)) return []
    return [rowOf(line, isPair(line, lines[index + 1]) ? (lines[index + 1] ?? null) : null)]
  })
}

function rowOf(line: PlacedLine, beside: PlacedLine | null): LinesRow {
  const [first, second] = line.side === 'first' ? [line, beside] : [null, line]
  return { kind: 'lines', key: lineKey(line), at: line.at, first, second, silence: null }
}

/** Shows in the empty cells below a line how long its log is silent; beyond the last line that is unknown. */
function addSilences(rows: LinesRow[]): void {
  for (const side of sides) {
    let last: { at: number; index: number } | null = null
    for (const [index, row] of rows.entries()) {
      const at = row[side]?.at
      if (at === undefined) continue
      const silence = last === null ? 0 : at - last.at
      for (let silent = (last?.index ?? index) + 1; silent < index && silence >= SILENCE_MS; silent += REPEAT_EVERY)
        Object.assign(rows[silent] ?? {}, { silence })
      last = { at, index }
    }
  }
}

/** Returns a gap and a new day between two rows; nothing above the first, because earlier lines are not loaded. */
function rowsBetween(before: CompareRow | undefined, { at, key }: CompareRow): CompareRow[] {
  if (before === undefined) return []
  const end = before.kind === 'lines' ? (before.second?.at ?? before.at) : before.at
  const rows: CompareRow[] = []
  if (at - end >= SILENCE_MS)
    rows.push({ kind: 'gap', key: `gap:${key}`, at: Math.floor((end + at) / 2), length: at - end })
  if (!dayjs(at).isSame(end, 'day'))
    rows.push({ kind: 'day', key: `day:${key}`, at: dayjs(at).startOf('day').valueOf() })
  return rows
}

/** Returns the row with this line, else the first row from that moment on, else the last. Null without rows. */
export function rowAt(rows: readonly CompareRow[], place: ComparePlace): number | null {
  const isHere = (row: CompareRow) =>
    'hit' in place && row.kind === 'lines' && row[place.side]?.hit._id === place.hit._id
  const exact = rows.findIndex(isHere)
  const index = exact === -1 ? rows.findIndex(({ at }) => at >= place.at) : exact
  if (rows.length === 0) return null
  return index === -1 ? rows.length - 1 : index
}

/** Number of lines over time in each log, as heights from 0 to 1 in equal intervals. */
interface Density extends Span {
  first: number[]
  second: number[]
}

/** Covers all lines, and the event if its moment is loaded. Null without any extent. */
export function densityOf(
  lines: readonly PlacedLine[],
  { eventAt, bins }: { eventAt: number | null; bins: number },
): Density | null {
  const ends = [lines.at(0)?.at, lines.at(-1)?.at, eventAt].filter((at) => typeof at === 'number')
  const [from, to] = [Math.min(...ends), Math.max(...ends)]
  if (!(to > from)) return null
  const none = Array.from({ length: bins }, () => 0)
  const counts = { first: none, second: [...none] }
  for (const { side, at } of lines) {
    const bin = Math.min(bins - 1, Math.floor(((at - from) / (to - from)) * bins))
    counts[side][bin] = (counts[side][bin] ?? 0) + 1
  }
  const most = Math.max(1, ...counts.first, ...counts.second)
  // Square root, so that a single line stays visible beside a burst of hundreds.
  const heights = (numbers: number[]) => numbers.map((count) => Math.sqrt(count / most))
  return { from, to, first: heights(counts.first), second: heights(counts.second) }
}
