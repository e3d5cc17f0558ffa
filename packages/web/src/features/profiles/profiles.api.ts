import { queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/http.ts'

/** What the person is told about, and where: wire 5. */

export const profileKeys = { all: ['profiles'] as const }

/** They change only when the person changes them. */
const STALE_MS = 10 * 60_000

/** The three profiles of the person signed in. */
export function profilesQuery() {
  return queryOptions({
    queryKey: profileKeys.all,
    queryFn: ({ signal }) => call('listProfiles', { signal }),
    staleTime: STALE_MS,
  })
}
