import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import { readQueryString, writeQueryString } from '../lib/query-string.ts'
import { rememberPath } from '../lib/remembered-path.ts'
import { sessionKnown } from '../lib/session/session.ts'
import { ForbiddenScreen } from '../routes/forbidden.tsx'
import { NotFoundScreen } from '../routes/not-found.tsx'
import { CrashScreen } from './crash-screen.tsx'
import { StartupNotices } from './session/startup-notices.tsx'
import { PendingScreen, Shell } from './shell/shell.tsx'

/** Every address of the console. Screens are loaded when they are first visited. */

const rootRoute = createRootRoute({ component: Shell, notFoundComponent: NotFoundScreen })

const startRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: async () => {
    const { status } = await sessionKnown()
    if (status !== 'unreachable') throw redirect({ to: status === 'signed-in' ? '/events' : '/login', replace: true })
  },
})

const LoginScreen = lazyRouteComponent(() => import('../routes/login.tsx'), 'LoginScreen')

const loginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/login',
  staticData: { title: 'Login' },
  // Decided on the way in: signing in on the screen itself leads on, it does not forbid.
  beforeLoad: async () => ({ isForbidden: (await sessionKnown()).status === 'signed-in' }),
  component: () => (loginRoute.useRouteContext().isForbidden ? <ForbiddenScreen /> : <LoginScreen />),
})

const signedInRoute = createRoute({
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
    </>
  ),
})

/** Addresses are plain texts here; each screen reads its own. */
const plainSearch = (search: Record<string, unknown>): Record<string, string> => search as Record<string, string>

const eventsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/events',
  staticData: { title: 'Service Events' },
  validateSearch: plainSearch,
  component: lazyRouteComponent(() => import('../routes/events.tsx'), 'EventsScreen'),
})

const eventDetailsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/events/$eventId',
  staticData: { title: 'Event' },
  component: lazyRouteComponent(() => import('../routes/event-details.tsx'), 'EventDetailsScreen'),
})

const settingsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/settings',
  staticData: { title: 'Settings' },
  component: lazyRouteComponent(() => import('../routes/settings.tsx'), 'SettingsScreen'),
})

const routeTree = rootRoute.addChildren([
  startRoute,
  loginRoute,
  signedInRoute.addChildren([eventsRoute, eventDetailsRoute, settingsRoute]),
])

export const router = createRouter({
  routeTree,
  parseSearch: readQueryString,
  stringifySearch: writeQueryString,
  defaultPreload: 'intent',
  // Data are the query cache's business; the router only fetches code ahead.
  defaultPreloadStaleTime: 0,
  scrollRestoration: true,
  defaultPendingComponent: PendingScreen,
  defaultPendingMs: 300,
  defaultErrorComponent: CrashScreen,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
  interface StaticDataRouteOption {
    /** Name of the screen in the window's title. */
    title?: string
  }
}
