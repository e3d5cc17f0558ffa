import type { RouteHead } from './route.ts'

/**
 * Method and path of every endpoint as plain data, so that the browser can call them without loading a schema library.
 * The name is the key in the route table (`routes.ts`).
 */
export const paths = {
  // Service events: wire 2
  listServiceEvents: { method: 'POST', path: '/alarms' },
  listEventLocations: { method: 'POST', path: '/alarms/geo-locations' },
  getServiceEvent: { method: 'GET', path: '/alarms/:id', retry: true },
  getServiceEventByEventId: { method: 'GET', path: '/alarms/event/:eventId', retry: true },
  updateServiceEvent: { method: 'PUT', path: '/alarms/:id', retry: true },
  listServiceEventHistory: { method: 'GET', path: '/alarms/:id/history', retry: true },
  getServiceResponse: { method: 'GET', path: '/alarms/:id/service-response', retry: true },
  getEventSurroundings: { method: 'GET', path: '/alarms/:id/surroundings', retry: true },
  listSimilarEvents: { method: 'GET', path: '/alarms/similar-events', retry: true },
  shareServiceEvent: { method: 'POST', path: '/alarms/share' },
  listServiceEventEmails: { method: 'GET', path: '/alarms/:id/emails', retry: true },
  changeServiceEvents: { method: 'POST', path: '/alarms/bulk' },
  getBulkChange: { method: 'GET', path: '/alarms/bulk/:jobId', retry: true },
  // Instruments: wire 3
  readInstrumentStatuses: { method: 'POST', path: '/instruments/instrument-statuses' },
  getEdgeGateway: { method: 'GET', path: '/instruments/edge-gateway/:id', retry: true },
  // Logs: wire 7
  listInstrumentLogs: { method: 'GET', path: '/instrument-logs', retry: true },
  searchInstrumentLogs: { method: 'GET', path: '/instrument-logs/highlight', retry: true },
  listAvailableLogs: { method: 'GET', path: '/instrument-logs/available', retry: true },
  // Exports and views: wire 8
  createExport: { method: 'POST', path: '/export' },
  getExport: { method: 'GET', path: '/exports/:exportId', retry: true },
  downloadExport: { method: 'GET', path: '/exports/files/:token', retry: true },
  listViews: { method: 'GET', path: '/views', retry: true },
  createView: { method: 'POST', path: '/views' },
  updateView: { method: 'PUT', path: '/views/:id' },
  deleteView: { method: 'DELETE', path: '/views/:id' },
  // People: wire 5
  listUsers: { method: 'GET', path: '/users', retry: true },
  getMe: { method: 'GET', path: '/users/me', retry: true },
  listMyFeatures: { method: 'GET', path: '/users/me/features', retry: true },
  getMyFilters: { method: 'GET', path: '/users/me/filters', retry: true },
  listProfiles: { method: 'GET', path: '/profiles', retry: true },
  // Sign-in: wire 10
  getAuthConfig: { method: 'GET', path: '/auth/config', retry: true },
  signIn: { method: 'POST', path: '/auth/sign-in' },
  setNewPassword: { method: 'POST', path: '/auth/new-password' },
  answerMfa: { method: 'POST', path: '/auth/mfa' },
  resendMfa: { method: 'POST', path: '/auth/mfa/resend' },
  forgotPassword: { method: 'POST', path: '/auth/forgot-password' },
  confirmForgotPassword: { method: 'POST', path: '/auth/confirm-forgot-password' },
  startOidc: { method: 'GET', path: '/auth/oidc/start' },
  finishOidc: { method: 'GET', path: '/auth/oidc/callback' },
  refresh: { method: 'POST', path: '/auth/refresh' },
  signOut: { method: 'POST', path: '/auth/sign-out' },
  createLiveToken: { method: 'POST', path: '/auth/live-token' },
  // One's own account
  listMySessions: { method: 'GET', path: '/account/sessions', retry: true },
  endMySession: { method: 'DELETE', path: '/account/sessions/:id' },
  changePassword: { method: 'POST', path: '/account/password' },
  getSecondFactor: { method: 'GET', path: '/account/second-factor', retry: true },
  beginTotp: { method: 'POST', path: '/account/second-factor/totp' },
  confirmTotp: { method: 'POST', path: '/account/second-factor/totp/confirm' },
  removeTotp: { method: 'POST', path: '/account/second-factor/totp/remove' },
  renewRecoveryCodes: { method: 'POST', path: '/account/second-factor/recovery-codes' },
  // Messages that left: wire 10
  listOutbox: { method: 'GET', path: '/dev/outbox' },
  // Administration
  listAccounts: { method: 'GET', path: '/administration/users', retry: true },
  getAccount: { method: 'GET', path: '/administration/users/:id', retry: true },
  inviteUser: { method: 'POST', path: '/administration/users' },
  updateAccount: { method: 'PUT', path: '/administration/users/:id' },
  repeatInvitation: { method: 'POST', path: '/administration/users/:id/invite' },
  unlockAccount: { method: 'POST', path: '/administration/users/:id/unlock' },
  resetSecondFactor: { method: 'POST', path: '/administration/users/:id/reset-second-factor' },
  listFeatureFlags: { method: 'GET', path: '/administration/features', retry: true },
  setFeatureFlag: { method: 'PUT', path: '/administration/features/:key' },
  setUserFeatureFlag: { method: 'PUT', path: '/administration/users/:id/features/:key' },
  listGatewayKeys: { method: 'GET', path: '/administration/gateways/:gateway/keys', retry: true },
  createGatewayKey: { method: 'POST', path: '/administration/gateways/:gateway/keys' },
  revokeGatewayKey: { method: 'DELETE', path: '/administration/gateways/:gateway/keys/:id' },
  listApiTokens: { method: 'GET', path: '/administration/tokens', retry: true },
  createApiToken: { method: 'POST', path: '/administration/tokens' },
  revokeApiToken: { method: 'DELETE', path: '/administration/tokens/:id' },
  // Ingest: wire 12
  ingestBatch: { method: 'POST', path: '/ingest/v1/gateways/:gateway/batches' },
  // Registry: wire 13
  putCustomer: { method: 'PUT', path: '/registry/v1/customers/:key' },
  getCustomer: { method: 'GET', path: '/registry/v1/customers/:key', retry: true },
  listCustomers: { method: 'GET', path: '/registry/v1/customers', retry: true },
  putSite: { method: 'PUT', path: '/registry/v1/sites/:key' },
  getSite: { method: 'GET', path: '/registry/v1/sites/:key', retry: true },
  listSites: { method: 'GET', path: '/registry/v1/sites', retry: true },
  putContract: { method: 'PUT', path: '/registry/v1/contracts/:key' },
  getContract: { method: 'GET', path: '/registry/v1/contracts/:key', retry: true },
  listContracts: { method: 'GET', path: '/registry/v1/contracts', retry: true },
  putContact: { method: 'PUT', path: '/registry/v1/contacts/:key' },
  getContact: { method: 'GET', path: '/registry/v1/contacts/:key', retry: true },
  listContacts: { method: 'GET', path: '/registry/v1/contacts', retry: true },
  putInstrument: { method: 'PUT', path: '/registry/v1/instruments/:key' },
  getRegisteredInstrument: { method: 'GET', path: '/registry/v1/instruments/:key', retry: true },
  listRegisteredInstruments: { method: 'GET', path: '/registry/v1/instruments', retry: true },
  putGateway: { method: 'PUT', path: '/registry/v1/gateways/:key' },
  getGateway: { method: 'GET', path: '/registry/v1/gateways/:key', retry: true },
  listGateways: { method: 'GET', path: '/registry/v1/gateways', retry: true },
  putEventTemplate: { method: 'PUT', path: '/registry/v1/event-templates/*' },
  getEventTemplate: { method: 'GET', path: '/registry/v1/event-templates/*', retry: true },
  listEventTemplates: { method: 'GET', path: '/registry/v1/event-templates', retry: true },
  importRegistry: { method: 'POST', path: '/registry/v1/import' },
  // The process itself: 3-decisions 1
  getHealth: { method: 'GET', path: '/health' },
  getReady: { method: 'GET', path: '/ready' },
} as const satisfies Record<string, RouteHead>

export type RouteName = keyof typeof paths
