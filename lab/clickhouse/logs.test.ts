import type { LogHit } from '@benchwatch/contract/instruments/logs'
import { seededRandom } from '@benchwatch/samples/seeded-random'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { EventFeed } from '../../packages/server/src/clickhouse/event-feed.ts'
import {
  deleteLinesOfDeletedInstruments,
  KEPT_MS,
  moveLogLines,
} from '../../packages/server/src/clickhouse/log-feed.ts'
import { createClickhouseLogs } from '../../packages/server/src/clickhouse/log-store.ts'
import { primaryReads } from '../../packages/server/src/db/replica/long-reads.ts'
import type { LogQuestion, LogStore } from '../../packages/server/src/features/logs/log-store.ts'
import { searchWords } from '../../packages/server/src/features/logs/log-words.ts'
import { createPostgresLogs } from '../../packages/server/src/features/logs/postgres-logs.queries.ts'
import { createLog } from '../../packages/server/src/platform/log.ts'
import { buildEventFixture } from '../../packages/server/src/testing/event-fixture.ts'
import { appendSampleLines } from '../../packages/server/src/testing/log-lines.ts'
import { propertyRun } from '../../packages/server/src/testing/property-run.ts'
import { TEST_NOW } from '../../packages/server/src/testing/test-app.ts'
import { type TestDatabase, testDatabase } from '../../packages/server/src/testing/test-database.ts'
import { clickhouse, loseEverything } from './engine.ts'

const log = createLog('silent')
const clock = { now: () => TEST_NOW }
const HOUR_MS = 3_600_000

let database: TestDatabase
let logs: LogStore
let instruments: { id: number; customer_id: number }[]

beforeAll(async () => {
  await loseEverything()
  database = await testDatabase()
  await buildEventFixture(database.db, { events: 0, now: TEST_NOW })
  instruments = await database.db.selectFrom('instrument').select(['id', 'customer_id']).orderBy('id').execute()
  const feed = new EventFeed({ clickhouse, database, reads: primaryReads(database), logRetentionDays: 36_500, log })
  await feed.advance()
  await feed.stop()
  logs = createClickhouseLogs({ clickhouse, db: database.db, clock, log })
})
afterAll(loseEverything)

const move = () => moveLogLines({ clickhouse, database }, new Date(TEST_NOW.getTime() - KEPT_MS))

test('logs that are half in ClickHouse read exactly as when all lines were in PostgreSQL', async () => {
  const random = seededRandom(propertyRun.seed)
  const types = ['VID', 'UNICORNCLIENT', 'COMM'] as const
  const texts = ['pump ÄKTA started', 'valve\tV_1 100%', 'ﬁne Øre, ß and №', "it's \\ a 'quote'", '', 'line\nbreak 😀']
  for (let hours = 0; hours < 96; hours += 8) {
    const receivedAt = new Date(TEST_NOW.getTime() - hours * HOUR_MS)
    const lines = Array.from({ length: 60 }, () => ({
      instrumentId: random.pick(instruments).id,
      logType: random.pick(types),
      // Clocks differ, one was never set, and many lines are of one moment.
      timestamp: new Date(random.chance(0.1) ? -5 : receivedAt.getTime() - random.integer(0, 20) * HOUR_MS),
      message: random.pick(texts),
      module: random.pick(['M', null]),
      hostname: random.pick(['PC-1', 'pc-2', null]),
    }))
    await appendSampleLines(database, lines, receivedAt)
  }
  const [moved] = instruments
  await database.db
    .updateTable('instrument')
    .set({ customer_since: new Date(TEST_NOW.getTime() - 60 * HOUR_MS) })
    .where('id', '=', moved?.id ?? 0)
    .execute()

  const questions = Array.from({ length: 60 }, (): LogQuestion => {
    const instrument = random.pick(instruments)
    const isOfComputer = random.chance(0.3)
    return {
      scope: random.pick(['all', [instrument.customer_id], instruments.map(({ customer_id }) => customer_id), []]),
      logType: random.pick(types),
      instrumentId: isOfComputer ? null : instrument.id,
      computerName: isOfComputer ? 'PC-1' : random.pick([null, null, 'pc-2']),
      enterprise: random.pick([null, null, 'Helix Biologics']),
      order: random.pick(['ASC', 'DESC']),
      from: random.pick([null, new Date(TEST_NOW.getTime() - 70 * HOUR_MS)]),
      to: random.pick([null, new Date(TEST_NOW.getTime() - 10 * HOUR_MS)]),
      size: random.pick([3, 10, 100]),
      after: null,
      words: searchWords(random.pick(['', '', 'akta', 'PUMP start', '100%', 'fine ore', 'ss no', "\\ 'quote'"])),
    }
  })
  const postgres = createPostgresLogs(database.db)
  const plain = []
  for (const question of questions) plain.push(await allPages(postgres, question))
  const available = []
  for (const { id, customer_id } of instruments) {
    for (const scope of ['all', [customer_id]] as const) available.push({ scope, instrumentId: id })
  }
  const plainAvailable = []
  for (const input of available) plainAvailable.push(inSomeOrder((await postgres.available(input)).logs))

  expect(await move()).toBeGreaterThan(100)
  const { left } = await database.db
    .selectFrom('log_entry')
    .select(({ fn }) => fn.countAll<number>().as('left'))
    .executeTakeFirstOrThrow()
  expect(left).toBeGreaterThan(100)
  for (const [index, question] of questions.entries()) {
    expect(await allPages(logs, question), JSON.stringify(question)).toEqual(plain[index])
  }
  for (const [index, input] of available.entries()) {
    expect(inSomeOrder((await logs.available(input)).logs)).toEqual(plainAvailable[index])
  }
  expect(plain.filter(({ hits }) => hits.length > 0).length).toBeGreaterThan(15)
}, 300_000)

test('a line that is copied and not yet deleted counts once, and a second copy changes nothing', async () => {
  const [first] = instruments
  const instrumentId = first?.id ?? 0
  const old = new Date(TEST_NOW.getTime() - 3 * 24 * HOUR_MS)
  await appendSampleLines(database, [{ instrumentId, logType: 'SYSTEM' as never, message: 'copied' }], old)
  const question: LogQuestion = {
    scope: 'all',
    logType: 'SYSTEM' as never,
    instrumentId,
    computerName: null,
    enterprise: null,
    order: 'ASC',
    from: null,
    to: null,
    size: 10,
    after: null,
    words: [],
  }
  const before = await logs.read(question)
  expect(before.total).toBe(1)
  const kept = await database.db
    .selectFrom('log_entry')
    .selectAll()
    .where('message', '=', 'copied')
    .executeTakeFirstOrThrow()
  await move()
  expect(await logs.read(question)).toEqual(before)
  // As if the deletion had been rolled back after the copy.
  await sql`INSERT INTO log_entry OVERRIDING SYSTEM VALUE SELECT * FROM json_populate_record(NULL::log_entry, ${JSON.stringify(kept)}::json)`.execute(
    database.db,
  )
  expect(await logs.read(question)).toEqual(before)
  expect(await move()).toBe(1)
  expect(await logs.read(question)).toEqual(before)
})

test('a line that has been moved is deleted by its id, in scope only', async () => {
  const [first, second] = instruments
  const instrumentId = first?.id ?? 0
  const old = new Date(TEST_NOW.getTime() - 3 * 24 * HOUR_MS)
  const line = { instrumentId, logType: 'EVENT' as const }
  await appendSampleLines(
    database,
    [
      { ...line, message: 'wrong' },
      { ...line, message: 'right' },
    ],
    old,
  )
  await move()
  const question: LogQuestion = {
    ...{ scope: 'all', logType: 'EVENT', instrumentId, computerName: null, enterprise: null, order: 'ASC' },
    ...{ from: null, to: null, size: 10, after: null, words: [] },
  }
  const [wrong] = (await logs.read(question)).hits
  const id = Number(wrong?._id)
  const deleteAs = (scope: LogQuestion['scope']) =>
    database.db.transaction().execute((trx) => logs.deleteMovedLine(trx, { id, scope }))
  const others = instruments.map(({ customer_id }) => customer_id).filter((customer) => customer !== first?.customer_id)
  expect(others).toContain(second?.customer_id)
  expect(await deleteAs(others)).toBeUndefined()
  expect(await deleteAs('all')).toMatchObject({ logType: 'EVENT', timestamp: TEST_NOW })
  // At once, although ClickHouse rewrites the lines later.
  const { hits, total } = await logs.read(question)
  expect([hits.map(({ _source }) => _source.message), total]).toEqual([['right'], 1])
  expect(await deleteAs('all')).toBeUndefined()
})

test('lines of deleted instruments go', async () => {
  const gone = await database.db.selectFrom('instrument').select('id').orderBy('id', 'desc').executeTakeFirstOrThrow()
  await database.db.deleteFrom('instrument').where('id', '=', gone.id).execute()
  expect(await deleteLinesOfDeletedInstruments({ clickhouse, database })).toBe(1)
  await expect.poll(() => deleteLinesOfDeletedInstruments({ clickhouse, database })).toBe(0)
})

async function allPages(store: LogStore, question: LogQuestion): Promise<{ hits: LogHit[]; total: number }> {
  const hits: LogHit[] = []
  let after: LogQuestion['after'] = null
  for (;;) {
    const answer = await store.read({ ...question, after })
    hits.push(...answer.hits)
    const last = answer.hits.at(-1)
    if (!last || answer.hits.length < question.size) return { hits, total: answer.total }
    after = { timestamp: last.sort[0], id: last.sort[1] }
  }
}

function inSomeOrder(items: readonly object[]): string[] {
  return items.map((item) => JSON.stringify(item)).sort()
}
