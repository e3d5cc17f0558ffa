import { anInstrument } from '@benchwatch/samples/registry-objects'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inTransaction } from '../../db/transaction.ts'
import { registerSampleFleet, type SampleFleet } from '../../testing/sample-fleet.ts'
import { addSamplePerson } from '../../testing/sample-people.ts'
import { TEST_NOW, type TestApp, testApp } from '../../testing/test-app.ts'
import { type TestDatabase, testDatabase } from '../../testing/test-database.ts'
import { storeSoftware } from '../ingest/readings.store.ts'
import { upsertInstruments } from '../registry/instruments.store.ts'

/** Helix: IP-20431187 and IP-20431188 behind GW-UPP-01. Nordic: IP-30000001 behind GW-OSL-01. */
let database: TestDatabase
let app: TestApp
let fleet: SampleFleet
const people = { engineer: 0, helix: 0, nordic: 0 }
type Who = keyof typeof people

beforeAll(async () => {
  database = await testDatabase()
  app = await testApp(database)
  fleet = await registerSampleFleet(database, TEST_NOW)
  const { helix, nordic } = fleet.customers
  people.engineer = await addSamplePerson(database, { login: 'engineer@benchwatch.example' })
  people.helix = await addSamplePerson(database, { login: 'lab@helix.example', role: 'customer', scope: [helix] })
  people.nordic = await addSamplePerson(database, { login: 'lab@nordic.example', role: 'customer', scope: [nordic] })
})
afterAll(() => app.close())

describe('POST /instruments/instrument-statuses', () => {
  const statuses = async (who: Who, ids: string[]) =>
    (await app.as(people[who])).call('readInstrumentStatuses', { body: { instrumentInstalledProductIds: ids } })

  test('answers what each instrument does now, and is silent about unknown ids and gateways', async () => {
    await sql`UPDATE instrument SET status = 'method run' WHERE id = ${fleet.instruments.first}`.execute(database.db)
    const { status, body } = await statuses('engineer', ['IP-20431187', 'IP-30000001', 'IP-99999999', 'GW-UPP-01'])
    expect(status).toBe(200)
    expect(body).toEqual({ 'IP-20431187': 'method run', 'IP-30000001': 'Unknown' })
  })

  test('leaves out instruments of other customers', async () => {
    const asked = ['IP-20431187', 'IP-20431188', 'IP-30000001']
    expect(Object.keys((await statuses('nordic', asked)).body)).toEqual(['IP-30000001'])
    expect(Object.keys((await statuses('helix', asked)).body).toSorted()).toEqual(['IP-20431187', 'IP-20431188'])
  })

  test('takes none, a hundred, and no more', async () => {
    const ids = Array.from({ length: 101 }, (_, place) => `IP-${place}`)
    expect(await statuses('engineer', [])).toMatchObject({ status: 200, body: {} })
    expect(await statuses('engineer', ids.slice(1))).toMatchObject({ status: 200, body: {} })
    expect((await statuses('engineer', ids)).status).toBe(400)
    expect((await statuses('engineer', ["IP-1' OR 1=1 --"])).status).toBe(400)
  })
})

describe('GET /instruments/linked-clients', () => {
  const clients = async (who: Who, instrumentInstalledProductId: string) =>
    (await app.as(people[who])).call('getLinkedClients', { query: { instrumentInstalledProductId } })
  let sequence = 0
  const tell = (instrumentId: number, software: { clientPcNames: string[]; instrumentServerPcName?: string }) =>
    inTransaction(database.db, (trx) =>
      storeSoftware(trx, [{ instrumentId, at: TEST_NOW, epoch: 1, sequence: ++sequence, software }]),
    )

  test('are none where an instrument has told of none', async () => {
    const { status, body } = await clients('helix', 'IP-20431188')
    expect(status).toBe(200)
    expect(body).toEqual({ clientPcNames: [], instrumentServerPcName: null })
  })

  test('are those last told of, by name and once each', async () => {
    const { first } = fleet.instruments
    await tell(first, { clientPcNames: ['PC-013', 'pc-002', 'PC-012', 'PC-013'], instrumentServerPcName: 'IS-087' })
    expect((await clients('helix', 'IP-20431187')).body).toEqual({
      clientPcNames: ['pc-002', 'PC-012', 'PC-013'],
      instrumentServerPcName: 'IS-087',
    })
    await tell(first, { clientPcNames: ['PC-020'] })
    expect((await clients('engineer', 'IP-20431187')).body).toEqual({
      clientPcNames: ['PC-020'],
      instrumentServerPcName: null,
    })
  })

  test('may be shared by instruments', async () => {
    await tell(fleet.instruments.second, { clientPcNames: ['PC-020'] })
    expect((await clients('helix', 'IP-20431188')).body.clientPcNames).toEqual(['PC-020'])
  })

  test('do not exist for another customer, nor for a gateway', async () => {
    for (const id of ['IP-20431187', 'IP-20431188']) expect((await clients('nordic', id)).status).toBe(404)
    for (const id of ['IP-99999999', 'GW-UPP-01']) expect((await clients('engineer', id)).status).toBe(404)
    const foreign = await clients('nordic', 'IP-20431187')
    const missing = await clients('nordic', 'IP-99999999')
    expect({ ...foreign.problem, requestId: '' }).toEqual({ ...missing.problem, requestId: '' })
    expect((await clients('helix', "IP' OR '1'='1")).status).toBe(400)
  })

  test('of before it came to its customer are not told to them', async () => {
    const since = (customer_since: Date | number) =>
      database.db.updateTable('instrument').set({ customer_since }).where('id', '=', fleet.instruments.second).execute()
    await since(new Date(TEST_NOW.getTime() + 1))
    const [theirs, everything] = [await clients('helix', 'IP-20431188'), await clients('engineer', 'IP-20431188')]
    await since(Number.NEGATIVE_INFINITY)
    expect(theirs.body.clientPcNames).toEqual([])
    expect(everything.body.clientPcNames).toEqual(['PC-020'])
  })
})

describe('GET /instruments/edge-gateway/{id}', () => {
  const gateway = async (who: Who, id: string) => (await app.as(people[who])).call('getEdgeGateway', { params: { id } })
  const ofHelix = {
    name: 'GW-UPP-01',
    instrumentIpids: ['IP-20431187', 'IP-20431188'],
    location: expect.any(String),
    lastSeenAt: null,
  }

  test('finds it by its own installed product id and by that of an instrument', async () => {
    const { installed_product_id: own } = await database.db
      .selectFrom('gateway')
      .where('id', '=', fleet.gateways.helix.id)
      .select('installed_product_id')
      .executeTakeFirstOrThrow()
    for (const id of [own, 'IP-20431187']) {
      expect(await gateway('engineer', id)).toMatchObject({ status: 200, body: ofHelix })
      expect(await gateway('helix', id)).toMatchObject({ status: 200, body: ofHelix })
    }
  })

  test('tells when it was last heard', async () => {
    await sql`UPDATE gateway SET last_seen_at = ${TEST_NOW} WHERE id = ${fleet.gateways.helix.id}`.execute(database.db)
    expect((await gateway('helix', 'IP-20431187')).body.lastSeenAt).toBe(TEST_NOW.toISOString())
  })

  test('does not exist for another customer, under whichever id', async () => {
    for (const id of ['IP-29000002', 'IP-30000001']) expect((await gateway('helix', id)).status).toBe(404)
    for (const id of ['IP-20431187', 'IP-20431188']) expect((await gateway('nordic', id)).status).toBe(404)
    for (const id of ['IP-99999999', 'GW-OSL-01']) expect((await gateway('engineer', id)).status).toBe(404)
  })

  test('does not exist for an instrument without one', async () => {
    const alone = anInstrument({ key: 'IP-20431199', gateway: null })
    const writing = { actor: { type: 'command', name: 'test' }, at: TEST_NOW } as const
    await inTransaction(database.db, (trx) => upsertInstruments(trx, writing, [alone]))
    expect((await gateway('engineer', 'IP-20431199')).status).toBe(404)
  })

  // The registry refuses such a gateway; if one exists anyway, it reveals nothing more to anyone.
  test('at a foreign site is seen with the own instruments alone, and not where it stands', async () => {
    await sql`UPDATE instrument SET gateway_id = ${fleet.gateways.helix.id} WHERE id = ${fleet.instruments.nordic}`.execute(
      database.db,
    )
    const seen = { name: 'GW-UPP-01', instrumentIpids: ['IP-30000001'], location: null }
    expect(await gateway('nordic', 'IP-30000001')).toMatchObject({ status: 200, body: seen })
    expect((await gateway('helix', 'IP-20431187')).body.instrumentIpids).toEqual(['IP-20431187', 'IP-20431188'])
    expect((await gateway('nordic', 'IP-20431187')).status).toBe(404)
    expect((await gateway('engineer', 'IP-20431187')).body.instrumentIpids).toHaveLength(3)
  })
})
