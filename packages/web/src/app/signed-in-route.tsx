import { useQuery } from '@tanstack/react-query'
import { createRoute, Outlet, redirect } from '@tanstack/react-router'
import { useEffect } from 'react'
import { BulkChanges } from '../features/bulk-changes/bulk-changes.tsx'
import { profilesQuery } from '../features/profiles/profiles.api.ts'
import { featuresQuery, filtersQuery, meQuery, usersQuery } from '../features/users/users.api.ts'
import { ApiError } from '../lib/http.ts'
import { instrumentTypesQuery } from '../lib/instrument-type.ts'
import { rememberPath } from '../lib/remembered-path.ts'
import { sessionKnown } from '../lib/session/session.ts'
import { showFailure } from '../ui/overlay/toasts.ts'
import { rootRoute } from './public-routes.tsx'

/** Parent of every address that needs a session. Anonymous visitors go to the login and from there to the address. */
export const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: '_signed-in',
  beforeLoad: async ({ location }) => {
    const { status } = await sessionKnown()
    if (status !== 'anonymous') return
    rememberPath(location.href)
    throw redirect({ to: '/login', replace: true })
  },
  component: () => (
    <>
      <StartupNotices />
      <Outlet />
      <BulkChanges />
    </>
  ),
})

/** Loads what every screen needs after sign-in, and shows a toast for each part that failed. */
function StartupNotices() {
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
