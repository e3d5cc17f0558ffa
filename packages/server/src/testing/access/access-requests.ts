import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { WebhookInput } from '@benchwatch/contract/messages/webhooks'
import type { RouteName } from '@benchwatch/contract/paths'
import { sql } from 'kysely'
import { Secret, TOTP } from 'otpauth'
import { inTransaction } from '../../db/transaction.ts'
import { newApiToken } from '../../features/auth/api-tokens.store.ts'
import { confirmTotp, keepTotpSecret } from '../../features/auth/credentials/second-factor.store.ts'
import { newTotpSecret } from '../../features/auth/credentials/totp.ts'
import { createSession } from '../../features/auth/session/session.store.ts'
import { fileOf, newExportLink } from '../../features/exports/export-link.ts'
import { addGatewayKeys } from '../../features/ingest/gateway-keys.store.ts'
import { createGatewayKey } from '../../features/ingest/gateway-keys.ts'
import { builtInDashboard, signKpiEmbedToken } from '../../features/kpi/built-in-kpi.ts'
import { insertWebhook } from '../../features/webhooks/webhooks.store.ts'
import { createDiskFiles } from '../../platform/files/file-store.ts'
import { SAMPLE_PASSWORD } from '../sample-people.ts'
import { lastCodeTo } from '../sent-messages.ts'
import type { TestApp } from '../test-app.ts'
import { type AccessCaller, type AccessRequest, addPerson, type CallContext } from './access-callers.ts'
import type { AccessFixture } from './access-fixture.ts'
import {
  profileOf,
  profileSettings as settings,
  supportEmail,
  supportEmailTemplate,
  template,
  unsubscribeTokenOfA,
  unsubscriptionOfA,
} from './access-mailing.ts'

const OTHER_NEW_PASSWORD = 'Kr0kodil-im-Schrank!'

const credentials = (userId: string) => ({ userId, password: SAMPLE_PASSWORD })

let numbers = 0

type Example<N extends RouteName> = (context: CallContext) => AccessRequest<N> | Promise<AccessRequest<N>>

const NEW_PASSWORD = 'Kr0kodil-im-Schrank!'
const ENDS = '2027-01-01'
const nothing = () => ({})
const uniFluxFamily = { key: 'UniFlux', input: { label: 'UniFlux', position: 1000 } }
const uniFlux = { key: 'UniFlux', input: { label: 'UniFlux', family: 'UniFlux' } }
const command = { type: 'command', name: 'test' } as const

/** Returns the parameters of one of A's registry objects, and the object as its PUT sends it. */
const put = ({ key, input }: { key: string; input: object }) => ({ params: { key }, body: input as never })
const ofKey = ({ key }: { key: string }) => ({ params: { key } })
const ofInstrument = ({ fixture }: CallContext) => ({
  query: { instrumentInstalledProductId: fixture.a.registered.instrument.key },
})

/**
 * One request per route that is valid except, perhaps, for its caller: about customer A if it concerns a customer;
 * about a newly created user, key or token otherwise. A new route does not compile until it is added here.
 */
const accessRequests = {
  listServiceEvents: () => ({ query: {}, body: {} }),
  listEventLocations: () => ({ query: {}, body: {} }),
  countFilterValues: () => ({ query: {}, body: {} }),
  getServiceEvent: async ({ fixture }) => ({ params: { id: await fixture.a.raise() } }),
  getServiceEventByEventId: async ({ fixture }) => ({ params: { eventId: `ORC-${await fixture.a.raise()}` } }),
  updateServiceEvent: async ({ fixture, caller }) => ({
    params: { id: await fixture.a.raise() },
    body: { claimedBy: String(caller.userId ?? fixture.a.user.id) },
  }),
  listServiceEventHistory: async ({ fixture }) => ({ params: { id: await fixture.a.raise() } }),
  getServiceResponse: async ({ fixture }) => ({ params: { id: await fixture.a.raise() } }),
  getEventSurroundings: async ({ fixture }) => ({ params: { id: await fixture.a.raise() } }),
  getEventOutcomes: async ({ fixture }) => ({ params: { id: await fixture.a.raise() } }),
  listSimilarEvents: ofInstrument,
  listFrequentEvents: ofInstrument,
  listRecentEvents: ofInstrument,
  shareServiceEvent: async ({ fixture }) => ({
    body: { eventId: await fixture.a.raise(), receiverIds: [String(fixture.a.user.id)], message: 'Please look' },
  }),
  listServiceEventEmails: async ({ fixture }) => ({ params: { id: await fixture.a.raise() } }),
  changeServiceEvents: async ({ fixture, caller }) => ({
    body: {
      ids: [await fixture.a.raise()],
      mode: 'include',
      change: { claimedBy: String(caller.userId ?? fixture.a.user.id) },
    },
  }),
  getBulkChange: async (context) => ({ params: { jobId: await bulkChangeOfA(context) } }),
  requestCase: async (context) => ({ params: { id: await ownEventOfA(context) }, body: {} }),
  cancelCase: async (context) => {
    const id = await ownEventOfA(context)
    await caseOf(context, { id, number: null })
    return { params: { id } }
  },
  reportCase: async (context) => {
    const id = await ownEventOfA(context)
    const number = `5${id.padStart(7, '0')}`
    await caseOf(context, { id, number })
    return { params: { number }, body: { status: 'Technician on the way', at: context.app.clock.now().toISOString() } }
  },

  listInstruments: () => ({ query: {}, body: {} }),
  countInstruments: () => ({ body: { searches: [{}] } }),
  listInstrumentFamilies: nothing,
  listInstrumentTypes: nothing,
  getInstrument: ({ fixture }) => ({ params: { id: fixture.a.registered.instrument.key } }),
  getInstrumentTimeline: ({ fixture }) => ({ params: { id: fixture.a.registered.instrument.key }, query: {} }),
  readInstrumentStatuses: ({ fixture }) => ({
    body: { instrumentInstalledProductIds: [fixture.a.registered.instrument.key] },
  }),
  getEdgeGateway: ({ fixture }) => ({ params: { id: fixture.a.registered.instrument.key } }),

  listSupportEmails: ({ fixture }) => ({ query: { instrumentIpid: fixture.a.registered.instrument.key } }),
  getAutomaticEmailSubject: () => ({ query: { instrumentType: 'AKTAPilot600', eisCode: 'P9B', errorCode: '1042' } }),
  getUnsubscribeInformation: async (context) => ({ query: { token: await unsubscribeTokenOfA(context) } }),
  unsubscribe: async (context) => ({ body: { token: await unsubscribeTokenOfA(context), unsubscribeDays: 30 } }),
  unsubscribeOneClick: async (context) => ({
    query: { token: await unsubscribeTokenOfA(context) },
    body: 'List-Unsubscribe=One-Click',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  }),
  openUnsubscribePage: async (context) => ({ query: { token: await unsubscribeTokenOfA(context) } }),
  listUnsubscriptions: () => ({ query: {} }),
  deleteUnsubscription: async (context) => ({ params: { id: await unsubscriptionOfA(context) } }),
  listComponentUsage: ({ fixture }) => ({ params: { id: fixture.a.registered.instrument.key }, query: {} }),
  getUsageHistory: ({ fixture }) => ({
    params: { id: fixture.a.registered.instrument.key },
    query: { componentName: 'Pump B (P9-B)', metric: 'Volume' },
  }),
  listDailyRuntimes: ({ fixture }) => ({ params: { id: fixture.a.registered.instrument.key }, query: {} }),
  listPlannedMaintenance: () => ({ query: {} }),
  setMaintenance: ({ fixture }) => ({
    query: { instrumentId: fixture.a.registered.instrument.key },
    body: { start: null },
  }),
  previewMaintenance: () => ({
    body: { start: '2030-01-01T22:00:00Z', end: '2030-01-02T04:00:00Z', rrule: 'FREQ=DAILY', timeZone: 'UTC' },
  }),
  getLinkedClients: ofInstrument,
  listInstrumentLogs: ({ fixture }) => ({
    query: { logType: 'VID', instrumentInstalledProductId: fixture.a.registered.instrument.key },
  }),
  searchInstrumentLogs: ({ fixture }) => ({
    query: { logType: 'VID', instrumentInstalledProductId: fixture.a.registered.instrument.key, searchString: 'pump' },
  }),
  listAvailableLogs: ofInstrument,
  countLogLines: ({ fixture }) => ({
    query: {
      logType: 'VID',
      instrumentInstalledProductId: fixture.a.registered.instrument.key,
      timeGreaterThan: '2026-01-01T00:00:00.000Z',
      timeLessThan: '2027-01-01T00:00:00.000Z',
      parts: '12',
    },
  }),

  createExport: () => ({ query: {}, body: { ids: [], mode: 'exclude', type: 'event', details: 'FULL' } }),
  getExport: async (context) => ({ params: { exportId: (await exportOfA(context)).id } }),
  downloadExport: async (context) => ({ params: { token: (await exportOfA(context)).token } }),
  listViews: nothing,
  createView: ({ caller }) => ({ body: newView(`View of ${caller.name}`) }),
  updateView: async (context) => ({ params: { id: await viewOfA(context) }, body: newView(randomUUID()) }),
  deleteView: async (context) => ({ params: { id: await viewOfA(context) } }),
  listCalendars: nothing,
  createCalendar: () => ({ body: { name: 'Service', contents: ['service'] } }),
  revokeCalendar: async (context) => ({ params: { id: (await calendarOfA(context)).id } }),
  readCalendar: async (context) => ({ params: { token: (await calendarOfA(context)).token } }),

  listWebhooks: nothing,
  createWebhook: () => ({ body: webhook }),
  updateWebhook: async (context) => ({ params: { id: await webhookOfA(context) }, body: webhook }),
  deleteWebhook: async (context) => ({ params: { id: await webhookOfA(context) } }),
  rotateWebhookSecret: async (context) => ({ params: { id: await webhookOfA(context) } }),
  testWebhook: async (context) => ({ params: { id: await webhookOfA(context) } }),
  listWebhookDeliveries: async (context) => ({ params: { id: await webhookOfA(context) }, query: {} }),
  resendWebhookDelivery: async (context) => {
    const id = await webhookOfA(context)
    return { params: { id, deliveryId: await sentDeliveryOf(context, id) } }
  },

  listUsers: nothing,
  getMe: nothing,
  listMyFeatures: nothing,
  getMyFilters: nothing,
  listProfiles: nothing,
  updateProfile: async (context) => ({ params: { id: await profileOf(context) }, body: settings }),
  previewProfile: async (context) => ({ params: { id: await profileOf(context) }, body: settings }),
  listNotifications: () => ({ query: {} }),
  listEventNotifications: async ({ fixture }) => ({ params: { id: await fixture.a.raise() } }),
  explainNotification: async ({ fixture }) => ({ params: { id: await fixture.a.raise() }, query: {} }),

  listKpiDashboards: nothing,
  getKpiDashboard: () => ({ params: { id: builtInDashboard.id } }),
  getKpiTable: async (context) => ({
    params: { measure: 'noisiest-instruments' },
    query: { from: '2026-11-01', to: '2026-11-20' },
    headers: await kpiEmbedOf(context),
  }),
  listKpiCustomers: async (context) => ({ headers: await kpiEmbedOf(context) }),
  createBackofficeEvent: ({ app, fixture }) => ({
    body: {
      componentName: 'Pump B (P9-B)',
      description: 'Pressure above limit',
      userMessage: 'Look at the pump',
      severity: 'high',
      templateId: 'P9B-1042',
      alertType: 1,
      alertStatus: '1_NEW',
      alertSource: 'INSTRUMENT',
      alertId: 'by-hand',
      createdAt: app.clock.now().toISOString(),
      instrumentInstalledProductId: fixture.a.registered.instrument.key,
    },
  }),
  getBackofficeInstrumentStatus: ({ fixture }) => ({
    query: { ipid: fixture.a.registered.instrument.key },
  }),
  setBackofficeInstrumentStatus: ({ fixture }) => ({
    body: {
      ipid: fixture.a.registered.instrument.key,
      instrumentStatus: 'ready',
      orcStatus: 'Connected',
      createOfflineEvent: false,
    },
  }),
  injectLog: ({ fixture }) => ({
    body: {
      logType: 'VID',
      message: 'Pump started',
      module: 'P9-B',
      instrumentInstalledProductId: fixture.a.registered.instrument.key,
    },
  }),
  listCustomerEmails: nothing,
  readUnicornPcNames: ({ fixture }) => ({
    body: { instrumentInstalledProductIds: [fixture.a.registered.instrument.key] },
  }),
  listGatewayFeeds: nothing,
  getReadReplica: nothing,
  injectTestAlarms: nothing,
  listParkedItems: () => ({ query: {} }),
  retryParkedItem: async (context) => ({ params: { id: await parkedOfA(context) }, body: {} }),
  discardParkedItem: async (context) => ({
    params: { id: await parkedOfA(context) },
    body: { reason: 'A test.' },
  }),
  listConnectionTemplates: nothing,
  putConnectionTemplate: () => ({
    params: { kind: 'OFFLINE' },
    body: { severity: 'high', description: '{instrument} is silent', userMessage: null },
  }),
  deleteConnectionTemplate: () => ({ params: { kind: 'OFFLINE' } }),
  deleteInstrument: ({ fixture }) => ({ params: { id: fixture.a.registered.instrument.key } }),
  deleteServiceEvent: async ({ fixture }) => ({ params: { id: await fixture.a.raise() } }),
  deleteLogEntry: async (context) => ({ params: { id: await lineOfA(context) } }),
  deleteProfile: async (context) => ({
    params: { id: await profileOf(context) },
  }),
  listUserProfiles: async (context) => {
    const { user_id } = await context.app.database.db
      .selectFrom('profile')
      .where('id', '=', Number(await profileOf(context)))
      .select('user_id')
      .executeTakeFirstOrThrow()
    return { params: { id: String(user_id) } }
  },
  deleteUser: async ({ app, fixture }) => {
    const { id } = await addPerson(app, {
      role: 'customer',
      scope: [fixture.a.id],
      name: `${fixture.a.mark} colleague`,
    })
    return { params: { id: String(id) } }
  },
  listHeldBackEvents: () => ({ query: {} }),
  releaseHeldBackEvent: async (context) => ({ params: { id: await heldBackOfA(context) } }),

  getAuthConfig: nothing,
  signIn: async ({ app }) => ({ body: credentials((await addPerson(app)).login) }),
  setNewPassword: async ({ app }) => {
    const { login } = await addPerson(app, { mustChangePassword: true })
    return { body: { challengeToken: await challengeOf(app, login), newPassword: OTHER_NEW_PASSWORD } }
  },
  answerMfa: async ({ app }) => {
    const { challengeToken, msisdn } = await smsChallenge(app)
    return { body: { challengeToken, code: await lastCodeTo(app.database.db, msisdn) } }
  },
  resendMfa: async ({ app }) => {
    const { challengeToken } = await smsChallenge(app)
    // A new code is not sent within 5 s.
    app.clock.advance(6000)
    return { body: { challengeToken } }
  },
  forgotPassword: async ({ app }) => ({ body: { email: (await addPerson(app)).login } }),
  confirmForgotPassword: async ({ app }) => {
    const { login: email } = await addPerson(app)
    await app.call('forgotPassword', { body: { email } })
    return { body: { email, code: await lastCodeTo(app.database.db, email), newPassword: OTHER_NEW_PASSWORD } }
  },
  startOidc: () => ({ query: {} }),
  finishOidc: () => ({ query: {} }),
  refresh: async ({ app }) => {
    const { headers } = await app.call('signIn', { body: credentials((await addPerson(app)).login) })
    const [cookie = ''] = String(headers['set-cookie']).split(';')
    return { body: {}, headers: { cookie } }
  },
  signOut: () => ({ body: {} }),
  createLiveToken: nothing,
  createHelpCookie: nothing,

  listMySessions: nothing,
  endMySession: async ({ app, fixture, caller }) => ({ params: { id: await sessionOfA(app, fixture, caller) } }),
  changePassword: () => ({ body: { currentPassword: SAMPLE_PASSWORD, newPassword: NEW_PASSWORD } }),
  getSecondFactor: nothing,
  beginTotp: () => ({ body: { password: SAMPLE_PASSWORD } }),
  confirmTotp: async ({ app, caller }) => ({ body: { code: await totpCode(app, caller) } }),
  removeTotp: async ({ app, caller }) => {
    await switchTotpOn(app, caller)
    return { body: { password: SAMPLE_PASSWORD } }
  },
  renewRecoveryCodes: async ({ app, caller }) => {
    await switchTotpOn(app, caller)
    return { body: { password: SAMPLE_PASSWORD } }
  },

  listOutbox: nothing,

  listAccounts: () => ({ query: {} }),
  getAccount: ({ fixture }) => ({ params: { id: String(fixture.a.user.id) } }),
  inviteUser: ({ fixture }) => ({
    body: {
      email: `${randomUUID()}@people.example`,
      name: 'Somebody New',
      role: 'customer',
      customers: [fixture.b.registered.customer.key],
    },
  }),
  updateAccount: async ({ app }) => ({
    params: { id: await somebody(app) },
    body: { name: 'Renamed', role: 'service', customers: null, msisdn: null, smsMfa: false, disabled: false },
  }),
  repeatInvitation: async ({ app }) => ({ params: { id: await somebody(app) } }),
  unlockAccount: async ({ app }) => ({ params: { id: await somebody(app) } }),
  resetSecondFactor: async ({ app }) => ({ params: { id: await somebody(app) } }),
  listFeatureFlags: nothing,
  setFeatureFlag: () => ({ params: { key: 'NOTIFY_UNDER_REVIEW' }, body: { value: null } }),
  setUserFeatureFlag: async ({ app }) => ({
    params: { id: await somebody(app), key: 'NOTIFY_UNDER_REVIEW' },
    body: { value: 'true' },
  }),
  listConnectedGateways: () => ({ query: {} }),
  getConnectedGateway: ({ fixture }) => ({ params: { gateway: fixture.a.gateway.name } }),
  listGatewayKeys: ({ fixture }) => ({ params: { gateway: fixture.a.gateway.name } }),
  createGatewayKey: ({ fixture }) => ({ params: { gateway: fixture.b.gateway.name } }),
  revokeGatewayKey: async ({ app, fixture }) => ({
    params: { gateway: fixture.b.gateway.name, id: await keyOf(app, fixture.b.gateway.name) },
  }),
  listSupportEmailTemplates: () => ({ query: {} }),
  getSupportEmailTemplate: async ({ app }) => ({ params: await supportEmailTemplate(app) }),
  putSupportEmailTemplate: () => ({ params: template, body: supportEmail }),
  deleteSupportEmailTemplate: async ({ app }) => ({ params: await supportEmailTemplate(app) }),
  previewSupportEmailTemplate: () => ({ body: { ...supportEmail, key: template['*'] } }),
  listApiTokens: nothing,
  createApiToken: () => ({ body: { name: 'Loader', scopes: ['registry'], expiresAt: ENDS } }),
  revokeApiToken: async ({ app }) => ({ params: { id: await tokenId(app) } }),

  ingestBatch: ({ fixture }) => ({ params: { gateway: fixture.a.gateway.name }, body: [] }),

  putCustomer: ({ fixture }) => put(fixture.a.registered.customer),
  getCustomer: ({ fixture }) => ofKey(fixture.a.registered.customer),
  listCustomers: () => ({ query: {} }),
  putSite: ({ fixture }) => put(fixture.a.registered.site),
  getSite: ({ fixture }) => ofKey(fixture.a.registered.site),
  listSites: () => ({ query: {} }),
  putContract: ({ fixture }) => put(fixture.a.registered.contract),
  getContract: ({ fixture }) => ofKey(fixture.a.registered.contract),
  listContracts: () => ({ query: {} }),
  putContact: ({ fixture }) => put(fixture.a.registered.contact),
  getContact: ({ fixture }) => ofKey(fixture.a.registered.contact),
  listContacts: () => ({ query: {} }),
  putInstrumentFamily: () => put(uniFluxFamily),
  getInstrumentFamily: () => ofKey(uniFluxFamily),
  listRegisteredInstrumentFamilies: () => ({ query: {} }),
  deleteInstrumentFamily: async ({ app }) => ({ params: { key: await unusedFamily(app) } }),
  putInstrumentType: () => put(uniFlux),
  getInstrumentType: () => ofKey(uniFlux),
  listRegisteredInstrumentTypes: () => ({ query: {} }),
  deleteInstrumentType: async ({ app }) => ({ params: { key: await unusedType(app) } }),
  putInstrument: ({ fixture }) => put(fixture.a.registered.instrument),
  getRegisteredInstrument: ({ fixture }) => ofKey(fixture.a.registered.instrument),
  listRegisteredInstruments: () => ({ query: {} }),
  putGateway: ({ fixture }) => put(fixture.a.registered.gateway),
  getGateway: ({ fixture }) => ofKey(fixture.a.registered.gateway),
  listGateways: () => ({ query: {} }),
  putEventTemplate: () => ({ params: template, body: { severity: 'high', description: 'Pressure above limit' } }),
  getEventTemplate: () => ({ params: template }),
  listEventTemplates: () => ({ query: {} }),
  applyRegistry: () => ({
    query: { dryRun: 'true' },
    body: { files: [{ kind: 'customers', format: 'csv', text: 'key,name\nsomebody,Somebody\n' }] },
  }),
  importRegistry: () => ({
    query: { kind: 'customers', dryRun: 'true' },
    body: 'key,name\nsomebody,Somebody\n',
    headers: { 'content-type': 'text/csv' },
  }),

  getHealth: nothing,
  getReady: nothing,
} as const satisfies { [N in RouteName]: Example<N> }

const examples: { [N in RouteName]: Example<N> } = accessRequests

/** An event of customer A that the caller may close. */
async function ownEventOfA({ app, fixture, caller }: CallContext): Promise<string> {
  const id = await fixture.a.raise()
  await app.database.db
    .updateTable('service_event')
    .set({ alert_status: 2, claimed_by: caller.userId ?? fixture.a.user.id })
    .where('id', '=', Number(id))
    .execute()
  return id
}

/** The case of an event, which is closed if the case has a number. */
async function caseOf({ app, fixture }: CallContext, { id, number }: { id: string; number: string | null }) {
  const { db } = app.database
  const at = app.clock.now()
  const requested = { requested_by: fixture.a.user.id, requested_at: at, next_attempt_at: at }
  await db
    .insertInto('service_case')
    .values({ event_id: Number(id), ...requested, number })
    .execute()
  if (number === null) return
  await db
    .updateTable('service_event')
    .set({ alert_status: 3, reason_closed: 1, service_max_case_number: number })
    .where('id', '=', Number(id))
    .execute()
}

async function unusedFamily(app: TestApp): Promise<string> {
  const key = randomUUID()
  await app.database.db.insertInto('instrument_family').values({ key, label: 'Freezers', position: 1 }).execute()
  return key
}

async function unusedType(app: TestApp): Promise<string> {
  const key = randomUUID()
  await app.database.db.insertInto('instrument_type').values({ key, label: 'Freezer', family: 'UniFlux' }).execute()
  return key
}

/** Returns the request of a route for this caller. */
export async function requestOf<N extends RouteName>(name: N, context: CallContext): Promise<AccessRequest<N>> {
  return examples[name](context)
}

/** Returns the caller if it is a user of A, otherwise A's user. */
function personOfA(fixture: AccessFixture, caller: AccessCaller): number {
  return caller.name === 'customer A' && caller.userId !== null ? caller.userId : fixture.a.user.id
}

async function bulkChangeOfA({ app, fixture, caller }: CallContext): Promise<string> {
  const { id } = await app.database.db
    .insertInto('bulk_change')
    .values({
      user_id: personOfA(fixture, caller),
      event_ids: [],
      change: '{}',
      created_at: app.clock.now(),
      stepped_at: app.clock.now(),
      state: 'done',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Returns an export that is ready, with the token of its link. */
async function exportOfA({ app, fixture, caller }: CallContext): Promise<{ id: string; token: string }> {
  const { db } = app.database
  const { token, hash, sealed } = await newExportLink(db)
  const { id } = await db
    .insertInto('export_file')
    .values({
      user_id: personOfA(fixture, caller),
      details: 'BASIC',
      state: 'ready',
      rows: 0,
      token_hash: hash,
      token_sealed: sealed,
      expires_at: new Date(ENDS),
      created_at: app.clock.now(),
      stepped_at: app.clock.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await createDiskFiles(join(app.config.dataDir, 'exports')).write(fileOf(id), headOfFile())
  return { id, token }
}

async function* headOfFile() {
  yield 'Severity\r\n'
}

async function viewOfA({ app, fixture, caller }: CallContext): Promise<string> {
  const name = randomUUID()
  const { id } = await app.database.db
    .insertInto('saved_view')
    .values({
      user_id: personOfA(fixture, caller),
      area: 'events',
      name,
      name_key: name,
      shared: false,
      state: '{}',
      customer_ids: null,
      created_at: app.clock.now(),
      updated_at: app.clock.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return String(id)
}

async function calendarOfA({ app, fixture, caller }: CallContext): Promise<{ id: string; token: string }> {
  const token = randomBytes(32).toString('base64url')
  const { id } = await app.database.db
    .insertInto('calendar')
    .values({
      user_id: personOfA(fixture, caller),
      name: 'Maintenance',
      token_hash: createHash('sha256').update(token).digest(),
      contents: ['maintenance'],
      customer_ids: null,
      created_at: app.clock.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id: String(id), token }
}

const { notifyEmail: _email, notifySms: _sms, ...webhookFilter } = settings
const webhook: WebhookInput = {
  name: 'Duty',
  url: 'https://hooks.example.com/benchwatch',
  format: 'plain',
  routingKey: null,
  occasions: ['event.raised'],
  filter: webhookFilter,
  isOn: true,
}

async function webhookOfA({ app, fixture, caller }: CallContext): Promise<string> {
  const secrets = { url: webhook.url, routingKey: null, secret: 'whsec_AAAA', previousSecret: null }
  const made = { ownerId: personOfA(fixture, caller), input: webhook, secrets, at: app.clock.now() }
  return String(await inTransaction(app.database.db, (trx) => insertWebhook(trx, made)))
}

async function sentDeliveryOf({ app, fixture }: CallContext, webhookId: string): Promise<string> {
  const at = app.clock.now()
  const { id } = await app.database.db
    .insertInto('webhook_delivery')
    .values({
      webhook_id: Number(webhookId),
      message_id: randomUUID(),
      occasion: 'event.raised',
      occasion_key: randomUUID(),
      subject: 'event',
      event_id: Number(await fixture.a.raise()),
      customer_id: fixture.a.id,
      body: '{}',
      created_at: at,
      state: 'sent',
      next_at: at,
      give_up_at: at,
      finished_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return String(id)
}

function newView(name: string) {
  return { area: 'events' as const, name, state: { filters: { severity: ['high'] } } }
}

/** Returns a further session of the caller if it is a user of A, otherwise a session of A's user. */
async function sessionOfA(app: TestApp, fixture: AccessFixture, caller: AccessCaller): Promise<string> {
  const userId = personOfA(fixture, caller)
  const { sessionId } = await createSession({ db: app.database.db, clock: app.clock, config: app.config }, { userId })
  return sessionId
}

async function totpCode(app: TestApp, { userId }: AccessCaller): Promise<string> {
  if (userId === null) return '123456'
  const secret = newTotpSecret()
  await keepTotpSecret(app.database.db, { userId, secret })
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: app.clock.now().getTime() })
}

async function switchTotpOn(app: TestApp, caller: AccessCaller): Promise<void> {
  const { userId } = caller
  if (userId === null) return
  await totpCode(app, caller)
  await inTransaction(app.database.db, (trx) => confirmTotp(trx, { userId, actor: command, at: app.clock.now() }))
}

async function somebody(app: TestApp): Promise<string> {
  return String((await addPerson(app)).id)
}

async function keyOf(app: TestApp, gateway: string): Promise<string> {
  const { db } = app.database
  const { hash } = createGatewayKey()
  const at = app.clock.now()
  await inTransaction(db, (trx) => addGatewayKeys(trx, { keys: [{ gateway, hash }], actor: command, at }))
  const { id } = await db.selectFrom('gateway_key').select('id').where('key_hash', '=', hash).executeTakeFirstOrThrow()
  return String(id)
}

async function tokenId(app: TestApp): Promise<string> {
  const { id: created_by } = await addPerson(app, { role: 'admin' })
  const { id } = await app.database.db
    .insertInto('api_token')
    .values({
      name: 'test',
      token_hash: newApiToken().hash,
      scopes: ['registry'],
      created_by,
      created_at: app.clock.now(),
      expires_at: new Date(ENDS),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return String(id)
}

async function instrumentOfA({ app, fixture }: CallContext) {
  return app.database.db
    .selectFrom('instrument')
    .where('installed_product_id', '=', fixture.a.registered.instrument.key)
    .select(['id', 'customer_id', 'gateway_id'])
    .executeTakeFirstOrThrow()
}

async function lineOfA(context: CallContext): Promise<string> {
  const { app, fixture } = context
  const { id } = await app.database.db
    .insertInto('log_entry')
    .values({
      instrument_id: (await instrumentOfA(context)).id,
      log_type: 'VID',
      ts: app.clock.now(),
      message: `${fixture.a.mark} line`,
      received_at: app.clock.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return String(id)
}

async function heldBackOfA(context: CallContext): Promise<string> {
  const { app, fixture } = context
  const instrument = await instrumentOfA(context)
  const component = await app.database.db
    .insertInto('component')
    .values({ name: `Held ${Math.random()}`, type: 'Held', name_folded: 'held' })
    .returning(['id', 'name'])
    .executeTakeFirstOrThrow()
  const at = app.clock.now()
  const data = { alertId: component.name, templateId: 'P9B-1042', alertType: 1, componentName: component.name }
  const { id } = await app.database.db
    .insertInto('held_back_event')
    .values({
      instrument_id: instrument.id,
      customer_id: instrument.customer_id,
      gateway_id: instrument.gateway_id ?? 0,
      template_id: data.templateId,
      component_id: component.id,
      epoch: 1,
      sequence: 1,
      raises: 1,
      item: JSON.stringify({
        specversion: '1.0',
        id: `held-${component.id}`,
        source: `/gateways/${fixture.a.gateway.name}`,
        sequence: 1,
        type: 'benchwatch.alarm.raised',
        subject: fixture.a.registered.instrument.key,
        time: at.toISOString(),
        data: { ...data, logGeneratedAt: at.toISOString() },
      }),
      description: `${fixture.a.mark} held`,
      raised_at: at,
      held_back_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return String(id)
}

/** Returns a parked item of customer A's gateway. */
async function parkedOfA({ app, fixture }: CallContext): Promise<string> {
  const { rows } = await sql<{ id: number }>`
    INSERT INTO parked_item (gateway_id, item_id, code, reason, item, received_at)
    SELECT id, NULL, 'bad-item', ${`${fixture.a.mark} is not valid`}, ${JSON.stringify({ id: fixture.a.mark })}::jsonb,
      ${app.clock.now()}
    FROM gateway WHERE name = ${fixture.a.gateway.name} RETURNING id`.execute(app.database.db)
  return String(rows[0]?.id)
}

/** Returns the token that the built-in dashboard would give the caller; nothing for a program. */
async function kpiEmbedOf({ app, caller }: CallContext): Promise<Record<string, string>> {
  if (caller.userId === null) return {}
  const { id: sessionId } = await app.database.db
    .selectFrom('session')
    .where('user_id', '=', caller.userId)
    .select('id')
    .executeTakeFirstOrThrow()
  const context = { db: app.database.db, clock: app.clock }
  const { token } = await signKpiEmbedToken(context, { userId: caller.userId, sessionId })
  return { authorization: `Bearer ${token}` }
}

async function challengeOf(app: TestApp, login: string): Promise<string> {
  const { body } = await app.call('signIn', { body: credentials(login) })
  if (!('challengeToken' in body)) throw new Error(`The sign-in of ${login} asks for noSignInAnswer.`)
  return body.challengeToken
}

async function smsChallenge(app: TestApp): Promise<{ challengeToken: string; msisdn: string }> {
  numbers += 1
  const msisdn = `+4670999${String(numbers).padStart(4, '0')}`
  const { login } = await addPerson(app, { smsMfa: true, msisdn })
  return { challengeToken: await challengeOf(app, login), msisdn }
}
