import { everyRow, matchColumns } from './column-match.ts'
import { type ColumnBlock, type EventColumns, ROWS_PER_BLOCK, STATUS_BITS } from './event-columns.ts'
import { type EventSelection, NO_ACTION_AFTER_MS, NO_OWNER_AFTER_MS } from './filters.ts'

/** Where a page by time of creation begins and how long it is. */
export interface TimePage {
  order: 'ASC' | 'DESC'
  offset: number
  limit: number
}

/** The totals of a selection, but for locations, which are counted from `places`; and the ids of the page, if one is wanted. */
export interface ColumnFindings {
  events: number
  instruments: number
  components: number
  places: { customerId: number; siteId: number }[]
  noOwnerEvents: number
  noActionEvents: number
  fullSupportEvents: number
  olderOpenEvents: number
  ids: number[] | null
}

/** Finds what a selection holds; undefined where it asks for more than the columns know. */
export function searchColumns(
  columns: EventColumns,
  { selection, page }: { selection: EventSelection; page: TimePage | null },
): ColumnFindings | undefined {
  const { start, stop } = selection
  const { noOwner, noAction, fullSupport } = selection.flags
  const onlyOpen = noOwner || noAction || fullSupport
  const range = { from: start?.getTime() ?? Number.NEGATIVE_INFINITY, to: stop?.getTime() ?? Number.POSITIVE_INFINITY }
  const blocks = [...columns.blocks]
  const match = matchColumns(columns, { selection, rows: rowsToTry(blocks, { range, onlyOpen }) })
  if (!match) return undefined
  const counters = { noOwnerEvents: 0, noActionEvents: 0, fullSupportEvents: 0, olderOpenEvents: 0 }
  const flagged: Hits[] = []
  for (const block of blocks) {
    if (block.open.size === 0) continue
    const open = Uint32Array.from(block.open.keys())
    const count = match.keep(block, { from: open, count: open.length, into: open })
    const rows = open.subarray(0, count)
    countOpen(counters, { block, rows, selection, range })
    flagged.push({
      block,
      rows: rows.filter((row) => isIn(range, block.created[row] as number) && hasFlags(block, row, selection)),
    })
  }
  const hits = onlyOpen ? flagged : hitsIn(blocks, range, match.keep)
  const seen = new Uint8Array(columns.kinds.size)
  const histogram = page && new TimeHistogram(blocks, range)
  let events = 0
  for (const { block, rows } of hits) {
    events += rows.length
    for (const row of rows) seen[block.kinds[row] as number] = 1
    histogram?.count(block, rows)
  }
  const again = histogram && page && events > page.offset ? histogram.bounds(page, events) : null
  return {
    events,
    ...seenOf(columns, seen),
    ...counters,
    ids:
      page && (again === null ? [] : pageOf(onlyOpen ? flagged : hitsIn(blocks, again.range, match.keep), again, page)),
  }
}

function rowsToTry(blocks: readonly ColumnBlock[], { range, onlyOpen }: { range: Range; onlyOpen: boolean }): number {
  return blocks.reduce(
    (rows, block) => rows + block.open.size + (onlyOpen || isOutside(block, range) ? 0 : ROWS_PER_BLOCK),
    0,
  )
}

function isOutside(block: ColumnBlock, { from, to }: Range): boolean {
  return block.latest < from || block.earliest >= to
}

interface Range {
  from: number
  to: number
}

interface Hits {
  block: ColumnBlock
  rows: Uint32Array
}

function isIn({ from, to }: Range, time: number): boolean {
  return from <= time && time < to
}

/** Used by every search: they never overlap, and memory of this size taken anew each time makes V8 clean up every few searches (30 ms). */
const matchingRows = new Uint32Array(ROWS_PER_BLOCK)

/** The matching rows of each block, in memory that the next block uses again. */
function* hitsIn(
  blocks: readonly ColumnBlock[],
  range: Range,
  keep: NonNullable<ReturnType<typeof matchColumns>>['keep'],
): Generator<Hits> {
  const into = matchingRows
  for (const block of blocks) {
    if (isOutside(block, range)) continue
    let count = keep(block, { from: everyRow, count: ROWS_PER_BLOCK, into })
    if (block.earliest < range.from || block.latest >= range.to) {
      let inside = 0
      for (let index = 0; index < count; index += 1) {
        const row = into[index] as number
        const time = block.created[row] as number
        if (time < range.from || time >= range.to) continue
        into[inside] = row
        inside += 1
      }
      count = inside
    }
    yield { block, rows: into.subarray(0, count) }
  }
}

type Counters = Pick<ColumnFindings, 'noOwnerEvents' | 'noActionEvents' | 'fullSupportEvents' | 'olderOpenEvents'>

/** The three counters ignore the flags; older open events heed them. */
function countOpen(
  counters: Counters,
  { block, rows, selection, range }: Hits & { selection: EventSelection; range: Range },
): void {
  for (const row of rows) {
    const time = block.created[row] as number
    if (isIn(range, time)) {
      const flags = flagsOf(block, row, selection)
      if (flags.noOwner) counters.noOwnerEvents += 1
      if (flags.noAction) counters.noActionEvents += 1
      if (flags.fullSupport) counters.fullSupportEvents += 1
    } else if (time < range.from && hasFlags(block, row, selection)) {
      counters.olderOpenEvents += 1
    }
  }
}

function flagsOf(block: ColumnBlock, row: number, { now }: EventSelection): EventSelection['flags'] {
  const status = (block.states[row] as number) & STATUS_BITS
  const open = block.open.get(row)
  return {
    noOwner:
      status === 1 && block.owners[row] === 0 && (block.created[row] as number) <= now.getTime() - NO_OWNER_AFTER_MS,
    noAction: status === 2 && open !== undefined && open.lastActionAt <= now.getTime() - NO_ACTION_AFTER_MS,
    fullSupport: open?.fullSupport ?? false,
  }
}

function hasFlags(block: ColumnBlock, row: number, selection: EventSelection): boolean {
  const { noOwner, noAction, fullSupport } = selection.flags
  if (!noOwner && !noAction && !fullSupport) return true
  const flags = flagsOf(block, row, selection)
  return (!noOwner || flags.noOwner) && (!noAction || flags.noAction) && (!fullSupport || flags.fullSupport)
}

/** Distinct totals from the kinds that were met. */
function seenOf(
  { kinds }: EventColumns,
  seen: Uint8Array,
): Pick<ColumnFindings, 'instruments' | 'components' | 'places'> {
  const instruments = new Uint8Array(kinds.instruments.max + 1)
  const pairs = new Uint8Array(kinds.pairs.max + 1)
  const places = new Map<number, { customerId: number; siteId: number }>()
  for (let kind = seen.indexOf(1); kind >= 0; kind = seen.indexOf(1, kind + 1)) {
    instruments[kinds.instruments.values[kind] as number] = 1
    pairs[kinds.pairs.values[kind] as number] = 1
    const place = kinds.places.values[kind] as number
    if (!places.has(place)) {
      places.set(place, {
        customerId: kinds.customers.values[kind] as number,
        siteId: kinds.sites.values[kind] as number,
      })
    }
  }
  return { instruments: countFromOne(instruments), components: countFromOne(pairs), places: [...places.values()] }
}

/** How many are marked, but for 0, which stands for none. */
function countFromOne(marked: Uint8Array): number {
  let count = 0
  for (let index = 1; index < marked.length; index += 1) count += marked[index] as number
  return count
}

const BUCKETS = 16_384

/**
 * How many hits lie in each slice of time, so that a page anywhere is found by sorting the few around it instead of all:
 * one slice in three years of ten million events holds 600.
 */
class TimeHistogram {
  readonly #counts = new Uint32Array(BUCKETS)
  readonly #from: number
  readonly #width: number
  readonly #end: number

  constructor(blocks: readonly ColumnBlock[], range: Range) {
    const earliest = Math.max(
      range.from,
      blocks.reduce((least, block) => Math.min(least, block.earliest), Number.POSITIVE_INFINITY),
    )
    const latest = Math.min(
      range.to,
      blocks.reduce((most, block) => Math.max(most, block.latest), Number.NEGATIVE_INFINITY),
    )
    this.#from = earliest
    this.#end = range.to
    // Whole milliseconds, so that a bound between two slices is one exactly.
    this.#width = Math.max(1, Math.ceil((latest - earliest + 1) / BUCKETS))
  }

  count({ created }: ColumnBlock, rows: Uint32Array): void {
    for (const row of rows) {
      const bucket = Math.floor(((created[row] as number) - this.#from) / this.#width)
      this.#counts[bucket] = (this.#counts[bucket] as number) + 1
    }
  }

  /** The slices that a page lies in, and how many hits come before them in its order. */
  bounds({ order, offset, limit }: TimePage, events: number): { range: Range; before: number } {
    // Counted in ascending order: a page from the end ends where it begins from the start.
    const first = order === 'ASC' ? offset : Math.max(0, events - offset - limit)
    const last = order === 'ASC' ? Math.min(events, offset + limit) : events - offset
    let passed = 0
    let bucket = 0
    while (passed + (this.#counts[bucket] as number) <= first) {
      passed += this.#counts[bucket] as number
      bucket += 1
    }
    const from = bucket
    let held = passed
    while (held < last) {
      held += this.#counts[bucket] as number
      bucket += 1
    }
    return {
      // The last slice may reach beyond the range.
      range: { from: this.#from + from * this.#width, to: Math.min(this.#end, this.#from + bucket * this.#width) },
      before: order === 'ASC' ? passed : events - held,
    }
  }
}

function pageOf(hits: Iterable<Hits>, { range, before }: { range: Range; before: number }, page: TimePage): number[] {
  const found: { id: number; time: number }[] = []
  for (const { block, rows } of hits) {
    for (const row of rows) {
      const time = block.created[row] as number
      if (isIn(range, time)) found.push({ id: block.firstId + row, time })
    }
  }
  found.sort((a, b) => a.time - b.time || a.id - b.id)
  if (page.order === 'DESC') found.reverse()
  const first = page.offset - before
  return found.slice(first, first + page.limit).map(({ id }) => id)
}
