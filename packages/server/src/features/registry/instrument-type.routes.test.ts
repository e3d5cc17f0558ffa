import { seededTypes } from '@benchwatch/samples/equipment/instrument-type'
import { aCustomer, aGateway, anInstrument, aSite, type Keyed } from '@benchwatch/samples/registry-objects'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readInstrumentTypes } from '../../db/instrument-type.ts'
import { gatewayItems } from '../../testing/gateway-items.ts'
import { addSamplePerson } from '../../testing/sample-people.ts'
import { type Caller, TEST_NOW, type TestApp, testApp } from '../../testing/test-app.ts'
import { testDatabase } from '../../testing/test-database.ts'
import { storeBatches } from '../ingest/ingest.service.ts'
import { readItems } from '../ingest/read-items.ts'

let server: TestApp
let admin: Caller
let owner: Caller
let stranger: Caller

const sent = <I>({ key, input: body }: Keyed<I>) => ({ params: { key }, body })
const freezers = { label: 'Freezers −86 °C', position: 250 }
const freezer = { label: 'ULT freezer', family: 'Freezers' }
const range = { from: '2026-11-01', to: '2026-11-20' }

beforeAll(async () => {
  server = await testApp(await testDatabase())
  admin = await server.as(await addSamplePerson(server.database, { login: 'admin@x.example', role: 'admin' }))
  await admin.call('putCustomer', sent(aCustomer()))
  await admin.call('putCustomer', sent(aCustomer({ key: 'other', name: 'Other' })))
  await admin.call('putSite', sent(aSite()))
  await admin.call('putGateway', sent(aGateway()))
  const customers = await server.database.db.selectFrom('customer').select(['id', 'key']).execute()
  const scopeOf = (wanted: string) => customers.filter(({ key }) => key === wanted).map(({ id }) => id)
  const person = (login: string, customer: string) =>
    addSamplePerson(server.database, { login, role: 'customer', scope: scopeOf(customer) })
  owner = await server.as(await person('owner@helix.example', 'helix-biologics'))
  stranger = await server.as(await person('stranger@other.example', 'other'))
})
afterAll(() => server.close())

it('an installation begins with the sixteen types and eleven families of the specification', async () => {
  const { families, types } = await readInstrumentTypes(server.database.db)
  expect(families).toEqual(seededTypes.families)
  const byKey = (a: { key: string }, b: { key: string }) => (a.key < b.key ? -1 : 1)
  expect(types.toSorted(byKey)).toEqual(seededTypes.types.toSorted(byKey))
})

describe('a type that an administrator adds', () => {
  it('is known to every user with its label, in the place of its family', async () => {
    expect((await admin.call('putInstrumentFamily', { params: { key: 'Freezers' }, body: freezers })).status).toBe(201)
    const put = await admin.call('putInstrumentType', { params: { key: 'ULT-Freezer' }, body: freezer })
    expect([put.status, put.body]).toEqual([201, { key: 'ULT-Freezer', ...freezer }])
    for (const caller of [owner, stranger]) {
      const { families, types } = (await caller.call('listInstrumentTypes')).body
      expect(families.map(({ key }) => key).slice(0, 4)).toEqual(['WAVE 25', 'ÄKTA avant', 'Freezers', 'ÄKTA pure'])
      expect(types).toContainEqual({ key: 'ULT-Freezer', ...freezer })
      const { status } = await caller.call('putInstrumentType', { params: { key: 'X' }, body: freezer })
      expect(status).toBe(403)
    }
  })

  it('is found by tab, filter and event once an instrument of it reports, but by nobody of another customer', async () => {
    const registered = anInstrument({ type: 'ULT-Freezer', contract: null, contact: null, itContact: null })
    expect((await admin.call('putInstrument', sent(registered))).status).toBe(201)
    const template = { severity: 'high', description: 'The chamber is too warm' } as const
    const key = 'ULT-Freezer/LADS-Temperature_high'
    expect((await admin.call('putEventTemplate', { params: { '*': key }, body: template })).status).toBe(201)
    const { id } = await server.database.db.selectFrom('gateway').select('id').executeTakeFirstOrThrow()
    const item = gatewayItems('life', TEST_NOW).raised({ templateId: 'LADS-Temperature_high' })
    const batch = { gateway: { type: 'gateway', id, name: 'GW-UPP-01' } as const, items: readItems([item]) }
    await storeBatches(server.database.db, { batches: [batch], now: TEST_NOW })

    for (const [caller, count] of [
      [owner, 1],
      [stranger, 0],
    ] as const) {
      expect((await caller.call('listInstrumentFamilies')).body).toEqual(count ? ['Freezers'] : [])
      const filters = (await caller.call('getMyFilters')).body.eventFilter
      expect(filters.find((one) => one.key === 'instrumentType')?.values).toEqual(count ? ['ULT-Freezer'] : [])
      const tab = await caller.call('listInstruments', { query: { instrumentFamily: 'Freezers' }, body: {} })
      expect(tab.body.total.instruments).toBe(count)
      const filter = { instrumentType: ['ult-freezer'] }
      const found = await caller.call('listInstruments', { query: {}, body: { filter } })
      expect(found.body.total.instruments).toBe(count)
      const events = await caller.call('listServiceEvents', { query: {}, body: { filter } })
      expect(events.body.values.map(({ alarm }) => [alarm.instrumentType, alarm.eisCode, alarm.errorCode])).toEqual(
        count ? [['ULT-Freezer', 'LADS', 'Temperature_high']] : [],
      )
      const others = await caller.call('listServiceEvents', {
        query: {},
        body: { filter: { 'instrumentType!': ['ULT-Freezer'] } },
      })
      expect(others.body.values).toEqual([])
    }
  })

  it('has its label and its family’s in the dashboard', async () => {
    const { dashboardEmbedUrl } = (await admin.call('getKpiDashboard', { params: { id: 'overview' } })).body
    const page = server.withHeaders({ authorization: `Bearer ${dashboardEmbedUrl.split('#token=')[1]}` })
    const rowsOf = async (measure: 'top-families' | 'top-errors') =>
      (await page.call('getKpiTable', { params: { measure }, query: range })).body.rows
    expect((await rowsOf('top-families')).flat()).toContain('Freezers −86 °C')
    expect((await rowsOf('top-errors')).flat()).toContain('ULT freezer')
  })

  it('cannot be deleted while it is in use, nor can its family', async () => {
    const refusals = [
      await admin.call('deleteInstrumentType', { params: { key: 'ULT-Freezer' } }),
      await admin.call('deleteInstrumentFamily', { params: { key: 'Freezers' } }),
    ]
    expect(refusals.map(({ status, problem }) => [status, problem.code, problem.ErrorBody])).toEqual([
      [409, 'in-use', 'The instrument type "ULT-Freezer" belongs to 1 instrument.'],
      [409, 'in-use', 'The instrument family "Freezers" belongs to 1 instrument type.'],
    ])
  })

  it('is deleted once nothing has it, which the audit log keeps', async () => {
    const key = 'Unused.Type_1'
    await admin.call('putInstrumentType', { params: { key }, body: freezer })
    expect((await admin.call('deleteInstrumentType', { params: { key } })).status).toBe(204)
    expect((await admin.call('deleteInstrumentType', { params: { key } })).status).toBe(404)
    const entries = await server.database.db
      .selectFrom('audit')
      .select(['action', 'old_value'])
      .where('entity_id', '=', `instrument-types/${key}`)
      .where('action', '=', 'deleted')
      .execute()
    expect(entries).toEqual([{ action: 'deleted', old_value: JSON.stringify(freezer) }])
  })
})

describe('the registry of types refuses', () => {
  it('a family that is not registered', async () => {
    const body = { label: 'X', family: 'Kettles' }
    const { status, problem } = await admin.call('putInstrumentType', { params: { key: 'X' }, body })
    expect([status, problem.code]).toEqual([400, 'unknown-reference'])
    const list = await admin.call('listInstruments', { query: { instrumentFamily: 'Kettles' }, body: {} })
    expect([list.status, list.problem.errors?.map(({ path }) => path)]).toEqual([400, ['query.instrumentFamily']])
  })

  it('a key that differs from another only in case, even within a file', async () => {
    const { status, problem } = await admin.call('putInstrumentType', {
      params: { key: 'aktapure' },
      body: { label: 'Pure', family: 'ÄKTA pure' },
    })
    expect([status, problem.ErrorBody]).toEqual([400, expect.stringContaining('"AKTAPure"')])
    const body = 'key,label,position\nWashers,Washers,7\nwashers,Washers,8\n'
    const headers = { 'content-type': 'text/csv' }
    const file = await admin.call('importRegistry', { query: { kind: 'instrument-families' }, body, headers })
    expect(file.body.errors.map(({ line }) => line)).toEqual([3])
  })

  it('a support e-mail template of a type that is not registered', async () => {
    const { status, problem } = await admin.call('putSupportEmailTemplate', {
      params: { '*': 'Kettle/P9B-1042' },
      body: {
        ...{ componentName: 'Pump', subject: 'S', body: 'B', troubleshooting: null },
        ...{ closesEvent: false, underReview: false },
      },
    })
    expect([status, problem.code]).toEqual([400, 'unknown-reference'])
  })
})

it('an administrator may rename a type, and every user reads the new label', async () => {
  const body = { label: 'ÄKTA pure 25', family: 'ÄKTA pure' }
  expect((await admin.call('putInstrumentType', { params: { key: 'AKTAPure' }, body })).status).toBe(200)
  expect((await owner.call('listInstrumentTypes')).body.types).toContainEqual({ key: 'AKTAPure', ...body })
})
