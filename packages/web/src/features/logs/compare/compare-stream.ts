import type { LogHit } from '@benchwatch/contract/logs'
import type { Direction } from './compare-address.ts'
import { correctedTime, type Side, sides } from './compare-clock.ts'

/**
 * Two logs, read in pages from a moment on in both directions, put in the order of one time.
 *
 * A busy log is read far less far than a quiet one by the same number of lines. Where only one of the two is read, the
 * other's lines are not known, and a gap there would be a lie: so nothing is shown outside the span that both cover.
 */

/** Of one log what was read so far, without holes, in the order of time. */
export interface LogStream {
  lines: readonly LogHit[]
  /** Nothing older is kept. */
  isStart: boolean
  /** Nothing newer was there when it was read. */
  isEnd: boolean
}

export interface LinePage extends LogStream {
  /** Of a search: how many lines the whole log holds, up to 10,000. */
  total: number
}

/** Pages in the order of time. */
export function streamOf(pages: readonly LinePage[]): LogStream {
  return {
    lines: pages.flatMap((page) => page.lines),
    isStart: pages.at(0)?.isStart ?? false,
    isEnd: pages.at(-1)?.isEnd ?? false,
  }
}

/** A stream with the difference of its clock; null where there is none, or none that could be read. */
export type PlacedStream = { stream: LogStream; ahead: number } | null
export type StreamPair = Readonly<Record<Side, PlacedStream>>

export interface PlacedLine {
  side: Side
  hit: LogHit
  /** By the shared clock, in ms since 1970. */
  at: number
}

/** Both ends belong to it; endless where a log has no more. */
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

/** What every stream that there is covers; `from` lies behind `to` where they have nothing in common. */
export function sharedSpan(pair: StreamPair): Span {
  const spans = placed(pair).map(coveredSpan)
  return { from: Math.max(...spans.map(({ from }) => from)), to: Math.min(...spans.map(({ to }) => to)) }
}

/** Whether something is known about this moment: else both logs have to be read anew from there. */
export function coversMoment(pair: StreamPair, moment: number): boolean {
  const { from, to } = sharedSpan(pair)
  return moment >= from && moment <= to
}

/**
 * The log to read on in that direction, because it is the one that holds the other back; null where both are at an end.
 */
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

/** The lines of the shared span in the order of time; of one instant, one of each log in turn, the first log's before. */
export function sharedLines(pair: StreamPair): PlacedLine[] {
  const span = sharedSpan(pair)
  return merged(shownOf(pair, 'first', span), shownOf(pair, 'second', span))
}

/**
 * Of the instant at which another log's reading ended, more lines may come there; so this log's lines of that instant wait,
 * or they would stand beside the wrong ones.
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
