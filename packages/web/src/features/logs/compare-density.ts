import type { PlacedLine } from './compare-stream.ts'

export interface TimeRange {
  from: number
  to: number
}

/** How many lines each log wrote over time, as heights from 0 to 1 by equal lengths of time. */
export interface Density extends TimeRange {
  first: number[]
  second: number[]
}

/** Over all lines and the event, where its moment was read, from end to end. Null where they have no extent. */
export function densityOf(
  lines: readonly PlacedLine[],
  { eventAt, bins }: { eventAt: number | null; bins: number },
): Density | null {
  const ends = [lines.at(0)?.at, lines.at(-1)?.at, eventAt].filter((at) => typeof at === 'number')
  const [from, to] = [Math.min(...ends), Math.max(...ends)]
  if (!(to > from)) return null
  const counts = { first: nothing(bins), second: nothing(bins) }
  for (const { side, at } of lines) {
    const bin = Math.min(bins - 1, Math.floor(((at - from) / (to - from)) * bins))
    counts[side][bin] = (counts[side][bin] ?? 0) + 1
  }
  const most = Math.max(1, ...counts.first, ...counts.second)
  // By the root: beside a burst of hundreds, a single line must still be seen.
  const heights = (numbers: number[]) => numbers.map((count) => Math.sqrt(count / most))
  return { from, to, first: heights(counts.first), second: heights(counts.second) }
}

function nothing(bins: number): number[] {
  return Array.from({ length: bins }, () => 0)
}
