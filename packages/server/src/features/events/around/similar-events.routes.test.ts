import { aGateway } from '@benchwatch/samples/registry-objects'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { registerSampleFleet, type SampleFleet } from '../../../testing/sample-fleet.ts'
import { addSamplePerson } from '../../../testing/sample-people.ts'
import { type Caller, TEST_NOW, type TestApp, testApp } from '../../../testing/test-app.ts'
import { type TestDatabase, testDatabase } from '../../../testing/test-database.ts'
import type { NewServiceEvent } from '../change-record.ts'
import { insertServiceEvents } from '../events.store.ts'

const FIRST = 'IP-20431187'
const PRESSURE = 'P9B-1042'
const LAMP = 'UV-2001'

let database: TestDatabase
let app: TestApp
let fleet: SampleFleet
let engineer: Caller
let helix: Caller
let nordic: Caller
/** Event ids by the name that the tests give to each event. */
let ids: Record<string, string>

/** Returns the instant this many hours before the test's now. */
const ago = (hours: number) => new Date(TEST_NOW.getTime() - hours * 3_600_000)

beforeAll(async () => {
  database = await testDatabase()
  app = await testApp(database)
  fleet = await registerSampleFleet(database, TEST_NOW)
  const add = async (login: string, person: object) => app.as(await addSamplePerson(database, { login, ...person }))
  engineer = await add('engineer@benchwatch.example', { name: 'Ines Berg' })
  helix = await add('lab@helixbio.example', { role: 'customer', scope: [fleet.customers.helix] })
  nordic = await add('lab@nordic.example', { role: 'customer', scope: [fleet.customers.nordic] })
  const { first, second, nordic: other } = fleet.instruments
  const edge = { instrumentId: null, isEdgeIssue: true, alertSource: 'EDGE_ISSUE' }
  ids = await raise({
    'pressure 1 h': { instrumentId: first, templateId: PRESSURE, createdAt: ago(1) },
    'lamp 2 h': { instrumentId: first, templateId: LAMP, createdAt: ago(2) },
    'pressure 3 h': { instrumentId: first, templateId: PRESSURE, createdAt: ago(3) },
    'pressure 5 h': { instrumentId: first, templateId: PRESSURE, createdAt: ago(5) },
    'second 4 h': { instrumentId: second, templateId: PRESSURE, createdAt: ago(4) },
    'nordic 2.5 h': { instrumentId: other, templateId: PRESSURE, createdAt: ago(2.5) },
    'edge 1 h': { ...edge, templateId: 'EDGE-1', createdAt: ago(1) },
    'edge 6 h': { ...edge, templateId: 'EDGE-1', createdAt: ago(6) },
  })
})
afterAll(() => app.close())

async function raise(events: Record<string, Partial<NewServiceEvent>>): Promise<Record<string, string>> {
  const places = await database.db.selectFrom('instrument').select(['id', 'site_id', 'customer_id']).execute()
  const written = await insertServiceEvents(
    database.db,
    Object.entries(events).map(([name, event]) => {
      const place = places.find(({ id }) => id === (event.instrumentId ?? fleet.instruments.first))
      if (!place) throw new Error('There is no such instrument.')
      return {
        createdAt: TEST_NOW,
        logGeneratedAt: event.createdAt ?? TEST_NOW,
        clearedAt: TEST_NOW,
        alertId: name,
        templateId: PRESSURE,
        severity: 'high' as const,
        alertType: 1 as const,
        alertSource: 'INSTRUMENT',
        description: name,
        userMessage: null,
        instrumentId: null,
        componentId: null,
        gatewayId: event.instrumentId === fleet.instruments.nordic ? fleet.gateways.nordic.id : fleet.gateways.helix.id,
        siteId: place.site_id,
        customerId: place.customer_id,
        instrumentStatusAtEvent: null,
        fullSupport: false,
        ...event,
      }
    }),
  )
  return Object.fromEntries(Object.keys(events).map((name, index) => [name, String(written.get(index))]))
}

/** Returns the names of the events in the response, in order. */
async function similar(caller: Caller, query: object): Promise<string[]> {
  const answer = await caller.call('listSimilarEvents', { query: query as never })
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  const names = new Map(Object.entries(ids).map(([name, id]) => [id, name]))
  return answer.body.values.map(({ alarm }) => names.get(alarm.id) ?? alarm.description)
}

describe('similar events', () => {
  test('previous events are those of the instrument before the date, exclusive, the newest first', async () => {
    const query = { instrumentInstalledProductId: FIRST, date: ago(1) }
    expect(await similar(engineer, query)).toEqual(['lamp 2 h', 'pressure 3 h', 'pressure 5 h'])
    // The template is ignored unless the checkbox is on.
    expect(await similar(engineer, { ...query, templateId: PRESSURE })).toHaveLength(3)
    expect(await similar(engineer, { instrumentInstalledProductId: FIRST })).toHaveLength(4)
  })

  test("'This error only' sends thisEventOnly=true with templateId", async () => {
    const query = { instrumentInstalledProductId: FIRST, templateId: PRESSURE, thisEventOnly: true, date: ago(1) }
    expect(await similar(engineer, query)).toEqual(['pressure 3 h', 'pressure 5 h'])
  })

  test('recent similar events are those with the error on all instruments that the caller sees', async () => {
    const query = { templateId: PRESSURE, date: ago(1) }
    expect(await similar(engineer, query)).toEqual(['nordic 2.5 h', 'pressure 3 h', 'second 4 h', 'pressure 5 h'])
    expect(await similar(helix, query)).toEqual(['pressure 3 h', 'second 4 h', 'pressure 5 h'])
    expect(await similar(nordic, query)).toEqual(['nordic 2.5 h'])
  })

  test('another customer’s instrument is not found, as one that does not exist', async () => {
    const ask = (caller: Caller, instrumentInstalledProductId: string) =>
      caller.call('listSimilarEvents', { query: { instrumentInstalledProductId, date: ago(1) } as never })
    const foreign = await ask(nordic, FIRST)
    expect([foreign.status, foreign.problem.code]).toEqual([404, 'not-found'])
    const missing = await ask(engineer, 'IP-99999999')
    expect({ ...missing.problem, requestId: '' }).toEqual({ ...foreign.problem, requestId: '' })
  })

  test('an instrument in scope without earlier events has none', async () => {
    const longAgo = { instrumentInstalledProductId: FIRST, date: ago(24 * 365) }
    expect(await similar(engineer, longAgo)).toEqual([])
    expect(await similar(helix, longAgo)).toEqual([])
  })

  test('those of an edge issue are about its gateway', async () => {
    const gateway = aGateway().input.installedProductId
    expect(await similar(engineer, { instrumentInstalledProductId: gateway, date: ago(1) })).toEqual(['edge 6 h'])
    expect(await similar(engineer, { templateId: 'EDGE-1', date: ago(1) })).toEqual(['edge 6 h'])
  })

  test('as many as are asked for, 10 unless said otherwise', async () => {
    const many = Array.from({ length: 12 }, (_, n) => [`many ${n}`, { createdAt: ago(100 + n), templateId: 'M-1' }])
    const instrumentId = fleet.instruments.second
    await raise(Object.fromEntries(many.map(([name, event]) => [name, { ...(event as object), instrumentId }])))
    expect(await similar(engineer, { templateId: 'M-1' })).toEqual(Array.from({ length: 10 }, (_, n) => `many ${n}`))
    expect(await similar(engineer, { templateId: 'M-1', maxResultsQuantity: '2' })).toEqual(['many 0', 'many 1'])
    expect(await similar(engineer, { templateId: 'M-1', maxResultsQuantity: '50' })).toHaveLength(12)
  })

  test('a former customer still sees what an instrument raised while it was theirs, and nothing later', async () => {
    const { first, nordic: theirs } = fleet.instruments
    const now = await database.db
      .selectFrom('instrument')
      .selectAll()
      .where('id', '=', theirs)
      .executeTakeFirstOrThrow()
    const before = await database.db
      .selectFrom('instrument')
      .selectAll()
      .where('id', '=', first)
      .executeTakeFirstOrThrow()
    const move = ({ customer_id, site_id }: typeof now) =>
      database.db.updateTable('instrument').set({ customer_id, site_id }).where('id', '=', first).execute()
    await move(now)
    try {
      expect(await similar(helix, { instrumentInstalledProductId: FIRST, date: ago(1) })).toHaveLength(3)
      expect(await similar(helix, { instrumentInstalledProductId: FIRST, date: ago(24) })).toEqual([])
      expect(await similar(nordic, { instrumentInstalledProductId: FIRST })).toEqual([])
    } finally {
      await move(before)
    }
  })

  test.each([
    [{}],
    [{ thisEventOnly: 'true', instrumentInstalledProductId: FIRST }],
    [{ templateId: PRESSURE, maxResultsQuantity: '51' }],
    [{ templateId: PRESSURE, maxResultsQuantity: '0' }],
    [{ templateId: "' OR 1=1" }],
    [{ templateId: PRESSURE, date: 'yesterday' }],
    [{ templateId: PRESSURE, thisEventOnly: '1' }],
    [{ templateId: PRESSURE, unknown: 'x' }],
  ])('refuses %j', async (query) => {
    const answer = await engineer.call('listSimilarEvents', { query: query as never })
    expect([answer.status, answer.problem.code]).toEqual([400, 'validation-failed'])
  })
})
