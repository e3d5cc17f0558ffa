import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { inTransaction } from '../../db/transaction.ts'
import { createLog } from '../../platform/log.ts'
import { appendSampleLines, messagesOf } from '../../testing/log-lines.ts'
import { registerSampleFleet, type SampleFleet } from '../../testing/sample-fleet.ts'
import { addSamplePerson } from '../../testing/sample-people.ts'
import { type Caller, TEST_NOW, type TestApp, testApp } from '../../testing/test-app.ts'
import { testDatabase } from '../../testing/test-database.ts'
import { forgetLogLines, keepLogPartition } from './log-retention.store.ts'
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

/** The partitions that the task makes, by name. */
async function partitions(): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT c.relname AS name FROM pg_inherits h JOIN pg_class c ON c.oid = h.inhrelid
    WHERE h.inhparent = 'log_entry'::regclass AND c.relname ~ '[0-9]$' ORDER BY 1`.execute(server.database.db)
  return rows.map(({ name }) => name)
}

const partitionOf = async (message: string) =>
  (
    await sql<{
      name: string
    }>`SELECT tableoid::regclass::text AS name FROM log_entry WHERE message = ${message}`.execute(server.database.db)
  ).rows.map(({ name }) => name)

describe('old lines', () => {
  it('are deleted by their time of arrival, whatever their own clock says', async () => {
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

  it('are deleted in several batches, even with a younger line among them', async () => {
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

  it('delay nobody while they are deleted', async () => {
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

describe('partitions of log lines', () => {
  // The first partition ends a week after the migration, so the days here begin two weeks later.
  const start = Math.floor(Date.now() / DAY_MS) * DAY_MS + 14 * DAY_MS
  const day = (number: number, hours = 12) => new Date(start + number * DAY_MS + hours * 3_600_000)
  const runAt = async (now: Date) => {
    server.clock.set(now)
    await run()
    // The session of the caller is still valid then.
    server.clock.set(TEST_NOW)
  }

  it('exist ahead, take the lines of their day, and are dropped when all lines are old', async () => {
    await runAt(day(0))
    const first = await partitions()
    // One for the stretch from the first partition until today, then today and two days ahead.
    expect(first).toHaveLength(4)
    await runAt(day(0))
    expect(await partitions()).toEqual(first)
    await append('of the first day', day(0))
    await append('of the second day', day(1))
    expect(await partitionOf('of the first day')).toEqual([first[1]])
    expect(await partitionOf('of the second day')).toEqual([first[2]])

    // 30 days later, the stretch before the first day has gone, and the first day is not complete yet.
    await runAt(day(30))
    expect(await partitions()).not.toContain(first[0])
    expect(await messages()).toEqual(['of the first day', 'of the second day'])
    await runAt(day(31, 0))
    expect(await messages()).toEqual(['of the second day'])
    expect(await partitions()).not.toContain(first[1])
  })

  it('take over the lines that arrived while none was prepared, after a long stop', async () => {
    await append('during the stop', day(100))
    expect(await partitionOf('during the stop')).toEqual(['log_entry_default'])
    await append('by a clock that is years ahead', day(4000))
    await runAt(day(110))
    expect(await partitionOf('during the stop')).toEqual(await partitions().then((names) => names.slice(-4, -3)))
    expect(await partitionOf('by a clock that is years ahead')).toEqual(['log_entry_default'])
    expect(await messages()).toEqual(['during the stop', 'by a clock that is years ahead'])
  })

  it('wait for a table that is in use, as by a backup', async () => {
    const before = await partitions()
    const reader = await server.database.dedicatedClient()
    try {
      await reader.query('BEGIN')
      await reader.query('SELECT FROM log_entry LIMIT 1')
      await runAt(day(111))
      expect(await partitions()).toEqual(before)
      await reader.query('COMMIT')
      await runAt(day(111))
      expect(await partitions()).toHaveLength(before.length + 1)
    } finally {
      await reader.end()
    }
  })

  it('are 13 days each where lines are kept for 400 days', async () => {
    const names = await partitions()
    const input = { now: day(120), before: day(-280), retentionDays: 400 }
    while (await keepLogPartition(server.database.db, input));
    const fresh = (await partitions()).filter((name) => !names.includes(name))
    const starts = fresh.map((name) => Date.parse(name.slice(-8).replace(/(....)(..)(..)/, '$1-$2-$3')))
    expect(starts.slice(1).map((at, index) => (at - (starts[index] ?? 0)) / DAY_MS)).toEqual(
      Array.from({ length: starts.length - 1 }, () => 13),
    )
    expect(starts.length).toBeGreaterThan(2)
  })
})
