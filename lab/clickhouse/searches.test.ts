import { seededRandom } from '@benchwatch/samples/seeded-random'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ClickhouseSearch } from '../../packages/server/src/clickhouse/clickhouse-search.ts'
import { EventFeed } from '../../packages/server/src/clickhouse/event-feed.ts'
import { connectDatabase, type DatabaseHandle, type Trx } from '../../packages/server/src/db/connect.ts'
import { inTransaction } from '../../packages/server/src/db/transaction.ts'
import type { Found, SearchMoment } from '../../packages/server/src/features/events/search/event-search.ts'
import { resolveSelection } from '../../packages/server/src/features/events/search/filters.queries.ts'
import { postgresSearch } from '../../packages/server/src/features/events/search/postgres-search.ts'
import { createLog } from '../../packages/server/src/platform/log.ts'
import { type BusyFleet, prepareBusyFleet } from '../../packages/server/src/testing/busy-fleet.ts'
import { startWriters } from '../../packages/server/src/testing/event-writers.ts'
import { plainMatches, plainOrder, plainPlaces, plainTotals } from '../../packages/server/src/testing/plain/plain-search.ts'
import { readPlainSnapshot, type PlainSnapshot } from '../../packages/server/src/testing/plain/plain-snapshot.ts'
import { type SearchQuestion, searchQuestions } from '../../packages/server/src/testing/plain/search-questions.ts'
import { propertyRun } from '../../packages/server/src/testing/property-run.ts'
import { TEST_NOW } from '../../packages/server/src/testing/test-app.ts'
import { type TestDatabase, testDatabase } from '../../packages/server/src/testing/test-database.ts'
import { startEngine } from './engine.ts'

test('probe', async () => {
  const database = await testDatabase()
  const { clickhouse } = startEngine()
  const log = createLog('silent')
  const fleet = await prepareBusyFleet(database.db, { random: seededRandom(propertyRun.seed), now: TEST_NOW })
  const writing = await connectDatabase({ connection: database.owner, poolSize: 3 })
  const writers = startWriters(writing.db, { fleet, seed: 'x', writers: 3, now: TEST_NOW, maxEvents: 300 })
  await new Promise((done) => setTimeout(done, 3000))
  await writers.stop()
  await writing.close()
  const feed = new EventFeed({ clickhouse, database, logRetentionDays: 400, log })
  await feed.advance()
  const search = new ClickhouseSearch({ clickhouse, db: database.db, fallback: { ...postgresSearch, begin: () => { throw new Error('no') } }, log })
  await search.look()
  console.log(search.state())
  await feed.stop()
  await search.stop()
})
