import { type InstrumentStatus, limits } from '@benchwatch/contract/vocabulary'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { call } from '../../lib/http.ts'

/** The door to instruments: what they do now, and the gateway behind them. Wire 3. */

const root = ['connections'] as const

/** The specification's refresh of statuses. Push usually tells sooner; the poll repairs what push missed. */
export const STATUS_POLL_MS = 10_000

/** Gateways are rarely moved, and a list shows the same one again and again. */
const GATEWAY_STALE_MS = 5 * 60_000

/** What these instruments do now, by installed product id; at most 100. Ids out of scope are absent. */
export function instrumentStatusesQuery(installedProductIds: readonly string[]) {
  return queryOptions({
    queryKey: [...root, 'statuses', installedProductIds],
    queryFn: ({ signal }) =>
      call('readInstrumentStatuses', {
        body: { instrumentInstalledProductIds: [...installedProductIds] },
        signal,
      }),
    enabled: installedProductIds.length > 0,
    staleTime: STATUS_POLL_MS,
    // Not while the tab is hidden; on return it is asked at once.
    refetchInterval: STATUS_POLL_MS,
    refetchIntervalInBackground: false,
    refetchOnWindowFocus: 'always',
    // The next round comes soon enough.
    retry: false,
    gcTime: 0,
  })
}

/** Statuses older than this are said to be so. */
const OUTDATED_AFTER_MS = 60_000

/**
 * Asks every ten seconds, in one call, what the instruments of a list's rows do now, and has `apply` change the rows in place:
 * document 1 section 4, document 2 section 4. Failures are quiet, for the last known status stays; where none was confirmed for a
 * minute, this is since when (epoch milliseconds), else null. `readAt`: when the rows themselves were read; `now`: the
 * half-minute's tick.
 */
export function useStatusPoll(
  installedProductIds: readonly string[],
  input: { readAt: number; now: number; apply: (statuses: Readonly<Record<string, InstrumentStatus>>) => void },
): number | null {
  // Each once, in one order, so that the same rows in another order are the same question.
  const asked = [...new Set(installedProductIds)].toSorted()
  const { data, dataUpdatedAt } = useQuery({
    ...instrumentStatusesQuery(asked),
    // The rows brought them along.
    initialData: {},
    initialDataUpdatedAt: input.readAt,
  })
  const apply = useEffectEvent(input.apply)
  useEffect(() => {
    if (Object.keys(data).length > 0) apply(data)
    // dataUpdatedAt: the same answer again still repairs what changed in between.
  }, [data, dataUpdatedAt])
  return asked.length > 0 && input.now - dataUpdatedAt > OUTDATED_AFTER_MS ? dataUpdatedAt : null
}

/** A gateway by its own installed product id or that of one of its instruments. ApiError 404 where it is out of scope. */
export function edgeGatewayQuery(installedProductId: string) {
  return queryOptions({
    queryKey: [...root, 'edge-gateway', installedProductId],
    queryFn: ({ signal }) => call('getEdgeGateway', { params: { id: installedProductId }, signal }),
    staleTime: GATEWAY_STALE_MS,
  })
}

/** The computers beside an instrument, as its gateway told them. They change when somebody installs one. */
export function linkedClientsQuery(installedProductId: string) {
  return queryOptions({
    queryKey: [...root, 'linked-clients', installedProductId],
    queryFn: ({ signal }) =>
      call('getLinkedClients', { query: { instrumentInstalledProductId: installedProductId }, signal }),
    staleTime: GATEWAY_STALE_MS,
  })
}

/**
 * The instrument list with just these instruments: document 1 section 2. An address takes so many characters of them
 * (section 5); what goes beyond is left out at a comma, because half an id would find nothing.
 */
export function connectedInstrumentsAddress(installedProductIds: readonly string[]): string {
  const list = installedProductIds.map(encodeURIComponent).join(',')
  const end = list.length <= limits.instruments ? list.length : list.lastIndexOf(',', limits.instruments)
  const instruments = list.slice(0, Math.max(end, 0))
  return `/instruments?temporaryFilters=true&instrumentFamily=All&instruments=${instruments}&keyword=&page=1&pageSize=12`
}
