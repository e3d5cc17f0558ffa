import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { UserActor } from '../../db/actor.ts'
import { inTransaction } from '../../db/transaction.ts'
import { notifyingOn } from '../../testing/notifying-fixture.ts'
import { registerSampleFleet, type SampleFleet } from '../../testing/sample-fleet.ts'
import { addSamplePerson } from '../../testing/sample-people.ts'
import { TEST_NOW } from '../../testing/test-app.ts'
import { type TestDatabase, testDatabase } from '../../testing/test-database.ts'
import { waitingFor } from '../../testing/waiting-for-lock.ts'
import { raiseLostConnections } from '../connections/connections.service.ts'
import { setInstrumentState } from './instrument-state.service.ts'

/** Sets statuses while a lost connection is about to be reported. No server reports on its own here. */

let database: TestDatabase
let fleet: SampleFleet
let caller: UserActor
const ipid = 'IP-20431187'

beforeAll(async () => {
  database = await testDatabase()
  fleet = await registerSampleFleet(database, TEST_NOW)
  const id = await addSamplePerson(database, { login: 's@benchwatch.example', role: 'support' })
  caller = { type: 'user', id, name: 'Sara Support', role: 'support', scope: 'all', sessionId: '' }
  await database.db
    .insertInto('feature_flag')
    .values({ key: 'INSTRUMENT_OFFLINE_EVENT_CREATION', user_id: null, value: true })
    .execute()
})

beforeEach(async () => {
  const { db } = database
  await db.deleteFrom('service_event').execute()
  const lostAt = new Date(TEST_NOW.getTime() - 3_600_000)
  await db
    .updateTable('instrument')
    .set({ status: 'disconnected', status_at: lostAt, orc_status: 'Disconnected', unknown_at: lostAt })
    .where('id', '=', fleet.instruments.first)
    .execute()
})

const events = () =>
  database.db.selectFrom('service_event').select(['alert_source', 'latched_count', 'cleared_at']).execute()

/** Sets statuses in a transaction that commits only once the task, which runs at the same moment, waits for it. */
async function setWhileReported(over: Partial<Parameters<typeof setInstrumentState>[1]['input']>): Promise<void> {
  const context = notifyingOn(database)
  const lost = { ipid, instrumentStatus: 'disconnected', orcStatus: 'Disconnected', createOfflineEvent: false } as const
  const notifying = await inTransaction(database.db, async (trx) => {
    await setInstrumentState({ ...context, db: trx }, { input: { ...lost, ...over }, caller })
    const tell = raiseLostConnections(context, new Date(0))
    await waitingFor(trx)
    return { tell }
  })
  await notifying.tell
}

describe('an instrument whose statuses are set while it is looked at', () => {
  it('raises no event where they say that it is connected', async () => {
    await setWhileReported({ instrumentStatus: 'ready', orcStatus: 'Connected' })
    expect(await events()).toEqual([])
  })

  it('raises one if the event is requested', async () => {
    await setWhileReported({ createOfflineEvent: true })
    expect(await events()).toEqual([{ alert_source: 'OFFLINE', latched_count: 0, cleared_at: null }])
  })

  it('raises one where they leave it disconnected', async () => {
    await setWhileReported({})
    expect(await events()).toEqual([{ alert_source: 'OFFLINE', latched_count: 0, cleared_at: null }])
  })
})
