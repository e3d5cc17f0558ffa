import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { buildEventFixture } from '../../testing/event-fixture.ts'
import { TEST_NOW } from '../../testing/test-app.ts'
import { type TestDatabase, testDatabase } from '../../testing/test-database.ts'
import type { NewServiceEvent } from './change-record.ts'
import { forgetOrigins, insertServiceEvents } from './events.store.ts'

let database: TestDatabase
let place: Pick<NewServiceEvent, 'instrumentId' | 'siteId' | 'customerId' | 'gatewayId'>

beforeAll(async () => {
  database = await testDatabase()
  await buildEventFixture(database.db, { events: 1, now: TEST_NOW })
  const row = await database.db
    .selectFrom('instrument')
    .innerJoin('gateway', 'gateway.site_id', 'instrument.site_id')
    .select(['instrument.id', 'instrument.site_id', 'instrument.customer_id', 'gateway.id as gateway_id'])
    .executeTakeFirstOrThrow()
  place = { instrumentId: row.id, siteId: row.site_id, customerId: row.customer_id, gatewayId: row.gateway_id }
})

function anEvent(overrides: Partial<NewServiceEvent> = {}): NewServiceEvent {
  return {
    createdAt: TEST_NOW,
    logGeneratedAt: TEST_NOW,
    clearedAt: TEST_NOW,
    alertId: 'a',
    templateId: 'P9-1',
    severity: 'low',
    alertType: 1,
    alertSource: 'INSTRUMENT',
    description: 'D',
    userMessage: null,
    ...place,
    componentId: 1,
    instrumentStatusAtEvent: null,
    fullSupport: false,
    ...overrides,
  }
}

const origins = () => database.db.selectFrom('event_origin').selectAll().execute()
const originOf = (componentId: number) => ({
  customer_id: place.customerId,
  site_id: place.siteId,
  component_id: componentId,
})

test('an alarm that is open already is not raised again', async () => {
  const { db } = database
  const open = anEvent({ templateId: 'LATCH-1', clearedAt: null })
  const ids = await insertServiceEvents(db, [open, anEvent({ templateId: 'LATCH-2' }), open, { ...open, alertId: 'b' }])
  expect([...ids.keys()]).toEqual([0, 1])
  expect(ids.get(0)).toBeLessThan(ids.get(1) ?? 0)
  expect(await insertServiceEvents(db, [open])).toEqual(new Map())
})

test('an origin stays while an insert that relies on it is in flight', async () => {
  const { db } = database
  await insertServiceEvents(db, [anEvent({ componentId: 2 })])
  const origin = { customerId: place.customerId, siteId: place.siteId, componentId: 2 }
  let forgetting: Promise<void> | undefined
  await db.transaction().execute(async (trx) => {
    // The origin is there already, so this insert adds nothing to the table.
    await insertServiceEvents(trx, [anEvent({ componentId: 2, alertId: 'b' })])
    forgetting = db.transaction().execute(async (deleting) => {
      await deleting.deleteFrom('service_event').where('component_id', '=', 2).execute()
      await forgetOrigins(deleting, [origin])
    })
    await expect
      .poll(() =>
        sql`SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`
          .execute(db)
          .then(({ rows }) => rows.length),
      )
      .toBe(1)
  })
  await forgetting
  expect(await origins()).toContainEqual(originOf(2))
  await db.transaction().execute(async (trx) => {
    await trx.deleteFrom('service_event').where('component_id', '=', 2).execute()
    await forgetOrigins(trx, [origin])
  })
  expect(await origins()).not.toContainEqual(originOf(2))
})
