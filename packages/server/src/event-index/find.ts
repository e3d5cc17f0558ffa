import { type Condition, everything } from '../features/events/search/condition.ts'
import type { Found, Page, PlaceCount } from '../features/events/search/event-search.ts'
import { conditionOf, countersOf, type EventSelection } from '../features/events/search/filters.queries.ts'
import type { ValueRank } from '../features/events/search/value-ranks.queries.ts'
import type { EventArrays } from './event-arrays.ts'
import { countEvents, type Hits, Matcher } from './match.ts'
import { idsInOrder } from './pager.ts'

/** Everything that is searched. */
export interface Index {
  arrays: EventArrays
  /** The location key of each site: sites of one customer with the same key are at one location. */
  locations: Map<number, string | undefined>
}

/** Findings of the index. Places are empty if a page was wanted. */
export interface IndexFound extends Pick<Found, 'totals' | 'places'> {
  ids: Float64Array
}

/** Returns the totals of a selection with its places, and the ids of a page where one is wanted. */
export function findInIndex(
  { arrays, locations }: Index,
  { selection, page, valueRanks }: { selection: EventSelection; page: Page | null; valueRanks: readonly ValueRank[] },
): IndexFound {
  const matcher = new Matcher(arrays)
  // One object for all conditions, so that it is compiled once.
  const scope: Condition =
    selection.scope === 'all' ? everything : { is: 'anyOf', column: 'customer', values: selection.scope }
  const findInScope = (condition: Condition) => matcher.find({ is: 'all', of: [scope, condition] })
  const hits = findInScope(conditionOf(selection))
  const { places, ...distinct } = countDistinct(arrays, hits)
  if (page === null) {
    const openHits = findInScope({ is: 'all', of: [{ is: 'open' }, conditionOf(selection)] })
    countOpen(arrays, openHits, places)
  }
  const open = Object.entries(countersOf(selection)).map(([name, condition]) => {
    return [name, countEvents(findInScope(condition))] as const
  })
  const counters = Object.fromEntries(open) as Record<keyof ReturnType<typeof countersOf>, number>
  const locationOf = ({ customerId, siteId }: PlaceCount) => `${customerId} ${locations.get(siteId)}`
  return {
    totals: {
      ...distinct,
      ...counters,
      events: countEvents(hits),
      locations: new Set([...places.values()].map(locationOf)).size,
    },
    ids: page ? idsInOrder(arrays, hits, { ...page, valueRanks }) : new Float64Array(0),
    places: page ? [] : [...places.values()],
  }
}

/** Counts the events of each kind, and from these counts everything that is distinct. */
function countDistinct({ kinds }: EventArrays, hits: readonly Hits[]) {
  const counts = countKinds(kinds.size, hits)
  const { instrument, component, customer, site, severity } = kinds.columns
  // Bytes are ten times as fast as a Set.
  const instruments = new Uint8Array(kinds.highestInstrument + 1)
  const components = new Uint8Array(kinds.size)
  const places = new Map<number, PlaceCount>()
  for (let kind = 0; kind < counts.length; kind += 1) {
    const count = counts[kind] as number
    if (count === 0) continue
    const instrumentId = instrument[kind] as number
    if (instrumentId !== 0) instruments[instrumentId] = 1
    if (instrumentId !== 0 && component[kind] !== 0) components[kinds.subjects[kind] as number] = 1
    let place = places.get(kinds.places[kind] as number)
    if (!place) {
      const zeros = { bySeverity: [0, 0, 0], openBySeverity: [0, 0, 0] } satisfies Partial<PlaceCount>
      place = { customerId: customer[kind] as number, siteId: site[kind] as number, ...zeros }
      places.set(kinds.places[kind] as number, place)
    }
    place.bySeverity[((severity[kind] as number) - 1) as 0 | 1 | 2] += count
  }
  const sumOf = (marks: Uint8Array) => marks.reduce((sum, mark) => sum + mark, 0)
  return {
    instruments: sumOf(instruments),
    components: sumOf(components),
    customers: new Set([...places.values()].map(({ customerId }) => customerId)).size,
    places,
  }
}

/** Adds the open events to their places. */
function countOpen({ kinds }: EventArrays, hits: readonly Hits[], places: ReadonlyMap<number, PlaceCount>): void {
  const counts = countKinds(kinds.size, hits)
  for (const [kind, count] of counts.entries()) {
    const place = count > 0 && places.get(kinds.places[kind] as number)
    if (place) place.openBySeverity[((kinds.columns.severity[kind] as number) - 1) as 0 | 1 | 2] += count
  }
}

function countKinds(size: number, hits: readonly Hits[]): Uint32Array {
  const counts = new Uint32Array(size)
  for (const { chunk, rows } of hits) {
    const kindOf = chunk.kinds
    for (let index = 0; index < rows.length; index += 1) {
      const kind = kindOf[rows[index] as number] as number
      counts[kind] = (counts[kind] as number) + 1
    }
  }
  return counts
}
