import { queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/http.ts'

/** Fetches the dashboards that the user may see. Without any, /kpi is forbidden. */
export function kpiDashboardsQuery() {
  return queryOptions({
    queryKey: ['kpi-dashboards'] as const,
    queryFn: ({ signal }) => call('listKpiDashboards', { signal }),
    // Roles change rarely, and users reload the console sooner or later.
    staleTime: 5 * 60_000,
  })
}

/** Fetches a new address of one dashboard for each view, because some providers' addresses open only once. */
export function kpiEmbedQuery(id: string) {
  return queryOptions({
    queryKey: ['kpi-embed', id] as const,
    queryFn: ({ signal }) => call('getKpiDashboard', { params: { id }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnReconnect: false,
    refetchOnWindowFocus: false,
  })
}

export function askForKpiEmbed(id: string) {
  return call('getKpiDashboard', { params: { id } })
}
