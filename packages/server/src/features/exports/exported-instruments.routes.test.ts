import { type Instrument, instrument } from '@benchwatch/contract/instruments/instruments'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildEventFixture, type EventFixture } from '../../testing/event-fixture.ts'
import { addSamplePerson } from '../../testing/sample-people.ts'
import { type Caller, TEST_NOW, type TestApp, testApp } from '../../testing/test-app.ts'
import { testDatabase } from '../../testing/test-database.ts'

let server: TestApp
let fixture: EventFixture
let service: Caller
let helix: Caller

beforeAll(async () => {
  const database = await testDatabase()
  fixture = await buildEventFixture(database.db, { events: 60, now: TEST_NOW })
  server = await testApp(database, { environment: { EXPORTS_PER_HOUR: '100' } })
  service = await server.as(await addSamplePerson(database, { login: 'sven@benchwatch.example' }))
  const scope = [fixture.customers[0]?.id ?? 0]
  helix = await server.as(await addSamplePerson(database, { login: 'h@helixbio.example', role: 'customer', scope }))
})
afterAll(() => server.close())

type Wanted = {
  query?: object
  ids?: string[]
  mode?: 'include' | 'exclude'
  details?: 'BASIC' | 'FULL'
  filter?: object
}

const ask = (caller: Caller, { query = {}, ids = [], mode = 'exclude', details = 'FULL', filter = {} }: Wanted) =>
  caller.call('createExport', { query: query as never, body: { type: 'instrument', ids, mode, details, filter } })

async function exported(caller: Caller, wanted: Wanted): Promise<{ name: string; rows: Record<string, string>[] }> {
  const { status, body } = await ask(caller, wanted)
  expect(status).toBe(200)
  const answer = await server.app.http.inject({ method: 'GET', url: body.url })
  expect(answer.statusCode).toBe(200)
  const rows: Record<string, string>[] = parse(answer.body, { columns: true, bom: true, recordDelimiter: '\r\n' })
  expect(rows).toHaveLength(body.rows)
  return { name: String(answer.headers['content-disposition']), rows }
}

async function listed(caller: Caller, query: object = {}, filter: object = {}): Promise<Instrument[]> {
  const { body } = await caller.call('listInstruments', {
    query: { limit: '100', ...query } as never,
    body: { filter },
  })
  return body.values
}

/** Formats a field of the wire as its cell. */
function cell(value: unknown): string {
  if (value === null || (Array.isArray(value) && value.length === 0)) return ''
  const text = String(value)
  return typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
}

describe('an export of instruments', () => {
  it('holds every field of what the list finds, in its order', async () => {
    for (const caller of [service, helix]) {
      const { name, rows } = await exported(caller, { query: { orderBy: 'instrumentCustomer', order: 'DESC' } })
      const instruments = await listed(caller, { orderBy: 'instrumentCustomer', order: 'DESC' })
      expect(instruments.length).toBeGreaterThan(1)
      expect(rows).toEqual(
        instruments.map((one) =>
          Object.fromEntries(
            Object.keys(instrument.omit({ openEventsBySeverity: true }).shape).map((field) => [
              field,
              cell(one[field as keyof Instrument]),
            ]),
          ),
        ),
      )
      expect(name).toBe('attachment; filename="benchwatch-instruments-2026-11-20.csv"')
    }
  })

  it('has the columns of the screen where they are enough', async () => {
    const { rows } = await exported(service, {
      details: 'BASIC',
      query: { instrumentFamily: 'ÄKTA pure', keyword: 'sweden' },
    })
    const instruments = await listed(service, { instrumentFamily: 'ÄKTA pure', keyword: 'sweden' })
    expect(rows).toEqual(
      instruments.map((one) => ({
        'System name': one.instrumentDefinedSystemName ?? '',
        Instrument: one.instrumentProductDescription,
        Status: one.instrumentStatus,
        'Installed product ID': one.instrumentInstalledProductId,
        Region: one.instrumentRegion ?? '',
        Location: [one.instrumentCity, one.instrumentCountry].filter(Boolean).join(', '),
        Customer: one.instrumentCustomer,
        'Last service': '',
        'Next service': '',
        'ORC status': one.orcStatus,
        Events: String(one.eventCount),
      })),
    )
  })

  it('tells of maintenance as JSON', async () => {
    const [one] = await listed(service)
    const id = one?.id ?? ''
    // Uses the clock of the database, so the window lasts for years.
    const window = { start: TEST_NOW.toISOString(), end: '2100-01-01T00:00:00.000Z', reason: 'Seals' }
    expect((await service.call('setMaintenance', { query: { instrumentId: id }, body: window })).status).toBe(200)
    const { rows } = await exported(service, { mode: 'include', ids: [id] })
    const [told] = JSON.parse(rows[0]?.['maintenances'] ?? '') as { start: string; end: string; reason: string }[]
    expect([Date.parse(told?.start ?? ''), told?.reason]).toEqual([TEST_NOW.getTime(), 'Seals'])
  })

  it('includes these ids alone, or excludes them, and never one of another customer', async () => {
    const everything = await listed(service)
    const own = await listed(helix)
    const ids = everything.slice(0, 9).map(({ id }) => id)
    const exportedIds = async (caller: Caller, wanted: Wanted) =>
      (await exported(caller, wanted)).rows.map(({ id }) => id)
    expect(await exportedIds(service, { mode: 'include', ids, query: { keyword: 'nothing' } })).toEqual(ids)
    expect(await exportedIds(service, { ids })).toEqual(everything.slice(9).map(({ id }) => id))
    expect(await exportedIds(helix, { mode: 'include', ids: everything.map(({ id }) => id) })).toEqual(
      own.map(({ id }) => id),
    )
    expect(await exportedIds(service, { filter: { qualifiedSystem: ['true'] } })).toEqual(
      everything.filter(({ qualifiedSystem }) => qualifiedSystem).map(({ id }) => id),
    )
  })

  it.each([
    ['an order of events', { query: { orderBy: 'createdAt' } }],
    ['a flag of events', { query: { noOwnerEvents: 'true' } }],
    ['a filter of events', { filter: { severity: ['high'] } }],
  ])('refuses %s', async (_name, wanted) => expect((await ask(service, wanted)).status).toBe(400))

  it('of events refuses what only instruments have', async () => {
    for (const query of [{ instrumentFamily: 'ÄKTA pure' }, { orderBy: 'orcStatus' }]) {
      const body = { type: 'event' as const, ids: [], mode: 'exclude' as const, details: 'BASIC' as const }
      expect((await service.call('createExport', { query: query as never, body })).status).toBe(400)
    }
  })
})
