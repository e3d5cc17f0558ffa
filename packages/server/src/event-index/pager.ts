import type { EventOrderBy } from '@benchwatch/contract/vocabulary'
import type { Page as AnyPage } from '../features/events/search/event-search.ts'
import type { RankedTable, ValueRank } from '../features/events/search/value-ranks.queries.ts'
import { type Chunk, type EventArrays, stateOf } from './event-arrays.ts'
import { countEvents, type Hits } from './match.ts'

/** The order by contract clock consists of two others. */
type OrderBy = Exclude<EventOrderBy, 'contractClock'>
type Page = AnyPage & { orderBy: OrderBy }

/** Sorts events by the value in a column, or by its rank where there are ranks. */
interface SortKey {
  column: 'id' | 'created' | 'emailed' | 'kinds' | 'owners' | 'states' | 'texts'
  ranks: Uint32Array | null
}

/** Sorts events without an e-mail behind all others. */
const NEVER = Date.UTC(2200)
/** Ranges that ids and instants are counted in. */
const RANGES = 65_536

/** Returns the key of an order. `valueRanks` are those of the names that it sorts by (`readValueRanks`). */
function sortKeyOf(
  { kinds, texts, ownerCount }: EventArrays,
  orderBy: OrderBy,
  valueRanks: readonly ValueRank[],
): SortKey {
  const missing = valueRanks.reduce((most, { rank }) => Math.max(most, rank), 0) + 1
  const byTable: Partial<Record<RankedTable, Map<number, ValueRank>>> = {}
  for (const value of valueRanks) (byTable[value.table] ??= new Map()).set(value.id, value)
  switch (orderBy) {
    case 'createdAt':
      return { column: 'created', ranks: null }
    case 'automaticEmailSentAt':
      return { column: 'emailed', ranks: null }
    case 'eventId':
      return { column: 'id', ranks: null }
    case 'severity':
      return ranked('kinds', kinds.size, (kind) => kinds.columns.severity[kind] as number)
    case 'alertStatus':
      return ranked('states', 256, stateOf.status)
    case 'description':
      return { column: 'texts', ranks: texts.ranks() }
    case 'claimedBy':
      return ranked('owners', ownerCount, (owner) => byTable.app_user?.get(owner - 1)?.rank ?? missing)
    default: {
      const { instrument, gateway, site, customer } = kinds.columns
      const columns = Object.entries({ instrument, gateway, site, customer }).flatMap(([table, ids]) => {
        const ranks = byTable[table as RankedTable]
        return ranks ? [{ ids, ranks }] : []
      })
      return ranked('kinds', kinds.size, (kind) => {
        for (const { ids, ranks } of columns) {
          const value = ranks.get(ids[kind] as number)
          if (value && (value.customerNow === null || value.customerNow === customer[kind])) return value.rank
        }
        return missing
      })
    }
  }
}

function ranked(column: SortKey['column'], size: number, rankOf: (value: number) => number): SortKey {
  return { column, ranks: Uint32Array.from({ length: size }, (_, value) => rankOf(value)) }
}

/** Returns the ids of a page in order. Equal values are ordered by id. */
export function idsInOrder(
  arrays: EventArrays,
  hits: readonly Hits[],
  { orderBy, order, offset, limit, valueRanks }: Page & { valueRanks: readonly ValueRank[] },
): Float64Array {
  const count = countEvents(hits)
  const from = Math.min(count, offset)
  const to = Math.min(count, offset + limit)
  if (from === to) return new Float64Array(0)
  const key = sortKeyOf(arrays, orderBy, valueRanks)
  const ids = (places: Places) => ascendingIds(arrays, key.column === 'created' ? withoutFarHits(places) : places, key)
  if (order === 'ASC') return ids({ hits, from, to })
  // Descending is exactly the reverse.
  return ids({ hits, from: count - to, to: count - from }).reverse()
}

/** Places `from` to before `to` among hits in ascending order. */
interface Places {
  hits: readonly Hits[]
  from: number
  to: number
}

/**
 * Leaves out the chunks whose events all lie before or behind these places in the order of creation. That halves the time
 * of a first page of everything.
 */
function withoutFarHits({ hits, from, to }: Places): Places {
  const countWhere = (test: (chunk: Chunk) => boolean) =>
    hits.reduce((sum, { chunk, rows }) => sum + (test(chunk) ? rows.length : 0), 0)
  const isBefore = (hit: Hits) => countWhere(({ earliest }) => earliest <= hit.chunk.latest) <= from
  const isBehind = (hit: Hits) => countWhere(({ latest }) => latest < hit.chunk.earliest) >= to
  const before = hits.filter(isBefore)
  const skipped = countEvents(before)
  return { hits: hits.filter((hit) => !before.includes(hit) && !isBehind(hit)), from: from - skipped, to: to - skipped }
}

/**
 * Returns the ids at places `from` to before `to`. Counts how many keys fall into each of many ranges, which shows the
 * ranges that these places lie in, then collects and sorts the events of these alone.
 */
function ascendingIds(arrays: EventArrays, { hits, from, to }: Places, key: SortKey): Float64Array {
  const keys = new Float64Array(arrays.rows.length)
  const [least, most] = key.ranks ? [0, key.ranks.reduce((a, b) => Math.max(a, b), 0)] : boundsOf(hits, key.column)
  // A range for each rank needs no sorting, which is worth more memory for a list of everything.
  const ranges = key.ranks && (most < RANGES || to - from > RANGES) ? most + 1 : RANGES
  // Rounding must not lead behind the last range.
  const perKey = most - least < ranges ? 1 : (ranges - 1) / (most - least + 1)
  const starts = new Uint32Array(ranges + 1)
  for (const some of hits) {
    readKeys(some, key, keys)
    for (let index = 0; index < some.rows.length; index += 1) {
      const next = ((((keys[index] as number) - least) * perKey) | 0) + 1
      starts[next] = (starts[next] as number) + 1
    }
  }
  let first = 0
  let end = 0
  for (let range = 1; range <= ranges; range += 1) {
    if ((starts[range - 1] as number) < to) end = range
    starts[range] = (starts[range] as number) + (starts[range - 1] as number)
    if ((starts[range] as number) <= from) first = range
  }
  // A range of one key, as that of events without an e-mail, is in order already, because events come in the order of
  // ids. Others are sorted as a whole.
  const hasOneKey = perKey === 1 || (key.column === 'emailed' && first === (((NEVER - least) * perKey) | 0))
  const [low, high] = hasOneKey ? [from, to] : [starts[first] as number, starts[end] as number]
  const ids = new Float64Array(high - low)
  const idKeys = new Float64Array(hasOneKey ? 0 : high - low)
  const places = starts.slice(first, end)
  for (const some of hits) {
    readKeys(some, key, keys)
    for (let index = 0; index < some.rows.length; index += 1) {
      const range = ((((keys[index] as number) - least) * perKey) | 0) - first
      if (range < 0 || range >= places.length) continue
      const place = places[range] as number
      places[range] = place + 1
      if (place < low || place >= high) continue
      ids[place - low] = some.chunk.firstId + (some.rows[index] as number)
      if (!hasOneKey) idKeys[place - low] = keys[index] as number
    }
  }
  for (let range = first; !hasOneKey && range < end; range += 1) {
    const part = [(starts[range] as number) - low, (starts[range + 1] as number) - low] as const
    sortIds(ids.subarray(...part), idKeys.subarray(...part))
  }
  return to - from === ids.length ? ids : ids.slice(from - low, to - low)
}

function boundsOf(hits: readonly Hits[], column: SortKey['column']): [least: number, most: number] {
  if (column === 'emailed') return [0, NEVER]
  const chunks = hits.map(({ chunk }) => chunk)
  if (column === 'id') return [chunks[0]?.firstId ?? 0, (chunks.at(-1)?.firstId ?? 0) + (chunks[0]?.states.length ?? 0)]
  return [Math.min(...chunks.map(({ earliest }) => earliest)), Math.max(...chunks.map(({ latest }) => latest))]
}

/** Writes the keys of some rows. Each column has its own loop, which is four times as fast as one for all. */
function readKeys({ chunk, rows }: Hits, { column, ranks }: SortKey, keys: Float64Array): void {
  const { firstId, created, epoch, emailed } = chunk
  const { length } = rows
  if (column === 'id') for (let index = 0; index < length; index += 1) keys[index] = firstId + (rows[index] as number)
  else if (column === 'created') {
    for (let index = 0; index < length; index += 1) keys[index] = epoch + (created[rows[index] as number] as number)
  } else if (ranks) {
    const values = chunk[column] ?? rows
    for (let index = 0; index < length; index += 1)
      keys[index] = ranks[values[rows[index] as number] as number] as number
  } else for (let index = 0; index < length; index += 1) keys[index] = emailed?.[rows[index] as number] || NEVER
}

function sortIds(ids: Float64Array, keys: Float64Array): void {
  if (keys.every((key, index) => index === 0 || key >= (keys[index - 1] as number))) return
  const pairs = Array.from(ids, (id, index) => ({ id, key: keys[index] as number }))
  pairs.sort((a, b) => a.key - b.key || a.id - b.id)
  ids.set(pairs.map(({ id }) => id))
}
