import type { NumberCounts } from '../number-counts.ts'
import type { Page } from '../search/event-sort.queries.ts'
import type { EventSelection } from '../search/filters.ts'
import { keepMarked, ReusedMemory, type RowFilter } from './block-rows.ts'
import { type ColumnMatch, type MatchByKind, matchColumns, takesClosed } from './column-match.ts'
import { copyHits, hitsIn, lookAmong } from './column-matches.ts'
import { groupOrder } from './column-order.ts'
import {
  ascendingBounds,
  type ColumnPage,
  fromNearerEnd,
  type Hits,
  type Look,
  type Pager,
  type Stretch,
} from './column-page.ts'
import {
  type ColumnBlock,
  EMAILED,
  type EventColumns,
  type HeldEvents,
  type Range,
  ROWS_PER_BLOCK,
  statesWhere,
} from './event-columns.ts'
import { GroupPage } from './group-page.ts'
import { countOpen, type OpenCounters, openHits } from './open-matches.ts'
import { TimePage } from './time-page.ts'

const memory = new ReusedMemory((length) => new Uint32Array(length))

const unmatchedRows = new Uint32Array(ROWS_PER_BLOCK)

interface Search {
  match: ColumnMatch
  /** In order of ids. */
  blocks: readonly ColumnBlock[]
  range: Range
}

/** A page in the order of ids, in which the rows stand: hits are passed over from the nearer end until it is there. */
class IdPage implements Pager {
  readonly #page: Page

  constructor(page: Page) {
    this.#page = page
  }

  find(events: number, look: Look): number[] {
    const ids = ascendingIds(fromNearerEnd(ascendingBounds(this.#page, events), events), look)
    return this.#page.order === 'ASC' ? ids : ids.reverse()
  }
}

/** Matches every sent e-mail; 0 stands for none. */
const EVER: Range = { from: 1, to: Number.POSITIVE_INFINITY }

const isEmailed = statesWhere((state) => (state & EMAILED) !== 0)

const isUnemailed = statesWhere((state) => (state & EMAILED) === 0)

/**
 * A page in the order of when an e-mail was sent about an event: those that have one in the order of that time, and after
 * them all others in the order of their ids.
 */
class EmailedPage implements Pager {
  readonly #page: Page
  readonly #blocks: readonly ColumnBlock[]
  readonly #held: HeldEvents
  /** How many hits have an e-mail; null until it is known. */
  #emailed: number | null = null

  constructor(page: Page, { blocks, held }: { blocks: readonly ColumnBlock[]; held: HeldEvents }) {
    this.#page = page
    this.#blocks = blocks
    this.#held = held
  }

  readonly countAllBut = (others: Iterable<Hits>): void => {
    this.#emailed = this.#heldEmailed()
    for (const { block, rows } of others) {
      for (const row of rows) this.#emailed -= isEmailed[block.states[row] as number] as number
    }
  }

  find(events: number, look: Look): number[] {
    const { emailed, lookAtEmailed } = this.#emailedHits(look)
    const { first, last } = ascendingBounds(this.#page, events)
    const ids: number[] = []
    if (first < emailed) {
      const page = { order: 'ASC', offset: first, limit: Math.min(last, emailed) - first } as const
      const byTime = new TimePage(page, { column: 'emailed', blocks: this.#blocks, range: EVER })
      ids.push(...byTime.find(emailed, lookAtEmailed))
    }
    if (last > emailed) {
      const others = { first: Math.max(0, first - emailed), last: last - emailed }
      const stretch = fromNearerEnd(others, events - emailed)
      const narrow: RowFilter = ({ states }, rows) => keepMarked(states, isUnemailed, rows)
      ids.push(...ascendingIds(stretch, (options) => look({ ...options, narrow })))
    }
    return this.#page.order === 'ASC' ? ids : ids.reverse()
  }

  #emailedHits(look: Look): { emailed: number; lookAtEmailed: Look } {
    const narrow: RowFilter = ({ states }, rows) => keepMarked(states, isEmailed, rows)
    if (this.#emailed !== null) {
      return { emailed: this.#emailed, lookAtEmailed: (options) => look({ narrow, ...options }) }
    }
    const { hits, count } = copyHits(look({ narrow }), this.#heldEmailed())
    return { emailed: count, lookAtEmailed: lookAmong(hits) }
  }
  /** Counts all held events with an e-mail, whether they match or not. */
  #heldEmailed(): number {
    return this.#held.states.values.reduce((sum, events, state) => sum + events * (isEmailed[state] ?? 0), 0)
  }
}

/** Events of one customer at one site, by severity from low (index 0) to high. */
export interface PlaceCount {
  customerId: number
  siteId: number
  bySeverity: [number, number, number]
}

/**
 * The totals of a selection, but for locations, which are counted from `places`; and the ids of the page: null where none is
 * wanted, or in an order that the columns don't know.
 */
export interface ColumnFindings extends OpenCounters {
  events: number
  instruments: number
  components: number
  places: PlaceCount[]
  ids: number[] | null
}

/** Finds what a selection holds; undefined where it asks for more than the columns know. */
export function searchColumns(
  columns: EventColumns,
  { selection, page }: { selection: EventSelection; page: ColumnPage | null },
): ColumnFindings | undefined {
  const { start, stop } = selection
  const onlyOpen = !takesClosed(selection)
  const range = { from: start?.getTime() ?? Number.NEGATIVE_INFINITY, to: stop?.getTime() ?? Number.POSITIVE_INFINITY }
  const blocks = [...columns.blocks].sort((a, b) => a.firstId - b.firstId)
  const match = matchColumns(columns, { selection, rows: rowsToTry(blocks, { range, onlyOpen }) })
  if (!match) return undefined
  const search = { match, selection, range }
  const look: Look = onlyOpen
    ? lookAmong(openHits(blocks, search))
    : ({ narrow, isBackwards }) => hitsIn(isBackwards ? blocks.toReversed() : blocks, { range, match, narrow })
  const pager = page && pagerOf(columns, { page, blocks, range })
  const counts = countHits(columns, { match, blocks, range, look, pager })
  const seen = seenOf(columns, counts)
  let ids: number[] | null = null
  if (pager && page) ids = page.offset < seen.events ? pager.find(seen.events, look) : []
  return { ...seen, ...countOpen(blocks, search), ids }
}

function pagerOf(
  columns: EventColumns,
  { page, blocks, range }: { page: ColumnPage; blocks: readonly ColumnBlock[]; range: Range },
): Pager | null {
  const { orderBy, ranks } = page
  if (orderBy === 'createdAt') return new TimePage(page, { column: 'created', blocks, range })
  if (orderBy === 'eventId') return new IdPage(page)
  if (orderBy === 'automaticEmailSentAt') return new EmailedPage(page, { blocks, held: columns.held })
  const order = groupOrder(columns, { orderBy, ranks })
  return order ? new GroupPage(page, { order, held: columns.held }) : null
}

function rowsToTry(blocks: readonly ColumnBlock[], { range, onlyOpen }: { range: Range; onlyOpen: boolean }): number {
  return blocks.reduce(
    (rows, block) => rows + block.open.size + (onlyOpen || block.created.isOutside(range) ? 0 : ROWS_PER_BLOCK),
    0,
  )
}

/** Distinct totals, and the events of each place, from how often each kind was met. */
function seenOf(
  { kinds }: EventColumns,
  counts: Uint32Array,
): Pick<ColumnFindings, 'events' | 'instruments' | 'components' | 'places'> {
  const instruments = new Uint8Array(kinds.instruments.max + 1)
  const pairs = new Uint8Array(kinds.pairs.max + 1)
  const places: PlaceCount[] = []
  // Numbers of places are dense: found in a list in half the time that a map takes.
  const byNumber = Array.from<PlaceCount | undefined>({ length: kinds.places.max + 1 })
  let events = 0
  for (let kind = 0; kind < counts.length; kind += 1) {
    const count = counts[kind] as number
    if (count === 0) continue
    events += count
    instruments[kinds.instruments.values[kind] as number] = 1
    pairs[kinds.pairs.values[kind] as number] = 1
    const number = kinds.places.values[kind] as number
    let place = byNumber[number]
    if (place === undefined) {
      const customerId = kinds.customers.values[kind] as number
      const siteId = kinds.sites.values[kind] as number
      place = { customerId, siteId, bySeverity: [0, 0, 0] }
      byNumber[number] = place
      places.push(place)
    }
    const severity = (kinds.severities.values[kind] as number) - 1
    place.bySeverity[severity] = (place.bySeverity[severity] ?? 0) + count
  }
  return { events, instruments: countFromOne(instruments), components: countFromOne(pairs), places }
}

/** How many are marked, but for 0, which stands for none. */
function countFromOne(marked: Uint8Array): number {
  let count = 0
  for (let index = 1; index < marked.length; index += 1) count += marked[index] as number
  return count
}

/** The ids of a stretch, ascending. */
function ascendingIds({ isBackwards, skip, end }: Stretch, look: Look): number[] {
  const ids: number[] = []
  let passed = 0
  for (const { block, rows } of look({ isBackwards })) {
    const last = Math.min(rows.length, end - passed)
    for (let index = Math.max(0, skip - passed); index < last; index += 1) {
      ids.push(block.firstId + (rows[isBackwards ? rows.length - 1 - index : index] as number))
    }
    passed += rows.length
    if (passed >= end) break
  }
  return isBackwards ? ids.reverse() : ids
}

/**
 * How many hits there are of each kind, until the next search; and tells the finder of a page of them. `look` gives all
 * hits: each is looked at where kinds don't decide.
 */
function countHits(
  columns: EventColumns,
  { look, pager, ...search }: Search & { look: Look; pager: Pager | null },
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
    if (isUnbounded && byKind.kinds === null) pager?.countAllBut?.(unmatchedOpen(blocks, byKind))
  }
  pager?.countKinds?.(ofKinds)
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
