import type { FeatureKey } from '@benchwatch/contract/vocabulary'
import { anInstrument, aSite } from '@benchwatch/samples/registry-objects'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DataScope } from '../../db/actor.ts'
import { inTransaction } from '../../db/transaction.ts'
import { registerSampleFleet, type SampleFleet } from '../../testing/sample-fleet.ts'
import { addSamplePerson } from '../../testing/sample-people.ts'
import { type Caller, TEST_NOW, type TestApp, testApp } from '../../testing/test-app.ts'
import { testDatabase } from '../../testing/test-database.ts'
import { upsertSites } from '../registry/customers.store.ts'
import { upsertInstruments } from '../registry/instruments.store.ts'
import { usageTasks } from './usage.jobs.ts'

let server: TestApp
let fleet: SampleFleet
let service: Caller
let helix: Caller
let nordic: Caller

const FIRST = 'IP-20431187'
const PUMP = 'Pump B (P9-B)'
const DAY_MS = 86_400_000
const daysAgo = (count: number) => new Date(TEST_NOW.getTime() - count * DAY_MS)
const dayText = (count: number) => daysAgo(count).toISOString().slice(0, 10)

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
  const { db } = database
  const order = { instrument_id: fleet.instruments.first, epoch: 1, sequence: 1 }
  const metric = (name: string, value: number | null, thresholdRule: string, thresholdValues: number[]) => ({
    metric: name,
    unit: 'strokes',
    value,
    thresholdRule,
    thresholdValues,
  })
  await db
    .insertInto('component_usage')
    .values({
      ...order,
      component_name: PUMP,
      sampled_at: daysAgo(0),
      usage: JSON.stringify([
        metric('Piston seal', 900, 'MAXIMUM_USAGE', [1000]),
        metric('Membrane', 20, 'COUNT_DOWN', [30, 7]),
        metric('Odd', null, 'UNKNOWN_THRESHOLD', []),
      ]),
      info: JSON.stringify([{ metric: 'Serial number', unit: null, value: 'P9-004711' }]),
      details: JSON.stringify([]),
    })
    .execute()
  await db
    .insertInto('component_usage_day')
    .values(
      Array.from({ length: 20 }, (_, index) => ({
        ...order,
        component_name: PUMP,
        metric: 'Piston seal',
        day: dayText(19 - index),
        value: 710 + index * 10,
      })),
    )
    .execute()
  await db
    .insertInto('runtime_day')
    .values([0, 1, 6, 7, 29, 30, 364, 365].map((ago) => ({ ...order, day: dayText(ago), seconds: ago })))
    .execute()
  await flags(['ASSET_USAGE', 'FETCH_INSTRUMENT_COMPONENTS', 'FETCH_INSTRUMENT_DAILY_RUNTIMES'], true)
})
afterAll(() => server.close())

async function flags(keys: readonly FeatureKey[], value: boolean): Promise<void> {
  for (const key of keys) {
    await server.database.db
      .insertInto('feature_flag')
      .values({ key, user_id: null, value })
      .onConflict((conflict) => conflict.columns(['key', 'user_id']).doUpdateSet({ value }))
      .execute()
  }
}

const components = (caller: Caller, query: object = {}, id = FIRST) =>
  caller.call('listComponentUsage', { params: { id }, query: query as never })
const history = (caller: Caller, query: object = {}, id = FIRST) =>
  caller.call('getUsageHistory', { params: { id }, query: { componentName: PUMP, metric: 'Piston seal', ...query } })
const runtimes = (caller: Caller, query: object = {}, id = FIRST) =>
  caller.call('listDailyRuntimes', { params: { id }, query: query as never })

describe('GET /instruments/components/{id}', () => {
  it('returns the use of each component with its rating', async () => {
    for (const [caller, id] of [
      [service, FIRST],
      [helix, String(fleet.instruments.first)],
    ] as const) {
      const { status, body } = await components(caller, { instrumentType: 'AKTAPilot600' }, id)
      expect(status).toBe(200)
      expect(body).toEqual([
        {
          componentName: PUMP,
          usage: [
            {
              metric: 'Piston seal',
              unit: 'strokes',
              value: 900,
              thresholdRule: 'MAXIMUM_USAGE',
              // 10 a day, 100 left.
              thresholdValues: [1000],
              usagePercentage: 90,
              usageColor: 'high',
              forecastDate: '2026-11-30',
            },
            {
              metric: 'Membrane',
              unit: 'strokes',
              value: 20,
              thresholdRule: 'COUNT_DOWN',
              thresholdValues: [30, 7],
              usagePercentage: null,
              usageColor: 'high',
              forecastDate: null,
            },
            {
              metric: 'Odd',
              unit: 'strokes',
              value: null,
              thresholdRule: 'UNKNOWN_THRESHOLD',
              thresholdValues: [],
              usagePercentage: null,
              usageColor: 'unknown',
              forecastDate: null,
            },
          ],
          info: [{ metric: 'Serial number', unit: null, value: 'P9-004711' }],
          details: [],
        },
      ])
    }
  })

  it('does not exist for another customer, nor as another type', async () => {
    expect(await components(nordic)).toMatchObject({ status: 404, problem: { code: 'not-found' } })
    expect((await components(service, { instrumentType: 'Wave25' })).status).toBe(404)
    expect((await components(service, { instrumentType: 'Unknown' })).status).toBe(404)
    expect((await components(service, { instrumentType: 'no type' })).status).toBe(400)
    expect((await components(service, {}, 'IP-20431188')).body).toEqual([])
  })

  it('needs both of its flags', async () => {
    for (const key of ['ASSET_USAGE', 'FETCH_INSTRUMENT_COMPONENTS'] as const) {
      await flags([key], false)
      expect(await components(service)).toMatchObject({ status: 403, problem: { code: 'feature-off' } })
      expect(await history(service)).toMatchObject({ status: 403, problem: { code: 'feature-off' } })
      await flags([key], true)
    }
    expect((await components(service)).status).toBe(200)
  })
})

describe('GET /instruments/components/{id}/history', () => {
  it('returns the basis of the forecast', async () => {
    const { status, body } = await history(helix)
    expect(status).toBe(200)
    expect(body).toMatchObject({ componentName: PUMP, metric: { forecastDate: '2026-11-30' }, resets: [] })
    expect(body.trend).toEqual({ from: dayText(19), days: 20, perDay: 10 })
    expect([body.values[0], body.values.at(-1)]).toEqual([
      { time: dayText(19), value: 710 },
      { time: dayText(0), value: 900 },
    ])
  })

  it('does not exist for another customer, nor of what is not counted', async () => {
    expect((await history(nordic)).status).toBe(404)
    expect((await history(service, { metric: 'Colour' })).status).toBe(404)
    expect((await history(service, { componentName: 'Pump C' })).status).toBe(404)
    expect((await history(service, { componentName: '' })).status).toBe(400)
  })
})

describe('GET /instruments/daily-runtimes/{id}', () => {
  const times = async (query: object) => (await runtimes(helix, query)).body.map(({ value }) => value)

  it('answers the last 7, 30 or 365 days, oldest first, and leaves days without data out', async () => {
    expect(await times({})).toEqual([6, 1, 0])
    expect(await times({ numberOfDays: '7' })).toEqual([6, 1, 0])
    expect(await times({ numberOfDays: '30' })).toEqual([29, 7, 6, 1, 0])
    expect(await times({ numberOfDays: '365' })).toEqual([364, 30, 29, 7, 6, 1, 0])
    expect((await runtimes(helix)).body.at(-1)).toEqual({ time: '2026-11-20', value: 0 })
  })

  it('refuses another number of days', async () => {
    for (const numberOfDays of ['8', '0', 'week', ''])
      expect((await runtimes(service, { numberOfDays })).status).toBe(400)
  })

  it('does not exist for another customer, and needs its flag', async () => {
    expect((await runtimes(nordic)).status).toBe(404)
    await flags(['FETCH_INSTRUMENT_DAILY_RUNTIMES'], false)
    expect(await runtimes(service)).toMatchObject({ status: 403, problem: { code: 'feature-off' } })
    await flags(['FETCH_INSTRUMENT_DAILY_RUNTIMES'], true)
  })
})

it('days of usage are forgotten after 400 days', async () => {
  const { database, clock } = server
  const { db } = database
  const row = { instrument_id: fleet.instruments.first, epoch: 1, sequence: 1, component_name: PUMP, value: 1 }
  await db
    .insertInto('component_usage_day')
    .values([400, 401, 402].map((ago) => ({ ...row, metric: 'Old', day: dayText(ago) })))
    .execute()
  const log = { info: () => undefined } as never
  for (const task of usageTasks({ db, clock, log })) await task.run()
  const kept = await db.selectFrom('component_usage_day').where('metric', '=', 'Old').select('day').execute()
  expect(kept).toEqual([{ day: dayText(400) }])
})

it('a customer does not see values from before the instrument moved to them', async () => {
  const moved = { site: 'nordic-pharma-oslo', gateway: 'GW-OSL-01', contract: null, contact: null }
  const at = new Date(TEST_NOW.getTime() + 60_000)
  await inTransaction(server.database.db, (trx) =>
    upsertInstruments(trx, { actor: { type: 'command', name: 'test' }, at }, [anInstrument(moved)]),
  )
  expect((await components(nordic)).body).toEqual([])
  expect((await history(nordic)).status).toBe(404)
  expect((await runtimes(nordic, { numberOfDays: '365' })).body).toEqual([])
  expect((await components(service)).body).toHaveLength(1)
})

it('a customer does not see the day of the arrival, which began earlier where the instrument came from', async () => {
  const { database, clock } = server
  const at = new Date('2026-11-21T03:00:00.000Z')
  const writing = { actor: { type: 'command', name: 'test' } as const, at }
  const [key, site] = ['IP-20431188', 'nordic-pharma-boston']
  const seconds = { instrument_id: fleet.instruments.second, epoch: 1, sequence: 1, seconds: 3600 }
  await database.db
    .insertInto('runtime_day')
    .values({ day: '2026-11-21', ...seconds })
    .execute()
  await inTransaction(database.db, async (trx) => {
    await upsertSites(trx, writing, [aSite({ key: site, customer: 'nordic-pharma', timeZone: 'America/New_York' })])
    const moved = anInstrument({ key, site, gateway: null, contract: null, contact: null })
    await upsertInstruments(trx, writing, [moved])
  })
  clock.set(new Date('2026-11-21T12:00:00.000Z'))
  const caller = async (login: string, scope: DataScope) => server.as(await addSamplePerson(database, { login, scope }))
  const ofNordic = await caller('boston@benchwatch.example', [fleet.customers.nordic])
  const ofAll = await caller('all@benchwatch.example', 'all')
  expect((await runtimes(ofAll, { numberOfDays: '7' }, key)).body).toEqual([{ time: '2026-11-21', value: 3600 }])
  expect((await runtimes(ofNordic, { numberOfDays: '7' }, key)).body).toEqual([])
})
