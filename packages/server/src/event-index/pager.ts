import type { EventOrderBy } from '@benchwatch/contract/vocabulary'
import type { EventOrder, Page } from '../features/events/search/event-search.ts'
import type { RankedTable, ValueRank } from '../features/events/search/value-ranks.queries.ts'
import { type Chunk, type EventArrays, type EventKinds, stateBits } from './event-arrays.ts'
import type { Hits } from './match.ts'

/** A sort key for each event: the value in a column, or the rank of that value. A null column stands for the id. */
export interface SortKey {
  column: 'created' | 'emailed' | 'kinds' | 'owners' | 'states' | 'texts' | null
  ranks: Uint32Array | null
}

/** Sorts events without an e-mail behind all others. */
const NEVER = Date.UTC(2200)

/** Buckets of the counting sort. Fewer make crowded ones, more are slower to count. */
const BUCKETS = 65_536
/** So many rows are sorted by comparing. */
const FEW = 4096

/** Returns the sort key of an order. `valueRanks` are those of the names that it sorts by (`readValueRanks`). */
export function sortKeyOf(
  { kinds, texts, ownerCount }: EventArrays,
  { orderBy, valueRanks }: { orderBy: EventOrderBy; valueRanks: readonly ValueRank[] },
): SortKey {
  switch (orderBy) {
    case 'createdAt':
      return { column: 'created', ranks: null }
    case 'automaticEmailSentAt':
      return { column: 'emailed', ranks: null }
    case 'eventId':
      return { column: null, ranks: null }
    case 'severity':
      return { column: 'kinds', ranks: Uint32Array.from(kinds.values.severity.values) }
    case 'alertStatus':
      return { column: 'states', ranks: Uint32Array.from({ length: 256 }, (_, state) => state & stateBits.status) }
    case 'description':
      return { column: 'texts', ranks: texts.ranks() }
    case 'claimedBy': {
      const ranks = new Uint32Array(ownerCount).fill(missingRank(valueRanks))
      for (const { id, rank } of valueRanks) if (id + 1 < ownerCount) ranks[id + 1] = rank
      return { column: 'owners', ranks }
    }
    default:
      return { column: 'kinds', ranks: ranksOfKinds(kinds, valueRanks) }
  }
}

/** Missing values come last. */
function missingRank(valueRanks: readonly ValueRank[]): number {
  return valueRanks.reduce((most, { rank }) => Math.max(most, rank), 0) + 1
}

function ranksOfKinds(kinds: EventKinds, valueRanks: readonly ValueRank[]): Uint32Array {
  const missing = missingRank(valueRanks)
  const byId = (table: RankedTable) =>
    new Map(valueRanks.flatMap((value) => (value.table === table ? [[value.id, value]] : [])))
  const { instrument, gateway, site, customer } = kinds.values
  const columns = [
    { ids: instrument.values, ranks: byId('instrument') },
    { ids: gateway.values, ranks: byId('gateway') },
    { ids: site.values, ranks: byId('site') },
    { ids: customer.values, ranks: byId('customer') },
  ].filter(({ ranks }) => ranks.size > 0)
  return new Uint32Array(kinds.size).map((_, kind) => {
    for (const { ids, ranks } of columns) {
      const value = ranks.get(ids[kind] as number)
      if (value && (value.customerNow === null || value.customerNow === customer.values[kind])) return value.rank
    }
    return missing
  })
}

/** Returns the ids of one page, or of all events, in order. Equal keys are ordered by id. */
export function idsInOrder(
  arrays: EventArrays,
  { hits, key, page }: { hits: readonly Hits[]; key: SortKey; page: Page | Pick<EventOrder, 'order'> },
): Float64Array {
  const count = hits.reduce((sum, { rows }) => sum + rows.length, 0)
  const { offset, limit } = 'limit' in page ? page : { offset: 0, limit: count }
  const last = Math.min(count, offset + limit)
  if (offset >= last) return new Float64Array(0)
  const keys = new Float64Array(arrays.rows)
  // Known without reading the keys.
  const bounds = key.ranks && { least: 0, most: key.ranks.reduce((most, rank) => Math.max(most, rank), 0) }
  const blocks = () => hits.values().map((some) => readKeys(some, key, keys))
  const keyOf = (id: number) => {
    const chunk = arrays.findChunk(id) as Chunk
    return readKeys({ chunk, rows: Uint16Array.of(id - chunk.firstId) }, key, keys).keys[0] as number
  }
  if (page.order === 'ASC') return ascendingIds(blocks, { keyOf, bounds, from: offset, to: last })
  // Descending is exactly the reverse.
  return ascendingIds(blocks, { keyOf, bounds, from: count - last, to: count - offset }).reverse()
}

/** Some events, in order of ids, with their keys, which are valid until the next block. */
interface Block {
  count: number
  keys: Float64Array
  idAt(index: number): number
}

function readKeys({ chunk, rows }: Hits, { column, ranks }: SortKey, keys: Float64Array): Block {
  const { firstId } = chunk
  if (column === null) fillIds(keys, rows, firstId)
  else if (ranks !== null) fillRanks(keys, rows, { values: chunk[column] ?? rows, ranks })
  else if (column === 'created') fillInstants(keys, rows, chunk.created, chunk.epoch)
  else if (chunk.emailed === null) keys.fill(NEVER, 0, rows.length)
  else {
    for (let index = 0; index < rows.length; index += 1) keys[index] = chunk.emailed[rows[index] as number] || NEVER
  }
  return { count: rows.length, keys, idAt: (index) => firstId + (rows[index] as number) }
}

function fillIds(keys: Float64Array, rows: Uint16Array, firstId: number): void {
  for (let index = 0; index < rows.length; index += 1) keys[index] = firstId + (rows[index] as number)
}

function fillInstants(
  keys: Float64Array,
  rows: Uint16Array,
  instants: Uint32Array | Float64Array,
  epoch: number,
): void {
  for (let index = 0; index < rows.length; index += 1) keys[index] = epoch + (instants[rows[index] as number] as number)
}

function fillRanks(
  keys: Float64Array,
  rows: Uint16Array,
  { values, ranks }: { values: ArrayLike<number>; ranks: Uint32Array },
): void {
  for (let index = 0; index < rows.length; index += 1) {
    keys[index] = ranks[values[rows[index] as number] as number] as number
  }
}

/**
 * Returns the ids at places `from` to before `to`. Counts how many keys fall into each of many narrow ranges, which shows
 * the ranges that these places lie in, then collects and sorts the events of these alone.
 */
function ascendingIds(
  blocks: () => Iterable<Block>,
  input: { keyOf: (id: number) => number; bounds: Bounds | null; from: number; to: number },
): Float64Array {
  const { keyOf, from, to } = input
  const { least, most } = input.bounds ?? boundsOf(blocks())
  // One bucket less, because the greatest key may be rounded up.
  const perKey = Math.min(1, (BUCKETS - 1) / (most - least + 1))
  const starts = new Uint32Array(BUCKETS + 1)
  for (const { count, keys } of blocks()) {
    for (let index = 0; index < count; index += 1) {
      const after = (((keys[index] as number) - least) * perKey + 1) | 0
      starts[after] = (starts[after] as number) + 1
    }
  }
  let first = 0
  let end = 0
  for (let bucket = 1; bucket <= BUCKETS; bucket += 1) {
    starts[bucket] = (starts[bucket] as number) + (starts[bucket - 1] as number)
    if ((starts[bucket] as number) <= from) first = bucket
    if ((starts[bucket - 1] as number) < to) end = bucket
  }
  const before = starts[first] as number
  const ids = new Float64Array((starts[end] as number) - before)
  const next = starts.slice(first, end)
  for (const { count, keys, idAt } of blocks()) {
    for (let index = 0; index < count; index += 1) {
      const bucket = ((((keys[index] as number) - least) * perKey + 1) | 0) - 1 - first
      if (bucket < 0 || bucket >= next.length) continue
      const place = next[bucket] as number
      ids[place - before] = idAt(index)
      next[bucket] = place + 1
    }
  }
  // A bucket of one key is in order already, because events come in the order of ids.
  if (perKey < 1) {
    for (let bucket = first; bucket < end; bucket += 1) {
      sortBucket(ids.subarray((starts[bucket] as number) - before, (starts[bucket + 1] as number) - before), keyOf)
    }
  }
  return to - from === ids.length ? ids : ids.slice(from - before, to - before)
}

interface Bounds {
  least: number
  most: number
}

function boundsOf(blocks: Iterable<Block>): Bounds {
  let least = Number.POSITIVE_INFINITY
  let most = Number.NEGATIVE_INFINITY
  for (const { count, keys } of blocks) {
    for (let index = 0; index < count; index += 1) {
      const key = keys[index] as number
      if (key < least) least = key
      if (key > most) most = key
    }
  }
  return { least, most }
}

function sortBucket(ids: Float64Array, keyOf: (id: number) => number): void {
  const keys = ids.map(keyOf)
  if (keys.every((key, index) => index === 0 || key >= (keys[index - 1] as number))) return
  if (ids.length > FEW) {
    const block = { count: ids.length, keys, idAt: (index: number) => ids[index] as number }
    ids.set(ascendingIds(() => [block], { keyOf, bounds: null, from: 0, to: ids.length }))
  } else {
    const pairs = Array.from(ids, (id, index) => ({ id, key: keys[index] as number }))
    pairs.sort((a, b) => a.key - b.key || a.id - b.id)
    pairs.forEach(({ id }, index) => {
      ids[index] = id
    })
  }
}
