import { queryOptions } from '@tanstack/react-query'
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
