import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { gatewayItems } from '../../testing/gateway-items.ts'
import { registerSampleFleet, type SampleFleet } from '../../testing/sample-fleet.ts'
import { addSamplePerson } from '../../testing/sample-people.ts'
import { type Caller, TEST_NOW, type TestApp, testApp } from '../../testing/test-app.ts'
import { type TestDatabase, testDatabase } from '../../testing/test-database.ts'

let database: TestDatabase
let app: TestApp
let fleet: SampleFleet
let admin: Caller
let adminId: number
let nordicAdmin: Caller
let lives = 0

beforeAll(async () => {
  database = await testDatabase()
  app = await testApp(database)
  fleet = await registerSampleFleet(database, TEST_NOW)
  adminId = await addSamplePerson(database, { login: 'admin@benchwatch.example', role: 'admin' })
  admin = await app.as(adminId)
  nordicAdmin = await app.as(
    await addSamplePerson(database, {
      login: 'nordic@benchwatch.example',
      role: 'admin',
      scope: [fleet.customers.nordic],
    }),
  )
})
afterAll(() => app.close())

let items: ReturnType<typeof gatewayItems>
beforeEach(() => {
  items = gatewayItems(`life-${++lives}`, TEST_NOW)
})

async function send(batch: readonly Record<string, unknown>[]) {
  const { key, name: gateway } = fleet.gateways.helix
  const caller = app.withHeaders({ authorization: `Bearer ${key}` })
  const { status, body } = await caller.call('ingestBatch', { params: { gateway }, body: batch as never })
  expect([status, body.rejected]).toEqual([200, []])
}

/** Signs in again, because a test moves the clock by weeks. */
async function helix() {
  const admin = await app.as(adminId)
  const { status, body } = await admin.call('getConnectedGateway', { params: { gateway: 'GW-UPP-01' } })
  expect(status).toBe(200)
  return body
}

const link = {
  name: 'skids',
  kind: 'mqtt',
  state: 'down',
  since: '2026-11-20T13:00:00.000Z',
  reason: 'No broker.',
  unmatched: 3,
  faulty: 1,
  lastFault: 'This is not JSON.',
}
const activity = {
  items: 17,
  lastItemAt: '2026-11-20T12:59:00.000Z',
  unmatchedNames: [{ field: 'topic', name: 'lab/door', count: 3, lastAt: '2026-11-20T12:58:00.000Z' }],
}

describe('the gateways of administration', () => {
  it('are listed with their last report, and found by site and customer', async () => {
    await send([items.heartbeat({ links: [{ ...link, ...activity }], version: '2.12.2', backlog: 4 })])
    const { body } = await admin.call('listConnectedGateways', { query: {} })
    expect(body).toEqual({
      total: 2,
      values: [
        expect.objectContaining({ name: 'GW-OSL-01', customer: 'Nordic Pharma', lastContactAt: null, version: null }),
        expect.objectContaining({
          name: 'GW-UPP-01',
          lastContactAt: TEST_NOW.toISOString(),
          version: '2.12.2',
          backlog: 4,
          sources: 1,
          sourcesDown: 1,
          unmatched: 3,
        }),
      ],
    })
    const found = await admin.call('listConnectedGateways', { query: { keyword: 'nordic oslo' } })
    expect(found.body.values.map(({ name }) => name)).toEqual(['GW-OSL-01'])
    const second = await admin.call('listConnectedGateways', { query: { limit: '1', offset: '1' } })
    expect([second.body.total, second.body.values.map(({ name }) => name)]).toEqual([2, ['GW-UPP-01']])
  })

  it('show each source with its link, its items and the names that no rule matched', async () => {
    await send([items.heartbeat({ links: [{ ...link, ...activity }] })])
    expect((await helix()).sources).toEqual([{ ...link, ...activity }])
  })

  it('show what an older gateway reports, and nothing else', async () => {
    await send([items.heartbeat({ links: [link], version: '2.12.2', backlog: 4 })])
    await send([items.heartbeat({ links: [link] })])
    const { version, backlog, sources } = await helix()
    expect([version, backlog]).toEqual([null, null])
    expect(sources).toEqual([{ ...link, items: null, lastItemAt: null, unmatchedNames: [] }])
  })

  it('refuse a heartbeat with more names than a source may report', async () => {
    const names = Array.from({ length: 51 }, (_, index) => ({ ...activity.unmatchedNames[0], name: `lab/${index}` }))
    const { key, name: gateway } = fleet.gateways.helix
    const { body } = await app.withHeaders({ authorization: `Bearer ${key}` }).call('ingestBatch', {
      params: { gateway },
      body: [items.heartbeat({ links: [{ ...link, ...activity, unmatchedNames: names }] })] as never,
    })
    expect(body.rejected).toMatchObject([{ code: 'bad-item' }])
  })

  it('exist only within the scope of an administrator', async () => {
    const { body } = await nordicAdmin.call('listConnectedGateways', { query: {} })
    expect([body.total, body.values.map(({ name }) => name)]).toEqual([1, ['GW-OSL-01']])
    for (const gateway of ['GW-UPP-01', 'GW-NONE']) {
      const { status, problem } = await nordicAdmin.call('getConnectedGateway', { params: { gateway } })
      expect([status, problem.code]).toEqual([404, 'not-found'])
    }
  })
})

describe('template ids that events have and the registry lacks', () => {
  it('are listed until a template is registered under them', async () => {
    await send([
      items.raised({
        templateId: 'BIO-Door_open',
        componentName: 'Door',
        description: 'Door open for 5 min',
        severity: 'low',
      }),
      items.raised({
        templateId: 'BIO-Door_open',
        componentName: 'Hatch',
        description: 'Hatch open',
        severity: 'medium',
      }),
      items.raised(),
    ])
    const missing = {
      instrumentType: 'AKTAPilot600',
      templateId: 'BIO-Door_open',
      count: 2,
      lastAt: TEST_NOW.toISOString(),
      severity: 'medium',
      description: 'Hatch open',
    }
    expect((await helix()).missingTemplates).toEqual([missing])
    const { status } = await admin.call('putEventTemplate', {
      params: { '*': 'AKTAPilot600/BIO-Door_open' },
      body: { severity: 'medium', description: 'Door open' },
    })
    expect(status).toBe(201)
    expect((await helix()).missingTemplates).toEqual([])
  })

  it('are forgotten 30 days after their last event', async () => {
    await send([items.raised({ templateId: 'BIO-Old', componentName: 'Old' })])
    expect((await helix()).missingTemplates).toHaveLength(1)
    app.clock.advance(31 * 86_400_000)
    expect((await helix()).missingTemplates).toEqual([])
    app.clock.advance(-31 * 86_400_000)
  })
})

describe('the parked items of a gateway', () => {
  it('are counted by reason, the one that occurred last first, until they are resolved', async () => {
    const { key, name: gateway } = fleet.gateways.helix
    const caller = app.withHeaders({ authorization: `Bearer ${key}` })
    const ingest = (batch: readonly Record<string, unknown>[]) =>
      caller.call('ingestBatch', { params: { gateway }, body: batch as never })
    const minute = () => app.clock.advance(60_000)
    const before = (await helix()).parked
    const unknown = { subject: 'IP-99999999' }
    minute()
    await ingest([items.status('ready', unknown), items.raised({}, unknown)])
    minute()
    const unread = items.raised({ alertType: 77 })
    await ingest([unread])
    const first = {
      code: 'unknown-instrument',
      reason: 'No instrument "IP-99999999" is registered. Register it, then try the item again in the back office.',
      count: 2,
      lastAt: new Date(app.clock.now().getTime() - 60_000).toISOString(),
    }
    const last = {
      code: 'bad-item',
      reason: 'data.alertType: Invalid option: expected one of 1|2',
      count: 1,
      lastAt: app.clock.now().toISOString(),
    }
    expect((await helix()).parked).toEqual([last, first, ...before])
    await ingest([{ ...unread, data: { ...(unread.data as object), alertType: 2 } }])
    expect((await helix()).parked).toEqual([first, ...before])
  })
})
