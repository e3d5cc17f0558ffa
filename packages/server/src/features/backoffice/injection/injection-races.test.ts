import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { connectClient } from '../../../db/connect.ts'
import { inTransaction } from '../../../db/transaction.ts'
import { fixedClock } from '../../../platform/clock.ts'
import { createLog } from '../../../platform/log.ts'
import { registerSampleFleet, type SampleFleet } from '../../../testing/sample-fleet.ts'
import { TEST_NOW } from '../../../testing/test-app.ts'
import { type TestDatabase, testDatabase } from '../../../testing/test-database.ts'
import { waitingFor } from '../../../testing/waiting-for-lock.ts'
import { lockInstruments } from '../../ingest/inbox.store.ts'
import { followTests } from './injection.service.ts'

/**
 * Tests of the alarm chain with several servers, or with a server that is killed. No server here follows tests by
 * itself.
 */

let database: TestDatabase
let fleet: SampleFleet

beforeAll(async () => {
  database = await testDatabase()
  fleet = await registerSampleFleet(database, TEST_NOW)
})

beforeEach(async () => {
  const { db } = database
  for (const table of ['alarm_test', 'service_event', 'taken_number'] as const) await db.deleteFrom(table).execute()
  await db
    .insertInto('alarm_test')
    .values({
      gateway_id: fleet.gateways.helix.id,
      instrument_id: fleet.instruments.first,
      ordered_at: TEST_NOW,
      raised_at: new Date(TEST_NOW.getTime() - 600_000),
      after_seq: 0,
    })
    .execute()
})

const follow = () => {
  const { db, intake } = database
  return followTests({ db, intake, clock: fixedClock(TEST_NOW), log: createLog('silent') })
}
const results = async () =>
  (await database.db.selectFrom('alarm_test').select('result').execute()).map(({ result }) => result)
const alarms = async () =>
  (await database.db.selectFrom('service_event').select(['template_id', 'latched_count']).execute()).map(
    ({ template_id, latched_count }) => [template_id, latched_count],
  )

async function cut(pids: readonly number[]): Promise<void> {
  const administrator = await connectClient(database.owner)
  await administrator.query('SELECT pg_terminate_backend(pid) FROM unnest($1::int[]) AS pid', [pids])
  await administrator.end()
}

describe('a test that went missing', () => {
  it('is not recorded as missing by a server that dies before it raises the alarm', async () => {
    await inTransaction(database.db, async (trx) => {
      await lockInstruments(trx, ['IP-20431187'])
      const dying = follow()
      await cut(await waitingFor(trx))
      await dying
    })
    expect([await results(), await alarms()]).toEqual([['waiting'], []])
    await follow()
    expect([await results(), await alarms()]).toEqual([['missing'], [['TEST-1002', 0]]])
  })

  it('raises one alarm, however many servers find it missing at once', async () => {
    await Promise.all([follow(), follow(), follow()])
    expect([await results(), await alarms()]).toEqual([['missing'], [['TEST-1002', 0]]])
  })

  it('is ended without one where its instrument is behind another gateway by now', async () => {
    const behind = (gateway_id: number) =>
      database.db.updateTable('instrument').set({ gateway_id }).where('id', '=', fleet.instruments.first).execute()
    await behind(fleet.gateways.nordic.id)
    await follow()
    expect([await results(), await alarms()]).toEqual([['missing'], []])
    await behind(fleet.gateways.helix.id)
  })
})
