import type { ServiceEventChange } from '@benchwatch/contract/events/events'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { JobHandler } from '../../db/queues/jobs.ts'
import type { LeaderTask } from '../../db/queues/leader.ts'
import { createLog } from '../../platform/log.ts'
import { eventually } from '../../testing/eventually.ts'
import { addEvents } from '../../testing/many-events.ts'
import { registerSampleFleet, type SampleFleet } from '../../testing/sample-fleet.ts'
import { addSamplePerson } from '../../testing/sample-people.ts'
import { TEST_NOW, type TestApp, testApp } from '../../testing/test-app.ts'
import { type TestDatabase, testDatabase } from '../../testing/test-database.ts'
import { bulkChangeJobs, bulkChangeTasks } from './bulk-changes.jobs.ts'
import { insertBulkChange, readBulkProgress } from './bulk-changes.store.ts'

let database: TestDatabase
let app: TestApp
let fleet: SampleFleet
let people = 0

beforeAll(async () => {
  database = await testDatabase()
  app = await testApp(database)
  fleet = await registerSampleFleet(database, TEST_NOW)
})
afterAll(() => app.close())

const noStop = new AbortController().signal
const running = () => ({ db: database.db, clock: app.clock, config: app.config, log: createLog('silent') })
const handler = (working = running()) => bulkChangeJobs(working)[0] as JobHandler
const goOn = () => bulkChangeTasks(running())[0] as LeaderTask

async function person(): Promise<number> {
  people += 1
  return addSamplePerson(database, { login: `person-${people}@benchwatch.example` })
}

/** Inserts a bulk change without a job, as if its process had died. */
async function abandoned(count: number, { userId, ...over }: { userId?: number; change?: ServiceEventChange } = {}) {
  const user = userId ?? (await person())
  const ids = await addEvents(database, { count, instrumentId: fleet.instruments.first })
  const change = over.change ?? { claimedBy: String(user) }
  const id = await insertBulkChange(database.db, {
    userId: user,
    eventIds: ids.map(Number),
    change,
    at: app.clock.now(),
  })
  return { id, ids, userId: user, progress: () => readBulkProgress(database.db, { id, userId: user }) }
}

async function versionsOf(ids: readonly string[]): Promise<number[]> {
  const rows = await database.db
    .selectFrom('service_event')
    .where('id', 'in', ids.map(Number))
    .orderBy('id')
    .select('version')
    .execute()
  return rows.map(({ version }) => version)
}

const untouched = (ids: readonly string[]) => ids.map(() => 1)
const changedOnce = (ids: readonly string[]) => ids.map(() => 2)

describe('a job that was cut off', () => {
  test('continues where it stopped, and changes no event twice', async () => {
    const { ids, progress } = await abandoned(130)
    let looks = 0
    const breaking = { now: () => (++looks > 2 ? boom() : app.clock.now()) }
    // Each step reads the clock twice, so the second step fails in the middle of its transaction.
    await expect(handler({ ...running(), clock: breaking as never }).run({}, noStop)).rejects.toMatchObject({
      cause: { message: 'power cut' },
    })
    expect(await progress()).toMatchObject({ state: 'running', done: 50, changed: 50 })
    expect(await versionsOf(ids)).toEqual([...changedOnce(ids.slice(0, 50)), ...untouched(ids.slice(50))])

    await handler().run({}, noStop)
    expect(await progress()).toMatchObject({ state: 'done', done: 130, changed: 130, failed: [], total: 130 })
    expect(await versionsOf(ids)).toEqual(changedOnce(ids))
    await handler().run({}, noStop)
    expect(await versionsOf(ids)).toEqual(changedOnce(ids))
  })

  test('makes no further step once the process ends', async () => {
    const { ids, progress } = await abandoned(60)
    await handler().run({}, AbortSignal.abort())
    expect(await progress()).toMatchObject({ state: 'running', done: 0 })
    expect(await versionsOf(ids)).toEqual(untouched(ids))
    await handler().run({}, noStop)
  })

  test('is found by its silence and given to another process', async () => {
    const { ids, progress } = await abandoned(60)
    await goOn().run()
    expect(await progress()).toMatchObject({ state: 'running', done: 0 })
    app.clock.advance(16_000)
    await goOn().run()
    await eventually(async () => expect(await progress()).toMatchObject({ state: 'done', changed: 60 }))
    expect(await versionsOf(ids)).toEqual(changedOnce(ids))
  })

  test('is given up after an hour', async () => {
    const { ids, progress } = await abandoned(10)
    app.clock.advance(3_601_000)
    await goOn().run()
    expect(await progress()).toMatchObject({ state: 'failed', changed: 0 })
    await handler().run({}, noStop)
    expect(await versionsOf(ids)).toEqual(untouched(ids))
  })
})

test('two processes never make the same step', async () => {
  const first = await abandoned(260)
  const second = await abandoned(120)
  await Promise.all([handler(), handler(), handler()].map((each) => each.run({}, noStop)))
  for (const { ids, progress } of [first, second]) {
    expect(await progress()).toMatchObject({ state: 'done', changed: ids.length, done: ids.length })
    expect(await versionsOf(ids)).toEqual(changedOnce(ids))
  }
})

test('one that fails at every step delays no other', async () => {
  const broken = await abandoned(10)
  const sound = await abandoned(120)
  await database.db
    .updateTable('bulk_change')
    .where('id', '=', broken.id)
    // No request could write this: the rule fails on a reason that is not text.
    .set({ change: JSON.stringify({ alertStatus: 'CLOSED', reasonClosedComment: 7 }) })
    .execute()
  await expect(handler().run({}, noStop)).rejects.toThrow()
  expect(await sound.progress()).toMatchObject({ state: 'done', changed: 120 })
  expect(await broken.progress()).toMatchObject({ state: 'running', done: 0 })
  await database.db.deleteFrom('bulk_change').where('id', '=', broken.id).execute()
})

describe('who it is done for is looked at again before each step', () => {
  test('once disabled, nothing more is changed', async () => {
    const { ids, userId, progress } = await abandoned(60)
    await database.db.updateTable('app_user').set({ disabled_at: TEST_NOW }).where('id', '=', userId).execute()
    await handler().run({}, noStop)
    expect(await progress()).toMatchObject({ state: 'failed', done: 0, changed: 0 })
    expect(await versionsOf(ids)).toEqual(untouched(ids))
  })

  test('what the scope does not hold any more is refused as if it did not exist', async () => {
    const { ids, userId, progress } = await abandoned(3)
    await database.db.updateTable('app_user').set({ all_customers: false }).where('id', '=', userId).execute()
    await handler().run({}, noStop)
    const done = await progress()
    expect(done).toMatchObject({ state: 'done', done: 3, changed: 0 })
    expect(done?.failed.map(({ id, code }) => [id, code])).toEqual(ids.map((id) => [id, 'not-found']))
    expect(await versionsOf(ids)).toEqual(untouched(ids))
  })
})

test('what was done is forgotten after a week', async () => {
  const { progress } = await abandoned(1)
  await handler().run({}, noStop)
  const forget = bulkChangeTasks(running())[1] as LeaderTask
  app.clock.advance(6 * 86_400_000)
  await forget.run()
  expect(await progress()).toMatchObject({ state: 'done' })
  app.clock.advance(2 * 86_400_000)
  await forget.run()
  expect(await progress()).toBeUndefined()
})

function boom(): never {
  throw new Error('power cut')
}
