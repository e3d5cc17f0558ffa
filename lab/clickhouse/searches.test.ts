import { eventFilterCategories } from '@benchwatch/contract/vocabulary'
import { seededRandom } from '@benchwatch/samples/seeded-random'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ClickhouseSearch } from '../../packages/server/src/clickhouse/clickhouse-search.ts'
import { EventFeed } from '../../packages/server/src/clickhouse/event-feed.ts'
import { connectDatabase, type DatabaseHandle, type Trx } from '../../packages/server/src/db/connect.ts'
import { primaryReads } from '../../packages/server/src/db/replica/long-reads.ts'
import { inTransaction } from '../../packages/server/src/db/transaction.ts'
import type { Condition } from '../../packages/server/src/features/events/search/condition.ts'
import type { EventSearch, SearchMoment } from '../../packages/server/src/features/events/search/event-search.ts'
import { countFilterValues } from '../../packages/server/src/features/events/search/filter-counts.queries.ts'
import { resolveSelection } from '../../packages/server/src/features/events/search/filters.queries.ts'
import { postgresSearch } from '../../packages/server/src/features/events/search/postgres-search.ts'
import { createLog } from '../../packages/server/src/platform/log.ts'
import { type BusyFleet, prepareBusyFleet } from '../../packages/server/src/testing/busy-fleet.ts'
import { startWriters } from '../../packages/server/src/testing/event-writers.ts'
import {
  countsByName,
  plainCounts,
  plainMatches,
  plainOrder,
  plainTotals,
} from '../../packages/server/src/testing/plain/plain-search.ts'
import { type PlainSnapshot, readPlainSnapshot } from '../../packages/server/src/testing/plain/plain-snapshot.ts'
import {
  questionsByCategory,
  type SearchQuestion,
  searchQuestions,
} from '../../packages/server/src/testing/plain/search-questions.ts'
import { propertyRun } from '../../packages/server/src/testing/property-run.ts'
import { TEST_NOW } from '../../packages/server/src/testing/test-app.ts'
import { type TestDatabase, testDatabase } from '../../packages/server/src/testing/test-database.ts'
import { clickhouse, loseEverything } from './engine.ts'

const WRITERS = 3
/** Actions of the writers beside each snapshot, and beside each question. */
const PER_SNAPSHOT = 120
const PER_QUESTION = 8
const SNAPSHOTS = 4
const QUESTIONS = 6

let database: TestDatabase
let writing: DatabaseHandle
let fleet: BusyFleet
let feed: EventFeed
let search: ClickhouseSearch

let lastWarning: unknown
/** Answers nothing: every answer in this file is ClickHouse's. */
const noFallback: EventSearch = {
  ...postgresSearch,
  begin: () => ({
    find: () => Promise.reject(new Error('ClickHouse did not answer.', { cause: lastWarning })),
    count: () => Promise.reject(new Error('ClickHouse did not answer.', { cause: lastWarning })),
    each: () => {
      throw new Error('ClickHouse did not answer.', { cause: lastWarning })
    },
  }),
}

beforeAll(async () => {
  await loseEverything()
  database = await testDatabase()
  const log = createLog('silent')
  log.warn = (warning: unknown) => {
    lastWarning = warning
  }
  feed = new EventFeed({ clickhouse, database, reads: primaryReads(database), logRetentionDays: 400, log })
  search = new ClickhouseSearch({ clickhouse, db: database.db, fallback: noFallback, log, mostLagMs: 3_600_000 })
  writing = await connectDatabase({ connection: database.owner, poolSize: WRITERS })
  fleet = await prepareBusyFleet(database.db, { random: seededRandom(propertyRun.seed), now: TEST_NOW })
})
afterAll(async () => {
  await search.stop()
  await feed.stop()
  await writing.close()
})

test('what ClickHouse finds equals a plain scan while everything is written at once', async ({ annotate }) => {
  const writers = startWriters(writing.db, {
    fleet,
    seed: propertyRun.seed,
    writers: WRITERS,
    now: TEST_NOW,
    maxEvents: 1500,
  })
  const random = seededRandom(propertyRun.seed)
  const told = { questions: 0, found: 0, moves: 0, by: new Set<string>() }
  try {
    writers.allow(PER_SNAPSHOT)
    for (let snapshots = 0; snapshots < SNAPSHOTS; ) {
      // Every other time, the changes since then are laid over what ClickHouse holds.
      if (snapshots % 2 === 0) await feed.advance()
      await search.look()
      const taken = await inSnapshot(async (trx, moment) => {
        const snapshot = await readPlainSnapshot(trx)
        if (snapshot.events.length === 0) return undefined
        await fc.assert(
          fc.asyncProperty(searchQuestions(snapshot, TEST_NOW), async (asked) => {
            writers.allow(PER_QUESTION)
            told.questions += 1
            if ((await expectEqual(trx, { snapshot, asked, moment })) > 0) told.found += 1
          }),
          { seed: random.integer(0, 2 ** 31 - 1), numRuns: QUESTIONS },
        )
        for (const question of questionsByCategory(snapshot, { random, now: TEST_NOW })) {
          const wanted = { search: question.search, scope: 'all', now: TEST_NOW } as const
          const { totals } = await moment.find(trx, await resolveSelection(trx, wanted), null)
          expect(totals, JSON.stringify(question.search.filter)).toEqual(plainTotals(snapshot.events, wanted))
          told.by.add(question.category)
        }
        return snapshot
      })
      if (!taken) continue
      snapshots += 1
      writers.allow(PER_SNAPSHOT)
      for (const asked of fc.sample(searchQuestions(taken, TEST_NOW), 4)) {
        const feedMoves = random.pick(['between', 'at any moment', 'not'] as const)
        if (await searchWhileTheFeedMoves(asked, feedMoves)) told.moves += 1
      }
    }
  } catch (error) {
    throw new Error(
      `With PROPERTY_SEED=${propertyRun.seed}: ${String(error)}, ${JSON.stringify(lastWarning, Object.getOwnPropertyNames(Object((lastWarning as { err?: object })?.err)).concat('err'))}`,
      { cause: error },
    )
  } finally {
    await writers.stop()
  }
  await annotate(JSON.stringify({ ...told, by: told.by.size, deeds: writers.actions }))
  expect(told.found).toBeGreaterThan(told.questions / 4)
  expect(told.moves).toBeGreaterThan(0)
  // Each category once wanted and once excluded.
  expect(told.by.size).toBe(2 * eventFilterCategories.length)
})

function inSnapshot<T>(read: (trx: Trx, moment: SearchMoment) => Promise<T>): Promise<T> {
  const moment = search.begin()
  return database.db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute((trx) => read(trx, moment))
}

/** Compares what ClickHouse finds with the rows and with PostgreSQL. Returns how many events match. */
async function expectEqual(
  trx: Trx,
  { snapshot, asked, moment }: { snapshot: PlainSnapshot; asked: SearchQuestion; moment: SearchMoment },
): Promise<number> {
  const { search: query, scope, now, page } = asked
  const wanted = { search: query, scope, now }
  const expected = snapshot.events.filter((event) => plainMatches(event, wanted)).map(({ alarm }) => alarm)
  const selection = await resolveSelection(trx, wanted)

  const found = await moment.find(trx, selection, page)
  expect(found.totals).toEqual(plainTotals(snapshot.events, wanted))
  const ordered = plainOrder(expected, page)
  expect(found.ids.map(String)).toEqual(ordered.slice(page.offset, page.offset + page.limit))
  expect(found.asOf).toBeNull()

  const onMap = await moment.find(trx, selection, null)
  const plain = await postgresSearch.begin().find(trx, selection, null)
  expect(inSomeOrder(onMap.places)).toEqual(inSomeOrder(plain.places))

  const eventSearch = { ...noFallback, begin: () => moment }
  const { values } = await countFilterValues({ db: trx, eventSearch }, wanted)
  expect(countsByName(values)).toEqual(plainCounts(snapshot.events, wanted))

  const named: Condition = { is: 'anyOf', column: 'id', values: asked.ids.map(Number) }
  const filter: Condition = { is: 'all', of: [selection.filter, { is: 'not', of: named }] }
  const rest: string[] = []
  for await (const ids of moment.each(trx, { ...selection, filter }, page)) rest.push(...ids.map(String))
  expect(rest).toEqual(ordered.filter((id) => !asked.ids.includes(id)))
  return expected.length
}

function inSomeOrder(places: readonly object[]): string[] {
  return places.map((place) => JSON.stringify(place)).sort()
}

/**
 * Checks that a search during a round of the feed answers for its snapshot, or asks it to retry. Returns whether it
 * answered.
 */
async function searchWhileTheFeedMoves(
  { search: query, scope, now }: SearchQuestion,
  feedMoves: 'between' | 'at any moment' | 'not',
): Promise<boolean> {
  await search.look()
  const moving = feedMoves === 'at any moment' ? feed.advance() : undefined
  const searching = inTransaction(
    database.db,
    async (trx) => {
      const moment = search.begin()
      await sql`SELECT 1`.execute(trx)
      if (feedMoves === 'between') await feed.advance()
      const selection = await resolveSelection(trx, { search: query, scope, now })
      const { totals } = await moment.find(trx, selection, null)
      const plain = await postgresSearch.begin().find(trx, selection, null)
      expect(totals).toEqual(plain.totals)
      return true
    },
    { isSnapshot: true },
  ).catch((error: unknown) => {
    if ((error as { code?: string }).code !== '40001') throw error
    return false
  })
  const [answered] = await Promise.all([searching, moving])
  return answered
}
