import { anInstrument } from '@benchwatch/samples/registry-objects'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { inTransaction } from '../../db/transaction.ts'
import { eventually } from '../../testing/eventually.ts'
import { gatewayItems } from '../../testing/gateway-items.ts'
import { appendSampleLines } from '../../testing/log-lines.ts'
import { addEvents } from '../../testing/many-events.ts'
import { registerSampleFleet, type SampleFleet } from '../../testing/sample-fleet.ts'
import { addSamplePerson } from '../../testing/sample-people.ts'
import { switchFlag } from '../../testing/switched-flags.ts'
import { type Caller, TEST_NOW, type TestApp, testApp } from '../../testing/test-app.ts'
import { type TestDatabase, testDatabase } from '../../testing/test-database.ts'
import { waitingFor } from '../../testing/waiting-for-lock.ts'
import { upsertInstruments } from '../registry/instruments.store.ts'
import { lockRegistry } from '../registry/registry-locks.store.ts'

let database: TestDatabase
let app: TestApp
let fleet: SampleFleet
let admin: Caller
let nordicSupport: Caller
let made = 0
/** Installed product ID and row of an instrument of Helix, new for each test. */
let ipid: string
let instrumentId: number

beforeAll(async () => {
  database = await testDatabase()
  fleet = await registerSampleFleet(database, TEST_NOW)
  app = await testApp(database)
  const add = async (login: string, person: object) => app.as(await addSamplePerson(database, { login, ...person }))
  admin = await add('ada@benchwatch.example', { role: 'admin' })
  nordicSupport = await add('nils@benchwatch.example', { role: 'support', scope: [fleet.customers.nordic] })
  await switchFlag(database, 'ALLOW_ASSET_DELETE', { value: true })
})
beforeEach(async () => {
  made += 1
  ipid = `IP-9000000${made}`
  instrumentId = await register(ipid)
})
afterAll(() => app.close())

async function register(key: string): Promise<number> {
  const writing = { actor: { type: 'command', name: 'test' } as const, at: TEST_NOW }
  await inTransaction(database.db, (trx) => upsertInstruments(trx, writing, [anInstrument({ key, systemName: key })]))
  const { id } = await database.db
    .selectFrom('instrument')
    .where('installed_product_id', '=', key)
    .select('id')
    .executeTakeFirstOrThrow()
  return id
}

const remove = (caller: Caller, id: string) => caller.call('deleteInstrument', { params: { id } })
const countOf = async (table: string) => {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) AS count FROM ${sql.table(table)} WHERE instrument_id = ${instrumentId}`.execute(database.db)
  return rows[0]?.count
}
const eventTotals = async () => (await admin.call('listServiceEvents', { query: {}, body: {} })).body.total
const instrumentTotals = async () => (await admin.call('listInstruments', { query: {}, body: {} })).body.total
const send = async (...items: object[]) =>
  app.app.http.inject({
    method: 'POST',
    url: '/api/ingest/v1/gateways/GW-UPP-01/batches',
    headers: { authorization: `Bearer ${fleet.gateways.helix.key}` },
    payload: items,
  })

describe('DELETE /instruments/{id}', () => {
  test('takes the instrument out with its events, logs, statuses, use, run time and maintenance', async () => {
    const before = { events: await eventTotals(), instruments: await instrumentTotals() }
    await addEvents(database, { count: 3, instrumentId })
    await appendSampleLines(database, [{ instrumentId, message: 'Valve open' }])
    const items = gatewayItems(`del${made}`, TEST_NOW)
    await send(items.status('method run', { subject: ipid }), items.runtime('2026-11-19', 60, { subject: ipid }))
    await admin.call('setMaintenance', {
      query: { instrumentId: ipid },
      body: { start: TEST_NOW.toISOString() } as never,
    })
    expect((await eventTotals()).instruments).toBe(before.events.instruments + 1)
    expect((await remove(admin, ipid)).status).toBe(204)
    expect(await eventTotals()).toEqual(before.events)
    expect(await instrumentTotals()).toEqual({ instruments: (before.instruments?.instruments ?? 0) - 1 })
    const tables = [
      'service_event',
      'log_entry',
      'instrument_status_history',
      'runtime_day',
      'maintenance',
      'maintenance_window',
    ]
    for (const table of tables) expect([table, await countOf(table)]).toEqual([table, 0])
    expect((await admin.call('getInstrument', { params: { id: ipid } })).status).toBe(404)
    const { rows } = await sql<object>`
      SELECT * FROM audit WHERE entity_type = 'instrument' AND entity_id = ${String(instrumentId)}
        AND action = 'deleted'`.execute(database.db)
    expect(rows).toMatchObject([{ actor_name: 'ada', old_value: ipid }])
  })

  test('accepts its id too; 404 outside the data scope and the second time', async () => {
    expect(await remove(nordicSupport, ipid)).toMatchObject({ status: 404, problem: { code: 'not-found' } })
    expect((await remove(admin, String(instrumentId))).status).toBe(204)
    expect((await remove(admin, ipid)).status).toBe(404)
    expect((await remove(admin, String(instrumentId))).status).toBe(404)
  })

  test('with very many events: it is gone at once, the rest goes in steps, and totals are exact in between', async () => {
    const before = await eventTotals()
    await addEvents(database, { count: 2500, instrumentId })
    // The steps wait for the oldest event.
    let isGone = false
    await inTransaction(database.db, async (trx) => {
      // The application ends transactions that pause.
      await sql`SET LOCAL idle_in_transaction_session_timeout = 0`.execute(trx)
      await sql`SELECT FROM service_event WHERE instrument_id = ${instrumentId} ORDER BY id LIMIT 1 FOR UPDATE`.execute(
        trx,
      )
      expect((await remove(admin, ipid)).status).toBe(204)
      isGone = (await admin.call('getInstrument', { params: { id: String(instrumentId) } })).status === 404
      const items = gatewayItems(`late${made}`, TEST_NOW)
      expect((await send(items.raised({}, { subject: ipid }))).json()).toMatchObject({
        rejected: [{ code: 'unknown-instrument' }],
      })
      // A step may finish between the two checks.
      await eventually(async () => {
        const between = await eventTotals()
        expect(between.events).toBe(before.events + Number(await countOf('service_event')))
        expect(between.events).toBeGreaterThan(before.events)
      })
    })
    expect(isGone).toBe(true)
    const left = () => database.db.selectFrom('instrument').where('id', '=', instrumentId).select('id').execute()
    await expect.poll(left).toEqual([])
    expect(await eventTotals()).toEqual(before)
  })

  test('waits for a registration in progress, which would otherwise change a row that is gone', async () => {
    const writing = { actor: { type: 'command', name: 'test' } as const, at: TEST_NOW }
    const { removing } = await inTransaction(database.db, async (trx) => {
      await lockRegistry(trx)
      const begun = remove(admin, ipid)
      await waitingFor(trx)
      const { changed } = await upsertInstruments(trx, writing, [anInstrument({ key: ipid, systemName: 'Renamed' })])
      expect([...changed]).toEqual([ipid])
      return { removing: begun }
    })
    expect((await removing).status).toBe(204)
    expect((await admin.call('getRegisteredInstrument', { params: { key: ipid } })).status).toBe(404)
  })

  test('frees its installed product id, which can be registered again without the old data', async () => {
    await addEvents(database, { count: 2, instrumentId })
    await remove(admin, ipid)
    const again = await register(ipid)
    expect(again).not.toBe(instrumentId)
    const { body } = await admin.call('getInstrument', { params: { id: ipid } })
    expect(body).toMatchObject({ eventCount: 0, events: [] })
  })
})
