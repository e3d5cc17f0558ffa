import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type GatewayItems, gatewayItems } from '../../testing/gateway-items.ts'
import { registerSampleFleet, type SampleFleet } from '../../testing/sample-fleet.ts'
import { addSamplePerson } from '../../testing/sample-people.ts'
import { type Caller, TEST_NOW, type TestApp, testApp } from '../../testing/test-app.ts'
import { testDatabase } from '../../testing/test-database.ts'
import { raiseLostConnections } from '../connections/connections.service.ts'

let server: TestApp
let fleet: SampleFleet
let supportId: number
let nordicId: number
let customerId: number
let support: Caller
/** A service user for Nordic Pharma only. */
let nordic: Caller
let customer: Caller
let items: GatewayItems
let epochs = 0

const FIRST = 'IP-20431187'

beforeAll(async () => {
  const database = await testDatabase()
  fleet = await registerSampleFleet(database, TEST_NOW)
  server = await testApp(database)
  const login = 's@benchwatch.example'
  supportId = await addSamplePerson(database, { login, name: 'Sara Support', role: 'support' })
  nordicId = await addSamplePerson(database, { login: 'n@benchwatch.example', scope: [fleet.customers.nordic] })
  customerId = await addSamplePerson(database, {
    login: 'c@helixbio.example',
    role: 'customer',
    scope: [fleet.customers.helix],
  })
  await database.db.insertInto('feature_flag').values({ key: 'BACKOFFICE', user_id: null, value: true }).execute()
})
afterAll(() => server.close())

beforeEach(async () => {
  // Signs in for each test: all tests together take longer than the lifetime of an access token.
  support = await server.as(supportId)
  nordic = await server.as(nordicId)
  customer = await server.as(customerId)
  epochs += 1
  items = gatewayItems(`s${epochs}`, server.clock.now())
  await ingest([items.status('ready')])
  server.clock.advance(60_000)
  for (const table of ['service_event', 'live_outbox', 'live_message'])
    await sql`DELETE FROM ${sql.table(table)}`.execute(server.database.db)
})

async function ingest(batch: unknown[]): Promise<void> {
  const { name, key } = fleet.gateways.helix
  const gateway = server.withHeaders({ authorization: `Bearer ${key}` })
  const { body } = await gateway.call('ingestBatch', { params: { gateway: name }, body: batch })
  expect(body.accepted).toBe(batch.length)
}

const get = (ipid = FIRST, caller = support) => caller.call('getBackofficeInstrumentStatus', { query: { ipid } })
const offline = { instrumentStatus: 'disconnected', orcStatus: 'Disconnected', createOfflineEvent: false } as const
const put = (over: object = {}, caller = support) =>
  caller.call('setBackofficeInstrumentStatus', { body: { ipid: FIRST, ...offline, ...over } })
const instrument = async () => (await support.call('getInstrument', { params: { id: FIRST } })).body
const tell = () => raiseLostConnections({ ...server, db: server.database.db }, new Date(0))
const events = async () => (await support.call('listServiceEvents', { query: {}, body: {} })).body.values
/** Returns the events, oldest first. */
const inOrder = async () =>
  (await events()).map(({ alarm }) => alarm).sort((one, other) => Number(one.id) - Number(other.id))

async function liveMessages() {
  const { db } = server.database
  const waiting = db.selectFrom('live_outbox').select(['id as seq', 'message', sql<number>`2`.as('part')])
  const rows = await db
    .selectFrom('live_message')
    .select(['seq', 'message', sql<number>`1`.as('part')])
    .unionAll(waiting)
    .orderBy('part')
    .orderBy('seq')
    .execute()
  return rows.map(({ message }) => message)
}

describe('statuses of an instrument', () => {
  it('are read as they are now', async () => {
    const now = { ipid: FIRST, instrumentStatus: 'ready', orcStatus: 'Connected', createOfflineEvent: false }
    expect((await get()).body).toEqual(now)
  })

  it('are set as if it had reported them: history, record, live messages, and since when nothing is known', async () => {
    const at = server.clock.now().toISOString()
    const { status, body } = await put()
    expect([status, body]).toEqual([200, { ipid: FIRST, ...offline }])
    expect((await get()).body).toEqual({ ipid: FIRST, ...offline })
    expect(await instrument()).toMatchObject({
      instrumentStatus: 'disconnected',
      orcStatus: 'Disconnected',
      unknownAt: at,
    })
    const head = { instrumentInstalledProductId: FIRST }
    expect(await liveMessages()).toMatchObject([
      { property: 'instrumentStatus', payload: { ...head, instrumentStatus: 'disconnected' } },
      { property: 'orcStatus', payload: { ...head, orcStatus: 'Disconnected' } },
      { property: 'unknownAt', payload: { ...head, unknownAt: at } },
    ])
    server.clock.advance(60_000)
    const { body: line } = await support.call('getInstrumentTimeline', { params: { id: FIRST }, query: {} })
    expect(line.statuses.at(-1)).toMatchObject({ from: at, instrumentStatus: 'disconnected' })
    expect(line.connections.at(-1)).toEqual({ from: at, orcStatus: 'Disconnected' })
    const { db } = server.database
    const record = await db
      .selectFrom('audit')
      .where('entity_type', '=', 'instrument')
      .orderBy('id', 'desc')
      .limit(2)
      .select(['actor_name', 'property', 'old_value', 'new_value'])
      .execute()
    expect(record).toEqual([
      { actor_name: 'Sara Support', property: 'orcStatus', old_value: 'Connected', new_value: 'Disconnected' },
      { actor_name: 'Sara Support', property: 'instrumentStatus', old_value: 'ready', new_value: 'disconnected' },
    ])
    // A repeat sends no notification.
    const count = (await liveMessages()).length
    await put()
    expect(await liveMessages()).toHaveLength(count)
    expect(await instrument()).toMatchObject({ unknownAt: at })
  })

  it('apply until the instrument reports again, whatever arrives late', async () => {
    const late = items.status('wash')
    await ingest([items.status('method run')])
    await put()
    await ingest([late])
    expect((await get()).body).toMatchObject({ instrumentStatus: 'disconnected', orcStatus: 'Disconnected' })
    await ingest([items.status('hold')])
    expect((await get()).body).toMatchObject({ instrumentStatus: 'hold', orcStatus: 'Connected' })
    expect(await instrument()).toMatchObject({ unknownAt: null })
  })

  it('may go back to Onboarding, which the next report ends', async () => {
    await put({ instrumentStatus: 'Unknown', orcStatus: 'Onboarding' })
    expect(await instrument()).toMatchObject({ orcStatus: 'Onboarding', unknownAt: null, connectedAt: null })
    await ingest([items.status('ready')])
    expect(await instrument()).toMatchObject({ orcStatus: 'Connected', connectedAt: server.clock.now().toISOString() })
  })

  it('end Onboarding where they say that it is connected', async () => {
    const at = server.clock.now().toISOString()
    await put({ ipid: 'IP-30000001', instrumentStatus: 'ready', orcStatus: 'Connected' })
    const { body } = await support.call('getInstrument', { params: { id: 'IP-30000001' } })
    expect(body).toMatchObject({ orcStatus: 'Connected', connectedAt: at, unknownAt: null })
  })
})

describe('an offline event', () => {
  it('is raised at once and once, and returns to normal with the instrument', async () => {
    await put({ createOfflineEvent: true })
    await put({ createOfflineEvent: true })
    expect(await events()).toMatchObject([
      {
        alarm: {
          alertSource: 'OFFLINE',
          templateId: 'OFFLINE-1001',
          instrumentInstalledProductId: FIRST,
          description: 'Gateway GW-UPP-01 has not reached ÄKTA pilot 600 (IP-20431187) for 0 min.',
          alertStatus: '1_NEW',
          instrumentStatusAtEvent: 'disconnected',
          fullSupport: true,
          clearedAt: null,
          latchedCount: 1,
          version: 2,
        },
      },
    ])
    const id = (await events())[0]?.alarm.id ?? ''
    expect((await liveMessages()).slice(-2)).toMatchObject([
      { entity: 'alarm', action: 'create', payload: { id } },
      { entity: 'alarm', property: 'latchedCount', payload: { id, version: 2, latchedCount: 1 } },
    ])
    const { body: history } = await support.call('listServiceEventHistory', { params: { id } })
    expect(history.values).toMatchObject([
      { action: 'created', actorName: 'Sara Support' },
      { action: 'update', property: 'latchedCount', newValue: '1', actorName: 'Sara Support' },
    ])
    server.clock.advance(5000)
    await put({ instrumentStatus: 'ready', orcStatus: 'Connected' })
    const clearedAt = server.clock.now().toISOString()
    expect(await events()).toMatchObject([{ alarm: { alertStatus: '1_NEW', clearedAt, version: 3 } }])
    expect((await liveMessages()).at(-1)).toMatchObject({
      property: 'clearedAt',
      payload: { id, version: 3, clearedAt },
    })
  })

  it('of the next loss is another one, however soon it follows', async () => {
    await put({ createOfflineEvent: true })
    server.clock.advance(5000)
    await put({ instrumentStatus: 'ready', orcStatus: 'Connected' })
    const clearedAt = server.clock.now().toISOString()
    server.clock.advance(5000)
    await put({ createOfflineEvent: true })
    expect(await inOrder()).toMatchObject([
      { clearedAt, latchedCount: 0 },
      { clearedAt: null, latchedCount: 0 },
    ])
    // Reported by the instrument and not yet processed by the task: the connection existed all the same.
    await ingest([items.status('ready')])
    server.clock.advance(5000)
    await put({ createOfflineEvent: true })
    const noticedAt = server.clock.now().toISOString()
    expect(await inOrder()).toMatchObject([{ clearedAt }, { clearedAt: noticedAt }, { clearedAt: null }])
  })

  it.each([
    ['Connected, whatever the instrument does', { instrumentStatus: 'disconnected', orcStatus: 'Connected' }],
    ['Onboarding', { instrumentStatus: 'Unknown', orcStatus: 'Onboarding' }],
  ])('returns to normal by %s', async (_, state) => {
    await put({ createOfflineEvent: true })
    await put(state)
    expect(await inOrder()).toMatchObject([{ clearedAt: server.clock.now().toISOString() }])
    await put({ createOfflineEvent: true })
    expect(await inOrder()).toMatchObject([{ latchedCount: 0 }, { clearedAt: null, latchedCount: 0 }])
  })

  it('stays and counts on while the connection is lost, in another way too, and is followed by a new one once closed', async () => {
    await put({ createOfflineEvent: true })
    await put()
    await put({ orcStatus: 'Edge Issue', createOfflineEvent: true })
    expect(await inOrder()).toMatchObject([{ clearedAt: null, latchedCount: 1 }])
    const params = { id: (await inOrder())[0]?.id ?? '' }
    await support.call('updateServiceEvent', { params, body: { claimedBy: String(supportId) } })
    const reasonClosed = 'Customer resolved on own'
    await support.call('updateServiceEvent', { params, body: { alertStatus: 'CLOSED', reasonClosed } })
    await put({ createOfflineEvent: true })
    expect(await inOrder()).toMatchObject([
      { alertStatus: '3_CLOSED', clearedAt: null, latchedCount: 1 },
      { alertStatus: '1_NEW', clearedAt: null, latchedCount: 0 },
    ])
  })

  it('returns to normal by a report where gateways are not watched, too', async () => {
    expect(server.config.gatewaySilenceSeconds).toBe(0)
    await put({ createOfflineEvent: true })
    await tell()
    expect(await inOrder()).toMatchObject([{ clearedAt: null }])
    await ingest([items.status('ready')])
    await tell()
    const clearedAt = server.clock.now().toISOString()
    expect(await inOrder()).toMatchObject([{ clearedAt, version: 2 }])
    expect((await liveMessages()).at(-1)).toMatchObject({ property: 'clearedAt', payload: { clearedAt, version: 2 } })
  })

  it('is none unless it is requested', async () => {
    await put()
    expect(await events()).toEqual([])
  })

  it('needs a connection that is lost, and a gateway', async () => {
    const connected = await put({ orcStatus: 'Connected', createOfflineEvent: true })
    expect([connected.status, connected.problem.errors]).toEqual([
      400,
      [{ path: 'body.createOfflineEvent', message: 'requires the ORC status Disconnected or Edge Issue' }],
    ])
    const { db } = server.database
    await db.updateTable('instrument').set({ gateway_id: null }).where('id', '=', fleet.instruments.second).execute()
    const alone = await put({ ipid: 'IP-20431188', createOfflineEvent: true })
    expect([alone.status, alone.problem.ErrorBody]).toEqual([
      ...[400, 'This instrument has no gateway, so no offline event can be created.'],
    ])
  })
})

describe('what is refused', () => {
  it('is 404 for instruments outside the scope, read and written', async () => {
    for (const caller of [nordic, support]) {
      const ipid = caller === nordic ? FIRST : 'IP-99999999'
      expect((await get(ipid, caller)).problem.code).toBe('not-found')
      expect((await put({ ipid, createOfflineEvent: true }, caller)).problem.code).toBe('not-found')
    }
    expect((await get()).body).toMatchObject({ instrumentStatus: 'ready' })
  })

  it('is 403 for customers, and 400 for what is no status', async () => {
    expect((await get(FIRST, customer)).problem.code).toBe('wrong-role')
    expect((await put({}, customer)).problem.code).toBe('wrong-role')
    for (const over of [
      { instrumentStatus: 'asleep' },
      { orcStatus: 'connected' },
      { ipid: '<b>' },
      { createOfflineEvent: 'yes' },
      { unknownAt: null },
    ])
      expect((await put(over)).problem.code).toBe('validation-failed')
  })
})
