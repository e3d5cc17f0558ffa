import { createLiveToken, getAuthConfig, refresh, signIn, signOut } from './auth.ts'
import { ingestBatch } from './ingest.ts'
import type { RouteName } from './paths.ts'
import { listProfiles } from './profiles.ts'
import { registryRoutes } from './registry.ts'
import type { Route } from './route.ts'
import {
  getServiceEvent,
  getServiceEventByEventId,
  listServiceEventHistory,
  listServiceEvents,
  updateServiceEvent,
} from './service-events.ts'
import { getHealth, getReady } from './system.ts'
import { getMe, getMyFilters, listMyFeatures, listUsers } from './users.ts'

/** The route table: every endpoint under the name it has in `paths.ts`. */
export const routes = {
  listServiceEvents,
  getServiceEvent,
  getServiceEventByEventId,
  updateServiceEvent,
  listServiceEventHistory,
  listUsers,
  getMe,
  listMyFeatures,
  getMyFilters,
  listProfiles,
  getAuthConfig,
  signIn,
  refresh,
  signOut,
  createLiveToken,
  ingestBatch,
  putCustomer: registryRoutes.customer.put,
  getCustomer: registryRoutes.customer.get,
  listCustomers: registryRoutes.customer.list,
  putSite: registryRoutes.site.put,
  getSite: registryRoutes.site.get,
  listSites: registryRoutes.site.list,
  putContract: registryRoutes.contract.put,
  getContract: registryRoutes.contract.get,
  listContracts: registryRoutes.contract.list,
  putContact: registryRoutes.contact.put,
  getContact: registryRoutes.contact.get,
  listContacts: registryRoutes.contact.list,
  putInstrument: registryRoutes.instrument.put,
  getRegisteredInstrument: registryRoutes.instrument.get,
  listRegisteredInstruments: registryRoutes.instrument.list,
  putGateway: registryRoutes.gateway.put,
  getGateway: registryRoutes.gateway.get,
  listGateways: registryRoutes.gateway.list,
  putEventTemplate: registryRoutes.eventTemplate.put,
  getEventTemplate: registryRoutes.eventTemplate.get,
  listEventTemplates: registryRoutes.eventTemplate.list,
  getHealth,
  getReady,
} as const satisfies Record<RouteName, Route>

export type Routes = typeof routes
