import { hitsIn } from './column-hits.ts'
import type { ColumnMatch, MatchByKind } from './column-match.ts'
import type { Hits, PageFinder } from './column-page.ts'
import type { ColumnBlock, ColumnSegment, EventColumns } from './event-columns.ts'
import type { Range } from './instant-column.ts'

/** Used by every search: they never overlap, and memory of this size taken anew each time makes V8 clean up every few searches. */
let counts = new Uint32Array(0)

/**
 * How many hits there are of each kind, until the next search; and tells the finder of a page of them. `look` gives all
 * hits: each is looked at where neither kinds decide nor all events are asked for.
 */
export function countHits(
  columns: EventColumns,
  {
    match,
    blocks,
    range,
    look,
    finder,
  }: {
    match: ColumnMatch
    blocks: readonly ColumnBlock[]
    range: Range
    look: () => Iterable<Hits>
    finder: PageFinder | null
  },
): Uint32Array {
  const { size } = columns.kinds
  if (counts.length < size) counts = new Uint32Array(size * 2)
  const ofKinds = counts.subarray(0, size).fill(0)
  if (match.byKind) {
    const whole = [...columns.segments].filter((segment) =>
      segment.blocks.every(({ created }) => created.isWithin(range)),
    )
    for (const segment of whole) addSegment(ofKinds, segment, match.byKind)
    const added = new Set(whole.flatMap((segment) => segment.blocks))
    const others = blocks.filter((block) => !added.has(block))
    for (const hits of hitsIn(others, { range, match })) addHits(ofKinds, hits)
    const isEverything = others.length === 0 && match.byKind.takesAllKinds
    if (isEverything && finder?.countAllBut) finder.countAllBut(columns.held, openBeside(blocks, match.byKind))
    else if (finder?.count) for (const hits of look()) finder.count(hits)
  } else {
    for (const hits of look()) {
      addHits(ofKinds, hits)
      finder?.count?.(hits)
    }
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

/** Counts a segment's events of each kind that matches: all of them, but for those that are open and in a state that does not. */
function addSegment(ofKinds: Uint32Array, segment: ColumnSegment, match: MatchByKind): void {
  const { kinds } = match
  const { values } = segment.counts
  const size = Math.min(kinds.length, values.length)
  for (let kind = 0; kind < size; kind += 1) {
    if (kinds[kind] !== 0) ofKinds[kind] = (ofKinds[kind] as number) + (values[kind] as number)
  }
  for (const { block, rows } of openBeside(segment.blocks, match)) {
    for (const row of rows) {
      const kind = block.kinds[row] as number
      if (kinds[kind] !== 0) ofKinds[kind] = (ofKinds[kind] as number) - 1
    }
  }
}

/** The open events in a state that does not match. */
function* openBeside(blocks: readonly ColumnBlock[], { states }: MatchByKind): Generator<Hits> {
  for (const block of blocks) {
    if (block.open.size === 0) continue
    yield {
      block,
      rows: Uint32Array.from(block.open.keys()).filter((row) => states[block.states[row] as number] === 0),
    }
  }
}
