import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { inTransaction } from '../../db/transaction.ts'
import { createLog } from '../../platform/log.ts'
import { appendSampleLines, messagesOf } from '../../testing/log-lines.ts'
import { registerSampleFleet, type SampleFleet } from '../../testing/sample-fleet.ts'
import { addSamplePerson } from '../../testing/sample-people.ts'
import { type Caller, TEST_NOW, type TestApp, testApp } from '../../testing/test-app.ts'
import { testDatabase } from '../../testing/test-database.ts'
import { forgetLogLines } from './log-retention.store.ts'
import { logTasks } from './logs.jobs.ts'

const DAY_MS = 86_400_000
const daysAgo = (days: number) => new Date(TEST_NOW.getTime() - days * DAY_MS)

let server: TestApp
let fleet: SampleFleet
let service: Caller

beforeAll(async () => {
  const database = await testDatabase()
  fleet = await registerSampleFleet(database, TEST_NOW)
  server = await testApp(database, { environment: { LOG_RETENTION_DAYS: '30' } })
  service = await server.as(await addSamplePerson(database, { login: 'sven@benchwatch.example' }))
})
afterAll(() => server.close())
beforeEach(async () => {
  server.clock.set(TEST_NOW)
  await server.database.db.deleteFrom('log_entry').execute()
})

async function run(): Promise<void> {
  const { database, config, clock } = server
  for (const task of logTasks({ db: database.db, clock, config, log: createLog('silent') })) await task.run()
}

const append = (message: string, receivedAt: Date, timestamp = receivedAt) =>
  appendSampleLines(server.database, [{ instrumentId: fleet.instruments.first, message, timestamp }], receivedAt)

/** Writes this many lines directly to the database: one every second, starting with the oldest. */
const appendMany = (count: number, oldest: Date) =>
  sql`INSERT INTO log_entry (instrument_id, log_type, ts, message, received_at)
    SELECT ${fleet.instruments.first}::int, 'VID', t, 'many', t
    FROM generate_series(${oldest}::timestamptz, ${oldest}::timestamptz + make_interval(secs => ${count - 1}::int),
      interval '1 second') AS t`.execute(server.database.db)

const count = async () =>
  (
    await server.database.db
      .selectFrom('log_entry')
      .select(({ fn }) => fn.countAll<number>().as('lines'))
      .executeTakeFirstOrThrow()
  ).lines

async function messages(): Promise<string[]> {
  const query = { logType: 'VID', instrumentInstalledProductId: 'IP-20431187', order: 'ASC' } as const
  return messagesOf((await service.call('listInstrumentLogs', { query })).body.body.hits.hits)
}

describe('old lines', () => {
  it('are forgotten by the time they came in, whatever their own clock says', async () => {
    await append('old', daysAgo(31))
    await append('old, by a clock that ran ahead', daysAgo(31), new Date('2099-01-01T00:00:00.000Z'))
    await append('thirty days to the minute', daysAgo(30))
    await append('young, by a clock that stands in 1970', daysAgo(1), new Date(0))
    await run()
    expect(await messages()).toEqual(['young, by a clock that stands in 1970', 'thirty days to the minute'])
    server.clock.advance(1)
    await run()
    expect(await messages()).toEqual(['young, by a clock that stands in 1970'])
  })

  it('are forgotten in several batches, also where a younger line stands among them', async () => {
    await appendMany(4000, daysAgo(40))
    await append('young', daysAgo(3))
    await appendMany(8500, daysAgo(39))
    await appendMany(6000, daysAgo(2))
    await run()
    expect(await count()).toBe(6001)
    await run()
    expect(await count()).toBe(6001)
  })

  it('that an interrupted run has left are forgotten by the next', async () => {
    await appendMany(300, daysAgo(40))
    await append('young', daysAgo(3))
    const before = daysAgo(30)
    const first = await forgetLogLines(server.database.db, { before, after: 0, batch: 100 })
    expect(first).toMatchObject({ forgotten: 100, isDone: false })
    const next = await forgetLogLines(server.database.db, { before, after: first.last, batch: 100 })
    expect(next).toMatchObject({ forgotten: 100, isDone: false })
    expect(await count()).toBe(101)
    await run()
    expect(await messages()).toEqual(['young'])
  })

  it('keep nobody waiting while they go', async () => {
    await appendMany(50, daysAgo(40))
    await inTransaction(server.database.db, async (trx) => {
      await forgetLogLines(trx, { before: daysAgo(30), after: 0, batch: 100 })
      // Neither is answered before the transaction ends if it waits for it.
      await append('written meanwhile', TEST_NOW)
      expect(await messages()).toHaveLength(6)
    })
    expect(await messages()).toEqual(['written meanwhile'])
  })
})
