import { createRootRoute, createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { sessionKnown } from '../lib/session/session.ts'
import { ForbiddenScreen } from '../routes/forbidden.tsx'
import { NotFoundScreen } from '../routes/not-found.tsx'
import { Shell } from './shell/shell.tsx'

/** Public addresses and the root route. */

/** Passes query parameters on as plain text; each screen parses its own. */
export const plainSearch = (search: Record<string, unknown>): Record<string, string> => search as Record<string, string>

export const rootRoute = createRootRoute({ component: Shell, notFoundComponent: NotFoundScreen })

export const startRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: async () => {
    const { status } = await sessionKnown()
    if (status !== 'unreachable') throw redirect({ to: status === 'signed-in' ? '/events' : '/login', replace: true })
  },
})

const LoginScreen = lazyRouteComponent(() => import('../routes/login.tsx'), 'LoginScreen')

export const loginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/login',
  staticData: { title: 'Login' },
  // Decided once on entry: signing in on this screen must not turn it into the forbidden page.
  beforeLoad: async () => ({ isForbidden: (await sessionKnown()).status === 'signed-in' }),
  component: () =>
    loginRoute.useRouteContext().isForbidden ? <ForbiddenScreen reason="signed-in" /> : <LoginScreen />,
})

export const unsubscribeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/unsubscribe',
  staticData: { title: 'Unsubscribe', isPublic: true },
  validateSearch: ({ token }: { token?: unknown }): { token?: string } => (typeof token === 'string' ? { token } : {}),
  component: lazyRouteComponent(() => import('../routes/unsubscribe.tsx'), 'UnsubscribeScreen'),
})

export const outboxRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/dev/outbox',
  staticData: { title: 'Outbox' },
  validateSearch: plainSearch,
  // Outside loopback the page needs a signed-in administrator, so the session must be known first.
  beforeLoad: async () => void (await sessionKnown()),
  component: lazyRouteComponent(() => import('../routes/outbox.tsx'), 'OutboxScreen'),
})
