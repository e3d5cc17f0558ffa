import { seededRandom } from '@benchwatch/samples/seeded-random'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import type { Db } from '../../../db/connect.ts'
import { buildEventFixture, type EventFixture } from '../../../testing/event-fixture.ts'
import { TEST_NOW } from '../../../testing/test-app.ts'
import { type TestDatabase, testDatabase } from '../../../testing/test-database.ts'
import type { NewServiceEvent } from '../change-record.ts'
import { insertServiceEvents } from '../events.store.ts'
import type { EventSelection } from './filters.ts'
import { resolveSelection } from './selection.queries.ts'
import { readTotals } from './totals.queries.ts'
import { foldTotals, rebuildTotals } from './totals.store.ts'

const now = TEST_NOW
const DAY_MS = 86_400_000
let database: TestDatabase
let fixture: EventFixture
let places: Pick<NewServiceEvent, 'instrumentId' | 'siteId' | 'customerId' | 'gatewayId'>[]

beforeAll(async () => {
  database = await testDatabase()
  fixture = await buildEventFixture(database.db, { events: 40, now })
  const rows = await database.db
    .selectFrom('instrument')
    .innerJoin('gateway', 'gateway.site_id', 'instrument.site_id')
    .select(['instrument.id', 'instrument.site_id', 'instrument.customer_id', 'gateway.id as gateway_id'])
    .execute()
  places = rows.map((row) => ({
    instrumentId: row.id,
    siteId: row.site_id,
    customerId: row.customer_id,
    gatewayId: row.gateway_id,
  }))
})

function anEvent(overrides: Partial<NewServiceEvent> = {}): NewServiceEvent {
  const [place] = places
  if (!place) throw new Error('The world has no instruments.')
  return {
    createdAt: now,
    logGeneratedAt: now,
    clearedAt: now,
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

const noFlags = { noOwner: false, noAction: false, fullSupport: false }

/**
 * Returns ranges that start and stop inside days and at their ends, bounded and unbounded, for all customers and for
 * some.
 */
async function selections(): Promise<EventSelection[]> {
  const at = (days: number) => new Date(now.getTime() + days * DAY_MS)
  const midnight = new Date('2026-11-10T00:00:00.000Z')
  const ranges = [
    {},
    { start: at(-6.3) },
    { start: midnight, stop: at(1) },
    { start: at(-2), stop: at(0.01) },
    { start: at(-0.1), stop: at(0.05) },
    { stop: at(0.3) },
    { start: at(-20), stop: at(-10) },
  ]
  const [first, second] = fixture.customers.map(({ id }) => id)
  const scopes = ['all', [first ?? 0], [first ?? 0, second ?? 0], []] as const
  const all = ranges.flatMap((range) =>
    scopes.map((scope) =>
      resolveSelection(database.db, { search: { filter: {}, flags: noFlags, ...range }, scope, now }),
    ),
  )
  return Promise.all(all)
}

/** Computes the sums from all rows, in the same snapshot. */
async function plain(db: Db, { scope, start, stop }: EventSelection) {
  const rows = await db
    .selectFrom('service_event as e')
    .innerJoin('site as s', 's.id', 'e.site_id')
    .select([
      'e.created_at',
      'e.instrument_id',
      'e.component_id',
      'e.customer_id',
      's.street',
      's.zip',
      's.city',
      's.country',
    ])
    .execute()
  const mine = rows.filter(
    (row) =>
      (scope === 'all' || scope.includes(row.customer_id)) &&
      (!start || row.created_at >= start) &&
      (!stop || row.created_at < stop),
  )
  const distinct = (values: unknown[]) => new Set(values.map((value) => JSON.stringify(value))).size
  return {
    events: mine.length,
    instruments: distinct(mine.flatMap(({ instrument_id }) => instrument_id ?? [])),
    components: distinct(
      mine.flatMap(({ instrument_id: i, component_id: c }) => (i === null || c === null ? [] : [[i, c]])),
    ),
    customers: distinct(mine.map(({ customer_id }) => customer_id)),
    locations: distinct(
      mine.map(({ customer_id: id, street, zip, city, country }) => [id, street, zip, city, country]),
    ),
  }
}

async function expectEqual(): Promise<void> {
  await database.db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (db) => {
      for (const selection of await selections()) {
        expect(await readTotals(db, selection)).toMatchObject(await plain(db, selection))
      }
    })
}

test('totals are those of a plain look, before and after the fold', async () => {
  await expectEqual()
  expect(await foldTotals(database.db)).toBeGreaterThan(0)
  await expectEqual()
  expect(await foldTotals(database.db)).toBe(0)
})

test('totals are those of a plain look at every moment while events come in out of order and are folded', async () => {
  const { db } = database
  const random = seededRandom('writers')
  const components = (await db.selectFrom('component').select('id').execute()).map(({ id }) => id)
  let writing = true
  const write = async () => {
    for (let round = 0; round < 40; round += 1) {
      const events = Array.from({ length: 8 }, () =>
        anEvent({
          ...random.pick(places),
          componentId: random.pick(components),
          // Some in the past, and some by a clock that is ahead.
          createdAt: new Date(now.getTime() - random.between(-1, 30) * DAY_MS),
        }),
      )
      await db.transaction().execute((trx) => insertServiceEvents(trx, events))
    }
  }
  const fold = async () => {
    while (writing) await foldTotals(db)
  }
  const folding = fold()
  const written = Promise.all([write(), write()]).finally(() => {
    writing = false
  })
  let comparisons = 0
  while (writing || comparisons < 2) {
    await expectEqual()
    comparisons += 1
  }
  await written
  await folding
  await foldTotals(db)
  await expectEqual()
})

test('what is seen and comes in again before the next fold counts once, also an instrument at two places', async () => {
  const { db } = database
  const [here, there] = [places[1], places[4]]
  if (!here || !there) throw new Error('The world has too few instruments.')
  const events = [anEvent(here), anEvent({ ...there, instrumentId: here.instrumentId })]
  await insertServiceEvents(db, events)
  await expectEqual()
  await foldTotals(db)
  await insertServiceEvents(db, [...events, anEvent({ ...here, componentId: 2 })])
  await expectEqual()
  await foldTotals(db)
  await expectEqual()
})

test('a backlog of any length is folded, in parts that each take less than the statement time-out', async () => {
  const { db } = database
  await foldTotals(db)
  class TakenBack extends Error {}
  const done = db.transaction().execute(async (trx) => {
    const counted = () =>
      trx
        .selectFrom('event_day')
        .select((eb) => eb.fn.sum<string>('events').as('events'))
        .executeTakeFirstOrThrow()
    const before = await counted()
    await sql`
      INSERT INTO event_delta (day, customer_id, site_id, instrument_id, component_id, events, first_at, last_at)
      SELECT '2026-11-01', n % 7, 1, n % 500, n % 10, 1, ${now}, ${now} FROM generate_series(1, 45000) AS n`.execute(
      trx,
    )
    expect(await foldTotals(trx)).toBe(45_000)
    expect(Number((await counted()).events) - Number(before.events)).toBe(45_000)
    throw new TakenBack()
  })
  await expect(done).rejects.toThrow(TakenBack)
})

test('the rollups computed from the events are those that the folds made', async () => {
  const { db } = database
  await foldTotals(db)
  const rollups = async () => ({
    days: await db.selectFrom('event_day').selectAll().orderBy('day').execute(),
    customerDays: await db.selectFrom('event_day_customer').selectAll().orderBy('customer_id').orderBy('day').execute(),
    seen: await db
      .selectFrom('event_seen')
      .selectAll()
      .orderBy('customer_id')
      .orderBy('instrument_id')
      .orderBy('component_id')
      .orderBy('site_id')
      .execute(),
  })
  const folded = await rollups()
  await db.transaction().execute((trx) => rebuildTotals(trx))
  expect(await rollups()).toEqual(folded)
  expect(folded.seen.length).toBeGreaterThan(20)
})

test('an alarm that is open already is not raised again, and not counted', async () => {
  const { db } = database
  const before = await db.selectFrom('service_event').select(db.fn.countAll<number>().as('n')).executeTakeFirstOrThrow()
  const open = anEvent({ templateId: 'LATCH-1', clearedAt: null })
  const ids = await insertServiceEvents(db, [open, anEvent({ templateId: 'LATCH-2' }), open, { ...open, alertId: 'b' }])
  expect([...ids.keys()]).toEqual([0, 1])
  expect(ids.get(0)).toBeLessThan(ids.get(1) ?? 0)
  expect(await insertServiceEvents(db, [open])).toEqual(new Map())
  const [everything] = await selections()
  if (!everything) throw new Error('There is no selection.')
  expect((await readTotals(db, everything)).events).toBe(before.n + 2)
})
