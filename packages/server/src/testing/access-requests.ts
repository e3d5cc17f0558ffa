import { randomUUID } from 'node:crypto'
import type { RouteName } from '@benchwatch/contract/paths'
import { Secret, TOTP } from 'otpauth'
import { inTransaction } from '../db/transaction.ts'
import { newApiToken } from '../features/auth/api-tokens.store.ts'
import { confirmTotp, keepTotpSecret } from '../features/auth/second-factor.store.ts'
import { createSession } from '../features/auth/session.store.ts'
import { newTotpSecret } from '../features/auth/totp.ts'
import { createExportFiles, fileOf } from '../features/exports/export-files.ts'
import { newExportLink } from '../features/exports/export-link.ts'
import { addGatewayKeys } from '../features/ingest/gateway-keys.store.ts'
import { createGatewayKey } from '../features/ingest/gateway-keys.ts'
import { backofficeRequests } from './access-backoffice.ts'
import { type AccessCaller, type AccessRequest, addPerson, type Scene } from './access-callers.ts'
import { connectionRequests } from './access-connections.ts'
import { deletionRequests } from './access-deletions.ts'
import { feedRequests } from './access-feed.ts'
import { kpiRequests } from './access-kpi.ts'
import {
  profileOf,
  profileSettings as settings,
  supportEmail,
  supportEmailTemplate,
  template,
  unsubscribeTokenOfA,
  unsubscriptionOfA,
} from './access-mailing.ts'
import { signInRequests } from './access-sign-in.ts'
import type { AccessWorld } from './access-world.ts'
import { SAMPLE_PASSWORD } from './sample-people.ts'
import type { TestApp } from './test-app.ts'

type Example<N extends RouteName> = (scene: Scene) => AccessRequest<N> | Promise<AccessRequest<N>>

const NEW_PASSWORD = 'Kr0kodil-im-Schrank!'
const ENDS = '2027-01-01'
const nothing = () => ({})
const command = { type: 'command', name: 'test' } as const

/** Parameters of one of A's registry objects, and the object as its PUT sends it. */
const put = ({ key, input }: { key: string; input: object }) => ({ params: { key }, body: input as never })
const ofKey = ({ key }: { key: string }) => ({ params: { key } })
const ofInstrument = ({ world }: Scene) => ({
  query: { instrumentInstalledProductId: world.a.registered.instrument.key },
})

/**
 * One request a route that is good in every respect but, perhaps, who sends it: about customer A where it is about a
 * customer, about a user, key or token made for it elsewhere. A route that is added does not compile until it is here.
 */
const accessRequests = {
  listServiceEvents: () => ({ query: {}, body: {} }),
  listEventLocations: () => ({ query: {}, body: {} }),
  getServiceEvent: async ({ world }) => ({ params: { id: await world.a.raise() } }),
  getServiceEventByEventId: async ({ world }) => ({ params: { eventId: `ORC-${await world.a.raise()}` } }),
  updateServiceEvent: async ({ world, caller }) => ({
    params: { id: await world.a.raise() },
    body: { claimedBy: String(caller.userId ?? world.a.user.id) },
  }),
  listServiceEventHistory: async ({ world }) => ({ params: { id: await world.a.raise() } }),
  getServiceResponse: async ({ world }) => ({ params: { id: await world.a.raise() } }),
  getEventSurroundings: async ({ world }) => ({ params: { id: await world.a.raise() } }),
  listSimilarEvents: ({ world }) => ({
    query: { instrumentInstalledProductId: world.a.registered.instrument.key },
  }),
  listFrequentEvents: ofInstrument,
  listRecentEvents: ofInstrument,
  shareServiceEvent: async ({ world }) => ({
    body: { eventId: await world.a.raise(), receiverIds: [String(world.a.user.id)], message: 'Please look' },
  }),
  listServiceEventEmails: async ({ world }) => ({ params: { id: await world.a.raise() } }),
  changeServiceEvents: async ({ world, caller }) => ({
    body: {
      ids: [await world.a.raise()],
      mode: 'include',
      change: { claimedBy: String(caller.userId ?? world.a.user.id) },
    },
  }),
  getBulkChange: async (scene) => ({ params: { jobId: await bulkChangeOfA(scene) } }),

  listInstruments: () => ({ query: {}, body: {} }),
  listInstrumentFamilies: nothing,
  getInstrument: ({ world }) => ({ params: { id: world.a.registered.instrument.key } }),
  getInstrumentTimeline: ({ world }) => ({ params: { id: world.a.registered.instrument.key }, query: {} }),
  readInstrumentStatuses: ({ world }) => ({
    body: { instrumentInstalledProductIds: [world.a.registered.instrument.key] },
  }),
  getEdgeGateway: ({ world }) => ({ params: { id: world.a.registered.instrument.key } }),

  listSupportEmails: ({ world }) => ({ query: { instrumentIpid: world.a.registered.instrument.key } }),
  getAutomaticEmailSubject: () => ({ query: { instrumentType: 'AKTAPilot600', eisCode: 'P9B', errorCode: '1042' } }),
  getUnsubscribeInformation: async (scene) => ({ query: { token: await unsubscribeTokenOfA(scene) } }),
  unsubscribe: async (scene) => ({ body: { token: await unsubscribeTokenOfA(scene), unsubscribeDays: 30 } }),
  unsubscribeOneClick: async (scene) => ({
    query: { token: await unsubscribeTokenOfA(scene) },
    body: 'List-Unsubscribe=One-Click',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  }),
  openUnsubscribePage: async (scene) => ({ query: { token: await unsubscribeTokenOfA(scene) } }),
  listUnsubscriptions: () => ({ query: {} }),
  deleteUnsubscription: async (scene) => ({ params: { id: await unsubscriptionOfA(scene) } }),
  listComponentUsage: ({ world }) => ({ params: { id: world.a.registered.instrument.key }, query: {} }),
  getUsageHistory: ({ world }) => ({
    params: { id: world.a.registered.instrument.key },
    query: { componentName: 'Pump B (P9-B)', metric: 'Volume' },
  }),
  listDailyRuntimes: ({ world }) => ({ params: { id: world.a.registered.instrument.key }, query: {} }),
  setMaintenance: ({ world }) => ({
    query: { instrumentId: world.a.registered.instrument.key },
    body: { start: null },
  }),
  previewMaintenance: () => ({
    body: { start: '2030-01-01T22:00:00Z', end: '2030-01-02T04:00:00Z', rrule: 'FREQ=DAILY', timeZone: 'UTC' },
  }),
  getLinkedClients: ({ world }) => ({
    query: { instrumentInstalledProductId: world.a.registered.instrument.key },
  }),
  listInstrumentLogs: ({ world }) => ({
    query: { logType: 'VID', instrumentInstalledProductId: world.a.registered.instrument.key },
  }),
  searchInstrumentLogs: ({ world }) => ({
    query: { logType: 'VID', instrumentInstalledProductId: world.a.registered.instrument.key, searchString: 'pump' },
  }),
  listAvailableLogs: ({ world }) => ({
    query: { instrumentInstalledProductId: world.a.registered.instrument.key },
  }),

  createExport: () => ({ query: {}, body: { ids: [], mode: 'exclude', type: 'event', details: 'FULL' } }),
  getExport: async (scene) => ({ params: { exportId: (await exportOfA(scene)).id } }),
  downloadExport: async (scene) => ({ params: { token: (await exportOfA(scene)).token } }),
  listViews: nothing,
  createView: ({ caller }) => ({ body: newView(`View of ${caller.name}`) }),
  updateView: async (scene) => ({ params: { id: await viewOfA(scene) }, body: newView(randomUUID()) }),
  deleteView: async (scene) => ({ params: { id: await viewOfA(scene) } }),

  listUsers: nothing,
  getMe: nothing,
  listMyFeatures: nothing,
  getMyFilters: nothing,
  listProfiles: nothing,
  updateProfile: async (scene) => ({ params: { id: await profileOf(scene) }, body: settings }),
  previewProfile: async (scene) => ({ params: { id: await profileOf(scene) }, body: settings }),
  listNotifications: () => ({ query: {} }),
  listEventNotifications: async ({ world }) => ({ params: { id: await world.a.raise() } }),
  explainNotification: async ({ world }) => ({ params: { id: await world.a.raise() }, query: {} }),

  ...kpiRequests,
  ...backofficeRequests,
  ...feedRequests,
  ...connectionRequests,
  ...deletionRequests,

  ...signInRequests,
  createLiveToken: nothing,
  createHelpCookie: nothing,

  listMySessions: nothing,
  endMySession: async ({ app, world, caller }) => ({ params: { id: await sessionOfA(app, world, caller) } }),
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
  getAccount: ({ world }) => ({ params: { id: String(world.a.user.id) } }),
  inviteUser: ({ world }) => ({
    body: {
      email: `${randomUUID()}@people.example`,
      name: 'Somebody New',
      role: 'customer',
      customers: [world.b.registered.customer.key],
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
  listGatewayKeys: ({ world }) => ({ params: { gateway: world.a.gateway.name } }),
  createGatewayKey: ({ world }) => ({ params: { gateway: world.b.gateway.name } }),
  revokeGatewayKey: async ({ app, world }) => ({
    params: { gateway: world.b.gateway.name, id: await keyOf(app, world.b.gateway.name) },
  }),
  listSupportEmailTemplates: () => ({ query: {} }),
  getSupportEmailTemplate: async ({ app }) => ({ params: await supportEmailTemplate(app) }),
  putSupportEmailTemplate: () => ({ params: template, body: supportEmail }),
  deleteSupportEmailTemplate: async ({ app }) => ({ params: await supportEmailTemplate(app) }),
  previewSupportEmailTemplate: () => ({ body: { ...supportEmail, key: template['*'] } }),
  listApiTokens: nothing,
  createApiToken: () => ({ body: { name: 'Loader', scopes: ['registry'], expiresAt: ENDS } }),
  revokeApiToken: async ({ app }) => ({ params: { id: await tokenId(app) } }),

  ingestBatch: ({ world }) => ({ params: { gateway: world.a.gateway.name }, body: [] }),

  putCustomer: ({ world }) => put(world.a.registered.customer),
  getCustomer: ({ world }) => ofKey(world.a.registered.customer),
  listCustomers: () => ({ query: {} }),
  putSite: ({ world }) => put(world.a.registered.site),
  getSite: ({ world }) => ofKey(world.a.registered.site),
  listSites: () => ({ query: {} }),
  putContract: ({ world }) => put(world.a.registered.contract),
  getContract: ({ world }) => ofKey(world.a.registered.contract),
  listContracts: () => ({ query: {} }),
  putContact: ({ world }) => put(world.a.registered.contact),
  getContact: ({ world }) => ofKey(world.a.registered.contact),
  listContacts: () => ({ query: {} }),
  putInstrument: ({ world }) => put(world.a.registered.instrument),
  getRegisteredInstrument: ({ world }) => ofKey(world.a.registered.instrument),
  listRegisteredInstruments: () => ({ query: {} }),
  putGateway: ({ world }) => put(world.a.registered.gateway),
  getGateway: ({ world }) => ofKey(world.a.registered.gateway),
  listGateways: () => ({ query: {} }),
  putEventTemplate: () => ({ params: template, body: { severity: 'high', description: 'Pressure above limit' } }),
  getEventTemplate: () => ({ params: template }),
  listEventTemplates: () => ({ query: {} }),
  importRegistry: () => ({
    query: { kind: 'customers', dryRun: 'true' },
    body: 'key,name\nsomebody,Somebody\n',
    headers: { 'content-type': 'text/csv' },
  }),

  getHealth: nothing,
  getReady: nothing,
} as const satisfies { [N in RouteName]: Example<N> }

const examples: { [N in RouteName]: Example<N> } = accessRequests

/** The request of a route for this caller. */
export async function requestOf<N extends RouteName>(name: N, scene: Scene): Promise<AccessRequest<N>> {
  return examples[name](scene)
}

/** The caller where that is A's, else A's user. */
function personOfA(world: AccessWorld, caller: AccessCaller): number {
  return caller.name === 'customer A' && caller.userId !== null ? caller.userId : world.a.user.id
}

async function bulkChangeOfA({ app, world, caller }: Scene): Promise<string> {
  const { id } = await app.database.db
    .insertInto('bulk_change')
    .values({
      user_id: personOfA(world, caller),
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

/** An export that is ready, with the token of its link. */
async function exportOfA({ app, world, caller }: Scene): Promise<{ id: string; token: string }> {
  const { db } = app.database
  const { token, hash, sealed } = await newExportLink(db)
  const { id } = await db
    .insertInto('export_file')
    .values({
      user_id: personOfA(world, caller),
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
  await createExportFiles(app.config).write(fileOf(id), headOfFile())
  return { id, token }
}

async function* headOfFile() {
  yield 'Severity\r\n'
}

async function viewOfA({ app, world, caller }: Scene): Promise<string> {
  const name = randomUUID()
  const { id } = await app.database.db
    .insertInto('saved_view')
    .values({
      user_id: personOfA(world, caller),
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

function newView(name: string) {
  return { area: 'events' as const, name, state: { filters: { severity: ['high'] } } }
}

/** A further session of the caller where that is A's, else one of A's user. */
async function sessionOfA(app: TestApp, world: AccessWorld, caller: AccessCaller): Promise<string> {
  const userId = personOfA(world, caller)
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
