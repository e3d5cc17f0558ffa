import { queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/http.ts'
import { productQuery, versionQuery } from '../../lib/product.ts'
import { instrumentQuery } from '../instruments/instruments.api.ts'
import { componentUsageQuery, dailyRuntimesQuery } from '../usage/usage.api.ts'
import { featuresQuery, meQuery } from '../users/users.api.ts'
import type { ReportSource, ReportType } from './report-model.ts'
import { REPORT_DAYS } from './report-runtime.ts'

/**
 * Everything a report is made of, read at one moment: what is printed, kept as a file and seen must be the same, so it changes
 * only when the report is opened again. ApiError 404 for an instrument that does not exist or is out of scope.
 */
export function reportQuery({ instrumentId, reportType }: { instrumentId: string; reportType: ReportType }) {
  return queryOptions({
    queryKey: ['report', instrumentId, reportType] as const,
    queryFn: async ({ client }): Promise<ReportSource> => {
      const [instrument, on, me, product, health] = await Promise.all([
        client.fetchQuery(instrumentQuery(instrumentId)),
        client.fetchQuery(featuresQuery()),
        client.fetchQuery(meQuery()),
        client.fetchQuery(productQuery()),
        client.fetchQuery(versionQuery()),
      ])
      const [events, runtimes, components] = await Promise.all([
        reportType === 'fe' ? client.fetchQuery(reportEventsQuery(instrument.instrumentInstalledProductId)) : null,
        on.includes('FETCH_INSTRUMENT_DAILY_RUNTIMES')
          ? client.fetchQuery(dailyRuntimesQuery(instrument.id, REPORT_DAYS))
          : null,
        on.includes('ASSET_USAGE') && on.includes('FETCH_INSTRUMENT_COMPONENTS')
          ? client.fetchQuery(componentUsageQuery(instrument))
          : null,
      ])
      return {
        reportType,
        instrument,
        events: events && { frequent: events[0], recent: events[1].values.map(({ alarm }) => alarm) },
        runtimes,
        components,
        author: { name: me.name, email: me.email },
        product: { name: product.product, version: health.version },
        madeAt: Date.now(),
      }
    },
    // Each of its parts asks again by itself: a second time around them would keep a failure from the screen for 12 s.
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
}

/** The most frequent events of 6 months and the newest, in one. */
function reportEventsQuery(instrumentInstalledProductId: string) {
  const query = { instrumentInstalledProductId }
  return queryOptions({
    queryKey: ['report-events', instrumentInstalledProductId] as const,
    queryFn: ({ signal }) =>
      Promise.all([call('listFrequentEvents', { query, signal }), call('listRecentEvents', { query, signal })]),
  })
}
