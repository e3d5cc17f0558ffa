import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { registerSampleFleet, type SampleFleet } from '../../../testing/sample-fleet.ts'
import { addSamplePerson } from '../../../testing/sample-people.ts'
import { type Caller, TEST_NOW, type TestApp, testApp } from '../../../testing/test-app.ts'
import { testDatabase } from '../../../testing/test-database.ts'

let server: TestApp
let fleet: SampleFleet
let service: Caller
let helix: Caller
let nordic: Caller

const query = { instrumentInstalledProductId: 'IP-20431187' }

beforeAll(async () => {
  const database = await testDatabase()
  fleet = await registerSampleFleet(database, TEST_NOW)
  server = await testApp(database)
  const { customers } = fleet
  service = await server.as(await addSamplePerson(database, { login: 'sven@benchwatch.example' }))
  helix = await server.as(
    await addSamplePerson(database, { login: 'h@helixbio.example', role: 'customer', scope: [customers.helix] }),
  )
  nordic = await server.as(
    await addSamplePerson(database, { login: 'n@nordic.example', role: 'customer', scope: [customers.nordic] }),
  )
  // One event of P9B-10, two of P9B-20 … six of P9B-60, each as many days old as their number. Seven of P9B-80 lie just
  // inside the 6 months, twenty of P9B-70 just outside.
  for (const [code, count, days] of [
    ...[1, 2, 3, 4, 5, 6].map((number) => [number, number, number] as const),
    [5.5, 4, 2],
    [8, 7, 180],
    [7, 20, 185],
  ] as const) {
    await sql`INSERT INTO service_event (created_at, log_generated_at, alert_id, template_id, severity, alert_type, alert_status,
        description, text_folded, instrument_id, site_id, customer_id, full_support, last_action_at)
      SELECT ${TEST_NOW}::timestamptz - ${days}::int * interval '1 day' + n * interval '1 second', ${TEST_NOW}, 'x', ${`P9B-${code * 10}`},
        1, 1, 3, '', '', i.id, i.site_id, i.customer_id, false, ${TEST_NOW}
      FROM generate_series(1, ${count}::int) AS n, instrument i WHERE i.id = ${fleet.instruments.first}`.execute(
      database.db,
    )
  }
})
afterAll(() => server.close())

it('the 5 most frequent errors of 6 months are in order of rank, each with its newest event', async () => {
  for (const caller of [service, helix]) {
    const { status, body } = await caller.call('listFrequentEvents', { query })
    expect(status).toBe(200)
    // P9B-40 and P9B-55 have four events each; P9B-55 was raised last.
    expect(Object.entries(body).map(([templateId, { count }]) => [templateId, count])).toEqual([
      ...[
        ['P9B-80', 7],
        ['P9B-60', 6],
        ['P9B-50', 5],
        ['P9B-55', 4],
        ['P9B-40', 4],
      ],
    ])
    const newest = new Date(TEST_NOW.getTime() - 6 * 86_400_000 + 6000).toISOString()
    expect(body['P9B-60']?.event).toMatchObject({ templateId: 'P9B-60', createdAt: newest })
  }
})

it('the 5 most recent events are in order, newest first', async () => {
  const { body } = await service.call('listRecentEvents', { query })
  expect(body.values.map(({ alarm }) => alarm.templateId)).toEqual(['P9B-10', 'P9B-55', 'P9B-55', 'P9B-55', 'P9B-20'])
})

it('neither exists for another customer', async () => {
  for (const name of ['listFrequentEvents', 'listRecentEvents'] as const) {
    expect(await nordic.call(name, { query })).toMatchObject({ status: 404, problem: { code: 'not-found' } })
    expect((await service.call(name, { query: { instrumentInstalledProductId: 'IP-99999999' } })).status).toBe(404)
    expect((await service.call(name, { query: {} as never })).status).toBe(400)
  }
})

it('an instrument without events has none', async () => {
  const other = { instrumentInstalledProductId: 'IP-20431188' }
  expect((await service.call('listFrequentEvents', { query: other })).body).toEqual({})
  expect((await service.call('listRecentEvents', { query: other })).body).toEqual({ values: [] })
})
