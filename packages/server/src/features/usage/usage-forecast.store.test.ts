import { anInstrument } from '@benchwatch/samples/registry-objects'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { DataScope } from '../../db/actor.ts'
import { inTransaction } from '../../db/transaction.ts'
import { registerSampleFleet, type SampleFleet } from '../../testing/sample-fleet.ts'
import { TEST_NOW } from '../../testing/test-app.ts'
import { type TestDatabase, testDatabase } from '../../testing/test-database.ts'
import { storeUsage } from '../ingest/readings.store.ts'
import { upsertInstruments } from '../registry/instruments.store.ts'
import { usageTasks } from './usage.jobs.ts'
import { readUsageDue } from './usage.lookup.ts'
import { renewForecasts } from './usage-forecast.store.ts'

/** Stored forecasts. kpi-measures.test.ts shows, with random data, that they equal those of the cards. */

const DAY_MS = 86_400_000
const PUMP = 'Pump B (P9-B)'
let database: TestDatabase
let fleet: SampleFleet

beforeAll(async () => {
  database = await testDatabase()
  fleet = await registerSampleFleet(database, TEST_NOW)
})
beforeEach(() => database.pool.query('DELETE FROM component_usage_day'))
beforeEach(() => database.pool.query('DELETE FROM component_usage'))

const later = (days: number) => new Date(TEST_NOW.getTime() + days * DAY_MS)

/** A sample of the pump a number of days from now, as a gateway would send it. */
function sampleOf(days: number, value: number, component = PUMP) {
  return {
    instrumentId: fleet.instruments.first,
    at: later(days),
    epoch: 1,
    sequence: 1000 + days,
    components: [
      {
        componentName: component,
        usage: [
          { metric: 'Volume', unit: 'L', value, thresholdRule: 'MAXIMUM_USAGE' as const, thresholdValues: [1000] },
        ],
        info: [],
        details: [],
      },
    ],
  }
}
/** Ten days at a pace of 10 a day, today at 800: due in 20 days, on 10 December. */
const tenDays = () => Array.from({ length: 10 }, (_, index) => sampleOf(-index, 800 - index * 10))
const store = (samples: ReturnType<typeof sampleOf>[]) => inTransaction(database.db, (trx) => storeUsage(trx, samples))
const renew = (now = TEST_NOW) => renewForecasts(database.db, { now, parts: 1000 })
async function due(scope: DataScope = 'all', now = TEST_NOW) {
  const { rows } = await readUsageDue(database.db, { scope, now, withinDays: 60, most: 200 })
  return rows.map(({ state, due: day }) => `${state} ${day}`)
}

test('are made once something was sampled, and not again', async () => {
  await store(tenDays())
  expect(await due()).toEqual([])
  expect(await renew()).toBe(1)
  expect(await due()).toEqual(['Soon due 2026-12-10'])
  expect(await renew()).toBe(0)
})

test('are made by a task of the leader, those of a large fleet in several of its runs', async () => {
  const parts = Array.from({ length: 2600 }, (_, index) => sampleOf(0, 1000, `Pump ${index}`))
  await store(parts)
  const tasks = usageTasks({ db: database.db, clock: { now: () => TEST_NOW }, log: { info: () => undefined } as never })
  const waiting = async () =>
    (await database.pool.query('SELECT FROM component_usage WHERE forecast_on IS NULL')).rowCount
  await tasks[0]?.run()
  expect(await waiting()).toBe(100)
  await tasks[0]?.run()
  expect(await waiting()).toBe(0)
  const { more } = await readUsageDue(database.db, { scope: 'all', now: TEST_NOW, withinDays: 60, most: 200 })
  expect(more).toBe(2400)
})

test('follow the next sample', async () => {
  await store(tenDays())
  await renew()
  await store([sampleOf(1, 1000)])
  expect(await renew(later(1))).toBe(1)
  expect(await due('all', later(1))).toEqual(['Due null'])
})

test('include late values that are not the newest', async () => {
  await store([sampleOf(0, 800), sampleOf(-1, 790)])
  await renew()
  expect(await due()).toEqual([])
  await store(tenDays().slice(2))
  expect(await renew()).toBe(1)
  expect(await due()).toEqual(['Soon due 2026-12-10'])
})

test('are made of every part once a day, since older days count no longer', async () => {
  await store([sampleOf(0, 800), sampleOf(-1, 790), ...tenDays().slice(2)])
  await renew()
  expect(await renew(later(1))).toBe(1)
  expect(await renew(later(1))).toBe(0)
  // None of the last 90 days is left to compute a pace from.
  await renew(later(100))
  expect(await due('all', later(100))).toEqual([])
})

test('name no past day until they are computed again', async () => {
  await store(tenDays())
  await renew()
  expect(await due('all', later(25))).toEqual(['Soon due 2026-12-15'])
})

test('leave a part that is being sampled for the next time', async () => {
  await store(tenDays())
  const { promise: mayCommit, resolve: commit } = Promise.withResolvers<void>()
  const { promise: stored, resolve: isStored } = Promise.withResolvers<void>()
  const sampling = inTransaction(database.db, async (trx) => {
    await storeUsage(trx, [sampleOf(1, 1000)])
    isStored()
    await mayCommit
  })
  await stored
  expect(await renew()).toBe(0)
  commit()
  await sampling
  expect(await renew()).toBe(1)
  expect(await due()).toEqual(['Due null'])
})

test('go with their component', async () => {
  await store([...tenDays(), sampleOf(0, 1000, 'Pump A')])
  await renew()
  expect(await due()).toEqual(['Due null', 'Soon due 2026-12-10'])
  await database.pool.query('DELETE FROM component_usage WHERE component_name = $1', [PUMP])
  expect(await due()).toEqual(['Due null'])
})

test('are none of an instrument that is being deleted, which keeps nobody else waiting', async () => {
  const nordic = { ...sampleOf(0, 1000), instrumentId: fleet.instruments.nordic }
  await store([...tenDays(), nordic])
  await database.pool.query('UPDATE instrument SET deleted_at = now() WHERE id = $1', [fleet.instruments.first])
  for (let turn = 0; turn < 2; turn += 1) await renewForecasts(database.db, { now: TEST_NOW, parts: 1 })
  expect(await due()).toEqual(['Due null'])
  expect(await renew()).toBe(0)
  await database.pool.query('UPDATE instrument SET deleted_at = NULL')
})

test('are read up to a number, what is due first, and say how many more there are', async () => {
  await store([...tenDays(), sampleOf(0, 1200, 'Pump A'), sampleOf(0, 1100, 'Pump C')])
  await renew()
  const { rows, more } = await readUsageDue(database.db, { scope: 'all', now: TEST_NOW, withinDays: 60, most: 2 })
  expect(rows.map(({ component }) => component)).toEqual(['Pump A', 'Pump C'])
  expect(more).toBe(1)
})

test('contain nothing that an instrument reported for its former customer', async () => {
  const { customers } = fleet
  const nordic = [customers.nordic]
  await store(tenDays())
  await renew()
  expect(await due([customers.helix])).toEqual(['Soon due 2026-12-10'])
  const moved = { site: 'nordic-pharma-oslo', gateway: 'GW-OSL-01', contract: null, contact: null }
  const at = new Date(TEST_NOW.getTime() + 60_000)
  await inTransaction(database.db, (trx) =>
    upsertInstruments(trx, { actor: { type: 'command', name: 'test' }, at }, [anInstrument(moved)]),
  )
  expect(await due([customers.helix])).toEqual([])
  expect(await due(nordic)).toEqual([])
  // Its first sample at the new customer, before and after forecasts are made: one day is not enough for a pace.
  await store([sampleOf(1, 810)])
  expect(await due(nordic, later(1))).toEqual([])
  await renew(later(1))
  expect(await due(nordic, later(1))).toEqual([])
  expect(await due('all', later(1))).toEqual(['Soon due 2026-12-10'])
  // After ten days there are enough, using only those days.
  await store(Array.from({ length: 9 }, (_, index) => sampleOf(index + 2, 810 + (index + 1) * 5)))
  await renew(later(10))
  expect(await due(nordic, later(10))).toEqual(['Soon due 2026-12-29'])
})
