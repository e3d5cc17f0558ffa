import { type InstrumentStatus, limits } from '@benchwatch/contract/vocabulary'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { call } from '../../lib/http.ts'

/** The entry point to instrument statuses and gateways. Wire 3. */

const root = ['connections'] as const

/**
 * The specification's refresh interval of statuses. Live messages usually arrive sooner; the poll repairs missed ones.
 */
export const STATUS_POLL_MS = 10_000

/** Gateways rarely move, and a list shows the same one repeatedly. */
const GATEWAY_STALE_MS = 5 * 60_000

/** Current statuses of these instruments by installed product id, at most 100. Ids out of scope are absent. */
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
    // Not while the tab is hidden; a return to the tab refetches at once.
    refetchInterval: STATUS_POLL_MS,
    refetchIntervalInBackground: false,
    refetchOnWindowFocus: 'always',
    // The next round comes soon enough.
    retry: false,
    gcTime: 0,
  })
}

/** Statuses older than this are marked as outdated. */
const OUTDATED_AFTER_MS = 60_000

/**
 * Polls the statuses of a list's rows every ten seconds in one request and has `apply` change the rows in place:
 * document 1 section 4, document 2 section 4. Failures are silent, because the last known status stays. Returns the
 * time of the last confirmed status (epoch milliseconds) if it is more than a minute old, else null. `readAt`: when
 * the rows were read; `now`: the half-minute tick.
 */
export function useStatusPoll(
  installedProductIds: readonly string[],
  input: { readAt: number; now: number; apply: (statuses: Readonly<Record<string, InstrumentStatus>>) => void },
): number | null {
  // Unique and sorted, so that the same rows in another order have the same query key.
  const ids = [...new Set(installedProductIds)].toSorted()
  const { data, dataUpdatedAt } = useQuery({
    ...instrumentStatusesQuery(ids),
    // The rows already contain their statuses.
    initialData: {},
    initialDataUpdatedAt: input.readAt,
  })
  const apply = useEffectEvent(input.apply)
  useEffect(() => {
    if (Object.keys(data).length > 0) apply(data)
    // dataUpdatedAt: the same answer again still repairs changes in between.
  }, [data, dataUpdatedAt])
  return ids.length > 0 && input.now - dataUpdatedAt > OUTDATED_AFTER_MS ? dataUpdatedAt : null
}

/** A gateway by its own installed product id or that of one of its instruments. ApiError 404 if it is out of scope. */
export function edgeGatewayQuery(installedProductId: string) {
  return queryOptions({
    queryKey: [...root, 'edge-gateway', installedProductId],
    queryFn: ({ signal }) => call('getEdgeGateway', { params: { id: installedProductId }, signal }),
    staleTime: GATEWAY_STALE_MS,
  })
}

/** The computers beside an instrument, as reported by its gateway. They rarely change. */
export function linkedClientsQuery(installedProductId: string) {
  return queryOptions({
    queryKey: [...root, 'linked-clients', installedProductId],
    queryFn: ({ signal }) =>
      call('getLinkedClients', { query: { instrumentInstalledProductId: installedProductId }, signal }),
    staleTime: GATEWAY_STALE_MS,
  })
}

/**
 * Returns the address of the instrument list with only these instruments: document 1 section 2. The address has a
 * maximum length (section 5) and is cut at a comma, because a partial id would find nothing.
 */
export function connectedInstrumentsAddress(installedProductIds: readonly string[]): string {
  const list = installedProductIds.map(encodeURIComponent).join(',')
  const end = list.length <= limits.instruments ? list.length : list.lastIndexOf(',', limits.instruments)
  const instruments = list.slice(0, Math.max(end, 0))
  return `/instruments?temporaryFilters=true&instrumentFamily=All&instruments=${instruments}&keyword=&page=1&pageSize=12`
}
