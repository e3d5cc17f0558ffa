import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { gatewayItems } from '../../testing/gateway-items.ts'
import { registerSampleFleet, type SampleFleet } from '../../testing/sample-fleet.ts'
import { addSamplePerson } from '../../testing/sample-people.ts'
import { type Caller, TEST_NOW, type TestApp, testApp } from '../../testing/test-app.ts'
import { testDatabase } from '../../testing/test-database.ts'

let server: TestApp
let fleet: SampleFleet
let helix: Caller
let nordic: Caller
let service: Caller

const FIRST = 'IP-20431187'
const hours = (count: number) => new Date(TEST_NOW.getTime() + count * 3_600_000).toISOString()

beforeAll(async () => {
  const database = await testDatabase()
  fleet = await registerSampleFleet(database, TEST_NOW)
  server = await testApp(database)
  const { customers } = fleet
  const person = async (login: string, customer: number) =>
    server.as(await addSamplePerson(database, { login, role: 'customer', scope: [customer] }))
  helix = await person('h@helixbio.example', customers.helix)
  nordic = await person('n@nordic.example', customers.nordic)
  service = await server.as(await addSamplePerson(database, { login: 'sven@benchwatch.example' }))
  const items = gatewayItems('runs', TEST_NOW)
  const alarm = (at: number) =>
    items.raised({ templateId: `P9B-${at + 9}`, logGeneratedAt: hours(at) }, { time: hours(at) })
  await ingest('helix', [
    items.status('ready', { time: hours(-9) }),
    items.status('method run', { time: hours(-8) }, 'Lot 7'),
    items.status('hold', { time: hours(-7) }, 'Lot 7'),
    items.status('disconnected', { time: hours(-6) }),
    items.status('wash', { time: hours(-5) }),
    items.status('method run', { time: hours(-3) }, 'Lot 8'),
    items.log([{ timestamp: hours(-7), message: 'within' }]),
    items.log([{ timestamp: hours(-4), message: 'between' }]),
    ...[-8, -6, -4, -2].map(alarm),
  ])
  const others = gatewayItems('runs', TEST_NOW, 'GW-OSL-01')
  const subject = 'IP-30000001'
  await ingest('nordic', [
    others.status('method run', { time: hours(-8), subject }, 'Lot 7'),
    others.raised({ logGeneratedAt: hours(-7) }, { time: hours(-7), subject }),
  ])
})
afterAll(() => server.close())

async function ingest(gateway: 'helix' | 'nordic', items: unknown[]): Promise<void> {
  const { name, key } = fleet.gateways[gateway]
  const { body } = await server
    .withHeaders({ authorization: `Bearer ${key}` })
    .call('ingestBatch', { params: { gateway: name }, body: items })
  expect(body).toMatchObject({ accepted: items.length, rejected: [] })
}

const found = async (caller: Caller, filter: Record<string, string[]>) =>
  (await caller.call('listServiceEvents', { query: { limit: '50' }, body: { filter } })).body.values.map(
    ({ alarm }) => alarm.run,
  )

describe('the events of a run', () => {
  it('are found by its id, ignoring case, and only in scope', async () => {
    expect(await found(helix, { run: ['LOT 7'] })).toEqual(['Lot 7', 'Lot 7'])
    expect(await found(nordic, { run: ['Lot 7'] })).toEqual(['Lot 7'])
    expect(await found(service, { run: ['Lot 7'] })).toHaveLength(3)
    expect(await found(service, { run: ['Lot 7'], enterpriseName: ['Nordic Pharma'] })).toHaveLength(1)
    expect(await found(nordic, { run: ['Lot 8'] })).toEqual([])
    expect(await found(helix, { 'run!': ['Lot 7'] })).toEqual(['Lot 8', null])
  })

  it('are counted and offered by id, newest first, and not those of another customer', async () => {
    const { body } = await helix.call('countFilterValues', { body: {} })
    const counts = body.values.find(({ key }) => key === 'run')?.counts
    expect(counts?.toSorted((a, b) => a.value.localeCompare(b.value))).toEqual([
      { value: 'Lot 7', events: 2 },
      { value: 'Lot 8', events: 1 },
    ])
    const offered = async (caller: Caller) =>
      (await caller.call('getMyFilters')).body.eventFilter.find(({ key }) => key === 'run')?.values
    expect(await offered(helix)).toEqual(['Lot 8', 'Lot 7'])
    expect(await offered(nordic)).toEqual(['Lot 7'])
  })

  it('are one export', async () => {
    const { body } = await helix.call('createExport', {
      body: { type: 'event', ids: [], mode: 'exclude', filter: { run: ['Lot 7'] }, details: 'FULL' },
    })
    expect(body.rows).toBe(2)
  })
})

describe('the runs of an instrument', () => {
  const timeline = async (caller: Caller, query: Record<string, string>, id = FIRST) =>
    (await caller.call('getInstrumentTimeline', { params: { id }, query })).body.runs

  it('are in its time line with their whole length, and the last one continues', async () => {
    const seventh = { run: 'Lot 7', from: hours(-8), to: hours(-5) }
    const eighth = { run: 'Lot 8', from: hours(-3), to: null }
    expect(await timeline(helix, { start: hours(-24), stop: hours(1) })).toEqual([seventh, eighth])
    expect(await timeline(helix, { start: hours(-7.5), stop: hours(-6.5) })).toEqual([seventh])
    expect(await timeline(helix, { start: hours(-6.5), stop: hours(-6) })).toEqual([seventh])
    expect(await timeline(helix, { start: hours(-5), stop: hours(-4) })).toEqual([])
    expect(await timeline(helix, { start: hours(-1), stop: hours(0) })).toEqual([eighth])
    expect(await timeline(helix, { start: hours(-24), stop: hours(-9) })).toEqual([])
  })

  it('are not there for another customer', async () => {
    const asked = { params: { id: FIRST }, query: {} }
    expect((await nordic.call('getInstrumentTimeline', asked)).status).toBe(404)
    const logs = { query: { instrumentInstalledProductId: FIRST } }
    expect((await nordic.call('listAvailableLogs', logs)).status).toBe(404)
  })

  it('include the current one, with its beginning', async () => {
    const { body } = await helix.call('getInstrument', { params: { id: FIRST } })
    expect(body).toMatchObject({ run: 'Lot 8', runSince: hours(-3) })
  })

  it('are offered with its logs, newest first, and a line belongs to one by its time', async () => {
    const query = { instrumentInstalledProductId: FIRST }
    const { runs } = (await helix.call('listAvailableLogs', { query })).body
    expect(runs.map(({ run }) => run)).toEqual(['Lot 8', 'Lot 7'])
    const span = { timeGreaterThan: runs[1]?.from, timeLessThan: runs[1]?.to ?? undefined }
    const lines = await helix.call('listInstrumentLogs', { query: { ...query, ...span, logType: 'VID' } as never })
    expect(lines.body.body.hits.hits.map(({ _source }) => _source.message)).toEqual(['within'])
  })
})
