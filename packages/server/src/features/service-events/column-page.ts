import type { ColumnBlock } from './event-columns.ts'
import type { Page } from './event-sort.queries.ts'
import type { ValueRank } from './value-ranks.queries.ts'

/** A page as the columns find it: with the order of names, which they don't hold. */
export interface ColumnPage extends Page {
  ranks: readonly ValueRank[]
}

/** Times from and before, in milliseconds since 1970. */
export interface Range {
  from: number
  to: number
}

export function isIn({ from, to }: Range, time: number): boolean {
  return from <= time && time < to
}

/** Matching rows of a block, ascending; only until the next block is asked for. */
export interface Hits {
  block: ColumnBlock
  rows: Uint32Array
}

/** How the hits are looked at again. */
export interface SecondLook {
  /** Only those of this time. */
  range?: Range
  /** Only those of these rows of a block, which are written to `into`; returns how many: fewer rows need not be tried anew. */
  among?: (block: ColumnBlock, into: Uint32Array) => number
  /** From the last block to the first. */
  isBackwards?: boolean
}

/**
 * Finds a page without sorting what matches: counts all hits by some value, works out which values the page has, and picks
 * its events from a second look at the hits.
 */
export interface PageFinder {
  count(hits: Hits): void
  /** Ids of the page, of which at least one event exists. `events` is how many hits were counted. */
  find(events: number, lookAgain: (look: SecondLook) => Iterable<Hits>): number[]
}

/** Where a page stands in ascending order: descending is exactly the reverse. */
export function ascendingBounds({ order, offset, limit }: Page, events: number): { first: number; last: number } {
  return order === 'ASC'
    ? { first: offset, last: Math.min(events, offset + limit) }
    : { first: Math.max(0, events - offset - limit), last: events - offset }
}
