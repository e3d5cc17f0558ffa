import type { FeatureKey } from '@benchwatch/contract/vocabulary'
import { anInstrument } from '@benchwatch/samples/registry-objects'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { inTransaction } from '../../db/transaction.ts'
import { type GatewayItems, gatewayItems } from '../../testing/gateway-items.ts'
import { registerSampleFleet, type SampleFleet } from '../../testing/sample-fleet.ts'
import { addSamplePerson } from '../../testing/sample-people.ts'
import { type Caller, TEST_NOW, type TestApp, testApp } from '../../testing/test-app.ts'
import { testDatabase } from '../../testing/test-database.ts'
import { upsertInstruments } from '../registry/instruments.store.ts'
import { raiseLostConnections, watchGateways } from './connections.service.ts'
import { forgetSilences } from './connections.store.ts'

let server: TestApp
let fleet: SampleFleet
let service: Caller
let items: GatewayItems
let epochs = 0

const FIRST = 'IP-20431187'
const SECOND = 'IP-20431188'
const longAgo = new Date(0)

beforeAll(async () => {
  const database = await testDatabase()
  fleet = await registerSampleFleet(database, TEST_NOW)
  // Longer than all tests together: the server's own watch finds no silence and ends none that a test has found.
  server = await testApp(database, { environment: { GATEWAY_SILENCE_SECONDS: '86400' } })
  const userId = await addSamplePerson(database, { login: 'sven@benchwatch.example' })
  // Signs in for each call: the clock is moved further than a session lasts.
  service = { call: async (name, sent) => (await server.as(userId)).call(name, sent) }
})
afterAll(() => server.close())

beforeEach(async () => {
  const { db } = server.database
  for (const table of ['latched_alert', 'service_event', 'live_outbox', 'live_message', 'feature_flag'] as const) {
    await db.deleteFrom(table).execute()
  }
  epochs += 1
  items = gatewayItems(`c${epochs}`, server.clock.now())
  await ingest([items.status('ready'), items.status('ready', { subject: SECOND })])
  await watch()
  await db.deleteFrom('live_outbox').execute()
  await db.deleteFrom('live_message').execute()
})

async function ingest(batch: unknown[]): Promise<void> {
  const { name, key } = fleet.gateways.helix
  const { body } = await server
    .withHeaders({ authorization: `Bearer ${key}` })
    .call('ingestBatch', { params: { gateway: name }, body: batch })
  expect(body.accepted).toBe(batch.length)
}

const context = (seconds = 90) => ({
  db: server.database.db,
  clock: server.clock,
  config: { ...server.config, gatewaySilenceSeconds: seconds },
})
const watch = (listeningSince = longAgo, seconds = 90) => watchGateways(context(seconds), listeningSince)
const tell = (listeningSince = longAgo, seconds = 90) => raiseLostConnections(context(seconds), listeningSince)
const minutes = (count: number) => server.clock.advance(count * 60_000)

async function connection(id = FIRST) {
  const { body } = await service.call('getInstrument', { params: { id } })
  return [body.orcStatus, body.unknownAt]
}

/** Returns the sent and queued messages in order; read at once, because messages move from one to the other. */
async function told() {
  const { db } = server.database
  const rows = await db
    .selectFrom('live_message')
    .select(['seq', 'message', sql<boolean>`true`.as('published')])
    .unionAll(db.selectFrom('live_outbox').select(['id as seq', 'message', sql<boolean>`false`.as('published')]))
    .orderBy('published', 'desc')
    .orderBy('seq')
    .execute()
  return rows.map(({ message }) => message)
}

async function events() {
  const { body } = await service.call('listServiceEvents', { query: { order: 'ASC' }, body: {} })
  return body.values.map(({ alarm }) => alarm)
}

async function switchOn(...keys: FeatureKey[]): Promise<void> {
  const flags = keys.map((key) => ({ key, user_id: null, value: true }))
  await server.database.db.insertInto('feature_flag').values(flags).execute()
}

it('keeps when a gateway was silent, and when it was first heard', async () => {
  const { db } = server.database
  const read = () =>
    db.selectFrom('gateway_silence').select(['since', 'until']).orderBy('since', 'desc').executeTakeFirst()
  const heardFirst = () =>
    db.selectFrom('gateway').where('id', '=', fleet.gateways.helix.id).select('first_seen_at').executeTakeFirstOrThrow()
  const { first_seen_at } = await heardFirst()
  const since = server.clock.now()
  minutes(5)
  await watch()
  await watch()
  expect(await read()).toEqual({ since, until: null })
  minutes(5)
  await ingest([items.status('ready')])
  const until = server.clock.now()
  minutes(1)
  await watch()
  expect(await read()).toEqual({ since, until })
  expect(await heardFirst()).toEqual({ first_seen_at })
  expect(first_seen_at?.getTime()).toBeLessThanOrEqual(since.getTime())
  await forgetSilences(db, until)
  expect(await read()).toMatchObject({ since })
  await forgetSilences(db, server.clock.now())
  expect((await read())?.since).not.toEqual(since)
})

describe('a silent gateway', () => {
  it('sets its instruments to Edge Issue, since its last message, and announces it', async () => {
    const lastSeen = server.clock.now().toISOString()
    server.clock.advance(90_000)
    await watch()
    expect(await connection()).toEqual(['Connected', null])
    server.clock.advance(1)
    await watch()
    expect(await connection()).toEqual(['Edge Issue', lastSeen])
    expect(await connection(SECOND)).toEqual(['Edge Issue', lastSeen])
    expect(await connection('IP-30000001')).toEqual(['Onboarding', null])
    expect(await told()).toMatchObject([
      {
        entity: 'instrument',
        property: 'orcStatus',
        payload: { instrumentInstalledProductId: FIRST, orcStatus: 'Edge Issue' },
      },
      { property: 'unknownAt', payload: { instrumentInstalledProductId: FIRST, unknownAt: lastSeen } },
      { property: 'orcStatus', payload: { instrumentInstalledProductId: SECOND } },
      { property: 'unknownAt', payload: { instrumentInstalledProductId: SECOND } },
    ])
    const count = (await told()).length
    await watch()
    expect(await told()).toHaveLength(count)
  })

  it('counts from when the server began to listen', async () => {
    minutes(5)
    const started = server.clock.now()
    await watch(started)
    expect(await connection()).toEqual(['Connected', null])
    minutes(2)
    await watch(started)
    expect((await connection())[0]).toBe('Edge Issue')
  })

  it('is none where silence is not watched', async () => {
    minutes(500)
    await watch(longAgo, 0)
    expect(await connection()).toEqual(['Connected', null])
  })

  it('counts as back where silence is no longer watched: its instruments, its event and its up-time', async () => {
    await switchOn('EDGE_ISSUE_EVENT_CREATION')
    const since = server.clock.now()
    minutes(11)
    await watch()
    await tell()
    expect(await events()).toMatchObject([{ alertSource: 'EDGE_ISSUE', clearedAt: null }])
    await watch(longAgo, 0)
    await tell(longAgo, 0)
    const until = server.clock.now()
    expect([await connection(), await connection(SECOND)]).toEqual([
      ['Connected', null],
      ['Connected', null],
    ])
    expect(await events()).toMatchObject([{ alertStatus: '1_NEW', clearedAt: until.toISOString() }])
    const silences = server.database.db
      .selectFrom('gateway_silence')
      .select(['since', 'until'])
      .orderBy('since', 'desc')
    expect(await silences.executeTakeFirst()).toEqual({ since, until })
    // Watched again without a report in between: silent since the last report.
    await watch()
    expect(await connection()).toEqual(['Edge Issue', since.toISOString()])
    expect(await silences.executeTakeFirst()).toEqual({ since, until: null })
  })

  it('that is back leaves its instruments as they were, and both changes are on the time line', async () => {
    const before = server.clock.now().toISOString()
    minutes(5)
    await watch()
    await ingest([items.heartbeat()])
    await watch()
    expect(await connection()).toEqual(['Connected', null])
    const back = server.clock.now().toISOString()
    minutes(1)
    const { body } = await service.call('getInstrumentTimeline', { params: { id: FIRST }, query: {} })
    expect(body.connections.slice(-2)).toEqual([
      { from: before, orcStatus: 'Edge Issue' },
      { from: back, orcStatus: 'Connected' },
    ])
    const record = await server.database.db
      .selectFrom('audit')
      .where('property', '=', 'silentSince')
      .orderBy('id', 'desc')
      .limit(2)
      .select(['actor_name', 'old_value', 'new_value'])
      .execute()
    expect(record).toEqual([
      { actor_name: 'Automatic', old_value: before, new_value: null },
      { actor_name: 'Automatic', old_value: null, new_value: before },
    ])
  })

  it('raises one event after 10 minutes, which returns to normal with it', async () => {
    await switchOn('EDGE_ISSUE_EVENT_CREATION')
    const lost = server.clock.now().toISOString()
    minutes(9)
    await watch()
    await tell()
    expect(await events()).toEqual([])
    minutes(1)
    await tell()
    minutes(60)
    await tell()
    const [event, ...more] = await events()
    expect(more).toEqual([])
    expect(event).toMatchObject({
      isEdgeIssue: true,
      alertSource: 'EDGE_ISSUE',
      alertStatus: '1_NEW',
      severity: 'medium',
      instrumentType: null,
      componentName: null,
      instrumentStatus: null,
      cpType: null,
      cpSLATerm: null,
      cpEndDate: null,
      instrumentId: null,
      gatewayName: 'GW-UPP-01',
      siteCity: 'Uppsala',
      siteCountry: 'Sweden',
      description: 'Gateway GW-UPP-01 has not reported for 10 min.',
      logGeneratedAt: lost,
      clearedAt: null,
      enterpriseName: 'Helix Biologics',
      instrumentInstalledProductId: 'IP-29000001',
      duringMaintenance: false,
    })
    expect(await told()).toContainEqual(expect.objectContaining({ entity: 'alarm', action: 'create' }))
    await ingest([items.heartbeat()])
    await watch()
    await tell()
    const now = server.clock.now().toISOString()
    expect(await events()).toMatchObject([{ alertStatus: '1_NEW', clearedAt: now, version: 2 }])
    expect((await told()).at(-1)).toMatchObject({
      entity: 'alarm',
      property: 'clearedAt',
      payload: { clearedAt: now, version: 2 },
    })
    // The next silence is a new event.
    minutes(20)
    await watch()
    await tell()
    expect(await events()).toHaveLength(2)
  })

  it('is the one thing that is told of, not the instruments behind it; its return tells of none either', async () => {
    await switchOn('EDGE_ISSUE_EVENT_CREATION', 'INSTRUMENT_OFFLINE_EVENT_CREATION')
    await ingest([items.status('disconnected')])
    minutes(5)
    await watch()
    minutes(60)
    await watch()
    await tell()
    expect(await events()).toMatchObject([{ alertSource: 'EDGE_ISSUE', clearedAt: null }])
    await ingest([items.status('ready')])
    await watch()
    await tell()
    expect(await events()).toMatchObject([{ alertSource: 'EDGE_ISSUE', clearedAt: server.clock.now().toISOString() }])
    expect([await connection(), await connection(SECOND)]).toEqual([
      ['Connected', null],
      ['Connected', null],
    ])
  })

  it('is not told of by a server that has just started: it may be there again', async () => {
    await switchOn('EDGE_ISSUE_EVENT_CREATION')
    minutes(5)
    await watch()
    minutes(60)
    const started = server.clock.now()
    await tell(started)
    expect(await events()).toEqual([])
    server.clock.advance(90_000)
    await tell(started)
    expect(await events()).toHaveLength(1)
  })

  it('raises none without the flag', async () => {
    minutes(20)
    await watch()
    await tell()
    expect(await events()).toEqual([])
  })
})

describe('texts that an administrator wrote', () => {
  const own = { severity: 3, description: '{gateway} is off since {minutes} min', user_message: null }
  const ofInstrument = { severity: 1, description: '{instrument} is off', user_message: 'Ask at {gateway}.' }
  beforeEach(async () => {
    const templates = [
      { kind: 'EDGE_ISSUE' as const, ...own },
      { kind: 'OFFLINE' as const, ...ofInstrument },
    ]
    await server.database.db.deleteFrom('connection_template').execute()
    await server.database.db.insertInto('connection_template').values(templates).execute()
    await switchOn('EDGE_ISSUE_EVENT_CREATION', 'INSTRUMENT_OFFLINE_EVENT_CREATION')
  })
  afterAll(() => server.database.db.deleteFrom('connection_template').execute())

  it.each([
    [true, { description: 'GW-UPP-01 is off since 11 min', severity: 'high', userMessage: null }],
    [false, { description: 'Gateway GW-UPP-01 has not reported for 11 min.', severity: 'medium' }],
  ])('are used in the event of a silent gateway: %s with the flag', async (isOn, expected) => {
    if (isOn) await switchOn('INSTRUMENT_STATUS_TEMPLATE')
    minutes(11)
    await watch()
    await tell()
    expect(await events()).toMatchObject([{ alertSource: 'EDGE_ISSUE', ...expected }])
  })

  it.each([
    [true, { description: 'ÄKTA pilot 600 (IP-20431187) is off', severity: 'low', userMessage: 'Ask at GW-UPP-01.' }],
    [
      false,
      {
        description: 'Gateway GW-UPP-01 has not reached ÄKTA pilot 600 (IP-20431187) for 10 min.',
        severity: 'medium',
        userMessage: 'Check that the instrument is switched on and connected to the network of its gateway.',
      },
    ],
  ])('are used in the event of a silent instrument: %s with the flag', async (isOn, expected) => {
    if (isOn) await switchOn('INSTRUMENT_STATUS_TEMPLATE')
    await ingest([items.status('disconnected')])
    minutes(11)
    await ingest([items.heartbeat()])
    await tell()
    expect(await events()).toMatchObject([{ alertSource: 'OFFLINE', ...expected }])
  })
})

describe('an instrument that its gateway does not reach', () => {
  it('is Disconnected at once, since the time of the report', async () => {
    const item = items.status('disconnected')
    await ingest([item])
    expect(await connection()).toEqual(['Disconnected', new Date(String(item['time'])).toISOString()])
    expect((await told()).map((message) => ('property' in message ? message.property : null))).toEqual([
      ...['instrumentStatus', 'orcStatus', 'unknownAt'],
    ])
    await ingest([items.status('ready')])
    expect(await connection()).toEqual(['Connected', null])
  })

  it('stays so when its gateway falls silent and returns', async () => {
    const item = items.status('disconnected')
    await ingest([item])
    const since = new Date(String(item['time'])).toISOString()
    minutes(5)
    await watch()
    expect(await connection()).toEqual(['Edge Issue', since])
    await ingest([items.heartbeat()])
    await watch()
    expect(await connection()).toEqual(['Disconnected', since])
  })

  it('raises one event after 10 minutes, under its contract and its maintenance', async () => {
    await switchOn('INSTRUMENT_OFFLINE_EVENT_CREATION')
    const until = new Date(server.clock.now().getTime() + 3_600_000).toISOString()
    await service.call('setMaintenance', {
      query: { instrumentId: FIRST },
      body: { start: server.clock.now().toISOString(), end: until },
    })
    await ingest([items.status('disconnected'), items.status('disconnected', { subject: SECOND })])
    minutes(11)
    await tell()
    await tell()
    expect(await events()).toMatchObject([
      {
        instrumentInstalledProductId: FIRST,
        alertSource: 'OFFLINE',
        isEdgeIssue: false,
        templateId: 'OFFLINE-1001',
        description: 'Gateway GW-UPP-01 has not reached ÄKTA pilot 600 (IP-20431187) for 10 min.',
        fullSupport: true,
        duringMaintenance: true,
        instrumentStatusAtEvent: 'disconnected',
      },
      { instrumentInstalledProductId: SECOND, fullSupport: false, duringMaintenance: false },
    ])
    await ingest([items.status('ready')])
    await tell()
    expect((await events()).map(({ clearedAt }) => clearedAt !== null)).toEqual([true, false])
  })

  it('raises none where silence is not watched; one that was raised before returns to normal all the same', async () => {
    await switchOn('INSTRUMENT_OFFLINE_EVENT_CREATION')
    await ingest([items.status('disconnected')])
    minutes(11)
    await tell(longAgo, 0)
    expect(await events()).toEqual([])
    await tell()
    await ingest([items.status('ready'), items.status('disconnected', { subject: SECOND })])
    minutes(11)
    await tell(longAgo, 0)
    expect(await events()).toMatchObject([
      { instrumentInstalledProductId: FIRST, clearedAt: server.clock.now().toISOString() },
    ])
  })

  it('has returned to normal once it reports, even an unknown status', async () => {
    await switchOn('INSTRUMENT_OFFLINE_EVENT_CREATION')
    await ingest([items.status('disconnected')])
    minutes(11)
    await tell()
    await ingest([items.status('Unknown')])
    await tell()
    expect((await connection())[0]).toBe('Connected')
    expect(await events()).toMatchObject([{ clearedAt: server.clock.now().toISOString() }])
  })

  // The last of this file: the instrument stays with its new customer.
  it('is lost since the move for the customer who gets it, and gets an event of theirs', async () => {
    await switchOn('INSTRUMENT_OFFLINE_EVENT_CREATION')
    await ingest([items.status('disconnected')])
    minutes(11)
    await tell()
    const at = server.clock.now()
    const moved = anInstrument({ site: 'nordic-pharma-oslo', gateway: 'GW-OSL-01', contract: null, contact: null })
    await inTransaction(server.database.db, (trx) =>
      upsertInstruments(trx, { actor: { type: 'command', name: 'test' }, at }, [moved]),
    )
    expect(await connection()).toEqual(['Disconnected', at.toISOString()])
    minutes(11)
    await tell()
    expect(await events()).toMatchObject([
      { enterpriseName: 'Helix Biologics' },
      { enterpriseName: 'Nordic Pharma', logGeneratedAt: at.toISOString() },
    ])
  })
})
