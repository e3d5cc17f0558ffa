import type { FeatureKey } from '@benchwatch/contract/vocabulary'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '../../lib/http.ts'
import { featuresQuery } from '../users/users.api.ts'

/** The entry point to component usage and run time. Wire 4. */

const root = ['usage'] as const

/** Gateways report these a few times an hour. */
const STALE_MS = 60_000
/** No live message reports usage, so open screens poll. */
export const USAGE_POLL_MS = 5 * 60_000

/** Components with their counters, judged by their thresholds; by name. ApiError 403 without the flags. */
export function componentUsageQuery(instrument: { id: string; instrumentType: string }) {
  const { id, instrumentType } = instrument
  return queryOptions({
    queryKey: [...root, 'components', id] as const,
    queryFn: ({ signal }) => call('listComponentUsage', { params: { id }, query: { instrumentType }, signal }),
    staleTime: STALE_MS,
  })
}

/** One counter day by day, with the basis of its forecast. */
export function usageHistoryQuery(of: { id: string; componentName: string; metric: string }) {
  const { id, ...query } = of
  return queryOptions({
    queryKey: [...root, 'history', of] as const,
    queryFn: ({ signal }) => call('getUsageHistory', { params: { id }, query, signal }),
    staleTime: STALE_MS,
  })
}

/** Run time in seconds for each of the last days at the site, oldest first. A day without data is absent. */
export function dailyRuntimesQuery(id: string, numberOfDays: 7 | 30 | 365) {
  return queryOptions({
    queryKey: [...root, 'runtimes', id, numberOfDays] as const,
    queryFn: ({ signal }) =>
      call('listDailyRuntimes', { params: { id }, query: { numberOfDays: `${numberOfDays}` }, signal }),
    staleTime: STALE_MS,
    placeholderData: keepPreviousData,
  })
}

/**
 * Returns true if all these flags are on for the user; false until that is known, so that no request is sent in vain.
 */
export function useFlags(...keys: FeatureKey[]): boolean {
  const { data: on } = useQuery(featuresQuery())
  return keys.every((key) => on?.includes(key) ?? false)
}
