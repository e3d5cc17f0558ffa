import type { FeatureKey } from '@benchwatch/contract/vocabulary'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/http.ts'

/** The user, other users and feature flags (wire 5). */

const root = ['users'] as const

export const userKeys = {
  all: root,
  me: [...root, 'me'] as const,
  features: [...root, 'features'] as const,
  list: [...root, 'list'] as const,
  filters: [...root, 'filters'] as const,
}

/** Users and flags change rarely, and the server pushes changes. */
const STALE_MS = 10 * 60_000

/** The user's account. */
export function meQuery() {
  return queryOptions({
    queryKey: userKeys.me,
    queryFn: ({ signal }) => call('getMe', { signal }),
    staleTime: STALE_MS,
  })
}

/** Users to whom events may be assigned, by name. */
export function usersQuery() {
  return queryOptions({
    queryKey: userKeys.list,
    queryFn: ({ signal }) => call('listUsers', { signal }),
    staleTime: STALE_MS,
  })
}

/** Keys of the feature flags that are on for the user. */
export function featuresQuery() {
  return queryOptions({
    queryKey: userKeys.features,
    queryFn: async ({ signal }): Promise<FeatureKey[]> =>
      (await call('listMyFeatures', { signal })).filter(({ value }) => value === 'true').map(({ key }) => key),
    staleTime: STALE_MS,
  })
}

/** Filter categories with the values that occur in the user's data scope. */
export function filtersQuery() {
  return queryOptions({
    queryKey: userKeys.filters,
    queryFn: ({ signal }) => call('getMyFilters', { signal }),
    staleTime: STALE_MS,
  })
}
