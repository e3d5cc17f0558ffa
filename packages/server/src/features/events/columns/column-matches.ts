import { keepWithin, ReusedMemory, type RowFilter } from './block-rows.ts'
import type { ColumnMatch } from './column-match.ts'
import type { Hits, Look } from './column-page.ts'
import { type ColumnBlock, type Range, ROWS_PER_BLOCK } from './event-columns.ts'

/** Used by every search, as is `reused-memory.ts`. */
const matchingRows = new Uint32Array(ROWS_PER_BLOCK)

/** The matching rows of each block, in memory that the next block uses again. */
export function* hitsIn(
  blocks: readonly ColumnBlock[],
  { range, match, narrow }: { range: Range; match: ColumnMatch; narrow?: RowFilter | undefined },
): Generator<Hits> {
  const inRange = keepWithin('created', range)
  for (const block of blocks) {
    if (block.created.isOutside(range)) continue
    let rows = match.candidates(block, matchingRows)
    if (narrow) rows = narrow(block, rows)
    const { from, count } = inRange(block, match.keep(block, rows))
    yield { block, rows: from.subarray(0, count) }
  }
}

/** Looks at hits that are known: in other memory than their own. */
export function lookAmong(hits: readonly Hits[]): Look {
  return ({ narrow, isBackwards = false }) => {
    const inOrder = isBackwards ? hits.toReversed() : hits
    return narrow ? narrowed(inOrder, narrow) : inOrder
  }
}

function* narrowed(hits: Iterable<Hits>, narrow: RowFilter): Generator<Hits> {
  for (const { block, rows } of hits) {
    const { from, count } = narrow(block, { from: rows, count: rows.length, into: matchingRows })
    yield { block, rows: from.subarray(0, count) }
  }
}

const copies = new ReusedMemory((length) => new Uint32Array(length))

/** Hits to be looked at more than once, until the next are copied; `most` is how many there can be. */
export function copyHits(hits: Iterable<Hits>, most: number): { hits: Hits[]; count: number } {
  const memory = copies.take(most)
  const copied: Hits[] = []
  let count = 0
  for (const { block, rows } of hits) {
    if (rows.length === 0) continue
    memory.set(rows, count)
    copied.push({ block, rows: memory.subarray(count, count + rows.length) })
    count += rows.length
  }
  return { hits: copied, count }
}
