import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventOrderBy } from '@benchwatch/contract/vocabulary'
import { type KyselyPlugin, sql } from 'kysely'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { connectClient, type Trx } from '../db/connect.ts'
import { readIdentity } from '../db/sql/database-identity.ts'
import type { EventOrder, EventSearch } from '../features/events/search/event-search.ts'
import { postgresSearch } from '../features/events/search/postgres-search.ts'
import { createLog } from '../platform/log.ts'
import { buildEventFixture, type EventFixture, everyEvent } from '../testing/event-fixture.ts'
import { eventually } from '../testing/eventually.ts'
import { type TestDatabase, testDatabase } from '../testing/test-database.ts'
import { indexedEvents } from './index-rows.queries.ts'
import { startEventIndex } from './index-search.ts'
import { readSnapshot, type Snapshot, writeSnapshot } from './snapshot-file.ts'

const NOW = new Date('2026-11-24T12:00:00Z')
const ROUND = { worthFrom: -1, saveFrom: 0 }
/** Never, as long as a test runs. */
const LATER = 3_600_000
const byTime = { orderBy: 'createdAt', order: 'DESC', limit: 100, offset: 0 } as const
const everything = everyEvent(NOW)

let database: TestDatabase
let fixture: EventFixture
let dataDir: string
const running: EventSearch[] = []
let lines: string[] = []

beforeAll(async () => {
  database = await testDatabase()
  fixture = await buildEventFixture(database.db, { events: 200, now: NOW })
  dataDir = mkdtempSync(join(tmpdir(), 'event-index-'))
  return () => rmSync(dataDir, { recursive: true })
})
afterEach(async () => {
  for (const index of running.splice(0)) await index.stop()
})

async function startIndex(over: Partial<Parameters<typeof startEventIndex>[0]> = {}): Promise<EventSearch> {
  lines = []
  const loaded = Promise.withResolvers<void>()
  const write = (line: string) => {
    const { msg } = JSON.parse(line) as { msg: string }
    lines.push(msg)
    if (/^the event index was (?:built from|read)/.test(msg)) loaded.resolve()
  }
  const log = createLog('info', { write })
  const index = startEventIndex({ database, dataDir, log, ...ROUND, advanceMs: LATER, saveMs: LATER, ...over })
  running.push(index)
  await loaded.promise
  expect(index.state()).toMatchObject({ engine: 'index', isReady: true })
  return index
}

function inSnapshot<T>(read: (trx: Trx) => Promise<T>): Promise<T> {
  return database.db.transaction().setIsolationLevel('repeatable read').execute(read)
}

async function expectSameAsPostgres(index: EventSearch, selection = everything): Promise<void> {
  const moment = index.begin()
  await inSnapshot(async (trx) => {
    const plain = postgresSearch.begin()
    const watched = trx.withPlugin(noScans)
    for (const orderBy of eventOrderBy) {
      const page = { ...byTime, orderBy, offset: 60 }
      expect(await moment.find(watched, selection, page), orderBy).toEqual(await plain.find(trx, selection, page))
      expect(await allOf(moment.each(watched, selection, page))).toEqual(await allOf(plain.each(trx, selection, page)))
    }
    const bySite = (places: { customerId: number; siteId: number }[]) =>
      places.toSorted((a, b) => a.customerId - b.customerId || a.siteId - b.siteId)
    const [found, wanted] = [await moment.find(watched, selection, null), await plain.find(trx, selection, null)]
    expect({ ...found, places: bySite(found.places) }).toEqual({ ...wanted, places: bySite(wanted.places) })
  })
}

/** Fails where PostgreSQL is asked for the events, so that it can not answer in place of the index. */
const noScans: KyselyPlugin = {
  transformQuery({ node }) {
    if (/MATERIALIZED|DECLARE/.test(JSON.stringify(node))) throw new Error('PostgreSQL was asked.')
    return node
  },
  transformResult: ({ result }) => Promise.resolve(result),
}

async function allOf(batches: AsyncIterable<readonly number[]>): Promise<number[]> {
  const ids: number[] = []
  for await (const batch of batches) ids.push(...batch)
  return ids
}

/** Changes everything that can change, and takes one event out. */
async function changeEvents(): Promise<void> {
  const { db } = database
  const change = (values: object, remainder: number) =>
    db.updateTable('service_event').set(values).where(sql<boolean>`id % 7 = ${remainder}`).execute()
  await change({ alert_status: 2, claimed_by: fixture.users[0]?.id ?? 0 }, 1)
  await change({ alert_status: 3, reason_closed: 2 }, 2)
  await change({ automatic_email_sent_at: NOW }, 3)
  await change({ full_support: sql`NOT full_support`, last_action_at: NOW }, 4)
  const [id] = fixture.eventIds.splice(10, 1) as [number]
  await db.deleteFrom('pending_notification').where('event_id', '=', id).execute()
  await db.deleteFrom('service_event').where('id', '=', id).execute()
  await db.insertInto('deleted_event').values({ id }).execute()
  await db.updateTable('site').set({ zip: sql`zip || '0'` }).where('key', '=', 'u2').execute()
}

test('the index answers as PostgreSQL does, also about changes that it has not taken over, and after it has', async () => {
  const waiting = await startIndex()
  await expectSameAsPostgres(waiting)
  await changeEvents()
  await expectSameAsPostgres(waiting)
  const advancing = await startIndex({ advanceMs: 20, dataDir: mkdtempSync(join(dataDir, 'other-')) })
  await changeEvents()
  await expect
    .poll(() =>
      inSnapshot((trx) => advancing.begin().find(trx, everything, byTime)).then(({ totals }) => totals.events),
    )
    .toBe(fixture.eventIds.length)
  await expectSameAsPostgresSoon(advancing)
})

/** The index may advance at any moment; then a search begins anew. */
async function expectSameAsPostgresSoon(index: EventSearch): Promise<void> {
  await expect
    .poll(() =>
      expectSameAsPostgres(index).then(
        () => 'same',
        (error: { code?: string }) => error.code ?? Promise.reject(error),
      ),
    )
    .toBe('same')
}

test('a search whose index advances after its transaction began has to start again', async () => {
  const index = await startIndex({ advanceMs: 20 })
  await inSnapshot(async (trx) => {
    const moment = index.begin()
    await sql`SELECT 1`.execute(trx)
    await database.db
      .updateTable('service_event')
      .set({ alert_status: 1 })
      .where('id', '=', fixture.eventIds[0] ?? 0)
      .execute()
    const code = () =>
      moment.find(trx, everything, byTime).then(
        () => 'found',
        (error: { code?: string }) => error.code,
      )
    await expect.poll(code).toBe('40001')
  })
})

test('a restart reads the saved file and later changes; another timeline rebuilds the index', async () => {
  const first = await startIndex()
  await changeEvents()
  await first.stop()
  await changeEvents()
  const second = await startIndex()
  expect(lines).toContain('the event index was read from its file')
  await expectSameAsPostgres(second)
  await second.stop()
  expect(readdirSync(dataDir).filter((name) => name.startsWith('event-index'))).toEqual(['event-index.bin'])
  // As after a failover.
  const file = join(dataDir, 'event-index.bin')
  const found = await readIdentity(database.db)
  const saved = readSnapshot(file, found) as Snapshot
  await writeSnapshot(file, { ...saved, identity: { ...found.identity, timeline: '00000009' } })
  const third = await startIndex()
  expect(lines).toContain('the event index is built anew, because its file belongs to another history of the database')
  await expectSameAsPostgres(third)
})

test('while a transaction delays the index, changes are added, and PostgreSQL answers if there are many', async () => {
  const index = await startIndex({ advanceMs: 20, mostChanges: 70 })
  const client = await connectClient(database.owner)
  await client.query('BEGIN; SELECT pg_current_xact_id()')
  const change = (remainder: number) =>
    database.db
      .updateTable('service_event')
      .set({ full_support: sql`NOT full_support` })
      .where(sql<boolean>`id % 7 = ${remainder}`)
      .execute()
  await change(0)
  // The index may still advance to the beginning of the transaction, as older ones in other databases end.
  await expectSameAsPostgresSoon(index)
  await change(1)
  await expectSameAsPostgresSoon(index)
  await change(2)
  const watched = () => inSnapshot((trx) => index.begin().find(trx.withPlugin(noScans), everything, byTime))
  await eventually(() => expect(watched()).rejects.toThrow('PostgreSQL was asked.'))
  await client.query('COMMIT')
  await client.end()
  await expectSameAsPostgresSoon(index)
})

test('a damaged file is replaced, and a failed write leaves the old file and the index as they are', async () => {
  const file = join(dataDir, 'event-index.bin')
  writeFileSync(file, 'benchwatch-index and nothing of it')
  const first = await startIndex()
  expect(lines).toContain('the event index is built anew, because its file is damaged')
  await first.stop()
  const saved = readFileSync(file)
  // Each write to this device fails as on a full disk.
  symlinkSync('/dev/full', `${file}.tmp`)
  const second = await startIndex({ advanceMs: 20, saveMs: 0 })
  await changeEvents()
  await expect.poll(() => lines.join()).toContain('the event index could not be saved')
  await expectSameAsPostgresSoon(second)
  await second.stop()
  expect(readFileSync(file).equals(saved)).toBe(false)
})

test('an index that loses its connection starts again, and the log says so', async () => {
  const index = await startIndex({ advanceMs: 20 })
  const client = await connectClient(database.owner)
  await client.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()`)
  await client.end()
  await expect
    .poll(() => lines)
    .toContain('the event index ended and will be started again; PostgreSQL answers meanwhile')
  await changeEvents()
  await expectSameAsPostgresSoon(index)
})

test('PostgreSQL answers where there are few events, where the index cannot be reached, and after it has ended', async () => {
  const small = startEventIndex({ database, dataDir, log: createLog('silent'), worthFrom: 1_000_000 })
  running.push(small)
  expect(small.state()).toEqual({ engine: 'postgres', isReady: true, lagMs: 0 })
  const index = await startIndex()
  const moment = index.begin()
  await index.stop()
  await inSnapshot(async (trx) => {
    expect((await moment.find(trx, everything, byTime)).totals.events).toBe(fixture.eventIds.length)
    expect(await allOf(moment.each(trx, everything, byTime as EventOrder))).toHaveLength(fixture.eventIds.length)
  })
})

/** Columns whose values never change for an event. */
const kept = new Set(
  'alert_type component_id created_at description gateway_id id instrument_id is_edge_issue severity text_folded'.split(
    ' ',
  ),
)

test('everything that can change about an event is marked as a change', async () => {
  const { rows } = await sql<{ name: string }>`
    SELECT a.attname AS name FROM pg_trigger AS t JOIN pg_attribute AS a ON a.attrelid = t.tgrelid AND a.attnum = ANY(t.tgattr)
    WHERE t.tgrelid = 'service_event'::regclass AND t.tgname = 'mark_event_change'`.execute(database.db)
  const marked = new Set<string | undefined>(rows.map(({ name }) => name))
  const { sql: query } = indexedEvents(database.db).compile()
  const read = new Set([...query.matchAll(/\be"?\."?(\w+)/g)].map(([, name]) => name))
  expect(read.difference(marked)).toEqual(kept)
})
