import { eventFilterCategories, featureKeys, instrumentFilterCategories } from '@benchwatch/contract/vocabulary'
import { anInstrument, aSite } from '@benchwatch/samples/registry-objects'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inTransaction } from '../../db/transaction.ts'
import { registerSampleFleet, type SampleFleet } from '../../testing/sample-fleet.ts'
import { addSamplePerson } from '../../testing/sample-people.ts'
import { switchFlag } from '../../testing/switched-flags.ts'
import { type Caller, TEST_NOW, type TestApp, testApp } from '../../testing/test-app.ts'
import { type TestDatabase, testDatabase } from '../../testing/test-database.ts'
import { upsertSites } from '../registry/customers.store.ts'
import { upsertInstruments } from '../registry/instruments.store.ts'
import { findAssignable } from './users.lookup.ts'

let database: TestDatabase
let app: TestApp
let fleet: SampleFleet
const ids = { support: 0, engineer: 0, regional: 0, helix: 0, both: 0, nordic: 0, unnamed: 0, left: 0, southern: 0 }

beforeAll(async () => {
  database = await testDatabase()
  app = await testApp(database)
  fleet = await registerSampleFleet(database, TEST_NOW)
  const { helix, nordic } = fleet.customers
  const add = (login: string, person: object) => addSamplePerson(database, { login, ...person })
  ids.support = await add('support@benchwatch.example', { name: 'Sven Åberg', role: 'support', msisdn: '+46701234567' })
  ids.engineer = await add('engineer@benchwatch.example', { name: 'Ines Berg', msisdn: '+46707654321' })
  ids.regional = await add('regional@benchwatch.example', { name: 'Øystein Dahl', scope: [nordic] })
  ids.southern = await add('southern@benchwatch.example', { name: 'Sara Syd', scope: [helix] })
  ids.helix = await add('lab@helixbio.example', {
    name: 'Hanna Lind',
    role: 'customer',
    scope: [helix],
    msisdn: '+46700000001',
  })
  ids.both = await add('both@helixbio.example', { name: 'Bo Both', role: 'customer', scope: [helix, nordic] })
  ids.nordic = await add('lab@nordic.example', { name: 'Nora Nord', role: 'customer', scope: [nordic] })
  ids.unnamed = await add('unnamed@benchwatch.example', { name: null, role: 'admin' })
  ids.left = await add('left@benchwatch.example', { name: 'Lars Left' })
  await database.db.updateTable('app_user').set({ disabled_at: TEST_NOW }).where('id', '=', ids.left).execute()
})
afterAll(() => app.close())

async function namesFor(who: keyof typeof ids): Promise<string[]> {
  const { body } = await (await app.as(ids[who])).call('listUsers')
  return body.map(({ name }) => name)
}

describe('GET /users', () => {
  test('lists users who may be assigned, by name, without the system marker and disabled users', async () => {
    expect(await namesFor('support')).toEqual([
      '(No name configured)',
      'Bo Both',
      'Hanna Lind',
      'Ines Berg',
      'Nora Nord',
      'Øystein Dahl',
      'Sara Syd',
      'Sven Åberg',
    ])
  })

  test('holds only users of its own customers for a customer', async () => {
    expect(await namesFor('helix')).toEqual(['Bo Both', 'Hanna Lind'])
    expect(await namesFor('nordic')).toEqual(['Bo Both', 'Nora Nord'])
    expect(await namesFor('both')).toEqual(['Bo Both', 'Hanna Lind', 'Nora Nord'])
  })

  test('lists for a field engineer with a limited scope users who see one of their customers', async () => {
    // Neither Hanna Lind nor the colleague who only serves her customer.
    expect(await namesFor('regional')).toEqual([
      '(No name configured)',
      'Bo Both',
      'Ines Berg',
      'Nora Nord',
      'Øystein Dahl',
      'Sven Åberg',
    ])
  })

  test('shows addresses and numbers to support and administrators, and to others only their own', async () => {
    const { body: seen } = await (await app.as(ids.support)).call('listUsers')
    expect(seen.find(({ name }) => name === 'Hanna Lind')).toEqual({
      id: String(ids.helix),
      name: 'Hanna Lind',
      email: 'lab@helixbio.example',
      msisdn: '+46700000001',
    })
    const { body: own } = await (await app.as(ids.helix)).call('listUsers')
    expect(own).toEqual([
      { id: String(ids.both), name: 'Bo Both', email: null, msisdn: null },
      { id: String(ids.helix), name: 'Hanna Lind', email: 'lab@helixbio.example', msisdn: '+46700000001' },
    ])
  })
})

describe('whom a caller may assign to', () => {
  const find = async (role: 'customer' | 'service', scope: 'all' | number[], userId: string) =>
    findAssignable(database.db, { caller: { role, scope }, userId })

  test('is told with the scope of the user', async () => {
    const { helix, nordic } = fleet.customers
    expect(await find('service', 'all', String(ids.engineer))).toEqual({
      id: ids.engineer,
      name: 'Ines Berg',
      scope: 'all',
    })
    expect(await find('service', 'all', String(ids.both))).toMatchObject({ scope: [helix, nordic] })
    expect(await find('customer', [helix], String(ids.helix))).toMatchObject({ id: ids.helix, scope: [helix] })
  })

  test('is nobody outside the caller’s list, disabled, automatic, or that does not exist', async () => {
    expect(await find('customer', [fleet.customers.helix], String(ids.nordic))).toBeUndefined()
    expect(await find('customer', [fleet.customers.helix], String(ids.engineer))).toBeUndefined()
    expect(await find('customer', [], String(ids.helix))).toBeUndefined()
    for (const id of [String(ids.left), '0', 'SYSTEM', '', '999999999', '9'.repeat(18), '1 OR 1=1']) {
      expect(await find('service', 'all', id)).toBeUndefined()
    }
  })
})

describe('GET /users/me', () => {
  test('returns the caller, their customers, and when a session ends', async () => {
    expect((await (await app.as(ids.both)).call('getMe')).body).toEqual({
      id: String(ids.both),
      name: 'Bo Both',
      email: 'both@helixbio.example',
      msisdn: null,
      role: 'customer',
      customers: ['Helix Biologics', 'Nordic Pharma'],
      inactivityLimitSeconds: 14_400,
    })
    expect((await (await app.as(ids.support)).call('getMe')).body.customers).toBeNull()
  })

  test('follows a changed scope at the next call', async () => {
    const id = await addSamplePerson(database, {
      login: 'moves@helixbio.example',
      role: 'customer',
      scope: [fleet.customers.helix],
    })
    const caller = await app.as(id)
    expect((await caller.call('getMe')).body.customers).toEqual(['Helix Biologics'])
    await database.db
      .updateTable('user_customer')
      .set({ customer_id: fleet.customers.nordic })
      .where('user_id', '=', id)
      .execute()
    expect((await caller.call('getMe')).body.customers).toEqual(['Nordic Pharma'])
    await database.db.updateTable('app_user').set({ disabled_at: TEST_NOW }).where('id', '=', id).execute()
    expect((await caller.call('getMe')).problem).toMatchObject({ status: 401, code: 'session-expired' })
  })
})

test('GET /users/me/features answers every flag: the user’s own value, else the deployment’s, else false', async () => {
  const caller = await app.as(ids.engineer)
  const read = async () =>
    Object.fromEntries((await caller.call('listMyFeatures')).body.map(({ key, value }) => [key, value]))
  expect(Object.keys(await read())).toEqual([...featureKeys])
  expect(new Set(Object.values(await read()))).toEqual(new Set(['false']))
  await database.db
    .insertInto('feature_flag')
    .values([
      { key: 'AUTO_EMAIL', user_id: null, value: true },
      { key: 'ASSET_USAGE', user_id: null, value: true },
      { key: 'ASSET_USAGE', user_id: ids.engineer, value: false },
      { key: 'BACKOFFICE', user_id: ids.engineer, value: true },
      { key: 'ALLOW_USER_DELETE', user_id: ids.support, value: true },
    ])
    .execute()
  expect(await read()).toMatchObject({
    AUTO_EMAIL: 'true',
    ASSET_USAGE: 'false',
    BACKOFFICE: 'true',
    ALLOW_USER_DELETE: 'false',
  })
})

describe('GET /users/me/filters', () => {
  async function filtersFor(caller: Caller) {
    const { body } = await caller.call('getMyFilters')
    const values = (list: typeof body.eventFilter) => Object.fromEntries(list.map((one) => [one.key, one.values]))
    return { body, event: values(body.eventFilter), instrument: values(body.instrumentSummaryFilter) }
  }

  beforeAll(async () => {
    // An instrument that left Berlin: no instrument is there now, but events were.
    await inTransaction(database.db, async (trx) => {
      const writing = { actor: { type: 'command', name: 'test' } as const, at: TEST_NOW }
      await upsertSites(trx, writing, [aSite({ key: 'helix-berlin', city: 'Berlin', country: 'Germany' })])
      await upsertInstruments(trx, writing, [
        anInstrument({ key: 'IP-20431199', type: 'Wave25', contract: null, contact: null }),
      ])
    })
    await sql`
      WITH pump AS (INSERT INTO component (name, type, name_folded) VALUES ('Pump B (P9-B)', 'Pump', 'pump b (p9-b)') RETURNING id),
      valve AS (INSERT INTO component (name, type, name_folded) VALUES ('Inlet valve (V9-IA)', 'Valve', 'inlet valve') RETURNING id)
      INSERT INTO event_origin (component_id, site_id, customer_id)
      SELECT pump.id, s.id, s.customer_id FROM pump, site s WHERE s.key = 'helix-berlin'
      UNION ALL SELECT 0, s.id, s.customer_id FROM site s WHERE s.key = 'helix-berlin'
      UNION ALL SELECT valve.id, s.id, s.customer_id
      FROM valve, site s WHERE s.key = 'nordic-pharma-oslo'`.execute(database.db)
  })

  test('answers every category in the order of the panels', async () => {
    const { body } = await filtersFor(await app.as(ids.engineer))
    expect(body.eventFilter.map(({ key }) => key)).toEqual(eventFilterCategories.map(({ key }) => key))
    expect(body.instrumentSummaryFilter.map(({ key }) => key)).toEqual(instrumentFilterCategories.map(({ key }) => key))
  })

  test('returns values of the caller’s scope, each once and in order', async () => {
    const { event, instrument } = await filtersFor(await app.as(ids.engineer))
    expect(event['enterpriseName']).toEqual(['Helix Biologics', 'Nordic Pharma'])
    expect(event['siteCity']).toEqual(['Berlin', 'Oslo', 'Uppsala'])
    expect(instrument['instrumentCity']).toEqual(['Oslo', 'Uppsala'])
    expect(event['componentName']).toEqual(['Inlet valve (V9-IA)', 'Pump B (P9-B)'])
    expect(event['componentType']).toEqual(['Pump', 'Valve'])
    expect(event['instrumentType']).toEqual(instrument['instrumentType'])
    expect(event['instrumentType']?.[0]).toBe('Wave25')
    expect(event['alertStatus']).toEqual(['1_NEW', '2_IN_PROGRESS', '3_CLOSED'])
    expect(event['owner']?.slice(-2)).toEqual(['SYSTEM', 'none'])
    expect(event['owner']).toContain(String(ids.support))
  })

  test('offers the contract clock where there are 24-hour contracts, and the usage limit with its flags', async () => {
    const helix = await filtersFor(await app.as(ids.helix))
    expect(helix.event['contractClock']).toEqual(['over4h', 'under4h', 'overdue', 'stopped'])
    expect(helix.instrument['usageLimit']).toEqual([])
    await switchFlag(database, 'ASSET_USAGE', { value: true, userId: ids.helix })
    await switchFlag(database, 'FETCH_INSTRUMENT_COMPONENTS', { value: true, userId: ids.helix })
    expect((await filtersFor(await app.as(ids.helix))).instrument['usageLimit']).toEqual(['reached', 'notReached'])
    const scope = [fleet.customers.nordic]
    const nordic = await addSamplePerson(database, { login: 'n@nordic.example', role: 'customer', scope })
    expect((await filtersFor(await app.as(nordic))).event['contractClock']).toEqual([])
  })

  test('is answered without a look at the events', async () => {
    const caller = await app.as(ids.engineer)
    // A read of this table would wait for the lock and time out.
    await inTransaction(database.db, async (trx) => {
      await sql`LOCK TABLE service_event IN ACCESS EXCLUSIVE MODE`.execute(trx)
      expect((await caller.call('getMyFilters')).status).toBe(200)
    })
  })

  test('holds nothing of another customer', async () => {
    const { body, event } = await filtersFor(await app.as(ids.helix))
    expect(event['enterpriseName']).toEqual(['Helix Biologics'])
    expect(event['siteCity']).toEqual(['Berlin', 'Uppsala'])
    expect(event['componentName']).toEqual(['Pump B (P9-B)'])
    expect(event['owner']).toEqual([String(ids.both), String(ids.helix), 'SYSTEM', 'none'])
    expect(JSON.stringify(body)).not.toMatch(/Nordic|Oslo|Norway|valve/i)
  })

  test('returns only the closed lists for a user without customers', async () => {
    const id = await addSamplePerson(database, { login: 'empty@helixbio.example', role: 'customer', scope: [] })
    const { event } = await filtersFor(await app.as(id))
    expect(event['enterpriseName']).toEqual([])
    expect(event['owner']).toEqual(['SYSTEM', 'none'])
    expect(event['severity']).toEqual(['high', 'medium', 'low'])
  })
})
