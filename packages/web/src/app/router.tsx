import { Button } from '@mantine/core'
import { createRoute, createRouter, lazyRouteComponent, notFound } from '@tanstack/react-router'
import { useEffect } from 'react'
import { reasonOf } from '../lib/folded.ts'
import { readQueryString, writeQueryString } from '../lib/list/list-address.ts'
import { isMissingPart, reloadStaleBuild } from '../lib/stale-build.ts'
import styles from '../ui/text/state-message.module.css'
import { administrationRoutes } from './administration-routes.tsx'
import { loginRoute, outboxRoute, plainSearch, rootRoute, startRoute, unsubscribeRoute } from './public-routes.tsx'
import { PendingScreen } from './shell/shell.tsx'
import { signedInRoute } from './signed-in-route.tsx'

/** Every address of the console. Screens are loaded on first visit. */

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
  // The log that is open, if any.
  validateSearch: ({ log }: { log?: unknown }): { log?: string } => (typeof log === 'string' ? { log } : {}),
  component: lazyRouteComponent(() => import('../routes/event-details.tsx'), 'EventDetailsScreen'),
})

const notificationExplanationRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/events/$eventId/why',
  staticData: { title: 'Why did I (not) get this?' },
  // The user whose notifications are explained.
  validateSearch: plainSearch,
  component: lazyRouteComponent(() => import('../routes/settings/notifications.tsx'), 'NotificationExplanationScreen'),
})

const notificationsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/notifications',
  staticData: { title: 'Notifications' },
  // The user and the page number.
  validateSearch: plainSearch,
  component: lazyRouteComponent(() => import('../routes/settings/notifications.tsx'), 'NotificationListScreen'),
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
  // The open tab and the span of the timeline.
  validateSearch: plainSearch,
  component: lazyRouteComponent(() => import('../routes/instrument-details.tsx'), 'InstrumentDetailsScreen'),
})

const plannedMaintenanceRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/maintenance',
  staticData: { title: 'Planned maintenance' },
  // Keyword and page.
  validateSearch: plainSearch,
  component: lazyRouteComponent(() => import('../routes/planned-maintenance.tsx'), 'PlannedMaintenanceScreen'),
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
  component: lazyRouteComponent(() => import('../routes/settings/settings.tsx'), 'SettingsScreen'),
})

const notificationSettingsRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/',
  staticData: { title: 'Settings' },
  component: lazyRouteComponent(() => import('../features/profiles/notification-settings.tsx'), 'NotificationSettings'),
})

const accountSettingsRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/account',
  staticData: { title: 'Account' },
  component: lazyRouteComponent(() => import('../routes/settings/settings-account.tsx'), 'AccountSettingsScreen'),
})

const webhooksRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/webhooks',
  staticData: { title: 'Webhooks' },
  component: lazyRouteComponent(() => import('../routes/settings/settings-webhooks.tsx'), 'WebhooksScreen'),
})

const newWebhookRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/settings/webhooks/new',
  staticData: { title: 'New webhook' },
  component: lazyRouteComponent(() => import('../routes/settings/settings-webhooks.tsx'), 'NewWebhookScreen'),
})

const webhookRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/settings/webhooks/$webhookId',
  staticData: { title: 'Webhook' },
  validateSearch: plainSearch,
  component: lazyRouteComponent(() => import('../routes/settings/settings-webhooks.tsx'), 'WebhookScreen'),
})

const helpRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/help',
  staticData: { title: 'Help' },
  // The help page and the heading on it.
  validateSearch: plainSearch,
  component: lazyRouteComponent(() => import('../routes/help.tsx'), 'HelpScreen'),
})

const kpiRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/kpi',
  staticData: { title: 'KPI' },
  // The dashboard, its days and its customers.
  validateSearch: plainSearch,
  component: lazyRouteComponent(() => import('../routes/kpi.tsx'), 'KpiScreen'),
})

const backofficeRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/backoffice',
  staticData: { title: 'Back office' },
  // The part or tool, and the gateway.
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
    plannedMaintenanceRoute,
    reportRoute,
    kpiRoute,
    helpRoute,
    backofficeRoute,
    settingsRoute.addChildren([notificationSettingsRoute, accountSettingsRoute, webhooksRoute]),
    newWebhookRoute,
    webhookRoute,
    administrationRoutes,
  ]),
])

export const router = createRouter({
  routeTree,
  parseSearch: readQueryString,
  stringifySearch: writeQueryString,
  defaultPreload: 'intent',
  // The query cache keeps the data; the router only preloads code.
  defaultPreloadStaleTime: 0,
  scrollRestoration: true,
  // The router's own fallback is the whole address, which would put a link's token into the browser's storage.
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
    /** Screen name in the window title, unless the screen shows one named item (`lib/screen-name.ts`). */
    title?: string
    /**
     * Open to everyone: the page stays when the session expires, and its address, which may contain a secret, is not
     * remembered.
     */
    isPublic?: boolean
  }
}

/**
 * Shown when a screen crashes. Reloading helps and loses nothing, because the address contains what was shown. Reloads
 * on its own when the network is back.
 */
function CrashScreen({ error }: { error: unknown }) {
  // Support can't help with a lost connection.
  const isMissing = error instanceof Error && isMissingPart(error)
  useEffect(() => {
    if (isMissing) void reloadStaleBuild()
    const reload = () => window.location.reload()
    window.addEventListener('online', reload)
    return () => window.removeEventListener('online', reload)
  }, [isMissing])
  return (
    <div className={styles.message} role="alert">
      <h1>This screen could not be {isMissing ? 'loaded' : 'shown'}</h1>
      {!isMissing && (
        <p className={styles.text}>
          Reload the page. If this happens again, send this message to support and say what you were doing:
        </p>
      )}
      <p className={styles.text}>{isMissing ? reasonOf(error) : <code>{reasonOf(error)}</code>}</p>
      <Button mt={16} onClick={() => window.location.reload()}>
        Reload
      </Button>
    </div>
  )
}
