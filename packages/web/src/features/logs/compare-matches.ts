import type { ComparePlace, Direction } from './compare-place.ts'
import type { PlacedLine } from './compare-stream.ts'
import { totalWords } from './log-pages.ts'

/** The next line with a match from there on, in either log. Null where none was read yet, or where there is none. */
export function nextMatch(
  matches: readonly PlacedLine[],
  { at, line }: ComparePlace,
  direction: Direction,
): PlacedLine | null {
  const index =
    line === undefined ? -1 : matches.findIndex(({ side, hit }) => side === line.side && hit._id === line.id)
  if (index !== -1) return matches[direction === 'newer' ? index + 1 : index - 1] ?? null
  return (
    (direction === 'newer' ? matches.find((match) => match.at >= at) : matches.findLast((match) => match.at <= at)) ??
    null
  )
}

/** `1 match`, `37 matches`, `10,000+ matches`. */
export function matchCount(total: number): string {
  return `${totalWords(total)} ${total === 1 ? 'match' : 'matches'}`
}
