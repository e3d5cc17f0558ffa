import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { call } from '../../lib/http.ts'
import { tabStore } from '../../lib/storage.ts'
import { detailsQuery, serviceEventKeys } from './events.api.ts'
import { readEventSearch } from './events.search.ts'
import { narrowing } from './list/event-list-request.ts'

/**
 * The list from which events are opened, as it was shown last in this tab, so that the page of an event leads to the
 * next one. Positions stay those of that list: an event that is closed and leaves the list keeps its place here.
 */
export interface ListWalk {
  /** The address of the list, with filters and order. */
  address: Readonly<Record<string, string>>
  /** Position of the first name, from 0. */
  offset: number
  /** Number of events in the list. */
  total: number
  /** Event ids in the order of the list. */
  names: readonly string[]
}

const WALK = 'events.walk'

/** Limit of events in one request. */
const AT_ONCE = 100

/** Remembers the page that the list shows. */
export function rememberWalk(walk: ListWalk): void {
  tabStore.write(WALK, walk)
}

function readWalk(): ListWalk | null {
  const known = tabStore.read(WALK) as Partial<ListWalk> | null
  const isWalk =
    typeof known === 'object' &&
    typeof known?.address === 'object' &&
    Number.isInteger(known.offset) &&
    Number.isInteger(known.total) &&
    Array.isArray(known.names)
  return isWalk ? (known as ListWalk) : null
}

/** Place of an event in a list. `place` counts from 1; neighbours are event ids, null at the ends of what is known. */
export interface Place {
  place: number
  total: number
  previous: string | null
  next: string | null
}

/** Returns the place of the event, or null if the list as it was shown does not hold it. */
export function placeIn(walk: ListWalk, name: string): Place | null {
  const index = walk.names.indexOf(name)
  if (index < 0) return null
  return {
    place: walk.offset + index + 1,
    total: walk.total,
    previous: walk.names[index - 1] ?? null,
    next: walk.names[index + 1] ?? null,
  }
}

/** At this number of events before an end of the known ones, further events are read. */
const READ_AHEAD = 3

/** Returns the end of the known names beyond which events should be read, because the event is near it, or null. */
export function missingSide({ names, offset, total }: ListWalk, name: string): 'before' | 'after' | null {
  const index = names.indexOf(name)
  if (index < 0) return null
  if (index + READ_AHEAD >= names.length && offset + names.length < total) return 'after'
  return index < READ_AHEAD && offset > 0 ? 'before' : null
}

/**
 * Returns the request that reads beyond one end. It overlaps the known names, because events that left the list since
 * moved the others towards its start.
 */
export function beyond(walk: ListWalk, side: 'before' | 'after'): { offset: number; limit: number } {
  const size = Math.ceil(AT_ONCE / 2)
  const end = side === 'after' ? walk.offset + walk.names.length : walk.offset
  return { offset: Math.max(0, end - size), limit: AT_ONCE }
}

/**
 * Returns the walk with the events of `found` that lie beyond its end. Events that are new at the start of the list
 * are left out as long as a known event shows where they are. If nothing lies beyond the last event, the list ends
 * there.
 */
export function extended(walk: ListWalk, side: 'before' | 'after', found: readonly string[]): ListWalk {
  const known = new Set(walk.names)
  const first = found.findIndex((name) => known.has(name))
  if (side === 'after') {
    const more = found.slice(first + 1).filter((name) => !known.has(name))
    const end = walk.offset + walk.names.length
    return more.length === 0 ? { ...walk, total: end } : { ...walk, names: [...walk.names, ...more] }
  }
  const more = found.slice(0, Math.max(first, 0)).slice(-walk.offset)
  return { ...walk, offset: walk.offset - more.length, names: [...more, ...walk.names] }
}

/**
 * Returns the place of an event in the list it was opened from; null if it was not opened from a list, because a
 * position in a list that the user has not seen would say nothing. The neighbours beyond a page border are read with
 * one request, and the next event is read ahead.
 */
export function usePlaceInList(name: string): Place | null {
  const client = useQueryClient()
  const [walk, setWalk] = useState(readWalk)
  const side = walk === null ? null : missingSide(walk, name)
  const beside = useQuery({ ...besideQuery(walk, side), enabled: side !== null })
  if (walk !== null && side !== null && beside.data?.side === side) {
    const next = extended(walk, side, beside.data.names)
    if (next.names.length !== walk.names.length || next.total !== walk.total) setWalk(next)
  }
  useEffect(() => {
    if (walk !== null) rememberWalk(walk)
  }, [walk])
  const at = walk === null ? null : placeIn(walk, name)
  const next = at?.next ?? null
  useEffect(() => {
    if (next === null) return
    // After the frame that shows this event.
    const timer = setTimeout(() => void client.prefetchQuery({ ...detailsQuery(next), staleTime: 60_000 }))
    return () => clearTimeout(timer)
  }, [client, next])
  return at
}

function besideQuery(walk: ListWalk | null, side: 'before' | 'after' | null) {
  const { names = [], offset = 0 } = walk ?? {}
  return queryOptions({
    queryKey: [...serviceEventKeys.all, 'walk', walk?.address, offset, names.length, side],
    queryFn: async ({ signal }) => {
      if (walk === null || side === null) return null
      const search = readEventSearch(walk.address)
      const { query, body } = narrowing(search, Date.now())
      const part = beyond(walk, side)
      const paging = { offset: String(part.offset), limit: String(part.limit) }
      const order = { order: search.order, orderBy: search.orderBy }
      const page = await call('listServiceEvents', { query: { ...query, ...paging, ...order }, body, signal })
      return { side, names: page.values.map(({ alarm }) => alarm.eventId) }
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
}
