import { keepMarked } from './block-rows.ts'
import { hitsIn } from './column-hits.ts'
import type { ColumnMatch, MatchByKind } from './column-match.ts'
import type { Hits, Look, PageFinder } from './column-page.ts'
import { type ColumnBlock, type EventColumns, ROWS_PER_BLOCK } from './event-columns.ts'
import type { Range } from './instant-column.ts'
import type { NumberCounts } from './number-counts.ts'
import { ReusedMemory } from './reused-memory.ts'

const memory = new ReusedMemory((length) => new Uint32Array(length))
const unmatchedRows = new Uint32Array(ROWS_PER_BLOCK)

interface Search {
  match: ColumnMatch
  /** By id. */
  blocks: readonly ColumnBlock[]
  range: Range
}

/**
 * How many hits there are of each kind, until the next search; and tells the finder of a page of them. `look` gives all
 * hits: each is looked at where kinds don't decide.
 */
export function countHits(
  columns: EventColumns,
  { look, finder, ...search }: Search & { look: Look; finder: PageFinder | null },
): Uint32Array {
  const ofKinds = memory.take(columns.kinds.size).fill(0)
  const { byKind } = search.match
  if (byKind === null) {
    for (const hits of look({})) addHits(ofKinds, hits)
  } else {
    const { blocks } = search
    const isUnbounded = blocks.every(({ created }) => created.isWithin(search.range))
    if (isUnbounded) addHeld(ofKinds, { counts: columns.held.kinds, blocks }, byKind)
    else addRange(ofKinds, columns, { ...search, byKind })
    if (isUnbounded && byKind.kinds === null) finder?.countAllBut?.(unmatchedOpen(blocks, byKind))
  }
  finder?.countKinds?.(ofKinds)
  return ofKinds
}

function addHits(ofKinds: Uint32Array, { block: { kinds }, rows }: Hits): void {
  for (const row of rows) {
    const kind = kinds[row] as number
    ofKinds[kind] = (ofKinds[kind] as number) + 1
  }
}

/** Segments that lie in the range as a whole are one sum each; of all others each event is looked at. */
function addRange(
  ofKinds: Uint32Array,
  columns: EventColumns,
  { match, blocks, range, byKind }: Search & { byKind: MatchByKind },
): void {
  const whole = [...columns.segments].filter((segment) =>
    segment.blocks.every(({ created }) => created.isWithin(range)),
  )
  for (const segment of whole) addHeld(ofKinds, segment, byKind)
  const added = new Set(whole.flatMap((segment) => segment.blocks))
  const others = blocks.filter((block) => !added.has(block))
  for (const hits of hitsIn(others, { range, match })) addHits(ofKinds, hits)
}

/** Adds what some blocks hold of each kind that matches: all of it, but for open events in a state that does not. */
function addHeld(
  ofKinds: Uint32Array,
  { counts: { values }, blocks }: { counts: NumberCounts; blocks: readonly ColumnBlock[] },
  match: MatchByKind,
): void {
  const { kinds } = match
  const size = Math.min(ofKinds.length, values.length)
  for (let kind = 0; kind < size; kind += 1) {
    // Times 0 or 1: a branch would be guessed wrong now and then.
    const times = kinds === null ? 1 : (kinds[kind] as number)
    ofKinds[kind] = (ofKinds[kind] as number) + (values[kind] as number) * times
  }
  for (const { block, rows } of unmatchedOpen(blocks, match)) {
    for (const row of rows) {
      const kind = block.kinds[row] as number
      if (kinds?.[kind] !== 0) ofKinds[kind] = (ofKinds[kind] as number) - 1
    }
  }
}

/** The open events in a state that does not match; only until the next block is asked for. */
function* unmatchedOpen(blocks: readonly ColumnBlock[], { states }: MatchByKind): Generator<Hits> {
  const isUnmatched = states.map((matches) => 1 - matches)
  for (const block of blocks) {
    const { rows: open, size } = block.open
    if (size === 0) continue
    const { count } = keepMarked(block.states, isUnmatched, { from: open, count: size, into: unmatchedRows })
    yield { block, rows: unmatchedRows.subarray(0, count) }
  }
}
