import type { NotificationSettings } from '@benchwatch/contract/messages/profiles'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/http.ts'

/** The user's notification profiles (wire 5). */

/** Profiles change only when the user changes them. */
const STALE_MS = 10 * 60_000

/** The user's three profiles. */
export function profilesQuery() {
  return queryOptions({
    queryKey: ['profiles'],
    queryFn: ({ signal }) => call('listProfiles', { signal }),
    staleTime: STALE_MS,
  })
}

/**
 * The events that a profile with these settings would have sent. The last answer stays visible while the next one
 * loads.
 */
export function previewQuery(id: string, settings: NotificationSettings) {
  return queryOptions({
    queryKey: ['profile-previews', id, settings],
    queryFn: ({ signal }) => call('previewProfile', { params: { id }, body: settings, signal }),
    placeholderData: keepPreviousData,
  })
}
