import type { Condition } from '../features/events/search/condition.ts'
import type {
  ColumnCounts,
  CountedColumn,
  CountQuestion,
  Found,
  Page,
  PlaceCount,
  ValueCount,
} from '../features/events/search/event-search.ts'
import {
  conditionOf,
  contractClockRuns,
  countersOf,
  type EventSelection,
} from '../features/events/search/filters.queries.ts'
import type { ValueRanks } from '../features/events/search/value-ranks.queries.ts'
import type { Codes, EventArrays } from './event-arrays.ts'
import { countEvents, type Hits, Matcher, tally } from './match.ts'
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
  { selection, page, valueRanks }: { selection: EventSelection; page: Page | null; valueRanks: readonly ValueRanks[] },
): IndexFound {
  const matcher = new Matcher(arrays)
  // One object for all conditions, so that it is compiled once.
  const scope = scopeOf(selection)
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
  function idsOf(page: Page): Float64Array {
    const { orderBy, order, offset, limit } = page
    if (orderBy !== 'contractClock') return idsInOrder(arrays, hits, { ...page, orderBy, valueRanks })
    const running = findInScope({ is: 'all', of: [conditionOf(selection), contractClockRuns] })
    const first = idsInOrder(arrays, running, { ...page, orderBy: 'createdAt', valueRanks })
    if (first.length === limit) return first
    const rest = idsInOrder(arrays, without(hits, running), {
      orderBy: 'eventId',
      order,
      offset: Math.max(0, offset - countEvents(running)),
      limit: limit - first.length,
      valueRanks,
    })
    const ids = new Float64Array(first.length + rest.length)
    ids.set(first)
    ids.set(rest, first.length)
    return ids
  }
  const locationOf = ({ customerId, siteId }: PlaceCount) => `${customerId} ${locations.get(siteId)}`
  return {
    totals: {
      ...distinct,
      ...counters,
      events: countEvents(hits),
      locations: new Set([...places.values()].map(locationOf)).size,
    },
    ids: page ? idsOf(page) : new Float64Array(0),
    places: page ? [] : [...places.values()],
  }
}

/** Returns the hits that are not among some of them. The rows of both ascend. */
function without(hits: readonly Hits[], some: readonly Hits[]): Hits[] {
  const leftOut = new Map(some.map(({ chunk, rows }) => [chunk, rows]))
  return hits.map(({ chunk, rows }) => {
    const out = leftOut.get(chunk)
    if (!out) return { chunk, rows }
    const kept = new Uint16Array(rows.length - out.length)
    let next = 0
    for (let index = 0; index < rows.length; index += 1) {
      const row = rows[index] as number
      if (row === out[next]) next += 1
      else kept[index - next] = row
    }
    return { chunk, rows: kept }
  })
}

function scopeOf({ scope }: EventSelection): Condition {
  return scope === 'all' ? { is: 'all', of: [] } : { is: 'anyOf', column: 'customer', values: scope }
}

/** Counts the events of each selection by the values of its columns. */
export function countInIndex({ arrays }: Index, questions: readonly CountQuestion[]): ColumnCounts[] {
  // Selections share their conditions, which are compiled once.
  const matcher = new Matcher(arrays)
  return questions.map(({ selection, columns, runs }) => {
    const hits = matcher.find({ is: 'all', of: [scopeOf(selection), conditionOf(selection)] })
    const tallies: Partial<Record<Codes['field'], Uint32Array>> = {}
    const countsOf = (column: CountedColumn) => {
      if (column === 'run') return countRuns(hits, runs)
      const codes = arrays.codesOf(column)
      const { customer } = arrays.kinds.columns
      return summed((tallies[codes.field] ??= tally(hits, codes)), codes, column === 'instrument' ? customer : null)
    }
    return Object.fromEntries(columns.map((column) => [column, countsOf(column)]))
  })
}

function countRuns(hits: readonly Hits[], runs: readonly number[]): ValueCount[] {
  const counts = new Map(runs.map((run) => [run, 0]))
  for (const { chunk, rows } of hits) {
    if (!chunk.runs) continue
    for (const row of rows) {
      const run = chunk.runs[row] as number
      const count = counts.get(run)
      if (count !== undefined) counts.set(run, count + 1)
    }
  }
  return [...counts].flatMap(([value, events]) => (events === 0 ? [] : [{ value, customerId: null, events }]))
}

/** Sums a tally by the values that its numbers stand for, and by the customers of these numbers if there are any. */
function summed(tally: Uint32Array, { valueOf }: Codes, customers: Uint32Array | null): ValueCount[] {
  const counts = new Map<string, ValueCount>()
  for (let number = 0; number < tally.length; number += 1) {
    const events = tally[number] as number
    if (events === 0) continue
    const [value, customerId] = [valueOf(number), customers?.[number] ?? null]
    const key = `${value} ${customerId}`
    const known = counts.get(key)
    if (known) known.events += events
    else counts.set(key, { value, customerId, events })
  }
  return [...counts.values()]
}

/** Counts from the events of each kind everything that is distinct. */
function countDistinct({ kinds }: EventArrays, hits: readonly Hits[]) {
  const counts = tally(hits, { field: 'kinds', size: kinds.size })
  const { instrument, component, customer, site, severity, subject, place: placeNumber } = kinds.columns
  // Bytes are ten times as fast as a Set.
  const seenInstruments = new Uint8Array(kinds.highestInstrument + 1)
  const seenComponents = new Uint8Array(kinds.size)
  const placeOf: (PlaceCount | undefined)[] = []
  let instruments = 0
  let components = 0
  for (let kind = 0; kind < counts.length; kind += 1) {
    const count = counts[kind] as number
    if (count === 0) continue
    const instrumentId = instrument[kind] as number
    if (instrumentId !== 0 && seenInstruments[instrumentId] === 0) {
      seenInstruments[instrumentId] = 1
      instruments += 1
    }
    const subjectNumber = subject[kind] as number
    if (instrumentId !== 0 && component[kind] !== 0 && seenComponents[subjectNumber] === 0) {
      seenComponents[subjectNumber] = 1
      components += 1
    }
    const place = (placeOf[placeNumber[kind] as number] ??= {
      customerId: customer[kind] as number,
      siteId: site[kind] as number,
      bySeverity: [0, 0, 0],
      openBySeverity: [0, 0, 0],
    })
    place.bySeverity[((severity[kind] as number) - 1) as 0 | 1 | 2] += count
  }
  const places = new Map(placeOf.flatMap((place, number) => (place ? [[number, place] as const] : [])))
  const customers = new Set([...places.values()].map(({ customerId }) => customerId)).size
  return { instruments, components, customers, places }
}

/** Adds the open events to their places. */
function countOpen({ kinds }: EventArrays, hits: readonly Hits[], places: ReadonlyMap<number, PlaceCount>): void {
  const counts = tally(hits, { field: 'kinds', size: kinds.size })
  for (const [kind, count] of counts.entries()) {
    const place = count > 0 && places.get(kinds.columns.place[kind] as number)
    if (place) place.openBySeverity[((kinds.columns.severity[kind] as number) - 1) as 0 | 1 | 2] += count
  }
}
