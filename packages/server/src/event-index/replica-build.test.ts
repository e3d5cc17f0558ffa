import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectDatabase, type DatabaseHandle } from '../db/connect.ts'
import { inTransaction } from '../db/transaction.ts'
import type { EventSearch } from '../features/events/search/event-search.ts'
import { postgresSearch } from '../features/events/search/postgres-search.ts'
import { createLog } from '../platform/log.ts'
import { buildEventFixture, everyEvent } from '../testing/event-fixture.ts'
import { REPLICA_START_MS, type StreamingReplica, startWithReplica } from '../testing/postgres/streaming-replica.ts'
import { startEventIndex } from './index-search.ts'

const NOW = new Date('2026-11-24T12:00:00Z')
const byTime = { orderBy: 'createdAt', order: 'DESC', limit: 1000, offset: 0 } as const
const open = { ...everyEvent(NOW), flags: { noOwner: true } }

let servers: StreamingReplica
let database: DatabaseHandle
let eventIds: number[]
let dataDir: string

beforeAll(async () => {
  servers = await startWithReplica()
  database = await connectDatabase({ connection: servers.primary, poolSize: 6 })
  eventIds = (await buildEventFixture(database.db, { events: 300, now: NOW })).eventIds
  dataDir = mkdtempSync(join(tmpdir(), 'event-index-'))
}, REPLICA_START_MS)
afterAll(async () => {
  rmSync(dataDir, { recursive: true })
  await database.close()
  await servers.stop()
})

/** Changes whether the event is in the list that `open` selects. */
async function change(db: Pick<DatabaseHandle['db'], 'updateTable'>, id: number, status: number): Promise<void> {
  await db.updateTable('service_event').set({ alert_status: status, claimed_by: null }).where('id', '=', id).execute()
}

test('an index that is built from the replica misses no change, not even one that commits after it was built', async () => {
  // Its transaction has an id before the copy begins, and commits after it.
  const [late = 0, ...others] = eventIds
  const mayCommit = Promise.withResolvers<void>()
  const hasWritten = Promise.withResolvers<void>()
  const lateOne = database.db.transaction().execute(async (trx) => {
    // The application ends transactions that pause.
    await sql`SET LOCAL idle_in_transaction_session_timeout = 0`.execute(trx)
    await change(trx, late, 3)
    hasWritten.resolve()
    await mayCommit.promise
  })
  await hasWritten.promise
  let isWriting = true
  const writer = (async () => {
    for (let round = 0; isWriting; round += 1) {
      await change(database.db, others[round % others.length] ?? 0, round % 2 ? 3 : 1)
    }
  })()

  const lines: string[] = []
  const log = createLog('info', { write: (line) => void lines.push((JSON.parse(line) as { msg: string }).msg) })
  const index = startEventIndex({
    database,
    replica: { url: servers.url, mostLagMs: 10_000 },
    dataDir,
    log,
    worthFrom: -1,
    advanceMs: 20,
  })
  try {
    await expect.poll(() => index.state()).toMatchObject({ engine: 'index', isReady: true })
    mayCommit.resolve()
    await lateOne
    isWriting = false
    await writer
    const search = (engine: EventSearch) =>
      inTransaction(database.db, (trx) => engine.begin().find(trx, open, byTime), { isSnapshot: true })
    const found = await search(index)
    expect(found).toEqual(await search(postgresSearch))
    expect(found.ids).not.toContain(late)
    expect(lines).toContain('the event index was built from the replica')
    expect(servers.asked()).toMatch(/COPY .*service_event/s)
  } finally {
    isWriting = false
    mayCommit.resolve()
    await index.stop()
  }
})
