import { registryKinds } from '@benchwatch/contract/vocabulary'
import { createRoute, lazyRouteComponent, notFound, redirect } from '@tanstack/react-router'
import { plainSearch } from './public-routes.tsx'
import { signedInRoute } from './signed-in-route.tsx'

/** All addresses below /administration share one screen. */

const administrationRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/administration',
  staticData: { title: 'Administration' },
  validateSearch: plainSearch,
  component: lazyRouteComponent(() => import('../routes/administration/administration.tsx'), 'AdministrationScreen'),
})

const administrationStartRoute = createRoute({
  getParentRoute: () => administrationRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/administration/users', search: {}, replace: true })
  },
})

const usersRoute = createRoute({
  getParentRoute: () => administrationRoute,
  path: '/users',
  staticData: { title: 'Users' },
  component: lazyRouteComponent(() => import('../routes/administration/administration-users.tsx'), 'UsersScreen'),
})

const newUserRoute = createRoute({
  getParentRoute: () => administrationRoute,
  path: '/users/new',
  staticData: { title: 'Invite a user' },
  component: lazyRouteComponent(() => import('../routes/administration/administration-users.tsx'), 'NewUserScreen'),
})

const userRoute = createRoute({
  getParentRoute: () => administrationRoute,
  path: '/users/$userId',
  staticData: { title: 'User' },
  component: lazyRouteComponent(() => import('../routes/administration/administration-users.tsx'), 'UserScreen'),
})

const featuresRoute = createRoute({
  getParentRoute: () => administrationRoute,
  path: '/features',
  staticData: { title: 'Feature flags' },
  component: lazyRouteComponent(() => import('../features/administration/feature-flags.tsx'), 'FeaturesScreen'),
})

const gatewaysRoute = createRoute({
  getParentRoute: () => administrationRoute,
  path: '/gateways',
  staticData: { title: 'Gateways' },
  component: lazyRouteComponent(() => import('../routes/administration/administration-gateways.tsx'), 'GatewaysScreen'),
})

const gatewayRoute = createRoute({
  getParentRoute: () => administrationRoute,
  path: '/gateways/$gateway',
  staticData: { title: 'Gateway' },
  component: lazyRouteComponent(() => import('../routes/administration/administration-gateways.tsx'), 'GatewayScreen'),
})

const connectInstrumentRoute = createRoute({
  getParentRoute: () => administrationRoute,
  path: '/gateways/$gateway/connect',
  staticData: { title: 'Connect an instrument' },
  component: lazyRouteComponent(
    () => import('../routes/administration/administration-gateways.tsx'),
    'ConnectInstrumentScreen',
  ),
})

const tokensRoute = createRoute({
  getParentRoute: () => administrationRoute,
  path: '/tokens',
  staticData: { title: 'API tokens' },
  component: lazyRouteComponent(() => import('../features/administration/api-tokens.tsx'), 'TokensScreen'),
})

const supportEmailsRoute = createRoute({
  getParentRoute: () => administrationRoute,
  path: '/support-emails',
  staticData: { title: 'Support e-mails' },
  component: lazyRouteComponent(
    () => import('../routes/administration/administration-support-emails.tsx'),
    'SupportEmailsScreen',
  ),
})

const newSupportEmailRoute = createRoute({
  getParentRoute: () => administrationRoute,
  path: '/support-emails/new',
  staticData: { title: 'New support e-mail' },
  component: lazyRouteComponent(
    () => import('../routes/administration/administration-support-emails.tsx'),
    'NewSupportEmailScreen',
  ),
})

const supportEmailRoute = createRoute({
  getParentRoute: () => administrationRoute,
  path: '/support-emails/$type/$templateId',
  staticData: { title: 'Support e-mail' },
  component: lazyRouteComponent(
    () => import('../routes/administration/administration-support-emails.tsx'),
    'SupportEmailScreen',
  ),
})

const connectionEventsRoute = createRoute({
  getParentRoute: () => administrationRoute,
  path: '/connection-events',
  staticData: { title: 'Connection events' },
  component: lazyRouteComponent(
    () => import('../features/administration/connection-templates.tsx'),
    'ConnectionEventsScreen',
  ),
})

function holdKind(kind: string): void {
  if (!registryKinds.some((known) => known === kind)) throw notFound()
}

const registryStartRoute = createRoute({
  getParentRoute: () => administrationRoute,
  path: '/registry',
  beforeLoad: () => {
    throw redirect({
      to: '/administration/registry/$kind',
      params: { kind: 'customers' },
      search: {},
      replace: true,
    })
  },
})

const registryRoute = createRoute({
  getParentRoute: () => administrationRoute,
  path: '/registry/$kind',
  staticData: { title: 'Registry' },
  beforeLoad: ({ params }) => holdKind(params.kind),
  component: lazyRouteComponent(() => import('../routes/administration/administration-registry.tsx'), 'RegistryScreen'),
})

const registryImportRoute = createRoute({
  getParentRoute: () => administrationRoute,
  path: '/registry/import',
  staticData: { title: 'Import' },
  component: lazyRouteComponent(
    () => import('../routes/administration/administration-registry.tsx'),
    'RegistryImportScreen',
  ),
})

const newRegistryObjectRoute = createRoute({
  getParentRoute: () => administrationRoute,
  path: '/registry/$kind/new',
  staticData: { title: 'Registry' },
  beforeLoad: ({ params }) => holdKind(params.kind),
  component: lazyRouteComponent(
    () => import('../routes/administration/administration-registry.tsx'),
    'NewRegistryObjectScreen',
  ),
})

const registryObjectRoute = createRoute({
  getParentRoute: () => administrationRoute,
  path: '/registry/$kind/key/$',
  staticData: { title: 'Registry' },
  beforeLoad: ({ params }) => holdKind(params.kind),
  component: lazyRouteComponent(
    () => import('../routes/administration/administration-registry.tsx'),
    'RegistryObjectScreen',
  ),
})

export const administrationRoutes = administrationRoute.addChildren([
  administrationStartRoute,
  usersRoute,
  newUserRoute,
  userRoute,
  featuresRoute,
  gatewaysRoute,
  gatewayRoute,
  connectInstrumentRoute,
  tokensRoute,
  supportEmailsRoute,
  newSupportEmailRoute,
  supportEmailRoute,
  connectionEventsRoute,
  registryStartRoute,
  registryRoute,
  registryImportRoute,
  newRegistryObjectRoute,
  registryObjectRoute,
])
