import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { profilesQuery } from '../../features/profiles/profiles.api.ts'
import { featuresQuery, filtersQuery, meQuery, usersQuery } from '../../features/users/users.api.ts'
import { ApiError } from '../../lib/http.ts'
import { instrumentTypesQuery } from '../../lib/instrument-type.ts'
import { showFailure } from '../../ui/overlay/toasts.ts'

/** Loads what every screen needs after sign-in, and shows a toast for each part that failed. */
export function StartupNotices() {
  useNotice('Could not get user', useQuery(meQuery()).error)
  useNotice('Could not get user profiles', useQuery(profilesQuery()).error)
  useNotice('Could not get users', useQuery(usersQuery()).error)
  useNotice('Could not get filter data', useQuery(filtersQuery()).error)
  useNotice('Could not get feature flags', useQuery(featuresQuery()).error)
  // Without labels, screens show the keys of types and families.
  useQuery(instrumentTypesQuery())
  return null
}

function useNotice(title: string, error: Error | null): void {
  useEffect(() => {
    // The session lifecycle already reports an expired session.
    if (error === null || (error instanceof ApiError && error.code === 'session-expired')) return
    showFailure({ title, message: error.message })
  }, [title, error])
}
