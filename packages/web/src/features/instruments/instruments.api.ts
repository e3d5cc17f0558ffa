import type { Instrument, InstrumentWithEvents, PlannedMaintenance } from '@benchwatch/contract/instruments/instruments'
import type { Maintenance } from '@benchwatch/contract/instruments/maintenance'
import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import { type CallInput, call } from '../../lib/http.ts'
import { type ListSearch, pageQuery } from '../../lib/list/list-address.ts'

/** The entry point to instruments: list, details and time line. Wire 3. */

/**
 * The specification's refresh interval of the details. Live messages usually arrive sooner; the poll repairs missed
 * ones.
 */
export const DETAILS_POLL_MS = 10_000

const root = ['instruments'] as const

export const instrumentKeys = {
  all: root,
  lists: [...root, 'list'] as const,
  list: (request: InstrumentListRequest) => [...root, 'list', request] as const,
  /** The current state of the rows on screen. */
  rows: [...root, 'rows'] as const,
  counts: [...root, 'counts'] as const,
  planned: [...root, 'planned'] as const,
  families: [...root, 'families'] as const,
  details: [...root, 'details'] as const,
  detailsOf: (id: string) => [...root, 'details', id] as const,
  timelines: [...root, 'timeline'] as const,
  timelinesOf: (id: string) => [...root, 'timeline', id] as const,
}

export type InstrumentListRequest = Pick<CallInput<'listInstruments'>, 'query' | 'body'>

/**
 * One page and the total count. The previous page stays visible while the next one loads. Read whenever it is opened:
 * rows that changed in the meantime may no longer match.
 */
export function instrumentListQuery(request: InstrumentListRequest) {
  return queryOptions({
    queryKey: instrumentKeys.list(request),
    queryFn: ({ signal }) => call('listInstruments', { ...request, signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    // A refetch would move rows under the pointer. Live messages and the status poll keep them right.
    refetchOnWindowFocus: false,
    refetchOnReconnect: ({ state }) => state.status === 'error',
  })
}

/** These instruments in any order, at most 100. Read again when a live message makes them stale. */
export function instrumentRowsQuery(installedProductIds: readonly string[]) {
  return queryOptions({
    queryKey: [...instrumentKeys.rows, installedProductIds] as const,
    queryFn: async ({ signal }) => {
      const body = { filter: { instruments: [...installedProductIds] } }
      return (await call('listInstruments', { query: { limit: '100' }, body, signal })).values
    },
    enabled: installedProductIds.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    gcTime: 0,
  })
}

type CountedSearches = CallInput<'countInstruments'>['body']['searches']

/** The number of instruments that each search finds. Days and maintenance also begin without a message, so it polls. */
export function instrumentCountsQuery(searches: CountedSearches) {
  return queryOptions({
    queryKey: [...instrumentKeys.counts, searches] as const,
    queryFn: ({ signal }) => call('countInstruments', { body: { searches }, signal }),
    refetchInterval: 60_000,
    placeholderData: keepPreviousData,
  })
}

/** One page of the maintenance of all instruments. Windows also begin and end without a message, so it polls. */
export function plannedMaintenanceQuery(search: ListSearch) {
  return queryOptions({
    queryKey: [...instrumentKeys.planned, search] as const,
    queryFn: ({ signal }) => call('listPlannedMaintenance', { query: pageQuery(search), signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
  })
}

/** Families of the user's instruments, in tab order. New families are rare. */
export function instrumentFamiliesQuery() {
  return queryOptions({
    queryKey: instrumentKeys.families,
    queryFn: ({ signal }) => call('listInstrumentFamilies', { signal }),
    staleTime: 10 * 60_000,
  })
}

/** One instrument by its id or installed product id. ApiError 404 if it does not exist or is out of scope. */
export function instrumentQuery(id: string) {
  return queryOptions({
    queryKey: instrumentKeys.detailsOf(id),
    queryFn: ({ signal }) => call('getInstrument', { params: { id }, signal }),
  })
}

/** Time line of an instrument from `start` to `stop` (ISO instants, half-open, at most 366 days). */
export function instrumentTimelineQuery(id: string, span: { start: string; stop: string }) {
  return queryOptions({
    queryKey: [...instrumentKeys.timelinesOf(id), span] as const,
    queryFn: ({ signal }) => call('getInstrumentTimeline', { params: { id }, query: span, signal }),
    placeholderData: keepPreviousData,
  })
}

/** Applies `change` to every cached copy of an instrument. Copies that it returns unchanged stay as they are. */
export function changeInstruments(client: QueryClient, change: <I extends Instrument>(instrument: I) => I): void {
  client.setQueriesData<{ values: Instrument[]; total: { instruments: number } }>(
    { queryKey: instrumentKeys.lists },
    (page) => {
      if (page === undefined) return undefined
      const values = page.values.map(change)
      return values.some((instrument, place) => instrument !== page.values[place]) ? { ...page, values } : page
    },
  )
  client.setQueriesData<Instrument>({ queryKey: instrumentKeys.details }, (known) => known && change(known))
  client.setQueriesData<{ values: PlannedMaintenance[]; total: number }>(
    { queryKey: instrumentKeys.planned },
    (page) => {
      if (page === undefined) return undefined
      const values = page.values.flatMap((row) => plannedAfter(row, change(row.instrument)))
      return { values, total: page.total - page.values.length + values.length }
    },
  )
}

/** A row of the planned maintenance goes with its maintenance. */
function plannedAfter(row: PlannedMaintenance, instrument: Instrument): PlannedMaintenance[] {
  const maintenance = instrument.maintenances.find(({ id }) => id === row.maintenance.id)
  return maintenance ? [{ ...row, maintenance, instrument }] : []
}

/**
 * Puts the maintenance of an instrument into the cache after a change saved here. The live message updates everyone
 * else.
 */
export function putMaintenances(client: QueryClient, id: string, maintenances: Maintenance[]): void {
  changeInstruments(client, (known) => (known.id === id ? { ...known, maintenances } : known))
  void client.invalidateQueries({ queryKey: instrumentKeys.planned })
}

/** Returns the cached instrument details, each with its query key. */
export function readInstruments(client: QueryClient) {
  return client
    .getQueriesData<InstrumentWithEvents>({ queryKey: instrumentKeys.details })
    .flatMap(([queryKey, instrument]) => (instrument === undefined ? [] : [{ queryKey, instrument }]))
}
