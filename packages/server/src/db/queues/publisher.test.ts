import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../testing/test-database.ts'
import type { Trx } from '../connect.ts'
import { inTransaction } from '../transaction.ts'
import { announce } from './outbox.ts'
import { forgetPublished, publishedRange, publishWaiting, readPublished } from './publisher.ts'
import { QueuePosition, snapshotXid } from './queue-position.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await testDatabase()
})
beforeEach(async () => {
  await sql`DELETE FROM live_outbox`.execute(database.db)
  await sql`DELETE FROM live_message`.execute(database.db)
  await sql`UPDATE live_sequence SET last_seq = 0`.execute(database.db)
})

/** Publishes once; returns how many messages there were. */
async function publish(...given: Parameters<typeof publishWaiting>): Promise<number> {
  const published = await publishWaiting(...given)
  return published === null ? 0 : published.last - published.after
}

const message = { entity: 'user', action: 'update', property: 'session', payload: {} } as const
const announceTo = (...users: number[]) =>
  inTransaction(database.db, (trx) =>
    announce(
      trx,
      users.map((userId) => ({ audience: { userId }, message })),
    ),
  )
/** Returns how often this connection has scanned the whole queue, and how many entries of its index it has read. */
async function readSoFar(trx: Trx): Promise<{ scans: number; entries: number }> {
  const { rows } = await sql<{ scans: number; entries: number }>`
    SELECT pg_stat_get_xact_numscans('live_outbox'::regclass)::int AS scans,
      pg_stat_get_xact_tuples_returned('live_outbox_pkey'::regclass)::int AS entries`.execute(trx)
  return rows[0] as { scans: number; entries: number }
}
async function isBelowSnapshotXid(transaction: string): Promise<boolean> {
  const { rows } = await sql<{ isBelow: boolean }>`
    SELECT ${transaction}::xid8 < ${snapshotXid} AS "isBelow"`.execute(database.db)
  return rows[0]?.isBelow ?? false
}
const published = async (after = 0) =>
  (await readPublished(database.db, { after, limit: 10_000 })).map(({ seq, userId }) => [seq, userId])

test('waiting messages get the next numbers in their order, once', async () => {
  await announceTo(5, 6)
  await announceTo(7)
  expect(await publish(database.db)).toBe(3)
  expect(await publish(database.db)).toBe(0)
  expect(await published()).toEqual([
    [1, 5],
    [2, 6],
    [3, 7],
  ])
  const [first] = await readPublished(database.db, { after: 0, limit: 1 })
  expect(JSON.parse(first?.text ?? '')).toEqual({ seq: 1, ...message })
})

test('a transaction that commits late is numbered when it is there, after those that were seen', async () => {
  const [written, commit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const late = inTransaction(database.db, async (trx) => {
    await announce(trx, [{ audience: { userId: 1 }, message }])
    written.resolve()
    await commit.promise
  })
  await written.promise
  await announceTo(2)
  const position = new QueuePosition()
  expect(await publish(database.db, position)).toBe(1)
  expect(await publish(database.db, position)).toBe(0)
  commit.resolve()
  await late
  expect(await publish(database.db, position)).toBe(1)
  expect(await published()).toEqual([
    [1, 2],
    [2, 1],
  ])
})

test('the rows that were taken are not read again while an old snapshot keeps PostgreSQL from clearing them away', async () => {
  const reader = await database.dedicatedClient()
  const position = new QueuePosition()
  try {
    await reader.query('BEGIN ISOLATION LEVEL REPEATABLE READ')
    await reader.query('SELECT count(*) FROM customer')
    await announceTo(...Array.from({ length: 5000 }, (_, index) => index + 1))
    expect(await publish(database.db, position)).toBe(5000)
    // The snapshot xid is that of the whole server, and other test files have transactions in progress.
    const { rows } = await sql<{ last: string }>`SELECT pg_current_xact_id()::text AS last`.execute(database.db)
    await expect.poll(() => isBelowSnapshotXid(rows[0]?.last ?? '')).toBe(true)
    expect(await publish(database.db, position)).toBe(0)
    await announceTo(5, 6)
    await database.db.transaction().execute(async (trx) => {
      const before = await readSoFar(trx)
      expect(await publish(trx, position)).toBe(2)
      const after = await readSoFar(trx)
      expect(after.scans).toBe(before.scans)
      expect(after.entries - before.entries).toBeLessThan(100)
    })
  } finally {
    await reader.query('COMMIT')
    await reader.end()
  }
})

test('what a restore brought is taken, whatever transactions wrote it', async () => {
  await announceTo(1, 2)
  await sql`UPDATE live_outbox SET written_in = CASE user_id WHEN 1 THEN '0' ELSE '9999999999' END::xid8`.execute(
    database.db,
  )
  expect(await publish(database.db)).toBe(2)
})

test('two that publish at once, as after a change of leader, number every message once and leave no hole', async () => {
  const users = Array.from({ length: 200 }, (_, index) => index + 1)
  const writing = users.map((user) => announceTo(user))
  const counts: number[] = []
  for (let round = 0; round < 20; round += 1) {
    counts.push(...(await Promise.all([publish(database.db), publish(database.db)])))
  }
  await Promise.all(writing)
  counts.push(await publish(database.db))
  const rows = await published()
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(200)
  expect(rows.map(([seq]) => seq)).toEqual(users)
  expect(rows.map(([, user]) => user).sort((a, b) => Number(a) - Number(b))).toEqual(users)
})

test('messages are kept for 24 hours, and their numbers are never given again', async () => {
  await announceTo(1, 2)
  await publish(database.db)
  await sql`UPDATE live_message SET published_at = now() - interval '25 hours' WHERE seq = 1`.execute(database.db)
  await sql`UPDATE live_message SET published_at = now() - interval '23 hours' WHERE seq = 2`.execute(database.db)
  await forgetPublished(database.db)
  expect(await publishedRange(database.db)).toEqual({ last: 2, firstKept: 2 })
  await sql`DELETE FROM live_message`.execute(database.db)
  expect(await publishedRange(database.db)).toEqual({ last: 2, firstKept: 0 })
  await announceTo(3)
  await publish(database.db)
  expect(await published()).toEqual([[3, 3]])
})

test('after a failover a million numbers are left out, with or without messages, because consoles may have seen them', async () => {
  const failOver = () => sql`UPDATE live_sequence SET timeline = '0BEF0BEF'`.execute(database.db)
  await announceTo(1)
  await publish(database.db)
  await failOver()
  expect(await publishWaiting(database.db)).toEqual({ after: 1_000_001, last: 1_000_001 })
  expect(await publishWaiting(database.db)).toBeNull()
  await failOver()
  await announceTo(2)
  expect(await publishWaiting(database.db)).toEqual({ after: 2_000_001, last: 2_000_002 })
  expect(await published()).toEqual([
    [1, 1],
    [2_000_002, 2],
  ])
})
