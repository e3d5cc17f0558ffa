import { readFileSync } from 'node:fs'
import type { RouteName } from '@benchwatch/contract/paths'
import { type FeatureKey, featureKeys } from '@benchwatch/contract/vocabulary'
import { anInstrument } from '@benchwatch/samples/registry-objects'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { inTransaction } from '../../db/transaction.ts'
import { type GatewayItems, gatewayItems } from '../../testing/gateway-items.ts'
import { appendSampleLines } from '../../testing/log-lines.ts'
import { addEvents } from '../../testing/many-events.ts'
import { notifyingOn, setProfile } from '../../testing/notifying-fixture.ts'
import { registerSampleFleet, type SampleFleet } from '../../testing/sample-fleet.ts'
import { addSamplePerson } from '../../testing/sample-people.ts'
import { type Caller, TEST_NOW, type TestApp, testApp } from '../../testing/test-app.ts'
import { type TestDatabase, testDatabase } from '../../testing/test-database.ts'
import { orderWeeklyTests } from '../backoffice/injection/injection.service.ts'
import { raiseLostConnections, watchGateways } from '../connections/connections.service.ts'
import { processPendingNotifications } from '../notifications/notifying.service.ts'
import { upsertInstruments } from '../registry/instruments.store.ts'

/** Each flag of document 2, checked off and on: 3-decisions 5, docs/flags.md. */

/** Has a contract and a contact. */
const COVERED = 'IP-20431187'
/** Has neither a contract nor a contact. */
const FREE = 'IP-20431188'
const TEMPLATE_ID = 'P9B-1042'
const MINUTE_MS = 60_000

let database: TestDatabase
let app: TestApp
let fleet: SampleFleet
let adminId: number
let admin: Caller
let items: GatewayItems
let made = 0

beforeAll(async () => {
  database = await testDatabase()
  fleet = await registerSampleFleet(database, TEST_NOW)
  app = await testApp(database)
  adminId = await addSamplePerson(database, { login: 'ada@benchwatch.example', role: 'admin' })
  // Signs in for each call, because the clock moves further than a session lasts.
  admin = { call: async (name, sent) => (await app.as(adminId)).call(name, sent) }
})
beforeEach(async () => {
  for (const table of ['latched_alert', 'service_event', 'pending_notification', 'feature_flag'] as const)
    await database.db.deleteFrom(table).execute()
  app.clock.advance(60 * MINUTE_MS)
  made += 1
  items = gatewayItems(`f${made}`, app.clock.now())
})
afterAll(() => app.close())

interface Effect {
  off: unknown
  on: unknown
  /** Flags that have to be on for the effect to be visible. */
  alsoOn?: readonly FeatureKey[]
  /** Returns the visible result for the current flags. */
  see(): Promise<unknown>
}

/** Calls a route that responds according to the flag alone, as a user whose own value counts. */
const route = <N extends RouteName>(name: N, sent: () => object | Promise<object>, status = 200): Effect => ({
  off: 403,
  on: status,
  see: async () => (await admin.call(name, (await sent()) as never)).status,
})

const effects: Record<FeatureKey, Effect> = {
  ALLOW_ASSET_DELETE: route('deleteInstrument', async () => ({ params: { id: await newInstrument() } }), 204),
  ALLOW_EVENT_DELETE: route('deleteServiceEvent', async () => ({ params: { id: await newEvent() } }), 204),
  ALLOW_LOG_DELETE: route('deleteLogEntry', async () => ({ params: { id: await newLine() } }), 204),
  ALLOW_PROFILE_DELETE: route('deleteProfile', async () => ({ params: { id: await newProfile() } }), 204),
  ALLOW_USER_DELETE: route('deleteUser', async () => ({ params: { id: String(await newUser()) } }), 204),
  ASSET_USAGE: {
    alsoOn: ['FETCH_INSTRUMENT_COMPONENTS'],
    off: ['let go', 403],
    on: ['kept', 200],
    async see() {
      await database.db.deleteFrom('component_usage').execute()
      await send(items.usage([{ componentName: 'Pump B (P9-B)', usage: [], info: [], details: [] }]))
      const kept = await database.db.selectFrom('component_usage').select('component_name').execute()
      return [kept.length > 0 ? 'kept' : 'let go', await effects.FETCH_INSTRUMENT_COMPONENTS.see()]
    },
  },
  AUTO_EMAIL: {
    off: ['not mailed', 403],
    on: ['mailed', 200],
    async see() {
      await putTemplate({ underReview: false })
      const id = await newEvent()
      await processPendingNotifications(notifying())
      const mails = await database.db
        .selectFrom('support_email')
        .where('event_id', '=', Number(id))
        .select('subject')
        .execute()
      const shown = await admin.call('listSupportEmails', { query: { instrumentIpid: COVERED } })
      return [mails.length > 0 ? 'mailed' : 'not mailed', shown.status]
    },
  },
  BACKOFFICE: route('listGatewayFeeds', () => ({})),
  CREATE_EVENTS_WITH_CONTRACT_ONLY: {
    off: ['raised', 'raised'],
    on: ['raised', 'held back'],
    async see() {
      await send(items.raised({}, { subject: COVERED }), items.raised({}, { subject: FREE }))
      const ids = (await events()).map(({ instrument_id }) => instrument_id)
      const { first, second } = fleet.instruments
      return [first, second].map((id) => (ids.includes(id) ? 'raised' : 'held back'))
    },
  },
  EDGE_ISSUE_EVENT_CREATION: { off: [], on: ['EDGE_ISSUE'], see: async () => sourcesOf(await loseGateway()) },
  INSTRUMENT_OFFLINE_EVENT_CREATION: {
    off: [],
    on: ['OFFLINE'],
    async see() {
      await send(items.status('disconnected'))
      app.clock.advance(11 * MINUTE_MS)
      await send(items.heartbeat())
      await raiseLostConnections(connecting(), new Date(0))
      return sourcesOf(await events())
    },
  },
  INSTRUMENT_STATUS_TEMPLATE: {
    alsoOn: ['EDGE_ISSUE_EVENT_CREATION'],
    off: [expect.stringMatching(/^Gateway \S+ has not reported/)],
    on: ['GW-UPP-01 is off'],
    async see() {
      const text = { severity: 3, description: '{gateway} is off', user_message: null }
      await database.db
        .insertInto('connection_template')
        .values({ kind: 'EDGE_ISSUE', ...text })
        .onConflict((conflict) => conflict.column('kind').doUpdateSet(text))
        .execute()
      return (await loseGateway()).map(({ description }) => description)
    },
  },
  NOTIFY_UNDER_REVIEW: {
    off: 0,
    on: 1,
    async see() {
      await putTemplate({ underReview: true })
      const userId = await newUser()
      await setProfile(database, { userId, kind: 'new_event_notification', settings: { notifyEmail: true } })
      await newEvent()
      await processPendingNotifications(notifying())
      const found = await database.db.selectFrom('notification').where('user_id', '=', userId).select('id').execute()
      return found.length
    },
  },
  WEEKLY_ALARM_INJECTION: {
    off: 'no test',
    on: 'a test of each gateway',
    async see() {
      const tests = () => database.db.selectFrom('alarm_test').select('result').execute()
      const before = (await tests()).length
      const order = () => orderWeeklyTests({ db: database.db, clock: app.clock })
      await order()
      app.clock.advance(7 * 24 * 60 * MINUTE_MS)
      await order()
      const ordered = (await tests()).length - before
      // Each history runs through the whole chain and finishes, so that none affects a later test.
      await expect.poll(async () => (await tests()).map(({ result }) => result)).not.toContain('waiting')
      return ordered === 0 ? 'no test' : ordered === 2 ? 'a test of each gateway' : ordered
    },
  },
  FETCH_INSTRUMENT_DAILY_RUNTIMES: route('listDailyRuntimes', () => ({ params: { id: COVERED }, query: {} })),
  FETCH_INSTRUMENT_COMPONENTS: {
    ...route('listComponentUsage', () => ({ params: { id: COVERED }, query: {} })),
    alsoOn: ['ASSET_USAGE'],
  },
}

describe.each(featureKeys)('%s', (key) => {
  const { off, on, alsoOn = [], see } = effects[key]
  beforeEach(async () => {
    for (const other of alsoOn) await setForAll(other, 'true')
  })

  test.each([
    ['set nowhere', null, off],
    ['"false"', 'false', off],
    ['"true"', 'true', on],
  ] as const)('%s', async (_value, value, expected) => {
    await setForAll(key, value)
    expect(await see()).toEqual(expected)
  })

  test('holds from its change on, and until the next one', async () => {
    await setForAll(key, 'true')
    await setForAll(key, 'false')
    expect(await see()).toEqual(off)
  })
})

describe('a value of one’s own', () => {
  const ofPeople = featureKeys.filter((key) => [403, 200, 204].includes(effects[key].on as number))

  test.each(ofPeople)('takes precedence over the deployment’s: %s', async (key) => {
    const { off, on, alsoOn = [], see } = effects[key]
    for (const other of alsoOn) await setForAll(other, 'true')
    await setForAll(key, 'false')
    await setForAda(key, 'true')
    expect(await see()).toEqual(on)
    await setForAll(key, 'true')
    await setForAda(key, 'false')
    expect(await see()).toEqual(off)
    await setForAda(key, null)
    expect(await see()).toEqual(on)
  })
})

test('docs/flags.md describes every flag once', () => {
  const page = readFileSync(new URL('../../../../../docs/flags.md', import.meta.url), 'utf8')
  const found = [...page.matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, key]) => key)
  expect(found).toHaveLength(featureKeys.length)
  expect(new Set(found)).toEqual(new Set(featureKeys))
})

async function setForAll(key: FeatureKey, value: 'true' | 'false' | null): Promise<void> {
  expect((await admin.call('setFeatureFlag', { params: { key }, body: { value } })).status).toBe(200)
}

async function setForAda(key: FeatureKey, value: 'true' | 'false' | null): Promise<void> {
  const params = { id: String(adminId), key }
  expect((await admin.call('setUserFeatureFlag', { params, body: { value } })).status).toBe(200)
}

async function send(...batch: unknown[]): Promise<void> {
  const { name, key } = fleet.gateways.helix
  const gateway = app.withHeaders({ authorization: `Bearer ${key}` })
  const { body } = await gateway.call('ingestBatch', { params: { gateway: name }, body: batch })
  expect(body).toMatchObject({ accepted: batch.length, rejected: [] })
}

const events = () => database.db.selectFrom('service_event').selectAll().orderBy('id').execute()
const sourcesOf = (made: Awaited<ReturnType<typeof events>>) => made.map(({ alert_source }) => alert_source)
const connecting = () => ({
  db: database.db,
  clock: app.clock,
  config: { ...app.config, gatewaySilenceSeconds: 90 },
})
const notifying = () => ({ ...notifyingOn(database), clock: app.clock })

/** Keeps the gateway silent beyond the limit and returns the events raised. */
async function loseGateway() {
  // Does what this server does every few seconds, so that it can't end the silence of an earlier test below.
  await watchGateways({ db: database.db, clock: app.clock, config: app.config }, new Date(0))
  await send(items.heartbeat())
  app.clock.advance(11 * MINUTE_MS)
  // Runs at once: this server does not watch for silence itself, and processes what is queued.
  await inTransaction(database.db, async (trx) => {
    await watchGateways({ ...connecting(), db: trx }, new Date(0))
    await raiseLostConnections({ ...connecting(), db: trx }, new Date(0))
  })
  return (await events()).filter(({ gateway_id }) => gateway_id === fleet.gateways.helix.id)
}

async function newEvent(): Promise<string> {
  const at = app.clock.now()
  const [id = ''] = await addEvents(database, { count: 1, instrumentId: fleet.instruments.first, createdAt: at })
  return id
}

async function newInstrument(): Promise<string> {
  made += 1
  const key = `IP-8000${made}`
  const writing = { actor: { type: 'command', name: 'test' } as const, at: TEST_NOW }
  await inTransaction(database.db, (trx) => upsertInstruments(trx, writing, [anInstrument({ key, systemName: key })]))
  return key
}

async function newLine(): Promise<string> {
  await appendSampleLines(database, [{ instrumentId: fleet.instruments.first, message: 'Valve open' }])
  const lines = await database.db.selectFrom('log_entry').select('id').orderBy('id', 'desc').executeTakeFirstOrThrow()
  return String(lines.id)
}

async function newUser(): Promise<number> {
  made += 1
  return addSamplePerson(database, { login: `person${made}@benchwatch.example` })
}

async function newProfile(): Promise<string> {
  const { body } = await (await app.as(await newUser())).call('listProfiles')
  return body[0]?.id ?? ''
}

async function putTemplate({ underReview }: { underReview: boolean }): Promise<void> {
  const columns = { component_name: 'Pump B (P9-B)', subject: 'S', body: 'B', under_review: underReview }
  await database.db
    .insertInto('support_email_template')
    .values({ instrument_type: 'AKTAPilot600', template_id: TEMPLATE_ID, ...columns })
    .onConflict((conflict) => conflict.columns(['instrument_type', 'template_id']).doUpdateSet(columns))
    .execute()
}
