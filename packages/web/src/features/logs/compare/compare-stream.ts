import type { LogHit } from '@benchwatch/contract/logs'
import type { Direction } from './compare-address.ts'
import { correctedTime, type Side, sides } from './compare-clock.ts'

/**
 * Two logs, loaded in pages from a moment in both directions and merged by time.
 *
 * The same number of lines covers less time in a busy log than in a quiet one. Where only one log is loaded, the
 * other's lines are unknown, and an empty column would be wrong: so only the span that both cover is shown.
 */

/** The loaded part of one log, without holes, in order of time. */
export interface LogStream {
  lines: readonly LogHit[]
  /** Nothing older exists. */
  isStart: boolean
  /** Nothing newer existed when it was loaded. */
  isEnd: boolean
  /** Lines before this moment (ISO) cannot all be read now; null if they can. */
  completeFrom: string | null
}

export interface LinePage extends LogStream {
  /** Number of lines in the whole log that match the search, up to 10,000. */
  total: number
}

/** Joins pages that are in order of time. */
export function streamOf(pages: readonly LinePage[]): LogStream {
  return {
    lines: pages.flatMap((page) => page.lines),
    isStart: pages.at(0)?.isStart ?? false,
    isEnd: pages.at(-1)?.isEnd ?? false,
    completeFrom: pages.find((page) => page.completeFrom)?.completeFrom ?? null,
  }
}

/** A stream with its clock difference; null without a log, or if it could not be read. */
export type PlacedStream = { stream: LogStream; ahead: number } | null
export type StreamPair = Readonly<Record<Side, PlacedStream>>

export interface PlacedLine {
  side: Side
  hit: LogHit
  /** In ms since 1970, by the shared clock. */
  at: number
}

/** Both ends are inclusive; infinite if a log has no more lines. */
export interface Span {
  from: number
  to: number
}

function coveredSpan({ stream: { lines, isStart, isEnd }, ahead }: NonNullable<PlacedStream>): Span {
  const edge = (line: LogHit | undefined, otherwise: number) =>
    line === undefined ? otherwise : correctedTime(line.sort[0], ahead)
  return {
    from: isStart ? Number.NEGATIVE_INFINITY : edge(lines.at(0), Number.POSITIVE_INFINITY),
    to: isEnd ? Number.POSITIVE_INFINITY : edge(lines.at(-1), Number.NEGATIVE_INFINITY),
  }
}

/** Returns the span covered by all streams; `from` is after `to` if they do not overlap. */
export function sharedSpan(pair: StreamPair): Span {
  const spans = placed(pair).map(coveredSpan)
  return { from: Math.max(...spans.map(({ from }) => from)), to: Math.min(...spans.map(({ to }) => to)) }
}

/** True if lines around this moment are loaded; otherwise both logs have to be loaded from there. */
export function coversMoment(pair: StreamPair, moment: number): boolean {
  const { from, to } = sharedSpan(pair)
  return moment >= from && moment <= to
}

/** Returns the log that limits the shared span in that direction; null if both are complete. */
export function nextToRead(pair: StreamPair, direction: Direction): Side | null {
  const unfinished = sides.filter((side) => {
    const stream = pair[side]?.stream
    return stream !== undefined && !(direction === 'older' ? stream.isStart : stream.isEnd)
  })
  const edge = (side: Side) => {
    const covered = pair[side] === null ? null : coveredSpan(pair[side])
    return covered === null ? 0 : direction === 'older' ? -covered.from : covered.to
  }
  return unfinished.sort((a, b) => edge(a) - edge(b)).at(0) ?? null
}

/** Returns the lines of the shared span in order of time. Within an instant the logs alternate, the first log first. */
export function sharedLines(pair: StreamPair): PlacedLine[] {
  const span = sharedSpan(pair)
  return merged(shownOf(pair, 'first', span), shownOf(pair, 'second', span))
}

/**
 * At the instant where the other log's loaded part ends, more of its lines may follow; this log's lines of that
 * instant wait, or they would be paired wrongly.
 */
function shownOf(pair: StreamPair, side: Side, { from, to }: Span): PlacedLine[] {
  const one = pair[side]
  if (one === null) return []
  const own = coveredSpan(one)
  return one.stream.lines
    .map((hit) => ({ side, hit, at: correctedTime(hit.sort[0], one.ahead) }))
    .filter(({ at }) => (own.from === from ? at >= from : at > from) && (own.to === to ? at <= to : at < to))
}

function merged(first: readonly PlacedLine[], second: readonly PlacedLine[]): PlacedLine[] {
  const lines: PlacedLine[] = []
  let [left, right] = [0, 0]
  let turn: Side = 'first'
  while (left < first.length || right < second.length) {
    const [one, other] = [first[left], second[right]]
    const takesFirst: boolean =
      other === undefined || (one !== undefined && (one.at < other.at || (one.at === other.at && turn === 'first')))
    const line: PlacedLine | undefined = takesFirst ? one : other
    if (line === undefined) break
    if (takesFirst) left += 1
    else right += 1
    // Alternates within an instant; every other instant begins with the first log.
    turn = takesFirst && line.at === other?.at ? 'second' : 'first'
    lines.push(line)
  }
  return lines
}

function placed(pair: StreamPair): NonNullable<PlacedStream>[] {
  return [pair.first, pair.second].filter((stream) => stream !== null)
}
