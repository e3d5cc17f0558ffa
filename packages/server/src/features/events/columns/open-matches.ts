import { type EventSelection, NO_ACTION_AFTER_MS, NO_OWNER_AFTER_MS } from '../search/filters.ts'
import { keepMarked, keepWithin, type RowFilter, type Rows } from './block-rows.ts'
import type { ColumnMatch } from './column-match.ts'
import type { Hits } from './column-page.ts'
import {
  type ColumnBlock,
  FULL_SUPPORT,
  type Range,
  ROWS_PER_BLOCK,
  STATUS_MASK,
  statesWhere,
} from './event-columns.ts'

/** Counters of open events. */
export interface OpenCounters {
  noOwnerEvents: number
  noActionEvents: number
  fullSupportEvents: number
  olderOpenEvents: number
}

interface Search {
  match: ColumnMatch
  selection: EventSelection
  range: Range
}

/** Used by every search, as is `reused-memory.ts`. */
const memory = {
  matching: new Uint32Array(ROWS_PER_BLOCK),
  inRange: new Uint32Array(ROWS_PER_BLOCK),
  counted: new Uint32Array(ROWS_PER_BLOCK),
}

/**
 * The counters of a selection. Its open events lie anywhere in memory, so each column is gone through by itself: in one
 * loop that looks at all columns of an event the processor waits for each of them (100 ns an event instead of 20).
 */
export function countOpen(blocks: readonly ColumnBlock[], { match, selection, range }: Search): OpenCounters {
  const { noOwner, noAction, fullSupport } = flagFilters(selection.now)
  const heedFlags = wantedFlags(selection)
  const inRange = keepWithin('created', range)
  const isOlder = keepWithin('created', { from: Number.NEGATIVE_INFINITY, to: range.from })
  const counters = { noOwnerEvents: 0, noActionEvents: 0, fullSupportEvents: 0, olderOpenEvents: 0 }
  for (const block of blocks) {
    if (block.open.size === 0) continue
    const open = match.keep(block, { from: block.open.rows, count: block.open.size, into: memory.matching })
    const older = isOlder(block, { ...open, into: memory.counted })
    counters.olderOpenEvents += heedFlags(block, older).count
    // The other three ignore the flags.
    const rows = { ...inRange(block, { ...open, into: memory.inRange }), into: memory.counted }
    counters.noOwnerEvents += noOwner(block, rows).count
    counters.noActionEvents += noAction(block, rows).count
    counters.fullSupportEvents += fullSupport(block, rows).count
  }
  return counters
}

/** The open events of a selection, for one that can hold no others; by block, ascending. */
export function openHits(blocks: readonly ColumnBlock[], { match, selection, range }: Search): Hits[] {
  const heedFlags = wantedFlags(selection)
  const inRange = keepWithin('created', range)
  return blocks.flatMap((block) => {
    if (block.open.size === 0 || block.created.isOutside(range)) return []
    const open = { from: block.open.rows, count: block.open.size, into: memory.matching }
    const { from, count } = heedFlags(block, inRange(block, match.keep(block, open)))
    return [{ block, rows: from.slice(0, count) }]
  })
}

/** Leaves out what lacks a flag that the selection asks for. */
function wantedFlags({ flags, now }: EventSelection): RowFilter {
  const filters = flagFilters(now)
  const wanted = flagNames.filter((name) => flags[name]).map((name) => filters[name])
  return (block, rows) => wanted.reduce((left, keep) => keep(block, left), rows)
}

const flagNames = ['noOwner', 'noAction', 'fullSupport'] as const

/** Returns the filters of open events that have a flag at an instant. */
function flagFilters(now: Date): Record<(typeof flagNames)[number], RowFilter> {
  const actedBefore = now.getTime() - NO_ACTION_AFTER_MS
  const isOld = keepWithin('created', {
    from: Number.NEGATIVE_INFINITY,
    to: now.getTime() - NO_OWNER_AFTER_MS + 1,
  })
  return {
    noOwner: (block, rows) => isOld(block, keepUnowned(block, keepMarked(block.states, isNew, rows))),
    noAction: (block, rows) => keepActedBefore(actedBefore, block, keepMarked(block.states, isInProgress, rows)),
    fullSupport: (block, rows) => keepMarked(block.states, hasSupport, rows),
  }
}

const isNew = statesWhere((state) => (state & STATUS_MASK) === 1)
const isInProgress = statesWhere((state) => (state & STATUS_MASK) === 2)
const hasSupport = statesWhere((state) => (state & FULL_SUPPORT) !== 0)

function keepUnowned({ owners }: ColumnBlock, { from, count, into }: Rows): Rows {
  let kept = 0
  for (let index = 0; index < count; index += 1) {
    const row = from[index] as number
    into[kept] = row
    kept += owners[row] === 0 ? 1 : 0
  }
  return { from: into, count: kept, into }
}

/** Those about which nothing was done after an instant, in milliseconds since 1970. */
function keepActedBefore(instant: number, { open }: ColumnBlock, { from, count, into }: Rows): Rows {
  let kept = 0
  for (let index = 0; index < count; index += 1) {
    const row = from[index] as number
    if ((open.lastActionAt(row) ?? Number.POSITIVE_INFINITY) > instant) continue
    into[kept] = row
    kept += 1
  }
  return { from: into, count: kept, into }
}
