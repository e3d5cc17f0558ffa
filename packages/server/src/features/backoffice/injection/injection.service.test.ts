import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createLog } from '../../../platform/log.ts'
import { eventually } from '../../../testing/eventually.ts'
import { setProfile } from '../../../testing/notifying-fixture.ts'
import { registerSampleFleet, type SampleFleet } from '../../../testing/sample-fleet.ts'
import { addSamplePerson } from '../../../testing/sample-people.ts'
import { type Caller, TEST_NOW, type TestApp, testApp } from '../../../testing/test-app.ts'
import { type TestDatabase, testDatabase } from '../../../testing/test-database.ts'
import { followTests, nextWeeklyTest, orderWeeklyTests } from './injection.service.ts'

let database: TestDatabase
let server: TestApp
let fleet: SampleFleet
let supportId: number
let support: Caller
let nordic: Caller

beforeAll(async () => {
  database = await testDatabase()
  fleet = await registerSampleFleet(database, TEST_NOW)
  server = await testApp(database)
  supportId = await addSamplePerson(database, { login: 's@benchwatch.example', role: 'support' })
  support = await server.as(supportId)
  nordic = await server.as(
    await addSamplePerson(database, { login: 'n@benchwatch.example', scope: [fleet.customers.nordic] }),
  )
  await database.db.insertInto('feature_flag').values({ key: 'BACKOFFICE', user_id: null, value: true }).execute()
})
afterAll(() => server.close())

beforeEach(async () => {
  server.clock.set(TEST_NOW)
  for (const table of ['alarm_test', 'alarm_test_schedule'] as const) await database.db.deleteFrom(table).execute()
})

const events = () =>
  database.db.selectFrom('service_event').selectAll().where('alert_source', '=', 'TEST').orderBy('id').execute()
const tests = () => database.db.selectFrom('alarm_test').selectAll().orderBy('id').execute()
/** Adds a test of this gateway that was ordered now and has arrived. */
const addEnded = (gateway_id: number, instrument_id: number) =>
  database.db
    .insertInto('alarm_test')
    .values({ gateway_id, instrument_id, ordered_at: server.clock.now(), result: 'arrived' })
    .execute()
const results = async () => (await tests()).map(({ result }) => result)
/** Ended by this process or by the leader's task, which checks every few seconds. */
const allEnded = () =>
  eventually(async () => {
    await followTests({ db: database.db, intake: database.intake, clock: server.clock, log: createLog('silent') })
    expect(await results()).not.toContain('waiting')
  })

describe('a test of the alarm chain', () => {
  it('takes the path of an alarm for every gateway, notifies nobody, and is closed by the system', async () => {
    const userId = await addSamplePerson(database, { login: 'notified@benchwatch.example' })
    await setProfile(database, { userId, kind: 'new_event_notification', settings: { notifyEmail: true } })
    const { status, body } = await support.call('injectTestAlarms')
    expect([status, body]).toEqual([202, { gateways: 2 }])
    await expect.poll(results).toEqual(['arrived', 'arrived'])
    const made = await events()
    expect(made).toMatchObject(
      [fleet.instruments.first, fleet.instruments.nordic].map((instrument_id) => ({
        instrument_id,
        template_id: 'TEST-1001',
        severity: 1,
        description: 'Weekly test of the alarm chain',
        alert_status: 3,
        claimed_by: 0,
        reason_closed: 3,
        cleared_at: TEST_NOW,
        closed_at: TEST_NOW,
      })),
    )
    const live = await database.db.selectFrom('live_message').select('message').orderBy('seq').execute()
    const ofFirst = live.map(({ message }) => message as { action: string; payload: { id: string } })
    expect(
      ofFirst.filter(({ action, payload }) => action === 'create' && payload.id === String(made[0]?.id)),
    ).toHaveLength(1)
    for (const table of ['notification', 'pending_notification'] as const)
      expect(await database.db.selectFrom(table).selectAll().execute()).toEqual([])
    const feeds = await support.call('listGatewayFeeds')
    expect(feeds.body.map(({ lastTest, lastMessageAt }) => [lastTest?.result, lastMessageAt])).toEqual([
      ['arrived', null],
      ['arrived', null],
    ])
  })

  it('is found in the list like any other event', async () => {
    const { body } = await support.call('listServiceEvents', {
      query: { keyword: 'Weekly test' },
      body: { filter: { severity: ['low'] } },
    })
    expect(body.total.events).toBe((await events()).length)
  })

  it('is ordered for gateways of the scope alone, of each of them three times within an hour', async () => {
    const order = async (caller: Caller) => {
      const { status, body, headers } = await caller.call('injectTestAlarms')
      await allEnded()
      return status === 202 ? body : [status, headers['retry-after']]
    }
    expect(await order(nordic)).toEqual({ gateways: 1 })
    server.clock.advance(60_000)
    await addEnded(fleet.gateways.nordic.id, fleet.instruments.nordic)
    await addEnded(fleet.gateways.nordic.id, fleet.instruments.nordic)
    expect(await order(nordic)).toEqual([429, '3540'])
    // Tests by one user use up none of the limit of other gateways.
    await addEnded(fleet.gateways.helix.id, fleet.instruments.first)
    await addEnded(fleet.gateways.helix.id, fleet.instruments.first)
    expect(await order(support)).toEqual({ gateways: 1 })
    expect(await order(support)).toEqual([429, '3540'])
    server.clock.advance(3_540_000)
    support = await server.as(supportId)
    expect(await order(support)).toEqual({ gateways: 1 })
  })

  it('is ordered once of each gateway, however many order it at once', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => support.call('injectTestAlarms')))
    expect(answers.map(({ body }) => body.gateways).toSorted((one, other) => one - other)).toEqual([0, 0, 0, 0, 2])
    await allEnded()
  })

  it('that went missing raises an alarm of severity high, which the next test that arrives clears', async () => {
    const before = new Set((await events()).map(({ id }) => id))
    const [gateway] = await database.db.selectFrom('gateway').select('id').where('name', '=', 'GW-UPP-01').execute()
    await database.db
      .insertInto('alarm_test')
      .values({
        gateway_id: gateway?.id ?? 0,
        instrument_id: fleet.instruments.first,
        ordered_at: TEST_NOW,
        raised_at: new Date(TEST_NOW.getTime() - 600_000),
        after_seq: 0,
      })
      .execute()
    await allEnded()
    expect(await results()).toEqual(['missing'])
    const fresh = async () => (await events()).filter(({ id }) => !before.has(id))
    await expect.poll(fresh).toMatchObject([
      {
        template_id: 'TEST-1002',
        severity: 3,
        alert_status: 1,
        cleared_at: null,
        description:
          'A test of the alarm chain of GW-UPP-01 did not arrive. The data of the gateway created no service event.',
      },
    ])
    await support.call('injectTestAlarms')
    await allEnded()
    // Unlike a test event, it causes notifications.
    const [missing] = await fresh()
    const notified = () => database.db.selectFrom('notification').select('event_id').execute()
    await expect.poll(notified).toEqual([{ event_id: missing?.id }])
    expect((await fresh()).filter(({ template_id }) => template_id === 'TEST-1002')).toMatchObject([
      { alert_status: 1, cleared_at: TEST_NOW },
    ])
  })
})

it('a test whose instrument was deleted meanwhile keeps no later one away', async () => {
  const [gateway] = await database.db.selectFrom('gateway').select('id').where('name', '=', 'GW-UPP-01').execute()
  await database.db
    .updateTable('instrument')
    .set({ deleted_at: TEST_NOW })
    .where('id', '=', fleet.instruments.second)
    .execute()
  await database.db
    .insertInto('alarm_test')
    .values({
      gateway_id: gateway?.id ?? 0,
      instrument_id: fleet.instruments.second,
      ordered_at: TEST_NOW,
      raised_at: TEST_NOW,
      after_seq: 0,
    })
    .execute()
  server.clock.advance(3_600_001)
  await allEnded()
  support = await server.as(supportId)
  expect((await support.call('injectTestAlarms')).body).toEqual({ gateways: 2 })
  await allEnded()
})

describe('the weekly test', () => {
  const order = () => orderWeeklyTests({ db: database.db, clock: server.clock })
  const setFlag = async (value: boolean) => {
    await database.db.deleteFrom('feature_flag').where('key', '=', 'WEEKLY_ALARM_INJECTION').execute()
    await database.db
      .insertInto('feature_flag')
      .values({ key: 'WEEKLY_ALARM_INJECTION', user_id: null, value })
      .execute()
  }
  const count = async () => (await tests()).length

  it('begins on the Monday after WEEKLY_ALARM_INJECTION was switched on, and comes every week', async () => {
    await setFlag(true)
    await order()
    expect(await count()).toBe(0)
    server.clock.set(new Date('2026-11-23T05:59:00.000Z'))
    await order()
    expect(await count()).toBe(0)
    server.clock.set(new Date('2026-11-23T06:30:00.000Z'))
    await order()
    await order()
    expect(await count()).toBe(2)
    await allEnded()
    server.clock.set(new Date('2026-11-30T06:30:00.000Z'))
    await order()
    expect(await count()).toBe(4)
    await allEnded()
    // After a month without a server, the test runs once, not once per missed week.
    server.clock.set(new Date('2026-12-31T12:00:00.000Z'))
    await order()
    await order()
    expect(await count()).toBe(6)
    await allEnded()
  })

  it('does not come while the flag is off, and begins anew once it is on', async () => {
    await setFlag(true)
    await order()
    await setFlag(false)
    server.clock.set(new Date('2026-11-24T12:00:00.000Z'))
    await order()
    await setFlag(true)
    await order()
    expect(await count()).toBe(0)
    server.clock.set(new Date('2026-11-30T06:30:00.000Z'))
    await order()
    expect(await count()).toBe(2)
    await allEnded()
  })
})

describe('injection schedule', () => {
  it.each([
    ['on a Friday', '2026-11-20T14:00:00.000Z', 0, '2026-11-23T06:00:00.000Z'],
    ['on a Sunday', '2026-11-22T23:59:59.999Z', 0, '2026-11-23T06:00:00.000Z'],
    ['early on a Monday', '2026-11-23T05:59:59.999Z', 0, '2026-11-23T06:00:00.000Z'],
    ['at the hour itself', '2026-11-23T06:00:00.000Z', 0, '2026-11-30T06:00:00.000Z'],
    ['later on a Monday', '2026-11-23T06:20:00.000Z', 0, '2026-11-30T06:00:00.000Z'],
    ['with half the jitter', '2026-12-30T00:00:00.000Z', 0.5, '2027-01-04T06:15:00.000Z'],
  ])('the next weekly test, asked %s', (_when, now, jitter, expected) => {
    expect(nextWeeklyTest(new Date(now), jitter).toISOString()).toBe(expected)
  })
})
