import { Button } from '@mantine/core'
import { createRoute, createRouter, lazyRouteComponent, notFound } from '@tanstack/react-router'
import { useEffect } from 'react'
import { reasonOf } from '../lib/folded.ts'
import { readQueryString, writeQueryString } from '../lib/list/list-address.ts'
import styles from '../ui/text/state-message.module.css'
import { administrationRoutes } from './administration-routes.tsx'
import { loginRoute, outboxRoute, plainSearch, rootRoute, startRoute, unsubscribeRoute } from './public-routes.tsx'
import { PendingScreen } from './shell/shell.tsx'
import { signedInRoute } from './signed-in-route.tsx'

/** Every address of the console. Screens are loaded when they are first visited. */

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
  // Which log of its instrument is looked at, if one is.
  validateSearch: ({ log }: { log?: unknown }): { log?: string } => (typeof log === 'string' ? { log } : {}),
  component: lazyRouteComponent(() => import('../routes/event-details.tsx'), 'EventDetailsScreen'),
})

const notificationExplanationRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/events/$eventId/why',
  staticData: { title: 'Why did I (not) get this?' },
  // Of whom it is asked.
  validateSearch: plainSearch,
  component: lazyRouteComponent(
    () => import('../routes/notification-explanation.tsx'),
    'NotificationExplanationScreen',
  ),
})

const notificationsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/notifications',
  staticData: { title: 'Notifications' },
  // Whose, and which page.
  validateSearch: plainSearch,
  component: lazyRouteComponent(() => import('../routes/notification-list.tsx'), 'NotificationListScreen'),
})

const logsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/logs/$installedProductId',
  staticData: { title: 'Logs side by side' },
  validateSearch: plainSearch,
  component: lazyRouteComponent(() => import('../routes/logs.tsx'), 'LogsScreen'),
})

const instrumentsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/instruments',
  staticData: { title: 'Instruments' },
  validateSearch: plainSearch,
  component: lazyRouteComponent(() => import('../routes/instruments.tsx'), 'InstrumentsScreen'),
})

const instrumentDetailsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/instruments/$instrumentId',
  staticData: { title: 'Instrument' },
  // Which tab is open and which span the time line shows.
  validateSearch: plainSearch,
  component: lazyRouteComponent(() => import('../routes/instrument-details.tsx'), 'InstrumentDetailsScreen'),
})

const reportRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/report/$instrumentId',
  staticData: { title: 'System Report' },
  validateSearch: plainSearch,
  beforeLoad: ({ search: { reportType } }) => {
    if (reportType !== 'fe' && reportType !== 'qs') throw notFound()
  },
  component: lazyRouteComponent(() => import('../routes/report.tsx'), 'ReportScreen'),
})

const settingsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/settings',
  staticData: { title: 'Settings' },
  component: lazyRouteComponent(() => import('../routes/settings.tsx'), 'SettingsScreen'),
})

const notificationSettingsRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/',
  staticData: { title: 'Settings' },
  component: lazyRouteComponent(() => import('../routes/settings-notifications.tsx'), 'NotificationSettingsScreen'),
})

const accountSettingsRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/account',
  staticData: { title: 'Account' },
  component: lazyRouteComponent(() => import('../routes/settings-account.tsx'), 'AccountSettingsScreen'),
})

const helpRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/help',
  staticData: { title: 'Help' },
  // Which page of the help, and the heading in it.
  validateSearch: plainSearch,
  component: lazyRouteComponent(() => import('../routes/help.tsx'), 'HelpScreen'),
})

const kpiRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/kpi',
  staticData: { title: 'KPI' },
  // Which dashboard, of which days and customers.
  validateSearch: plainSearch,
  component: lazyRouteComponent(() => import('../routes/kpi.tsx'), 'KpiScreen'),
})

const backofficeRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/backoffice',
  staticData: { title: 'Back office' },
  // Which part or tool, and of which gateway.
  validateSearch: plainSearch,
  component: lazyRouteComponent(() => import('../routes/backoffice.tsx'), 'BackofficeScreen'),
})

const routeTree = rootRoute.addChildren([
  startRoute,
  loginRoute,
  unsubscribeRoute,
  outboxRoute,
  signedInRoute.addChildren([
    eventsRoute,
    eventDetailsRoute,
    notificationExplanationRoute,
    notificationsRoute,
    logsRoute,
    instrumentsRoute,
    instrumentDetailsRoute,
    reportRoute,
    kpiRoute,
    helpRoute,
    backofficeRoute,
    settingsRoute.addChildren([notificationSettingsRoute, accountSettingsRoute]),
    administrationRoutes,
  ]),
])

export const router = createRouter({
  routeTree,
  parseSearch: readQueryString,
  stringifySearch: writeQueryString,
  defaultPreload: 'intent',
  // Data are the query cache's business; the router only fetches code ahead.
  defaultPreloadStaleTime: 0,
  scrollRestoration: true,
  // Its own fallback is the whole address, which would put the token of a link into the browser's storage.
  getScrollRestorationKey: ({ state, pathname }) => state.__TSR_key ?? pathname,
  defaultPendingComponent: PendingScreen,
  defaultPendingMs: 300,
  defaultErrorComponent: CrashScreen,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
  interface StaticDataRouteOption {
    /** Name of the screen in the window's title, unless it shows one thing that has a name (`lib/screen-name.ts`). */
    title?: string
    /** For anybody: who was signed in stays when the session expires, and the address, which may hold a secret, is not remembered. */
    isPublic?: boolean
  }
}

/** A screen broke. Reloading is what helps, and loses nothing: the address says what was shown. It is done by itself as the network comes back. */
function CrashScreen({ error }: { error: unknown }) {
  useEffect(() => {
    const reload = () => window.location.reload()
    window.addEventListener('online', reload)
    return () => window.removeEventListener('online', reload)
  }, [])
  return (
    <div className={styles.message} role="alert">
      <h1>This screen could not be shown</h1>
      <p className={styles.text}>Reload the page. If it happens again, tell support what you did and this message:</p>
      <p className={styles.text}>
        <code>{reasonOf(error)}</code>
      </p>
      <Button mt={16} onClick={() => window.location.reload()}>
        Reload
      </Button>
    </div>
  )
}
