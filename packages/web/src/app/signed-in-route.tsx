import { createRoute, Outlet, redirect } from '@tanstack/react-router'
import { BulkChanges } from '../features/bulk-changes/bulk-changes.tsx'
import { rememberPath } from '../lib/remembered-path.ts'
import { sessionKnown } from '../lib/session/session.ts'
import { rootRoute } from './public-routes.tsx'
import { StartupNotices } from './session/startup-notices.tsx'

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
