import type { EventOrderBy } from '@benchwatch/contract/vocabulary'
import type { Page } from '../features/events/search/event-search.ts'
import type { ValueRank } from '../features/events/search/value-ranks.queries.ts'
import type { Chunk, EventArrays } from './event-arrays.ts'
import type { Hits } from './match.ts'

/** Sorts events by a number, or by the rank of a number where there are ranks. */
interface SortKey {
  on: 'id' | 'created' | 'emailed' | 'kinds' | 'owners' | 'states' | 'texts'
  ranks?: Uint32Array
  least: number
  most: number
}

/** Sorts events without an e-mail behind all others. */
const NEVER = Number.POSITIVE_INFINITY
/** Ranges that keys are counted in. The last one is for NEVER alone. */
const RANGES = 65_536
const LAST = RANGES - 1

/** Returns the key of an order. `valueRanks` are those of the names that it sorts by (`readValueRanks`). */
function sortKeyOf(arrays: EventArrays, orderBy: EventOrderBy, valueRanks: readonly ValueRank[]): SortKey {
  const { chunks, rows, texts } = arrays
  switch (orderBy) {
    case 'createdAt': {
      const least = Math.min(...chunks.map(({ earliest }) => earliest))
      return { on: 'created', least, most: Math.max(...chunks.map(({ latest }) => latest)) }
    }
    case 'automaticEmailSentAt':
      return { on: 'emailed', least: 0, most: Date.UTC(2200) }
    case 'eventId':
      return { on: 'id', least: chunks[0]?.firstId ?? 0, most: (chunks.at(-1)?.firstId ?? 0) + rows.length }
    case 'description':
      return byRank('texts', texts.ranks())
    case 'severity':
    case 'alertStatus': {
      const { on, size, valueOf } = arrays.column(orderBy)
      return byRank(
        on,
        Uint32Array.from({ length: size }, (_, number) => valueOf(number) ?? 0),
      )
    }
    default:
      return byName(arrays, valueRanks)
  }
}

/** Sorts by the names of owners, or by those of instruments, gateways, sites or customers. Missing ones come last. */
function byName(arrays: EventArrays, valueRanks: readonly ValueRank[]): SortKey {
  const { columns, size } = arrays.kinds
  const missing = valueRanks.reduce((most, { rank }) => Math.max(most, rank), 0) + 1
  const named = [...Map.groupBy(valueRanks, ({ table }) => table)].map(([table, values]) => ({
    ...arrays.column(table === 'app_user' ? 'owner' : table),
    values: new Map<number | null, ValueRank>(values.map((value) => [value.id, value])),
  }))
  const ranks = Uint32Array.from({ length: named[0]?.size ?? size }, (_, number) => {
    for (const { valueOf, values } of named) {
      const value = values.get(valueOf(number))
      if (value && (value.customerNow ?? columns.customer[number]) === columns.customer[number]) return value.rank
    }
    return missing
  })
  return byRank(named[0]?.on ?? 'kinds', ranks)
}

function byRank(on: SortKey['on'], ranks: Uint32Array): SortKey {
  return { on, ranks, least: 0, most: ranks.reduce((a, b) => Math.max(a, b), 0) }
}

function keysIn(chunk: Chunk, { on, ranks = new Uint32Array(0) }: SortKey): (row: number) => number {
  const { firstId, created, epoch, emailed } = chunk
  if (on === 'id') return (row) => firstId + row
  if (on === 'created') return (row) => epoch + (created[row] as number)
  if (on === 'emailed') return (row) => emailed?.[row] || NEVER
  const numbers = chunk[on]
  return (row) => ranks[numbers[row] as number] as number
}

/** Returns the ids of a page in order. Equal values are ordered by id. */
export function idsInOrder(
  arrays: EventArrays,
  hits: readonly Hits[],
  { orderBy, order, offset, limit, valueRanks }: Page & { valueRanks: readonly ValueRank[] },
): Float64Array {
  const count = hits.reduce((sum, { rows }) => sum + rows.length, 0)
  const from = Math.min(count, offset)
  const to = Math.min(count, offset + limit)
  if (from === to) return new Float64Array(0)
  const key = sortKeyOf(arrays, orderBy, valueRanks)
  if (order === 'ASC') return ascendingIds(hits, key, { count, from, to })
  // Descending is exactly the reverse.
  return ascendingIds(hits, key, { count, from: count - to, to: count - from }).reverse()
}

/**
 * Returns the ids at places `from` to before `to`. Counts how many keys fall into each of many ranges, which shows the
 * ranges that these places lie in, then collects and sorts the events of these alone.
 */
function ascendingIds(
  hits: readonly Hits[],
  key: SortKey,
  { count, from, to }: { count: number; from: number; to: number },
): Float64Array {
  const perKey = 1 / Math.ceil((key.most - key.least + 1) / LAST)
  const ranges = new Uint16Array(count)
  const starts = new Uint32Array(RANGES + 1)
  let hit = 0
  for (const { chunk, rows } of hits) {
    const keyOf = keysIn(chunk, key)
    for (let index = 0; index < rows.length; index += 1) {
      ranges[hit] = Math.min(LAST, (keyOf(rows[index] as number) - key.least) * perKey)
      const next = (ranges[hit] as number) + 1
      starts[next] = (starts[next] as number) + 1
      hit += 1
    }
  }
  for (let range = 1; range <= RANGES; range += 1) {
    starts[range] = (starts[range] as number) + (starts[range - 1] as number)
  }
  const first = starts.findLastIndex((start) => start <= from)
  const end = starts.findIndex((start) => start >= to)
  // A range of one key is in order already, because events come in the order of ids. Others are sorted as a whole.
  const isOrdered = perKey === 1 || first === LAST
  const [low, high] = isOrdered ? [from, to] : [starts[first] as number, starts[end] as number]
  const ids = new Float64Array(high - low)
  const keys = new Float64Array(isOrdered ? 0 : high - low)
  const places = starts.slice(first, end)
  hit = 0
  for (const { chunk, rows } of hits) {
    const keyOf = keysIn(chunk, key)
    for (let index = 0; index < rows.length; index += 1) {
      const range = (ranges[hit] as number) - first
      hit += 1
      if (range < 0 || range >= places.length) continue
      const place = places[range] as number
      places[range] = place + 1
      if (place < low || place >= high) continue
      const row = rows[index] as number
      ids[place - low] = chunk.firstId + row
      if (!isOrdered) keys[place - low] = keyOf(row)
    }
  }
  for (let range = first; !isOrdered && range < Math.min(end, LAST); range += 1) {
    const part = [(starts[range] as number) - low, (starts[range + 1] as number) - low] as const
    sortIds(ids.subarray(...part), keys.subarray(...part))
  }
  return ids.slice(from - low, to - low)
}

/** Sorts ids by their keys. Numbers of key and place are sorted several times as fast as pairs. */
function sortIds(ids: Float64Array, keys: Float64Array): void {
  const { length } = ids
  if (length < 2) return
  const least = keys.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY)
  const places = keys.map((key, place) => (key - least) * length + place).sort()
  const before = ids.slice()
  for (let place = 0; place < length; place += 1) ids[place] = before[(places[place] as number) % length] as number
}
