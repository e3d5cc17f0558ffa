import { beforeAll, expect, it } from 'vitest'
import { inTransaction } from '../../db/transaction.ts'
import { notifyingOn } from '../../testing/notifying-fixture.ts'
import { registerSampleFleet, type SampleFleet } from '../../testing/sample-fleet.ts'
import { TEST_NOW } from '../../testing/test-app.ts'
import { type TestDatabase, testDatabase } from '../../testing/test-database.ts'
import { waitingFor } from '../../testing/waiting-for-lock.ts'
import { raiseLostConnections, watchGateways } from './connections.service.ts'

/**
 * A gateway reports again while a job is about to raise the event about its silence. No background server watches
 * here.
 */

let database: TestDatabase
let fleet: SampleFleet
const longAgo = new Date(0)

beforeAll(async () => {
  database = await testDatabase()
  fleet = await registerSampleFleet(database, TEST_NOW)
})

it('a gateway that returns during the check raises no event', async () => {
  const { db } = database
  const context = notifyingOn(database)
  await db.insertInto('feature_flag').values({ key: 'EDGE_ISSUE_EVENT_CREATION', user_id: null, value: true }).execute()
  const lostAt = new Date(TEST_NOW.getTime() - 3_600_000)
  const seen = (last_seen_at: Date) =>
    db.updateTable('gateway').set({ last_seen_at }).where('id', '=', fleet.gateways.helix.id).execute()
  await seen(lostAt)
  await watchGateways(context, longAgo)
  await seen(TEST_NOW)
  const notifying = await inTransaction(db, async (trx) => {
    await watchGateways({ ...context, db: trx }, longAgo)
    const tell = raiseLostConnections(context, longAgo)
    await waitingFor(trx)
    return { tell }
  })
  await notifying.tell
  expect(await db.selectFrom('service_event').select('alert_source').execute()).toEqual([])
})
