import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { gatewayItems } from '../../testing/gateway-items.ts'
import { registerSampleFleet, type SampleFleet } from '../../testing/sample-fleet.ts'
import { addSamplePerson } from '../../testing/sample-people.ts'
import { switchFlag } from '../../testing/switched-flags.ts'
import { type Caller, TEST_NOW, type TestApp, testApp } from '../../testing/test-app.ts'
import { type TestDatabase, testDatabase } from '../../testing/test-database.ts'

/** Without a contract. */
const FREE = 'IP-20431188'
/** Under one. */
const COVERED = 'IP-20431187'

let database: TestDatabase
let app: TestApp
let fleet: SampleFleet
let support: Caller
let nordicSupport: Caller
let epochs = 0

beforeAll(async () => {
  database = await testDatabase()
  fleet = await registerSampleFleet(database, TEST_NOW)
  app = await testApp(database)
  const add = async (login: string, person: object) => app.as(await addSamplePerson(database, { login, ...person }))
  support = await add('sara@benchwatch.example', { name: 'Sara Support', role: 'support' })
  nordicSupport = await add('nils@benchwatch.example', { role: 'support', scope: [fleet.customers.nordic] })
  await switchFlag(database, 'BACKOFFICE', { value: true })
})
beforeEach(async () => {
  app.clock.set(TEST_NOW)
  await database.db.deleteFrom('held_back_event').execute()
  await database.db.deleteFrom('service_event').execute()
  await switchFlag(database, 'CREATE_EVENTS_WITH_CONTRACT_ONLY', { value: true })
})
afterAll(() => app.close())

function freshItems() {
  epochs += 1
  return gatewayItems(`h${epochs}`, TEST_NOW)
}

async function send(...items: object[]): Promise<void> {
  const answer = await app.app.http.inject({
    method: 'POST',
    url: '/api/ingest/v1/gateways/GW-UPP-01/batches',
    headers: { authorization: `Bearer ${fleet.gateways.helix.key}` },
    payload: items,
  })
  expect(answer.json()).toMatchObject({ rejected: [] })
}

const events = async () =>
  (await support.call('listServiceEvents', { query: {}, body: {} })).body.values.map(({ alarm }) => alarm)
const heldBack = async (state: 'open' | 'released' = 'open', caller = support) =>
  (await caller.call('listHeldBackEvents', { query: { state } })).body
const release = (id: string, caller = support) => caller.call('releaseHeldBackEvent', { params: { id } })
const onlyHeld = async () => {
  const { values } = await heldBack()
  expect(values).toHaveLength(1)
  return values[0] ?? { id: '' }
}

describe('CREATE_EVENTS_WITH_CONTRACT_ONLY', () => {
  test('makes events only under a running contract; what it holds back is kept, counted, listed', async () => {
    const items = freshItems()
    await send(items.raised({}, { subject: COVERED }), items.raised({}, { subject: FREE }))
    expect(await events()).toMatchObject([{ instrumentInstalledProductId: COVERED }])
    expect(await heldBack()).toEqual({
      values: [
        {
          id: expect.any(String),
          instrumentInstalledProductId: FREE,
          customer: 'Helix Biologics',
          templateId: 'P9B-1042',
          componentName: 'Pump B (P9-B)',
          description: expect.any(String),
          raisedAt: '2026-11-20T14:00:02.000Z',
          heldBackAt: TEST_NOW.toISOString(),
          raises: 1,
          eventId: null,
        },
      ],
      total: 1,
    })
    expect(await heldBack('open', nordicSupport)).toEqual({ values: [], total: 0 })
  })

  test('without it every raise becomes an event', async () => {
    await switchFlag(database, 'CREATE_EVENTS_WITH_CONTRACT_ONLY', { value: false })
    await send(freshItems().raised({}, { subject: FREE }))
    expect(await events()).toMatchObject([{ instrumentInstalledProductId: FREE }])
    expect((await heldBack()).total).toBe(0)
  })

  test.each([
    ['has ended the day before', { end_date: '2026-11-19' }, 0],
    ['ends on that day', { end_date: '2026-11-20' }, 1],
    ['begins on that day', { start_date: '2026-11-20' }, 1],
    ['begins the day after', { start_date: '2026-11-21' }, 0],
  ])('counts the day at the site: a contract that %s', async (_what, dates, made) => {
    const always = { start_date: '2020-01-01', end_date: null }
    await database.db
      .updateTable('contract')
      .set({ ...always, ...dates })
      .execute()
    await send(freshItems().raised({}, { subject: COVERED }))
    await database.db.updateTable('contract').set(always).execute()
    expect(await events()).toHaveLength(made)
    expect((await heldBack()).total).toBe(1 - made)
  })

  test('counts what is raised again instead of listing it again, within a batch and beyond', async () => {
    const items = freshItems()
    const raise = () => items.raised({}, { subject: FREE })
    await send(raise(), raise())
    await send(raise(), items.raised({ componentName: 'Valve (V9)' }, { subject: FREE }))
    const { values } = await heldBack()
    expect(Object.fromEntries(values.map(({ componentName, raises }) => [componentName, raises]))).toEqual({
      'Pump B (P9-B)': 3,
      'Valve (V9)': 1,
    })
  })

  test('still counts a raise on an event that was open before', async () => {
    const items = freshItems()
    await switchFlag(database, 'CREATE_EVENTS_WITH_CONTRACT_ONLY', { value: false })
    await send(items.raised({}, { subject: FREE }))
    await switchFlag(database, 'CREATE_EVENTS_WITH_CONTRACT_ONLY', { value: true })
    await send(items.raised({}, { subject: FREE }))
    expect(await events()).toMatchObject([{ latchedCount: 1 }])
    expect((await heldBack()).total).toBe(0)
  })
})

describe('POST /backoffice/held-back-events/{id}/release', () => {
  test('makes the event: created now, generated when it was raised first, counting what came since', async () => {
    const items = freshItems()
    await send(items.raised({ userMessage: 'Check the pump' }, { subject: FREE }))
    await send(items.raised({ userMessage: 'Check the pump' }, { subject: FREE }))
    const { id } = await onlyHeld()
    app.clock.advance(600_000)
    const answer = await release(id)
    expect(answer.status).toBe(201)
    expect(answer.body).toMatchObject({
      instrumentInstalledProductId: FREE,
      templateId: 'P9B-1042',
      userMessage: 'Check the pump',
      createdAt: '2026-11-20T14:10:00.000Z',
      logGeneratedAt: '2026-11-20T14:00:01.000Z',
      alertStatus: '1_NEW',
      alertSource: 'INSTRUMENT',
      latchedCount: 1,
      clearedAt: null,
    })
    expect(await events()).toMatchObject([{ id: answer.body.id }])
    expect((await heldBack()).total).toBe(0)
    expect((await heldBack('released')).values).toMatchObject([{ id, eventId: answer.body.id, raises: 2 }])
    const { body: history } = await support.call('listServiceEventHistory', { params: { id: answer.body.id } })
    expect(history.values).toMatchObject([{ action: 'created', actorName: 'Sara Support' }])
    expect(await release(id)).toMatchObject({ status: 409, problem: { code: 'status-conflict' } })
  })

  test('makes it with its return to normal, which came with the raise or after it', async () => {
    const together = freshItems()
    await send(
      together.raised({ alertId: 'together' }, { subject: FREE }),
      together.cleared('together', { subject: FREE }),
    )
    expect((await release((await onlyHeld()).id)).body).toMatchObject({ clearedAt: '2026-11-20T14:00:02.000Z' })
    const apart = freshItems()
    await send(apart.raised({ alertId: 'apart' }, { subject: FREE }))
    await send(apart.cleared('apart', { subject: FREE }))
    expect((await release((await onlyHeld()).id)).body).toMatchObject({ clearedAt: '2026-11-20T14:00:02.000Z' })
  })

  test('is counted on an event of the same alarm that is open by now', async () => {
    const items = freshItems()
    await send(items.raised({}, { subject: FREE }))
    const { id } = await onlyHeld()
    await switchFlag(database, 'CREATE_EVENTS_WITH_CONTRACT_ONLY', { value: false })
    await send(items.raised({}, { subject: FREE }))
    const answer = await release(id)
    expect(answer).toMatchObject({ status: 201, body: { latchedCount: 1 } })
    expect(await events()).toHaveLength(1)
  })

  test('is 404 outside the data scope, and refused once the instrument belongs to somebody else', async () => {
    await send(freshItems().raised({}, { subject: FREE }))
    const { id } = await onlyHeld()
    expect(await release(id, nordicSupport)).toMatchObject({ status: 404, problem: { code: 'not-found' } })
    const move = (customer_id: number) =>
      database.db.updateTable('instrument').set({ customer_id }).where('id', '=', fleet.instruments.second).execute()
    await move(fleet.customers.nordic)
    expect(await release(id)).toMatchObject({ status: 409, problem: { code: 'status-conflict' } })
    await move(fleet.customers.helix)
    expect((await release(id)).status).toBe(201)
  })

  test('needs the flag BACKOFFICE and another role than customer', async () => {
    const hanna = await app.as(
      await addSamplePerson(database, {
        login: 'h@helixbio.example',
        role: 'customer',
        scope: [fleet.customers.helix],
      }),
    )
    expect(await hanna.call('listHeldBackEvents', { query: {} })).toMatchObject({ status: 403 })
    const sven = await addSamplePerson(database, { login: 'sven@benchwatch.example' })
    await switchFlag(database, 'BACKOFFICE', { value: false, userId: sven })
    const answer = await (await app.as(sven)).call('listHeldBackEvents', { query: {} })
    expect(answer).toMatchObject({ status: 403, problem: { code: 'feature-off' } })
  })
})
