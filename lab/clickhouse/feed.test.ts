import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ClickhouseSearch } from '../../packages/server/src/clickhouse/clickhouse-search.ts'
import { EventFeed } from '../../packages/server/src/clickhouse/event-feed.ts'
import type { Trx } from '../../packages/server/src/db/connect.ts'
import { primaryReads } from '../../packages/server/src/db/replica/long-reads.ts'
import { inTransaction } from '../../packages/server/src/db/transaction.ts'
import { listServiceEvents } from '../../packages/server/src/features/events/search/event-list.queries.ts'
import type { EventSearch, Found } from '../../packages/server/src/features/events/search/event-search.ts'
import { postgresSearch } from '../../packages/server/src/features/events/search/postgres-search.ts'
import { createLog } from '../../packages/server/src/platform/log.ts'
import { buildEventFixture, everyEvent } from '../../packages/server/src/testing/event-fixture.ts'
import { TEST_NOW } from '../../packages/server/src/testing/test-app.ts'
import { type TestDatabase, testDatabase } from '../../packages/server/src/testing/test-database.ts'
import { ask, clickhouse, client, loseEverything } from './engine.ts'

const EVENTS = 60
const log = createLog('silent')
const everything = everyEvent(TEST_NOW)
const page = { orderBy: 'eventId', order: 'ASC', limit: 100, offset: 0 } as const

let database: TestDatabase
let feed: EventFeed
let search: ClickhouseSearch
/** ClickHouse without PostgreSQL behind it. */
let alone: ClickhouseSearch

beforeAll(async () => {
  database = await testDatabase()
  await buildEventFixture(database.db, { events: EVENTS, now: TEST_NOW })
  feed = new EventFeed({ clickhouse, database, reads: primaryReads(database), logRetentionDays: 400, log })
  search = new ClickhouseSearch({ clickhouse, db: database.db, fallback: postgresSearch, log })
  const nothing: EventSearch = {
    ...postgresSearch,
    begin: () => {
      const fail = () => {
        throw new Error('ClickHouse did not answer.')
      }
      return { find: fail, each: fail, count: fail }
    },
  }
  alone = new ClickhouseSearch({ clickhouse, db: database.db, fallback: nothing, log })
})
beforeEach(loseEverything)
afterAll(async () => {
  await search.stop()
  await alone.stop()
  await feed.stop()
})

async function find(by = search.begin()): Promise<Found> {
  return inTransaction(database.db, (trx) => by.find(trx, everything, page), { isSnapshot: true })
}

/** Returns the ids that ClickHouse holds by itself, without the changes that a search lays over. */
async function stored(): Promise<number[]> {
  const rows = await ask<{ id: number }>('SELECT toUInt32(id) AS id FROM event_v2 FINAL ORDER BY id')
  return rows.map(({ id }) => id)
}

async function expectStoredIsPostgres(): Promise<void> {
  expect(await stored()).toEqual((await find(postgresSearch.begin())).ids)
}

async function deleteEvent(id: number): Promise<void> {
  await inTransaction(database.db, async (trx) => {
    await sql`INSERT INTO deleted_event (id) VALUES (${id})`.execute(trx)
    await sql`DELETE FROM service_event WHERE id = ${id}`.execute(trx)
  })
}

/** Returns the ids of an export. */
async function exported(by = alone.begin()): Promise<number[]> {
  const ids: number[] = []
  const read = async (trx: Trx) => {
    for await (const batch of by.each(trx, everything, page)) ids.push(...batch)
  }
  await inTransaction(database.db, read, { isSnapshot: true })
  return ids
}

async function touch(ids: readonly number[]): Promise<void> {
  await database.db.updateTable('service_event').set({ last_action_at: TEST_NOW }).where('id', 'in', ids).execute()
}

describe('the feed of events', () => {
  test('copies all at first, and then what changed', async () => {
    await feed.advance()
    await expectStoredIsPostgres()
    const [first = 0, second = 0] = await stored()
    await database.db.updateTable('service_event').set({ alert_status: 3 }).where('id', '=', first).execute()
    await feed.advance()
    const written = await ask<{ id: number; rows: number }>(
      `SELECT toUInt32(id) AS id, toUInt32(count()) AS rows FROM event_v2 WHERE id IN (${first}, ${second}) GROUP BY id ORDER BY id`,
    )
    // Only the changed one is written again.
    expect(written.find(({ id }) => id === second)?.rows).toBe(1)
    const [event] = await ask<{ status: number }>(
      `SELECT alert_status AS status FROM event_v2 FINAL WHERE id = ${first}`,
    )
    expect(event?.status).toBe(3)
  })

  test('writes the same events again without an effect', async () => {
    await feed.advance()
    const ids = await stored()
    await client.command({ query: 'TRUNCATE TABLE feed_v2' })
    // A round that was interrupted before its marker.
    await feed.advance()
    expect(await stored()).toEqual(ids)
    await touch(ids.slice(0, 5))
    await feed.advance()
    await feed.advance()
    expect(await stored()).toEqual(ids)
  })

  test('takes out deleted events', async () => {
    await feed.advance()
    const [id = 0] = await stored()
    await deleteEvent(id)
    await alone.look()
    // Also before the feed knows.
    expect((await find(alone.begin())).ids).toEqual((await find(postgresSearch.begin())).ids)
    await feed.advance()
    await expectStoredIsPostgres()
  })

  test('keeps one row of an event whose customer changes', async () => {
    await feed.advance()
    const [id = 0] = await stored()
    const { customer_id } = await database.db
      .selectFrom('service_event')
      .select('customer_id')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const other = await database.db
      .selectFrom('customer')
      .select('id')
      .where('id', '<>', customer_id)
      .executeTakeFirstOrThrow()
    // As an operator does who merges two customers by SQL.
    await database.db.updateTable('service_event').set({ customer_id: other.id }).where('id', '=', id).execute()
    await alone.look()
    const ofOther = () =>
      inTransaction(database.db, (trx) => alone.begin().find(trx, { ...everything, scope: [customer_id] }, page), {
        isSnapshot: true,
      })
    expect((await ofOther()).ids).not.toContain(id)
    await feed.advance()
    await alone.look()
    expect((await ofOther()).ids).not.toContain(id)
    await expectStoredIsPostgres()
    const rows = await ask<{ customer: number }>(`SELECT customer_id AS customer FROM event_v2 FINAL WHERE id = ${id}`)
    expect(rows).toEqual([{ customer: other.id }])
  })

  test('copies all changes of an hour in which ClickHouse was down, including deleted events', async () => {
    await feed.advance()
    const [id = 0, other = 0] = await stored()
    await client.command({ query: 'RENAME TABLE event_v2 TO away_event, feed_v2 TO away_feed' })
    await alone.look()
    expect(alone.state().isReady).toBe(false)
    await database.db.updateTable('service_event').set({ alert_status: 3 }).where('id', '=', other).execute()
    await deleteEvent(id)
    await client.command({ query: 'RENAME TABLE away_event TO event_v2, away_feed TO feed_v2' })
    await client.command({
      query: 'INSERT INTO feed_v2 SELECT * REPLACE (version + 1 AS version, at - 3600000 AS at) FROM feed_v2',
    })
    await alone.look()
    // An hour behind.
    expect(alone.state()).toMatchObject({ isReady: false })
    expect(alone.state().lagMs).toBeGreaterThanOrEqual(3_600_000)
    await feed.advance()
    await alone.look()
    expect(alone.state().isReady).toBe(true)
    await expectStoredIsPostgres()
    const [event] = await ask<{ status: number }>(
      `SELECT alert_status AS status FROM event_v2 FINAL WHERE id = ${other}`,
    )
    expect(event?.status).toBe(3)
  })

  test('fills a server that was started with an empty disk, and PostgreSQL answers until then', async () => {
    await feed.advance()
    await search.look()
    expect(search.state()).toMatchObject({ engine: 'clickhouse', isReady: true })
    const before = await find()
    await loseEverything()
    // The process does not know yet.
    expect((await find()).totals).toEqual(before.totals)
    await search.look()
    expect(search.state().isReady).toBe(false)
    expect((await find()).totals).toEqual(before.totals)
    await feed.advance()
    await search.look()
    expect(search.state().isReady).toBe(true)
    await expectStoredIsPostgres()
  })

  test('starts again for the events of another database', async () => {
    await feed.advance()
    await client.command({
      query: "INSERT INTO feed_v2 SELECT shard, step, version + 1000000, horizon + 1000000, at, 'other' FROM feed_v2",
    })
    await client.command({ query: 'INSERT INTO event_v2 SELECT * REPLACE (id + 1000000 AS id) FROM event_v2' })
    await client.command({ query: 'OPTIMIZE TABLE feed_v2 FINAL' })
    await search.look()
    expect(search.state().isReady).toBe(false)
    await feed.advance()
    await expectStoredIsPostgres()
  })

  test('is rebuilt by one command that says how far it is', async () => {
    await feed.advance()
    await client.command({ query: 'TRUNCATE TABLE event_v2' })
    const seen: number[] = []
    const count = await feed.rebuild((rows) => seen.push(rows))
    expect(count).toBe((await stored()).length)
    expect(seen.at(-1)).toBe(count)
    await expectStoredIsPostgres()
  })

  test('works in one process at a time', async () => {
    await feed.advance()
    const other = new EventFeed({ clickhouse, database, reads: primaryReads(database), logRetentionDays: 400, log })
    const ids = await stored()
    await touch(ids)
    await Promise.all([feed.advance(), other.advance()])
    await other.stop()
    const [written] = await ask<{ rows: number }>(
      'SELECT toUInt32(max(rows)) AS rows FROM (SELECT id, count() AS rows FROM event_v2 GROUP BY id)',
    )
    expect(written?.rows).toBeLessThanOrEqual(2)
    await expectStoredIsPostgres()
  })
})

describe('a search', () => {
  test('sees a change at once, before the feed does', async () => {
    await feed.advance()
    await alone.look()
    const before = await find(alone.begin())
    const [id = 0] = before.ids
    await database.db
      .updateTable('service_event')
      .set({ alert_status: 3, claimed_by: null })
      .where('alert_status', '<>', 3)
      .where('id', '<>', id)
      .execute()
    const after = await find(alone.begin())
    expect(after.asOf).toBeNull()
    expect(after.totals).toEqual((await find(postgresSearch.begin())).totals)
    expect(after.totals.noOwnerEvents + after.totals.noActionEvents).toBeLessThanOrEqual(1)
  })

  test('names its moment if more changed since than is laid over', async () => {
    await database.db.transaction().execute((trx) =>
      sql`INSERT INTO service_event (created_at, log_generated_at, alert_id, template_id, severity, alert_type, description,
          text_folded, instrument_id, site_id, customer_id, full_support, last_action_at, alert_status)
        SELECT e.created_at, e.log_generated_at, 'many-' || n, e.template_id, e.severity, e.alert_type, e.description,
          e.text_folded, e.instrument_id, e.site_id, e.customer_id, false, e.last_action_at, 3
        FROM (SELECT * FROM service_event WHERE instrument_id IS NOT NULL LIMIT 1) AS e, generate_series(1, 2500) AS n`.execute(
        trx,
      ),
    )
    await feed.advance()
    await alone.look()
    const exact = await find(alone.begin())
    expect(exact.asOf).toBeNull()
    await database.db.updateTable('service_event').set({ severity: 3, last_action_at: TEST_NOW }).execute()
    const found = await find(alone.begin())
    expect(found.asOf).toBeInstanceOf(Date)
    expect(Math.abs(Number(found.asOf) - Date.now())).toBeLessThan(60_000)
    expect(found.totals.events).toBe(exact.totals.events)
    expect(found.ids).toHaveLength(100)
    // The console is told so, and an export takes all changes in.
    const list = await listServiceEvents(
      { db: database.db, eventSearch: alone },
      {
        search: { filter: {}, flags: { noOwner: false, noAction: false, fullSupport: false } },
        scope: 'all',
        page,
        now: TEST_NOW,
      },
    )
    expect(list).toMatchObject({ asOf: found.asOf?.toISOString(), isDegraded: false })
    expect(await exported()).toEqual(await exported(postgresSearch.begin()))
    await feed.advance()
    await alone.look()
    expect((await find(alone.begin())).asOf).toBeNull()
  })
})
