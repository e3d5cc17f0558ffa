import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { EventFeed } from '../../packages/server/src/clickhouse/event-feed.ts'
import { connectDatabase, type DatabaseHandle } from '../../packages/server/src/db/connect.ts'
import { type LongReads, startLongReads } from '../../packages/server/src/db/replica/long-reads.ts'
import { createLog } from '../../packages/server/src/platform/log.ts'
import { eventually } from '../../packages/server/src/testing/eventually.ts'
import { addEvents } from '../../packages/server/src/testing/many-events.ts'
import {
  REPLICA_START_MS,
  type StreamingReplica,
  startWithReplica,
} from '../../packages/server/src/testing/postgres/streaming-replica.ts'
import { registerSampleFleet } from '../../packages/server/src/testing/sample-fleet.ts'
import { TEST_NOW } from '../../packages/server/src/testing/test-app.ts'
import { ask, clickhouse, loseEverything } from './engine.ts'

const log = createLog('silent')

let servers: StreamingReplica
let database: DatabaseHandle
let reads: LongReads
let feed: EventFeed
let instrumentId: number

beforeAll(async () => {
  servers = await startWithReplica()
  database = await connectDatabase({ connection: servers.primary, poolSize: 4 })
  instrumentId = (await registerSampleFleet(database, TEST_NOW)).instruments.first
  reads = await startLongReads({ database, replica: { url: servers.url, mostLagMs: 10_000 }, log })
  feed = new EventFeed({ clickhouse, database, reads, logRetentionDays: 400, log })
}, REPLICA_START_MS)
beforeEach(loseEverything)
afterAll(async () => {
  vi.restoreAllMocks()
  await feed.stop()
  await reads.stop()
  await database.close()
  await servers.stop()
})

interface Stored {
  id: number
  status: number
}

/** Adds ten events, closes one, and deletes one. */
async function change(): Promise<void> {
  const [closed = '', deleted = ''] = await addEvents(database, { count: 10, instrumentId })
  await database.db.updateTable('service_event').set({ alert_status: 3 }).where('id', '=', Number(closed)).execute()
  await database.db.transaction().execute(async (trx) => {
    await trx
      .insertInto('deleted_event')
      .values({ id: Number(deleted) })
      .execute()
    await trx.deleteFrom('service_event').where('id', '=', Number(deleted)).execute()
  })
}

/** The server of each copy since the last call: true for the replica. */
let copiedFromReplica: boolean[] = []

/** Does a round of the feed, which must end with each of so many events once, as it is on the primary. */
async function advance({ events }: { events: number }): Promise<boolean[]> {
  copiedFromReplica = []
  await feed.advance()
  const stored = await ask<Stored>(
    'SELECT toUInt32(id) AS id, toUInt32(alert_status) AS status FROM event_v2 FINAL ORDER BY id',
  )
  const written: Stored[] = await database.db
    .selectFrom('service_event')
    .orderBy('id')
    .select(['id', 'alert_status as status'])
    .execute()
  expect(written).toHaveLength(events)
  expect(stored).toEqual(written)
  return copiedFromReplica
}

test('events are read from the replica, and from the primary while it is down, each of them once', async () => {
  let whenBegun = () => Promise.resolve()
  const copy = clickhouse.copy.bind(clickhouse)
  vi.spyOn(clickhouse, 'copy').mockImplementation(async (client, input) => {
    const { rows } = await client.query<{ is: boolean }>('SELECT pg_is_in_recovery() AS is')
    copiedFromReplica.push(rows[0]?.is === true)
    await whenBegun()
    return copy(client, input)
  })
  await change()
  expect(await advance({ events: 9 })).toEqual([true])
  await change()
  expect(await advance({ events: 18 })).toEqual([true])

  await change()
  whenBegun = async () => {
    whenBegun = () => Promise.resolve()
    await servers.stopReplica()
  }
  expect(await advance({ events: 27 })).toEqual([true, false])
  await change()
  expect(await advance({ events: 36 })).toEqual([false])

  await change()
  await servers.startReplica()
  await eventually(() => expect(reads.replica()).toMatchObject({ isUsed: true }))
  expect(await advance({ events: 45 })).toEqual([true])
})
