import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { registerSampleFleet, type SampleFleet } from '../../../testing/sample-fleet.ts'
import { addSamplePerson } from '../../../testing/sample-people.ts'
import { type Caller, TEST_NOW, type TestApp, testApp } from '../../../testing/test-app.ts'
import { type TestDatabase, testDatabase } from '../../../testing/test-database.ts'
import { insertServiceEvents } from '../events.store.ts'

let database: TestDatabase
let app: TestApp
let fleet: SampleFleet
let engineer: Caller
let nordic: Caller
let colleagueId: number
let engineerId: number

beforeAll(async () => {
  database = await testDatabase()
  app = await testApp(database)
  fleet = await registerSampleFleet(database, TEST_NOW)
  engineerId = await addSamplePerson(database, { login: 'engineer@benchwatch.example', name: 'Ines Berg' })
  colleagueId = await addSamplePerson(database, { login: 'colleague@benchwatch.example', name: 'Carl Lind' })
  engineer = await app.as(engineerId)
  nordic = await app.as(
    await addSamplePerson(database, {
      login: 'lab@nordic.example',
      name: 'Nora Nord',
      role: 'customer',
      scope: [fleet.customers.nordic],
    }),
  )
})
afterAll(() => app.close())
afterEach(() => app.clock.set(TEST_NOW))

/** Raises an event of the Helix instrument, this many seconds before the test's now. */
async function raised(secondsAgo: number): Promise<string> {
  const { site_id, customer_id } = await database.db
    .selectFrom('instrument')
    .select(['site_id', 'customer_id'])
    .where('id', '=', fleet.instruments.first)
    .executeTakeFirstOrThrow()
  const at = new Date(TEST_NOW.getTime() - secondsAgo * 1000)
  const ids = await insertServiceEvents(database.db, [
    {
      createdAt: at,
      logGeneratedAt: at,
      // Clears the event, so that the next test can raise the same alarm.
      clearedAt: at,
      alertId: `response-${secondsAgo}`,
      templateId: 'P9B-1042',
      severity: 'high',
      alertType: 1,
      alertSource: 'INSTRUMENT',
      description: 'Pressure limit exceeded',
      userMessage: null,
      instrumentId: fleet.instruments.first,
      componentId: null,
      gatewayId: fleet.gateways.helix.id,
      siteId: site_id,
      customerId: customer_id,
      instrumentStatusAtEvent: null,
      fullSupport: true,
    },
  ])
  return String(ids.get(0))
}

const response = async (id: string) => (await engineer.call('getServiceResponse', { params: { id } })).body
const change = (id: string, body: object) => engineer.call('updateServiceEvent', { params: { id }, body })
const later = (seconds: number) => app.clock.set(new Date(TEST_NOW.getTime() + seconds * 1000))

test('an event that nobody took has no service response', async () => {
  expect(await response(await raised(60))).toEqual({
    alertToAcknowledgeTime: null,
    duration: null,
    eventReasonClosed: null,
  })
})

test('it counts from creation to the first claim, from there to closing, and from creation to closing', async () => {
  const id = await raised(108)
  await change(id, { claimedBy: String(engineerId) })
  expect(await response(id)).toEqual({ alertToAcknowledgeTime: 108, duration: null, eventReasonClosed: null })

  // Reassigned and taken back a minute later: the first claim still counts.
  later(60)
  await change(id, { claimedBy: String(colleagueId) })
  await change(id, { claimedBy: String(engineerId) })
  later(300)
  await change(id, { alertStatus: 'CLOSED', reasonClosed: 'No action required' })
  later(600)
  await change(id, { alertStatus: 'CLOSED', reasonClosed: 'Duplicate event' })
  expect(await response(id)).toEqual({ alertToAcknowledgeTime: 108, duration: 300, eventReasonClosed: 408 })
})

test('what was closed unclaimed has only the time to its closing, and clocks that differ count as none', async () => {
  const id = await raised(5)
  await sql`UPDATE service_event SET closed_at = created_at - interval '2 s' WHERE id = ${id}::bigint`.execute(
    database.db,
  )
  expect(await response(id)).toEqual({ alertToAcknowledgeTime: null, duration: null, eventReasonClosed: 0 })
})

test('an event of another customer is not found, and neither is one that does not exist', async () => {
  const id = await raised(7)
  expect((await nordic.call('getServiceResponse', { params: { id } })).status).toBe(404)
  expect((await engineer.call('getServiceResponse', { params: { id: '999999999999' } })).status).toBe(404)
})
