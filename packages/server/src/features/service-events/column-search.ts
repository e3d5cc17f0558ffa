import { hitsIn, lookAmong } from './column-hits.ts'
import { matchColumns, takesClosed } from './column-match.ts'
import { groupOrder } from './column-order.ts'
import type { ColumnPage, Look, PageFinder } from './column-page.ts'
import { EmailedPage } from './emailed-page.ts'
import { type ColumnBlock, type EventColumns, ROWS_PER_BLOCK } from './event-columns.ts'
import type { EventSelection } from './filters.ts'
import { GroupPage } from './group-page.ts'
import { countHits } from './hit-counts.ts'
import { IdPage } from './id-page.ts'
import type { Range } from './instant-column.ts'
import { countOpen, type OpenCounters, openHits } from './open-hits.ts'
import { TimePage } from './time-page.ts'

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
  const finder = page && pageFinder(columns, { page, blocks, range })
  const counts = countHits(columns, { match, blocks, range, look, finder })
  const seen = seenOf(columns, counts)
  let ids: number[] | null = null
  if (finder && page) ids = page.offset < seen.events ? finder.find(seen.events, look) : []
  return { ...seen, ...countOpen(blocks, search), ids }
}

function pageFinder(
  columns: EventColumns,
  { page, blocks, range }: { page: ColumnPage; blocks: readonly ColumnBlock[]; range: Range },
): PageFinder | null {
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
