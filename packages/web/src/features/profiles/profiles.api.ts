import type { NotificationSettings } from '@benchwatch/contract/profiles'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/http.ts'

/** What the person is told about, and where: wire 5. */

export const profileKeys = {
  all: ['profiles'] as const,
  previews: (id: string) => ['profile-previews', id] as const,
}

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

/** What a profile would have told of, were it saved like this. The last answer stays while the next one is awaited. */
export function previewQuery(id: string, settings: NotificationSettings) {
  return queryOptions({
    queryKey: [...profileKeys.previews(id), settings],
    queryFn: ({ signal }) => call('previewProfile', { params: { id }, body: settings, signal }),
    placeholderData: keepPreviousData,
  })
}
