import { beforeAll, expect, test } from 'vitest'
import { buildEventFixture, MOVED_NAME } from '../../../testing/event-fixture.ts'
import { TEST_NOW } from '../../../testing/test-app.ts'
import { type TestDatabase, testDatabase } from '../../../testing/test-database.ts'
import { insertServiceEvents } from '../events.store.ts'
import { listServiceEvents } from './event-list.queries.ts'
import { postgresSearch } from './postgres-search.ts'

/**
 * The instrument was sold; its new customer has given it a name, and it has raised an event there
 * (docs/decisions/0005).
 */
let database: TestDatabase
let moved: { productId: string; customer: number; formerCustomer: number }
let newEvent: string
let oldEvents: string[]

beforeAll(async () => {
  database = await testDatabase()
  const { db } = database
  await buildEventFixture(db, { events: 120, now: TEST_NOW })
  const instrument = await db
    .selectFrom('instrument')
    .where('system_name', '=', MOVED_NAME)
    .selectAll()
    .executeTakeFirstOrThrow()
  const raised = await db.selectFrom('service_event').where('instrument_id', '=', instrument.id).selectAll().execute()
  const formerCustomer = raised[0]?.customer_id
  if (formerCustomer === undefined)
    throw new Error('The moved instrument has raised nothing under its former customer.')
  moved = { productId: instrument.installed_product_id, customer: instrument.customer_id, formerCustomer }
  oldEvents = raised.map(({ id }) => String(id))
  const ids = await insertServiceEvents(db, [
    {
      createdAt: TEST_NOW,
      logGeneratedAt: TEST_NOW,
      clearedAt: TEST_NOW,
      alertId: 'raised-there',
      templateId: 'P9-B-1000',
      severity: 'low',
      alertType: 1,
      alertSource: 'INSTRUMENT',
      isEdgeIssue: false,
      description: 'Valve stuck',
      userMessage: null,
      instrumentId: instrument.id,
      componentId: null,
      gatewayId: null,
      siteId: instrument.site_id,
      customerId: instrument.customer_id,
      instrumentStatusAtEvent: null,
      fullSupport: false,
    },
  ])
  newEvent = String([...ids.values()][0])
})

test('by the name it was given a search finds it for its new customer alone', async () => {
  const find = async (keyword: string, scope: 'all' | number[]) => {
    const { values, total } = await listServiceEvents(
      { db: database.db, eventSearch: postgresSearch },
      {
        search: { filter: {}, keyword },
        scope,
        page: { orderBy: 'createdAt', order: 'DESC', limit: 100, offset: 0 },
        now: TEST_NOW,
      },
    )
    expect(values).toHaveLength(total.events)
    return new Map(values.map(({ alarm }) => [alarm.id, alarm.instrumentDefinedSystemName]))
  }
  for (const keyword of ['nordlys', 's-7']) {
    expect(await find(keyword, [moved.formerCustomer])).toEqual(new Map())
    expect(await find(keyword, [moved.customer])).toEqual(new Map([[newEvent, MOVED_NAME]]))
    expect(await find(keyword, 'all')).toEqual(new Map([[newEvent, MOVED_NAME]]))
  }
  // The permanent data of the instrument finds the events, without the name.
  const old = new Map(oldEvents.map((id) => [id, null]))
  expect(await find(moved.productId, [moved.formerCustomer])).toEqual(old)
  expect(await find(moved.productId, [moved.customer])).toEqual(new Map([[newEvent, MOVED_NAME]]))
})

test('a word of its name that its description holds too finds it for both', async () => {
  const { db } = database
  await db
    .updateTable('instrument')
    .set({
      product_description: 'Nordlys ÄKTA',
      search_folded: `nordlys akta nordlys-7 akta ${moved.productId.toLowerCase()}`,
    })
    .where('system_name', '=', MOVED_NAME)
    .execute()
  const { values } = await listServiceEvents(
    { db, eventSearch: postgresSearch },
    {
      search: { filter: {}, keyword: 'NORDLYS äkta' },
      scope: [moved.formerCustomer],
      page: { orderBy: 'createdAt', order: 'DESC', limit: 100, offset: 0 },
      now: TEST_NOW,
    },
  )
  expect(new Set(values.map(({ alarm }) => alarm.id))).toEqual(new Set(oldEvents))
})
