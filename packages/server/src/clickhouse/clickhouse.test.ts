import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { inTransaction } from '../db/transaction.ts'
import type { Condition } from '../features/events/search/condition.ts'
import { toSql } from '../features/events/search/condition.ts'
import { postgresSearch } from '../features/events/search/postgres-search.ts'
import { createLog } from '../platform/log.ts'
import { buildEventFixture, everyEvent } from '../testing/event-fixture.ts'
import { appendSampleLines } from '../testing/log-lines.ts'
import { addSamplePerson } from '../testing/sample-people.ts'
import { switchFlag } from '../testing/switched-flags.ts'
import { type Caller, TEST_NOW, type TestApp, testApp } from '../testing/test-app.ts'
import { type TestDatabase, testDatabase } from '../testing/test-database.ts'
import { type Clickhouse, ClickhouseFault, compile, connectClickhouse, Literal, tabSeparated } from './clickhouse.ts'
import { ClickhouseSearch, dialect } from './clickhouse-search.ts'
import { readSource } from './event-feed.ts'
import { schemaStatements } from './schema.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await testDatabase()
  await buildEventFixture(database.db, { events: 20, now: TEST_NOW })
})

describe('the text of a question', () => {
  const textOf = (condition: Condition) => compile(database.db, sql`${toSql(condition, dialect)}`)

  test('contains numbers literally, and texts of users only as parameters', () => {
    expect(textOf({ is: 'containing', word: `it's 100% $1` })).toEqual({
      query: 'e.text_folded LIKE {p1:String}',
      query_params: { p1: `%it's 100\\% $1%` },
    })
    expect(textOf({ is: 'before', column: 'createdAt', at: new Date(1_700_000_000_123) }).query).toBe(
      '"e"."created_at" < 1700000000123',
    )
    expect(textOf({ is: 'idBetween', from: 1, to: 2 }).query).toBe('"e"."id" BETWEEN 1 AND 2')
  })

  test('finds events without an owner, and the system user, who is 0, as an owner', () => {
    expect(textOf({ is: 'withoutOwner' }).query).toBe('e.claimed_by < 0')
    expect(textOf({ is: 'anyOf', column: 'owner', values: [0, 7] }).query).toBe('("e"."claimed_by" IN (0, 7))')
    expect(textOf({ is: 'anyOf', column: 'site', values: [] }).query).toBe('("e"."site_id" IN ())')
  })

  test('compares an instrument together with its customer', () => {
    expect(textOf({ is: 'belongsNow', instruments: [3], customers: [9] }).query).toBe(
      `(bitShiftLeft(toUInt64(e.instrument_id), 32) + e.customer_id IN (${(3n << 32n) | 9n}))`,
    )
  })

  test('keeps texts of events apart from SQL', () => {
    const fresh = new Literal(tabSeparated([1, "a\tb\\ 'x' $1"]))
    expect(compile(database.db, sql`format(TSV, ${fresh})`).query).toBe(
      `format(TSV, '1\\ta\\\\tb\\\\\\\\ \\'x\\' $1\n')`.replace('1\\t', '1\t'),
    )
    expect(() => compile(database.db, sql`SELECT ${new Date()}`)).toThrow(TypeError)
  })
})

describe('the schema', () => {
  test('is the same for one node and for a cluster, where each shard is replicated', () => {
    const one = schemaStatements({ cluster: null, logRetentionDays: 400 })
    const many = schemaStatements({ cluster: 'lab', logRetentionDays: 400 })
    expect(one).toHaveLength(4)
    expect(many.filter((statement) => statement.includes('Distributed('))).toHaveLength(3)
    expect(many.every((statement) => statement.includes('ON CLUSTER lab'))).toBe(true)
    const columnsOf = (statements: string[]) =>
      statements.flatMap((statement) => /\((id UInt64.*)\) ENGINE = \w*ReplacingMergeTree/s.exec(statement)?.[1] ?? [])
    expect(columnsOf(one)).toHaveLength(2)
    expect(columnsOf(many)).toEqual(columnsOf(one))
    expect(many.join()).toContain('Distributed(lab, currentDatabase(), event_v2_local, customer_id)')
  })
})

/** A server that says how far the feed is, and does with searches what a test wants. */
describe('while ClickHouse', () => {
  const everything = everyEvent(TEST_NOW)
  let searches = 0
  let doWithSearches: (response: ServerResponse) => void
  let at: number
  let shards: number
  let source: string
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => {
      body += String(chunk)
    })
    request.on('end', () => {
      if (body.includes('feed_v2')) return response.end(JSON.stringify({ data: [[0, 1, 5, 5, at, source, shards]] }))
      searches += 1
      return doWithSearches(response)
    })
  })
  let search: ClickhouseSearch
  let clickhouse: Clickhouse

  beforeAll(async () => {
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    source = await readSource(database.db)
  })
  beforeEach(async () => {
    searches = 0
    at = Date.now()
    shards = 1
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    clickhouse = await connectClickhouse({ url, cluster: null }, { limitMs: 1000, pauseMs: 60_000 })
    search = new ClickhouseSearch({ clickhouse, db: database.db, fallback: postgresSearch, log: createLog('silent') })
  })
  afterEach(() => clickhouse.close())
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })

  const find = () => {
    const moment = search.begin()
    return inTransaction(database.db, (trx) => moment.find(trx, everything, null), { isSnapshot: true })
  }
  const ids = async () => {
    const moment = search.begin()
    return inTransaction(
      database.db,
      async (trx) => {
        const all: number[] = []
        for await (const batch of moment.each(trx, everything, { orderBy: 'eventId', order: 'ASC' })) all.push(...batch)
        return all
      },
      { isSnapshot: true },
    )
  }

  test('takes rows, the error that breaks them off is that of the side that made it', async () => {
    const client = await database.dedicatedClient()
    const copy = (query: string) => clickhouse.copy(client, { query, table: 'event_v2', columns: ['id'] })
    doWithSearches = (response) => response.end()
    await expect(copy('SELECT 1 / (200000 - n) FROM generate_series(1, 200000) AS n')).rejects.toMatchObject({
      code: '22012',
    })
    doWithSearches = (response) => response.writeHead(500).end('Code: 243. DB::Exception: Not enough space')
    await expect(copy('SELECT 1')).rejects.toThrow(ClickhouseFault)
    await client.end()
  })

  test.each<[string, (response: ServerResponse) => void]>([
    ['does not answer', () => undefined],
    ['answers an error', (response) => response.writeHead(500).end('Code: 241. DB::Exception: Memory limit exceeded')],
    ['breaks the connection', (response) => response.destroy()],
    ['answers nonsense', (response) => response.end('<html>')],
  ])('%s, PostgreSQL answers, and the next requests do not wait', async (_, what) => {
    doWithSearches = what
    await search.look()
    expect(search.state()).toMatchObject({ engine: 'clickhouse', isReady: true })
    expect((await find()).totals.events).toBe(20)
    expect(searches).toBe(1)
    expect(search.state().isReady).toBe(false)
    expect((await find()).totals.events).toBe(20)
    expect(searches).toBe(1)
  })

  test('fails, exports are read from PostgreSQL', async () => {
    doWithSearches = (response) => response.destroy()
    await search.look()
    expect(await ids()).toHaveLength(20)
    expect(searches).toBeGreaterThan(0)
  })

  test('lacks a shard, or has one that was started empty, PostgreSQL answers', async () => {
    shards = 2
    await search.look()
    expect(search.state().isReady).toBe(false)
    expect((await find()).totals.events).toBe(20)
    expect(searches).toBe(0)
  })

  test('is more than a minute behind, or belongs to another database, PostgreSQL answers', async () => {
    at = Date.now() - 61_000
    await search.look()
    expect(search.state().isReady).toBe(false)
    expect(search.state().lagMs).toBeGreaterThanOrEqual(61_000)
    at = Date.now()
    await search.look()
    expect(search.state().isReady).toBe(true)
    source = 'another'
    await search.look()
    expect(search.state().isReady).toBe(false)
    expect((await find()).totals.events).toBe(20)
    expect(searches).toBe(0)
  })
})

test('the product answers while its ClickHouse cannot be reached', async () => {
  const server = await testApp(database, { environment: { CLICKHOUSE_URL: 'http://127.0.0.1:9/benchwatch' } })
  try {
    const caller = await server.as(await addSamplePerson(database, { login: 'sven@benchwatch.example' }))
    const { status, body } = await caller.call('listServiceEvents', { query: {}, body: {} })
    expect(status).toBe(200)
    expect(body.total.events).toBe(20)
    // The console says that searches take longer, and that their results are complete.
    expect(body).toMatchObject({ asOf: null, isDegraded: true })
    const { body: map } = await caller.call('listEventLocations', { query: {}, body: {} })
    expect(map).toMatchObject({ asOf: null, isDegraded: true })
  } finally {
    await server.close()
  }
})

describe('while ClickHouse is away, log lines', () => {
  const url = 'http://127.0.0.1:9/benchwatch'
  const hoursAgo = (hours: number) => new Date(TEST_NOW.getTime() - hours * 3_600_000)
  let server: TestApp
  let caller: Caller
  let installedProductId: string

  beforeAll(async () => {
    server = await testApp(database, { environment: { CLICKHOUSE_URL: url } })
    await switchFlag(database, 'ALLOW_LOG_DELETE', { value: true })
    caller = await server.as(await addSamplePerson(database, { login: 'ada@benchwatch.example', role: 'admin' }))
    const instrument = await database.db
      .selectFrom('instrument')
      .select(['id', 'installed_product_id'])
      .orderBy('id')
      .executeTakeFirstOrThrow()
    installedProductId = instrument.installed_product_id
    const line = { instrumentId: instrument.id, timestamp: hoursAgo(1), message: 'young' }
    await appendSampleLines(database, [line], hoursAgo(1))
  })
  afterAll(() => server.close())

  const read = async (window: { timeGreaterThan?: string }) => {
    const query = { logType: 'VID' as const, instrumentInstalledProductId: installedProductId, ...window }
    const { status, body } = await caller.call('listInstrumentLogs', { query })
    expect(status).toBe(200)
    expect(body.body.hits.hits).toHaveLength(1)
    return body.completeFrom
  }

  test('have the time from which they are complete, unless only newer ones are requested', async () => {
    expect(await read({})).toBe(hoursAgo(48).toISOString())
    expect(await read({ timeGreaterThan: hoursAgo(49).toISOString() })).toBe(hoursAgo(48).toISOString())
    expect(await read({ timeGreaterThan: hoursAgo(48).toISOString() })).toBeNull()
    const { body } = await caller.call('listAvailableLogs', {
      query: { instrumentInstalledProductId: installedProductId },
    })
    expect(body.completeFrom).toBe(hoursAgo(48).toISOString())
  })

  test('that could not be moved yet count as complete', async () => {
    const { id: instrumentId } = await database.db
      .selectFrom('instrument')
      .select('id')
      .where('installed_product_id', '=', installedProductId)
      .executeTakeFirstOrThrow()
    const waiting = { instrumentId, logType: 'COMM' as const, timestamp: hoursAgo(60), message: 'waits' }
    await appendSampleLines(database, [waiting], hoursAgo(60))
    // Ids rise with the time of arrival.
    await database.db
      .updateTable('log_entry')
      .set({ received_at: hoursAgo(59) })
      .where('message', '=', 'young')
      .execute()
    expect(await read({})).toBe(hoursAgo(59).toISOString())
  })

  test('are deleted while they are young, and otherwise answered by 503', async () => {
    const [young] = await database.db.selectFrom('log_entry').select('id').where('message', '=', 'waits').execute()
    const missing = await caller.call('deleteLogEntry', { params: { id: String(young?.id) } })
    expect(missing.status).toBe(503)
    await database.db
      .updateTable('log_entry')
      .set({ received_at: hoursAgo(1) })
      .execute()
    expect((await caller.call('deleteLogEntry', { params: { id: String(young?.id) } })).status).toBe(204)
    expect((await caller.call('deleteLogEntry', { params: { id: '9999999' } })).status).toBe(503)
  })
})
