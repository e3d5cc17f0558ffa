import type { ParkedItem } from '@benchwatch/contract/administration/backoffice'
import type { LogType, OrcStatus } from '@benchwatch/contract/vocabulary'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiError, type CallInput, call } from '../../lib/http.ts'
import { type ListPlace, pageQuery } from '../../lib/list/list-address.ts'
import { pageSettings } from '../../lib/page-settings.ts'

/** API calls of the back office: manual entries, gateway feeds, and items that need attention. Wire 10. */

/** The poll interval of all statuses on screen. */
const FEED_POLL_MS = 10_000
/** Suggestions in one list; typing more narrows it. */
const SUGGESTIONS = 25

const root = ['backoffice'] as const

/**
 * Suggests instruments that the caller can see: test instruments first, then instruments that match every word of
 * `keyword`. Without a keyword only test instruments are suggested.
 */
export function suggestedInstrumentsQuery(keyword: string) {
  return queryOptions({
    queryKey: [...root, 'instruments', keyword],
    queryFn: async ({ signal }) => {
      const query = { limit: String(SUGGESTIONS), ...(keyword !== '' && { keyword }) }
      const list = async (filter: { instruments?: string[] }) =>
        (await call('listInstruments', { query, body: { filter }, signal })).values
      const instruments = [...pageSettings().testInstruments]
      const [tests, others] = await Promise.all([
        instruments.length === 0 ? [] : list({ instruments }),
        keyword === '' ? [] : list({}),
      ])
      const known = new Set(instruments)
      return [...tests, ...others.filter((one) => !known.has(one.instrumentInstalledProductId))]
    },
    placeholderData: keepPreviousData,
  })
}

export const useInjectLog = () =>
  useMutation({ mutationFn: (body: CallInput<'injectLog'>['body']) => call('injectLog', { body }) })

export const useCreateEvent = () =>
  useMutation({
    mutationFn: (body: CallInput<'createBackofficeEvent'>['body']) => call('createBackofficeEvent', { body }),
  })

/** Current statuses of an instrument, fetched again each time one is chosen. */
export function instrumentStatusQuery(ipid: string) {
  return queryOptions({
    queryKey: [...root, 'instrument-status', ipid],
    queryFn: ({ signal }) => call('getBackofficeInstrumentStatus', { query: { ipid }, signal }),
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
}

export interface StatusChange {
  ipid: string
  instrumentStatus: CallInput<'setBackofficeInstrumentStatus'>['body']['instrumentStatus']
  orcStatus: OrcStatus
  createOfflineEvent: boolean
}

export function useSetInstrumentStatus() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: StatusChange) => call('setBackofficeInstrumentStatus', { body }),
    onSuccess: (state) =>
      client.setQueryData(instrumentStatusQuery(state.ipid).queryKey, { ...state, createOfflineEvent: false }),
  })
}

export type UnsubscriptionSearch = NonNullable<CallInput<'listUnsubscriptions'>['query']>

/** Unsubscriptions that match, at most the newest 200. */
export function unsubscriptionsQuery(search: UnsubscriptionSearch) {
  return queryOptions({
    queryKey: [...root, 'unsubscriptions', search],
    queryFn: ({ signal }) => call('listUnsubscriptions', { query: search, signal }),
  })
}

export const useDeleteUnsubscription = () =>
  useBackofficeMutation((id: string) => call('deleteUnsubscription', { params: { id } }), 'unsubscriptions')

/** Instruments in the caller's scope with the addresses of their contacts. */
export function customerEmailsQuery() {
  return queryOptions({
    queryKey: [...root, 'customer-emails'],
    queryFn: ({ signal }) => call('listCustomerEmails', { signal }),
    staleTime: 60_000,
  })
}

/** Names of the client PCs of these instruments; at most 1,000 instruments. */
export function pcNamesQuery(instrumentInstalledProductIds: string[]) {
  return queryOptions({
    queryKey: [...root, 'pc-names', instrumentInstalledProductIds],
    queryFn: ({ signal }) => call('readUnicornPcNames', { body: { instrumentInstalledProductIds }, signal }),
    staleTime: 60_000,
    enabled: instrumentInstalledProductIds.length > 0,
  })
}

/** Current feed state of each gateway in the caller's scope. */
export function gatewayFeedsQuery() {
  return queryOptions({
    queryKey: [...root, 'feeds'],
    queryFn: ({ signal }) => call('listGatewayFeeds', { signal }),
    refetchInterval: FEED_POLL_MS,
  })
}

export function readReplicaQuery() {
  return queryOptions({
    queryKey: [...root, 'replica'],
    queryFn: ({ signal }) => call('getReadReplica', { signal }),
    refetchInterval: FEED_POLL_MS,
  })
}

export const useInjectTests = () => useBackofficeMutation(() => call('injectTestAlarms'), 'feeds')

export function parkedItemsQuery({
  state,
  gateway,
  ...place
}: ListPlace & { state: 'open' | 'resolved'; gateway: string }) {
  return queryOptions({
    queryKey: [...root, 'parked', state, gateway, place],
    queryFn: ({ signal }) =>
      call('listParkedItems', { query: { ...pageQuery(place), state, ...(gateway !== '' && { gateway }) }, signal }),
    placeholderData: keepPreviousData,
  })
}

/** Retries an item; `item` is its text if it was edited. The answer says whether the item is resolved. */
export const useRetryParkedItem = () =>
  useBackofficeMutation(
    ({ id, item }: { id: string; item: string | undefined }): Promise<ParkedItem> =>
      call('retryParkedItem', { params: { id }, body: item === undefined ? {} : { item } }),
    'parked',
  )

/**
 * Retries all waiting items of a gateway as they are (of all gateways if it is empty), the oldest first, because the end
 * of an alarm follows its start. Returns how many are resolved and how many stay parked.
 */
export const useRetryParkedItems = () =>
  useBackofficeMutation(async (gateway: string) => {
    const ids = new Set<string>()
    for (let read = 0, total = 1; read < total; ) {
      const query = { state: 'open', limit: '100', offset: String(read), ...(gateway !== '' && { gateway }) } as const
      const page = await call('listParkedItems', { query })
      for (const { id } of page.values) ids.add(id)
      read += 100
      total = page.total
    }
    const count = { resolved: 0, parked: 0 }
    for (const id of [...ids].reverse()) count[(await isResolvedNow(id)) ? 'resolved' : 'parked'] += 1
    return count
  }, 'parked')

async function isResolvedNow(id: string): Promise<boolean> {
  try {
    return (await call('retryParkedItem', { params: { id }, body: {} })).resolvedAt !== null
  } catch (error) {
    // Someone else resolved it meanwhile.
    if (error instanceof ApiError && error.code === 'status-conflict') return true
    throw error
  }
}

/** Resolves an item without processing it, which lowers the gateway's count of parked items. */
export const useDiscardParkedItem = () =>
  useBackofficeMutation(
    ({ id, reason }: { id: string; reason: string }) => call('discardParkedItem', { params: { id }, body: { reason } }),
    'parked',
  )

export function heldBackEventsQuery({ state, ...place }: ListPlace & { state: 'open' | 'released' }) {
  return queryOptions({
    queryKey: [...root, 'held-back', state, place],
    queryFn: ({ signal }) => call('listHeldBackEvents', { query: { ...pageQuery(place), state }, signal }),
    placeholderData: keepPreviousData,
  })
}

export const useReleaseHeldBackEvent = () =>
  useBackofficeMutation((id: string) => call('releaseHeldBackEvent', { params: { id } }), 'held-back')

/** Refetches a list after a change. The mutation stays pending until then. */
function useBackofficeMutation<Input, Answer>(
  change: (input: Input) => Promise<Answer>,
  list: 'feeds' | 'held-back' | 'parked' | 'unsubscriptions',
) {
  const client = useQueryClient()
  return useMutation({ mutationFn: change, onSettled: () => client.invalidateQueries({ queryKey: [...root, list] }) })
}

// Objects for permanent deletion. Objects outside the caller's scope fail with ApiError 404.

/** The number of log lines to choose from, newest first. */
const LINES = '50'

const found = { retry: false, staleTime: 0 } as const

export function foundInstrumentQuery(id: string) {
  return queryOptions({
    queryKey: ['deletions', 'instrument', id],
    queryFn: ({ signal }) => call('getInstrument', { params: { id }, signal }),
    ...found,
  })
}

export function foundEventQuery(eventId: string) {
  return queryOptions({
    queryKey: ['deletions', 'event', eventId],
    queryFn: ({ signal }) => call('getServiceEventByEventId', { params: { eventId }, signal }),
    ...found,
  })
}

export function foundLinesQuery(instrumentInstalledProductId: string, logType: LogType) {
  return queryOptions({
    queryKey: ['deletions', 'log', instrumentInstalledProductId, logType],
    queryFn: async ({ signal }) =>
      (await call('listInstrumentLogs', { query: { instrumentInstalledProductId, logType, size: LINES }, signal })).body
        .hits.hits,
    ...found,
  })
}

/** Profiles that the user has saved. */
export function foundProfilesQuery(userId: string) {
  return queryOptions({
    queryKey: ['deletions', 'profile', userId],
    queryFn: ({ signal }) => call('listUserProfiles', { params: { id: userId }, signal }),
    ...found,
  })
}

const routeOf = {
  instrument: 'deleteInstrument',
  event: 'deleteServiceEvent',
  log: 'deleteLogEntry',
  profile: 'deleteProfile',
  user: 'deleteUser',
} as const

export type DeletionKind = keyof typeof routeOf

/** Deletes an object permanently. Refetches everything, because the object may be shown anywhere. */
export function useDelete(kind: DeletionKind) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => call(routeOf[kind], { params: { id } }),
    onSuccess: () => {
      client.removeQueries({ queryKey: ['deletions', kind] })
      void client.invalidateQueries()
    },
  })
}
