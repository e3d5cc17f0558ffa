import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { registerSampleFleet, type SampleFleet } from '../../testing/sample-fleet.ts'
import { addSamplePerson } from '../../testing/sample-people.ts'
import { type Caller, TEST_NOW, type TestApp, testApp } from '../../testing/test-app.ts'
import { type TestDatabase, testDatabase } from '../../testing/test-database.ts'
import type { NewServiceEvent } from './new-service-event.ts'
import { insertServiceEvents } from './service-events.store.ts'

let database: TestDatabase
let app: TestApp
let fleet: SampleFleet
let engineer: Caller
let engineerId: number
let place: { siteId: number; customerId: number }

beforeAll(async () => {
  database = await testDatabase()
  app = await testApp(database)
  fleet = await registerSampleFleet(database, TEST_NOW)
  engineerId = await addSamplePerson(database, { login: 'engineer@benchwatch.example', name: 'Ines Berg' })
  engineer = await app.as(engineerId)
  const row = await database.db
    .selectFrom('instrument')
    .select(['site_id', 'customer_id'])
    .where('id', '=', fleet.instruments.first)
    .executeTakeFirstOrThrow()
  place = { siteId: row.site_id, customerId: row.customer_id }
})
afterAll(() => app.close())

let alertNumber = 0

async function raise(createdAt: Date, changes: Partial<NewServiceEvent> = {}): Promise<string> {
  alertNumber += 1
  const ids = await insertServiceEvents(database.db, [
    {
      createdAt,
      logGeneratedAt: createdAt,
      // Cleared, so that the same alarm can be raised again.
      clearedAt: createdAt,
      alertId: `alert-${alertNumber}`,
      templateId: 'X-1',
      severity: 'low',
      alertType: 1,
      alertSource: 'INSTRUMENT',
      description: 'Lid open',
      userMessage: null,
      instrumentId: fleet.instruments.first,
      componentId: null,
      gatewayId: fleet.gateways.helix.id,
      ...place,
      instrumentStatusAtEvent: null,
      fullSupport: false,
      ...changes,
    },
  ])
  return String(ids.get(0))
}

/** Every field of an alarm: those that the description of the wire lists, and the product's own. */
const fields = [
  'duringMaintenance',
  ...'id, alertId, eventId, templateId, eventTemplateId, eisCode, errorCode, date, createdAt, logGeneratedAt, clearedAt, severity, description, userMessage, alertType, alertSource, isEdgeIssue, alertStatus, claimedBy, claimedByName, reasonClosed, reasonClosedComment, serviceMaxCaseNumber, serviceMaxUrl, automaticEmail, automaticEmailSentAt, troubleshooting, remedy, componentName, componentType, instrumentId, instrumentInstalledProductId, instrumentProductDescription, instrumentDefinedSystemName, instrumentType, instrumentStatus, instrumentStatusAtEvent, qualifiedSystem, tierOne, fullSupport, latchedCount, enterpriseName, siteStreet, siteZip, siteCity, siteCountry, siteRegion, siteTimeZone, instrumentLocationLatitude, instrumentLocationLongitude, cpType, cpSLATerm, cpEndDate, instrumentLastMaintenance, instrumentLastService, contactName, contactMobile, contactPhone, contactEmail, itContactName, itContactEmail, gatewayName, version'.split(
    ', ',
  ),
]

describe('an event on the wire', () => {
  test('has every field; what is absent is null, never missing or empty', async () => {
    const { body } = await engineer.call('getServiceEvent', { params: { id: await raise(TEST_NOW) } })
    expect(Object.keys(body).sort()).toEqual([...fields].sort())
    expect(Object.values(body)).not.toContain('')
    expect(body).toMatchObject({ userMessage: null, componentName: null, troubleshooting: null, claimedBy: null })
  })

  test('in a list lacks troubleshooting and remedy alone', async () => {
    const { body } = await engineer.call('listServiceEvents', { query: { limit: '1' }, body: {} })
    const listed = fields.filter((field) => field !== 'troubleshooting' && field !== 'remedy')
    expect(Object.keys(body.values[0]?.alarm ?? {}).sort()).toEqual(listed.sort())
  })
})

test('a list has 20 events unless asked for another number', async () => {
  for (let count = 0; count < 21; count += 1) await raise(TEST_NOW)
  const { body } = await engineer.call('listServiceEvents', { query: {}, body: {} })
  expect(body.values).toHaveLength(20)
  expect(body.total.events).toBeGreaterThan(20)
})

test('a range holds its first instant and not its last', async () => {
  const [start, stop] = [new Date('2026-10-01T00:00:00.000Z'), new Date('2026-10-02T00:00:00.000Z')]
  const first = await raise(start)
  const last = await raise(new Date(stop.getTime() - 1))
  await raise(new Date(start.getTime() - 1))
  await raise(stop)
  const { body } = await engineer.call('listServiceEvents', {
    query: { start: start.toISOString(), stop: stop.toISOString(), order: 'asc' },
    body: {},
  })
  expect(body.values.map(({ alarm }) => alarm.id)).toEqual([first, last])
  expect(body.total).toMatchObject({ events: 2, olderOpenEvents: 1 })
})

test('a quick filter counts from 2 and from 24 hours on, to the millisecond', async () => {
  const ago = (hours: number, more = 0) => new Date(TEST_NOW.getTime() - hours * 3_600_000 - more)
  const unowned = [await raise(ago(2)), await raise(ago(2, -1))]
  const idle = [await raise(ago(30)), await raise(ago(30))]
  for (const [index, id] of idle.entries()) {
    await engineer.call('updateServiceEvent', { params: { id }, body: { claimedBy: String(engineerId) } })
    await sql`UPDATE service_event SET last_action_at = ${ago(24, -index)} WHERE id = ${id}::int`.execute(database.db)
  }
  const found = async (flag: 'noOwnerEvents' | 'noActionEvents') => {
    const query = { [flag]: 'true', limit: '100', start: ago(48).toISOString() } as object
    const { body } = await engineer.call('listServiceEvents', { query, body: {} })
    expect(body.total[flag]).toBe(body.total.events)
    return body.values.map(({ alarm }) => alarm.id)
  }
  expect(await found('noOwnerEvents')).toEqual([unowned[0]])
  expect(await found('noActionEvents')).toEqual([idle[0]])
})

test('closing with a case tells number and address in messages of their own, with one version', async () => {
  const id = await raise(TEST_NOW)
  await engineer.call('updateServiceEvent', { params: { id }, body: { claimedBy: String(engineerId) } })
  const serviceMaxCase = {
    serviceMaxCaseNumber: '00123456',
    serviceMaxUrl: 'https://cases.benchwatch.example/00123456',
  }
  const closed = await engineer.call('updateServiceEvent', {
    params: { id },
    body: { alertStatus: 'CLOSED', reasonClosed: 'Service Case Created', ...serviceMaxCase },
  })
  expect(closed.body).toMatchObject({ ...serviceMaxCase, alertStatus: '3_CLOSED', reasonClosedComment: null })
  const { rows } = await sql<{ message: { property: string; payload: Record<string, unknown> } }>`
    SELECT message FROM live_message WHERE message->'payload'->>'id' = ${id} AND (message->'payload'->>'version')::int = 3
    UNION ALL SELECT message FROM live_outbox WHERE message->'payload'->>'id' = ${id} AND (message->'payload'->>'version')::int = 3`.execute(
    database.db,
  )
  const told = Object.fromEntries(
    rows.map(({ message: { property, payload } }) => [property, payload[property]] as const),
  )
  expect(told).toEqual({ alertStatus: '3_CLOSED', ...serviceMaxCase })
})

test('the map takes the query and the body of the list without its paging, and has its totals', async () => {
  const lowest = await raise(new Date('2026-09-01T10:00:00.000Z'))
  await raise(new Date('2026-09-01T11:00:00.000Z'), { severity: 'high' })
  const query = { keyword: 'lid', start: '2026-09-01T00:00:00.000Z', stop: '2026-09-02T00:00:00.000Z' }
  const asked = { query, body: { filter: { alertStatus: ['1_new'] } } }
  const { body: map } = await engineer.call('listEventLocations', asked)
  const { body: list } = await engineer.call('listServiceEvents', asked)
  const { body: event } = await engineer.call('getServiceEvent', { params: { id: lowest } })
  expect(map.values).toEqual([
    {
      alarm: {
        instrumentLocationLatitude: event.instrumentLocationLatitude,
        instrumentLocationLongitude: event.instrumentLocationLongitude,
        siteCountry: event.siteCountry,
        siteCity: event.siteCity,
        enterpriseName: event.enterpriseName,
      },
      ...{ high: 1, medium: 0, low: 1, total: 2 },
    },
  ])
  expect(map.total).toEqual({ ...list.total, eventsWithoutPosition: 0 })
  expect(list.total.events).toBe(2)
  const paged = await engineer.call('listEventLocations', { query: { limit: '1' } as never, body: {} })
  expect(paged.status).toBe(400)
})
