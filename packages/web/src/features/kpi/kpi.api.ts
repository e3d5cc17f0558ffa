import { queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/http.ts'

/** The dashboards that the person may see; none makes /kpi forbidden. */
export function kpiDashboardsQuery() {
  return queryOptions({
    queryKey: ['kpi-dashboards'] as const,
    queryFn: ({ signal }) => call('listKpiDashboards', { signal }),
    // A role changes seldom, and its holder opens the console anew sooner or later.
    staleTime: 5 * 60_000,
  })
}

/** A fresh address of one dashboard: asked for each view, because those of some providers open once only. */
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
