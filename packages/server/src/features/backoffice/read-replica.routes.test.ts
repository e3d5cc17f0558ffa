import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectDatabase } from '../../db/connect.ts'
import { eventually } from '../../testing/eventually.ts'
import { addEvents } from '../../testing/many-events.ts'
import { REPLICA_START_MS, type StreamingReplica, startWithReplica } from '../../testing/postgres/streaming-replica.ts'
import { registerSampleFleet } from '../../testing/sample-fleet.ts'
import { addSamplePerson } from '../../testing/sample-people.ts'
import { type Caller, TEST_NOW, type TestApp, testApp } from '../../testing/test-app.ts'
import type { TestDatabase } from '../../testing/test-database.ts'

const TOKEN = 'a-token-for-prometheus'

let servers: StreamingReplica
let database: TestDatabase
let app: TestApp
let support: Caller
let instrumentId: number

beforeAll(async () => {
  servers = await startWithReplica()
  database = { ...(await connectDatabase({ connection: servers.primary, poolSize: 6 })), owner: servers.primary }
  instrumentId = (await registerSampleFleet(database, TEST_NOW)).instruments.first
  await database.db.insertInto('feature_flag').values({ key: 'BACKOFFICE', user_id: null, value: true }).execute()
  const environment = {
    DATABASE_URL: 'postgresql://primary/benchwatch',
    DATABASE_READ_URL: servers.url,
    METRICS_TOKEN: TOKEN,
    EVENT_INDEX: 'off',
  }
  app = await testApp(database, { environment })
  support = await app.as(await addSamplePerson(database, { login: 's@benchwatch.example', role: 'support' }))
}, REPLICA_START_MS)
afterAll(async () => {
  await app.close()
  await database.close()
  await servers.stop()
})

const state = async () => (await support.call('getReadReplica')).body

async function metrics(): Promise<string[]> {
  const { body } = await app.app.http.inject({
    method: 'GET',
    url: '/metrics',
    headers: { authorization: `Bearer ${TOKEN}` },
  })
  return body.split('\n').filter((line) => line.startsWith('benchwatch_read_replica'))
}

/** Adds an event and reads it at once: as a key figure, in the report of its instrument, and in a file. */
async function readNewEvent(): Promise<{ counted: number; reported: number; exported: number }> {
  await addEvents(database, { count: 1, instrumentId })
  const { body } = await support.call('getKpiDashboard', { params: { id: 'overview' } })
  const token = /#token=(.+)$/.exec(body.dashboardEmbedUrl)?.[1]
  const table = await app.withHeaders({ authorization: `Bearer ${token}` }).call('getKpiTable', {
    params: { measure: 'event-rate' },
    query: { from: '2026-11-01', to: '2026-11-20' } as never,
  })
  const query = { instrumentInstalledProductId: 'IP-20431187' }
  const report = await support.call('listFrequentEvents', { query })
  const started = await support.call('createExport', {
    query: {},
    body: { type: 'event', ids: [], mode: 'exclude', details: 'BASIC', filter: {} },
  })
  const file = await app.app.http.inject({ method: 'GET', url: started.body.url })
  return {
    counted: table.body.rows.reduce((sum, row) => sum + Number(row.at(-1)), 0),
    reported: Object.values(report.body).reduce((sum, { count }) => sum + count, 0),
    exported: file.body.trimEnd().split('\r\n').length - 1,
  }
}

test('key figures, reports and exports are read from the replica, with the newest event; without it, from the primary', async () => {
  expect(await state()).toEqual({ state: 'used', lagSeconds: expect.any(Number), maxLagSeconds: 10 })
  servers.asked()
  expect(await readNewEvent()).toEqual({ counted: 1, reported: 1, exported: 1 })
  const asked = servers.asked()
  expect(asked).toMatch(/COPY .*string_agg\(line/s)
  expect(asked).toContain('count(*) FILTER')
  expect(asked).toContain('template_id')
  // Measured every two seconds; a measure that takes too long on a busy machine makes the replica wait for the next.
  await eventually(async () =>
    expect(await metrics()).toEqual([
      'benchwatch_read_replica_ready 1',
      expect.stringMatching(/^benchwatch_read_replica_lag_seconds \d/),
    ]),
  )

  await servers.stopReplica()
  expect(await readNewEvent()).toEqual({ counted: 2, reported: 2, exported: 2 })
  await eventually(async () => expect(await state()).toEqual({ state: 'away', lagSeconds: null, maxLagSeconds: 10 }))
  expect(await metrics()).toEqual(['benchwatch_read_replica_ready 0'])

  await servers.startReplica()
  await eventually(async () => expect(await state()).toMatchObject({ state: 'used' }))
  // An export that ends, or a busy machine, is no reason to leave the replica.
  expect(app.logged().match(/long reads go to [^"]*/g)).toEqual([
    'long reads go to the replica',
    'long reads go to the primary, because the replica is away',
    'long reads go to the replica',
  ])
})
