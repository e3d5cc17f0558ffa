import type { ServiceEvent, ServiceEventChange } from '@benchwatch/contract/events/events'
import {
  keepPreviousData,
  type MutationState,
  type QueryClient,
  queryOptions,
  useMutation,
  useMutationState,
  useQueryClient,
} from '@tanstack/react-query'
import { ApiError, call } from '../../lib/http.ts'
import {
  type EventPage,
  type EventRows,
  keepNewer,
  type LoadedPage,
  mapPage,
  newerEvent,
  totalsOf,
} from './event-cache.ts'
import type { ListRequest, Narrowing } from './list/event-list-request.ts'
import type { NewEvent } from './list/new-events.ts'
import { assigned, type Viewer } from './owner/event-owner.ts'
import { holdsChange, isAnswerLost, LostAnswer } from './use-changed-meanwhile.ts'

/** Entry point for service events: queries, their keys and changes. Other features use only this file. Wire 2. */

/**
 * Poll interval of the details screen in the specification. Live messages usually arrive sooner; polling repairs what
 * they missed.
 */
export const DETAILS_POLL_MS = 10_000

const root = ['service-events'] as const

export const serviceEventKeys = {
  all: root,
  change: [...root, 'change'] as const,
  lists: [...root, 'list'] as const,
  list: (request: ListRequest) => [...root, 'list', request] as const,
  poll: (request: ListRequest) => [...root, 'poll', request] as const,
  totals: [...root, 'totals'] as const,
  totalsOf: (narrowing: Narrowing) => [...root, 'totals', narrowing] as const,
  countsOf: (narrowing: Narrowing) => [...root, 'totals', 'by value', narrowing] as const,
  details: [...root, 'details'] as const,
  detailsOf: (eventId: string) => [...root, 'details', eventId] as const,
  historyOf: (id: string) => [...root, 'history', id] as const,
  responseOf: (id: string, version: number) => [...root, 'response', id, version] as const,
  /** Events shown beside the current one; entries hold EventRows. */
  beside: [...root, 'beside'] as const,
  priorTo: (id: string) => [...root, 'beside', id, 'prior'] as const,
  aroundOn: (installedProductId: string) => [...root, 'beside', 'around', installedProductId] as const,
  around: (installedProductId: string, id: string) => [...root, 'beside', 'around', installedProductId, id] as const,
  similarTo: (id: string, ...what: readonly (string | number)[]) =>
    [...root, 'beside', id, 'similar', ...what] as const,
  outcomesOf: (id: string) => [...root, 'outcomes', id] as const,
  /** Events at places on the map, also EventRows. */
  at: [...root, 'beside', 'at'] as const,
  locations: [...root, 'locations'] as const,
  created: [...root, 'created'] as const,
}

/**
 * One page with its totals. The previous page stays visible while the next loads. Not refetched on focus or
 * reconnection: rows would move under the pointer. Live messages keep them up to date, and the new-events bar reloads.
 * Read whenever it is opened: rows that changed in the meantime may no longer match.
 */
export function listQuery(request: ListRequest, narrowing: Narrowing) {
  return queryOptions({
    queryKey: serviceEventKeys.list(request),
    queryFn: async ({ client, queryKey, signal }): Promise<LoadedPage> => {
      const requestedAt = Date.now()
      const page: LoadedPage = { ...(await call('listServiceEvents', { ...request, signal })), requestedAt }
      client.setQueryData(serviceEventKeys.totalsOf(narrowing), totalsOf(page))
      return keepNewer(page, client.getQueryData<EventPage>(queryKey))
    },
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchOnWindowFocus: false,
    // Only failed queries are refetched.
    refetchOnReconnect: ({ state }) => state.status === 'error',
  })
}

/** Totals only, to refresh them without touching the rows. Lists fill this entry, so it needs no request at first. */
export function totalsQuery(narrowing: Narrowing) {
  return queryOptions({
    queryKey: serviceEventKeys.totalsOf(narrowing),
    queryFn: async ({ signal }) => {
      const query = { ...narrowing.query, limit: '1', offset: '0' }
      return totalsOf(await call('listServiceEvents', { query, body: narrowing.body, signal }))
    },
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  })
}

/** The number of events of each value in the filter panel. Live messages refresh it with the totals. */
export function filterCountsQuery(narrowing: Narrowing) {
  return queryOptions({
    queryKey: serviceEventKeys.countsOf(narrowing),
    queryFn: ({ signal }) => call('countFilterValues', { ...narrowing, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  })
}

/** One event by its event id: digits without ORC-. Throws ApiError 404 if it does not exist or is out of scope. */
export function detailsQuery(eventId: string) {
  return queryOptions({
    queryKey: serviceEventKeys.detailsOf(eventId),
    queryFn: async ({ client, signal }) => {
      const event = await call('getServiceEventByEventId', { params: { eventId }, signal })
      // A live message may be newer than this answer.
      const known = client.getQueryData<ServiceEvent>(serviceEventKeys.detailsOf(eventId))
      return known !== undefined && known.version > event.version ? known : event
    },
  })
}

/** Audit history of an event, oldest first. Refetched at each version, so it follows all users' changes. */
export function historyQuery({ id, version }: Pick<ServiceEvent, 'id' | 'version'>) {
  return queryOptions({
    queryKey: [...serviceEventKeys.historyOf(id), version],
    queryFn: async ({ signal }) => (await call('listServiceEventHistory', { params: { id }, signal })).values,
    placeholderData: keepPreviousData,
  })
}

/** Times until the event was taken and closed. Refetched at each version, so it follows all users' changes. */
export function serviceResponseQuery({ id, version }: Pick<ServiceEvent, 'id' | 'version'>) {
  return queryOptions({
    queryKey: serviceEventKeys.responseOf(id, version),
    queryFn: ({ signal }) => call('getServiceResponse', { params: { id }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  })
}

/** Creation messages since the screen was opened. Written by live.ts, never fetched. */
export function createdQuery() {
  return queryOptions<NewEvent[]>({
    queryKey: serviceEventKeys.created,
    queryFn: () => [],
    enabled: false,
    initialData: [],
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })
}

/** Replaces older copies of an event with the server's latest answer. */
export function putServiceEvent(client: QueryClient, event: ServiceEvent): void {
  changeServiceEvents(client, (known) => newerEvent(known, event))
}

/**
 * Applies `change` to every copy on the screen: rows of all lists, including lists beside an event, and the open
 * details. Load times stay, because a patched list is no fresher in fields that lists omit.
 */
export function changeServiceEvents(client: QueryClient, change: (event: ServiceEvent) => ServiceEvent): void {
  changeEntries<EventPage>(client, serviceEventKeys.lists, (page) => mapPage(page, change))
  changeEntries<EventRows>(client, serviceEventKeys.beside, (rows) => mapPage(rows, change))
  changeEntries<ServiceEvent>(client, serviceEventKeys.details, change)
}

export function changeEntries<T>(client: QueryClient, queryKey: readonly unknown[], change: (data: T) => T): void {
  for (const query of client.getQueryCache().findAll({ queryKey })) {
    const data = query.state.data as T | undefined
    if (data === undefined) continue
    const changed = change(data)
    if (changed !== data) client.setQueryData(query.queryKey, changed, { updatedAt: query.state.dataUpdatedAt })
  }
}

export interface ServiceEventUpdate {
  event: ServiceEvent
  change: ServiceEventChange
}

/**
 * Sends PUT with If-Match of the version that the user saw. Changes of one event are sent one after another; one that was
 * made before the previous answer arrived builds on the version that the previous one leads to, not on other users'
 * versions. If another user was faster (409, 412), the current event in the problem replaces the stale one on the
 * screen, and the error still goes to the caller. If no answer arrives, the event is read again: success if it shows the
 * change, else LostAnswer.
 */
export function useUpdateServiceEvent() {
  const client = useQueryClient()
  return useMutation({
    mutationKey: serviceEventKeys.change,
    mutationFn: async (update: ServiceEventUpdate) => {
      const { id, version } = update.event
      const latest = latestChanges(client)
      const answer = sendUpdate(update, latest.get(id))
      latest.set(id, { seen: version, answer })
      try {
        return await answer
      } catch (error) {
        if (!isAnswerLost(error)) throw error
        return await readOutcome(update)
      }
    },
    onSuccess: (event) => {
      putServiceEvent(client, event)
      void client.invalidateQueries({ queryKey: serviceEventKeys.totals })
    },
    onError: (error) => {
      const current = error instanceof LostAnswer ? error.current : winningEvent(error)
      if (current !== null) putServiceEvent(client, current)
    },
  })
}

/** A change that this tab sent. */
interface Change {
  /** The version that the user saw when making it. */
  seen: number
  answer: Promise<ServiceEvent>
}

/** The latest change of each event, by id: a screen may still show the version before it when the next one is made. */
function latestChanges(client: QueryClient): Map<string, Change> {
  const known = changesOf.get(client) ?? new Map<string, Change>()
  changesOf.set(client, known)
  return known
}

const changesOf = new WeakMap<QueryClient, Map<string, Change>>()

async function sendUpdate({ event, change }: ServiceEventUpdate, previous: Change | undefined): Promise<ServiceEvent> {
  const before = await previous?.answer.catch(() => undefined)
  const version = before !== undefined && previous?.seen === event.version ? before.version : event.version
  // An undo is refused where a person changed the event since. What the instrument changed must not stop it.
  const ifMatch = change.undo ? {} : { ifMatch: version }
  return await call('updateServiceEvent', { params: { id: event.id }, body: change, ...ifMatch })
}

/**
 * Returns an event as it will be once the server confirms that the user takes it: what comes next can be begun at once.
 */
export function afterClaim(client: QueryClient, event: ServiceEvent, viewer: Viewer): ServiceEvent {
  const sent = client.getMutationCache().findAll({ mutationKey: serviceEventKeys.change })
  return sent.reduce((known, { state }) => {
    const { status, variables, data } = state as MutationState<ServiceEvent, Error, ServiceEventUpdate>
    if (variables?.event.id !== event.id) return known
    // The screen may show the answer a moment later.
    if (status === 'success')
      return data !== undefined && data.version > known.version ? newerEvent(known, data) : known
    if (status !== 'pending' || variables.change.claimedBy !== viewer.id) return known
    return assigned(known, viewer.id)
  }, event)
}

/** The same for a component, which renders again when a change is sent or answered. */
export function useClaimed(event: ServiceEvent, viewer: Viewer): ServiceEvent {
  useMutationState({ filters: { mutationKey: serviceEventKeys.change }, select: ({ state }) => state.status })
  return afterClaim(useQueryClient(), event, viewer)
}

/** Asks the case desk for the case of an event, with If-Match of the version that the user saw. */
export function useRequestCase() {
  return useCaseChange(({ id, version }) => call('requestCase', { params: { id }, body: {}, ifMatch: version }))
}

export function useCancelCase() {
  return useCaseChange(({ id }) => call('cancelCase', { params: { id } }))
}

function useCaseChange(mutationFn: (event: ServiceEvent) => Promise<ServiceEvent>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn,
    onSuccess: (event) => putServiceEvent(client, event),
    onError: (error) => {
      const current = winningEvent(error)
      if (current !== null) putServiceEvent(client, current)
    },
  })
}

async function readOutcome({ event, change }: ServiceEventUpdate): Promise<ServiceEvent> {
  const current = await call('getServiceEvent', { params: { id: event.id } }).catch(() => null)
  if (current === null) throw new LostAnswer(current)
  const isDone = change.undo ? current.claimedBy !== event.claimedBy : holdsChange(current, change)
  if (!isDone) throw new LostAnswer(current)
  return current
}

/** Returns the current event from a 409 or 412, or null for any other error. */
export function winningEvent(error: unknown): ServiceEvent | null {
  if (!(error instanceof ApiError) || (error.status !== 409 && error.status !== 412)) return null
  const event = error.problem?.event
  return typeof event === 'object' && event !== null && 'version' in event ? (event as ServiceEvent) : null
}
