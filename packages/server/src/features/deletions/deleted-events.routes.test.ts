import type { LiveMessage } from '@benchwatch/contract/live'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sealAudit } from '../../db/audit.ts'
import { openLive } from '../../testing/live-socket.ts'
import { addEvents } from '../../testing/many-events.ts'
import { registerSampleFleet, type SampleFleet } from '../../testing/sample-fleet.ts'
import { addSamplePerson } from '../../testing/sample-people.ts'
import { switchFlag } from '../../testing/switched-flags.ts'
import { type Caller, TEST_NOW, type TestApp, testApp } from '../../testing/test-app.ts'
import { type TestDatabase, testDatabase } from '../../testing/test-database.ts'
import { verifyAuditLog } from '../audit/audit.queries.ts'

let database: TestDatabase
let app: TestApp
let fleet: SampleFleet
let support: Caller
let nordicSupport: Caller
let helix: Caller

beforeAll(async () => {
  database = await testDatabase()
  fleet = await registerSampleFleet(database, TEST_NOW)
  app = await testApp(database)
  const add = async (login: string, person: object) => app.as(await addSamplePerson(database, { login, ...person }))
  support = await add('sara@benchwatch.example', { name: 'Sara Support', role: 'support' })
  nordicSupport = await add('nils@benchwatch.example', { role: 'support', scope: [fleet.customers.nordic] })
  helix = await add('hanna@helixbio.example', { role: 'customer', scope: [fleet.customers.helix] })
  await switchFlag(database, 'ALLOW_EVENT_DELETE', { value: true })
})
afterAll(() => app.close())

const newEvent = async (instrumentId = fleet.instruments.first) =>
  (await addEvents(database, { count: 1, instrumentId }))[0] ?? ''
const remove = (caller: Caller, id: string) => caller.call('deleteServiceEvent', { params: { id } })
const totals = async (caller = support) => (await caller.call('listServiceEvents', { query: {}, body: {} })).body.total
const rowsOf = async (table: string, column: string, id: string) =>
  (await sql<object>`SELECT * FROM ${sql.table(table)} WHERE ${sql.ref(column)} = ${id}`.execute(database.db)).rows

describe('DELETE /alarms/{id}', () => {
  test('removes the event from lists, totals and reads; its audit log stays and shows who deleted it', async () => {
    await newEvent()
    const before = await totals()
    const id = await newEvent(fleet.instruments.second)
    expect(await totals()).toMatchObject({ events: before.events + 1, instruments: before.instruments + 1 })
    expect((await remove(support, id)).status).toBe(204)
    expect(await totals()).toEqual(before)
    expect(await totals(helix)).toEqual(before)
    expect((await support.call('getServiceEvent', { params: { id } })).status).toBe(404)
    expect((await support.call('listServiceEventHistory', { params: { id } })).status).toBe(404)
    expect(await rowsOf('audit', 'entity_id', id)).toMatchObject([
      { entity_type: 'service_event', action: 'deleted', actor_name: 'Sara Support' },
    ])
    expect((await remove(support, id)).status).toBe(404)
  })

  test('takes its site and component out of the filters unless another event has them', async () => {
    const offered = async () => {
      const { body } = await support.call('getMyFilters')
      return body.eventFilter.find(({ key }) => key === 'siteCity')?.values
    }
    const before = await offered()
    const [first, second] = [await newEvent(fleet.instruments.nordic), await newEvent(fleet.instruments.nordic)]
    const withBoth = await offered()
    await remove(support, first)
    expect(await offered()).toEqual(withBoth)
    await remove(support, second)
    expect(await offered()).toEqual(before)
  })

  test('is 404 outside the data scope, and nothing is gone', async () => {
    const id = await newEvent()
    expect(await remove(nordicSupport, id)).toMatchObject({ status: 404, problem: { code: 'not-found' } })
    expect((await support.call('getServiceEvent', { params: { id } })).status).toBe(200)
  })

  test('withdraws waiting notifications, and the e-mails with which it was shared', async () => {
    const id = await newEvent()
    const sent = await support.call('shareServiceEvent', {
      body: { eventId: id, receiverIds: [await idOf('sara@benchwatch.example')], message: 'Please look' },
    })
    expect(sent.status).toBe(204)
    const [email] = (await rowsOf('event_email', 'event_id', id)) as { message_id: string }[]
    // Its own notifications may have been sent by now; this one was postponed.
    const at = app.clock.now()
    await database.db
      .insertInto('pending_notification')
      .values({
        event_id: Number(id),
        kind: 'assign_me_notification',
        at,
        retry_at: new Date(at.getTime() + 3_600_000),
      })
      .execute()
    await remove(support, id)
    expect(await rowsOf('outbound_message', 'id', email?.message_id ?? '')).toEqual([])
    expect(await rowsOf('event_email', 'event_id', id)).toEqual([])
    expect(await rowsOf('pending_notification', 'event_id', id)).toEqual([])
  })

  test('informs open consoles whose scope includes it, and the chain of the audit log stays intact', async () => {
    await app.app.http.listen({ port: 0, host: '127.0.0.1' })
    const id = await newEvent()
    const socket = await openLive(app, helix)
    expect(await socket.next()).toMatchObject({ entity: 'hello' })
    await remove(support, id)
    // Changes of earlier tests may be announced only now.
    const isOfAnother = (message: LiveMessage) =>
      message.entity === 'alarm' && !(message.action === 'delete' && message.payload.id === id)
    let told = await socket.next()
    while (isOfAnother(told)) told = await socket.next()
    expect(told).toEqual({
      seq: expect.any(Number),
      entity: 'alarm',
      action: 'delete',
      property: null,
      payload: { id, eventId: id },
    })
    socket.close()
    while ((await sealAudit(database.db)) > 0);
    expect((await verifyAuditLog(database.db)).findings).toEqual([])
  })
})

async function idOf(login: string): Promise<string> {
  const row = await database.db.selectFrom('app_user').where('login', '=', login).select('id').executeTakeFirstOrThrow()
  return String(row.id)
}
