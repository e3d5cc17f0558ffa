import type { Page } from '../search/event-sort.queries.ts'
import type { ValueRank } from '../search/value-ranks.queries.ts'
import type { RowFilter } from './block-rows.ts'
import type { ColumnBlock } from './event-columns.ts'

/** A page as the columns find it: with the order of names, which they don't hold. */
export interface ColumnPage extends Page {
  ranks: readonly ValueRank[]
}

/** Matching rows of a block, ascending; only until the next block is asked for. */
export interface Hits {
  block: ColumnBlock
  rows: Uint32Array
}

interface LookOptions {
  /** Only those that this leaves; it is asked first, because the fewer rows are left, the fewer are tried anew. */
  narrow?: RowFilter
  /** From the last block to the first. */
  isBackwards?: boolean
}

/** Gives the hits, by block. */
export type Look = (options: LookOptions) => Iterable<Hits>

/**
 * Finds a page without sorting what matches: counts the hits by some value, as far as the page or all of them, works out
 * which values the page has, and picks its events from another look at the hits.
 */
export interface Pager {
  /** To be told that all events are hits but for the given ones, where that is so: then none is looked at. */
  readonly countAllBut?: (others: Iterable<Hits>) => void
  /** To be told how many hits there are of each kind, where that is enough. */
  readonly countKinds?: (counts: Uint32Array) => void
  /** Ids of the page, of which at least one event exists. `events` is how many hits there are. */
  find(events: number, look: Look): number[]
}

/** Some of the hits as seen from the end that is nearer to them: after `skip` of them up to `end`. */
export interface Stretch {
  isBackwards: boolean
  skip: number
  end: number
}

/** Selects the matches from `first` to before `last` out of this many, in ascending order. */
export function fromNearerEnd({ first, last }: { first: number; last: number }, hits: number): Stretch {
  return hits - first < last
    ? { isBackwards: true, skip: hits - last, end: hits - first }
    : { isBackwards: false, skip: first, end: last }
}

export type PageBounds = Pick<Page, 'order' | 'offset' | 'limit'>

/** Position of a page in ascending order; descending is exactly the reverse. */
export function ascendingBounds({ order, offset, limit }: PageBounds, events: number): { first: number; last: number } {
  return order === 'ASC'
    ? { first: offset, last: Math.min(events, offset + limit) }
    : { first: Math.max(0, events - offset - limit), last: events - offset }
}
