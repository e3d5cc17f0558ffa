import type { Condition } from '../features/events/search/condition.ts'
import type { EventOrder, Found, Page, PlaceCount } from '../features/events/search/event-search.ts'
import { conditionOf, countersOf, type EventSelection } from '../features/events/search/filters.queries.ts'
import type { ValueRank } from '../features/events/search/value-ranks.queries.ts'
import type { EventArrays } from './event-arrays.ts'
import { findHits, type Hits, isHit, MatchCompiler } from './match.ts'
import { idsInOrder, sortKeyOf } from './pager.ts'

/** Numbers the locations of sites: sites of one customer at one address share one. */
export class SiteLocations {
  readonly #numbers = new Map<string, number>()
  readonly #ofSite = new Map<number, number>()

  /** Stores the address of a site. Returns its earlier location number, which `write` brings back. */
  put(id: number, address: string): number | undefined {
    const before = this.#ofSite.get(id)
    const number = this.#numbers.get(address) ?? this.#numbers.size
    this.#numbers.set(address, number)
    this.write(id, number)
    return before
  }

  write(id: number, number: number | undefined): void {
    if (number === undefined) this.#ofSite.delete(id)
    else this.#ofSite.set(id, number)
  }

  count(places: readonly PlaceCount[]): number {
    const most = this.#numbers.size
    return new Set(places.map(({ customerId, siteId }) => customerId * most + (this.#ofSite.get(siteId) ?? 0))).size
  }
}

/** The memory that is searched. */
export interface Index {
  arrays: EventArrays
  locations: SiteLocations
}

/** Returns the totals of a selection with the ids of a page, or with its places. */
export function findInIndex(
  { arrays, locations }: Index,
  { selection, page, valueRanks }: { selection: EventSelection; page: Page | null; valueRanks: readonly ValueRank[] },
): Found {
  const compiler = new MatchCompiler(arrays)
  const hits = findHits(arrays, compiler.compile(inScope(selection, conditionOf(selection))))
  const { places, ...totals } = totalsOf(arrays, hits)
  const key = page && sortKeyOf(arrays, { orderBy: page.orderBy, valueRanks })
  return {
    totals: {
      ...totals,
      customers: new Set(places.map(({ customerId }) => customerId)).size,
      locations: locations.count(places),
      ...countOpen(arrays, { selection, compiler }),
    },
    ids: page && key ? [...idsInOrder(arrays, { hits, key, page })] : [],
    places: page ? [] : places,
    asOf: null,
  }
}

/** Returns the ids of a selection in order. */
export function listInIndex(
  { arrays }: Index,
  { selection, order, valueRanks }: { selection: EventSelection; order: EventOrder; valueRanks: readonly ValueRank[] },
): Float64Array {
  const hits = findHits(arrays, new MatchCompiler(arrays).compile(inScope(selection, conditionOf(selection))))
  const key = sortKeyOf(arrays, { orderBy: order.orderBy, valueRanks })
  return idsInOrder(arrays, { hits, key, page: { order: order.order } })
}

function inScope({ scope }: EventSelection, condition: Condition): Condition {
  if (scope === 'all') return condition
  return { is: 'all', of: [{ is: 'anyOf', column: 'customer', values: scope }, condition] }
}

/** Counts the events of each kind, and from these counts everything that is distinct. */
function totalsOf({ kinds }: EventArrays, hits: readonly Hits[]) {
  const counts = new Uint32Array(kinds.size)
  for (const { chunk, rows } of hits) {
    const kindOf = chunk.kinds
    for (let index = 0; index < rows.length; index += 1) {
      const kind = kindOf[rows[index] as number] as number
      counts[kind] = (counts[kind] as number) + 1
    }
  }
  const { instrument, customer, site, severity } = kinds.values
  const instruments = new Uint8Array(instrument.max + 1)
  const pairs = new Uint8Array(kinds.pairs.max + 1)
  const places: (PlaceCount | undefined)[] = Array.from({ length: kinds.places.max + 1 })
  let events = 0
  for (let kind = 0; kind < counts.length; kind += 1) {
    const count = counts[kind] as number
    if (count === 0) continue
    events += count
    instruments[instrument.values[kind] as number] = 1
    pairs[kinds.pairs.values[kind] as number] = 1
    const number = kinds.places.values[kind] as number
    const place = (places[number] ??= {
      customerId: customer.values[kind] as number,
      siteId: site.values[kind] as number,
      bySeverity: [0, 0, 0],
    })
    const index = ((severity.values[kind] as number) - 1) as 0 | 1 | 2
    place.bySeverity[index] += count
  }
  return {
    events,
    instruments: countPresent(instruments),
    components: countPresent(pairs),
    places: places.filter((place) => place !== undefined),
  }
}

/** Counts what is marked, except 0, which stands for a missing value. */
function countPresent(marked: Uint8Array): number {
  let count = 0
  for (let value = 1; value < marked.length; value += 1) count += marked[value] as number
  return count
}

function countOpen(
  arrays: EventArrays,
  { selection, compiler }: { selection: EventSelection; compiler: MatchCompiler },
) {
  const conditions = countersOf(selection)
  const counterOf = (name: keyof typeof conditions) => ({
    match: compiler.compile(inScope(selection, conditions[name])),
    count: 0,
  })
  const counters = {
    noOwnerEvents: counterOf('noOwnerEvents'),
    noActionEvents: counterOf('noActionEvents'),
    fullSupportEvents: counterOf('fullSupportEvents'),
    olderOpenEvents: counterOf('olderOpenEvents'),
  }
  const all = Object.values(counters)
  for (const chunk of arrays.chunks) {
    for (const row of chunk.lastActions.keys()) {
      for (const counter of all) if (isHit(chunk, row, counter.match)) counter.count += 1
    }
  }
  return {
    noOwnerEvents: counters.noOwnerEvents.count,
    noActionEvents: counters.noActionEvents.count,
    fullSupportEvents: counters.fullSupportEvents.count,
    olderOpenEvents: counters.olderOpenEvents.count,
  }
}
