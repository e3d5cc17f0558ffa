import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { asksAgain, call, callForResponse } from '../../../lib/http.ts'
import { type EventPage, keepNewer, type SearchedTotals } from '../event-cache.ts'
import { serviceEventKeys } from '../events.api.ts'
import type { EventSearch } from '../events.search.ts'
import type { Narrowing } from '../list/event-list-request.ts'
import type { MapIndex } from './map-index.ts'

/** When the network returns, only failed queries are refetched, as in the list. */
const whenFailed = ({ state }: { state: { status: string } }) => state.status === 'error'

/** Page size of the events at a place. */
export const EVENTS_AT_ONCE = 50

/**
 * Reads where the list's events are, with the same totals. The answer stays in the worker of `index`; only its summary
 * is cached, so it lives no longer than that worker. `zoom` is the first zoom to be shown.
 */
export function locationsQuery(index: MapIndex, { narrowing, zoom }: { narrowing: Narrowing; zoom: number }) {
  return queryOptions({
    queryKey: [...serviceEventKeys.locations, index.id, narrowing],
    queryFn: async ({ client, signal }) => {
      const requestedAt = Date.now()
      // The answer is so large that the worker parses it.
      const bytes = await (await callForResponse('listEventLocations', { ...narrowing, signal })).arrayBuffer()
      const loaded = await index.ask('load', bytes, zoom)
      client.setQueryData<SearchedTotals>(serviceEventKeys.totalsOf(narrowing), loaded.total)
      return { ...loaded, requestedAt }
    },
    placeholderData: keepPreviousData,
    structuralSharing: false,
    gcTime: 0,
    // Live messages invalidate this query.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: whenFailed,
    retry: (failures, error) => failures < 2 && asksAgain(error),
  })
}

/** Reads the events at these positions, in the order of the list. `page` starts at 1. */
export function eventsAtQuery(at: {
  narrowing: Narrowing
  sort: Pick<EventSearch, 'order' | 'orderBy'>
  positions: [number, number][]
  page: number
}) {
  const { narrowing, sort, positions, page } = at
  return queryOptions({
    queryKey: [...serviceEventKeys.at, narrowing, sort, positions, page],
    queryFn: async ({ client, queryKey, signal }): Promise<EventPage> => {
      const paging = { limit: String(EVENTS_AT_ONCE), offset: String((page - 1) * EVENTS_AT_ONCE) }
      const query = { ...narrowing.query, ...paging, order: sort.order, orderBy: sort.orderBy }
      const answer = await call('listServiceEvents', { query, body: { ...narrowing.body, positions }, signal })
      return keepNewer(answer, client.getQueryData<EventPage>(queryKey))
    },
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
    refetchOnReconnect: whenFailed,
  })
}
