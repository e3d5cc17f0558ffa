import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import { connectClient } from '../../db/connect.ts'
import { gatewayItems } from '../../testing/gateway-items.ts'
import { registerSampleFleet, type SampleFleet } from '../../testing/sample-fleet.ts'
import { addSamplePerson } from '../../testing/sample-people.ts'
import { switchFlag } from '../../testing/switched-flags.ts'
import { type Caller, TEST_NOW, type TestApp, testApp } from '../../testing/test-app.ts'
import { type TestDatabase, testDatabase } from '../../testing/test-database.ts'
import { verifyAuditLog } from '../audit/audit.queries.ts'

let database: TestDatabase
let server: TestApp
let fleet: SampleFleet
let support: Caller
let supportId: number
/** A service user for Nordic Pharma only. */
let nordic: Caller
let customer: Caller
let epochs = 0

beforeAll(async () => {
  database = await testDatabase()
  fleet = await registerSampleFleet(database, TEST_NOW)
  server = await testApp(database)
  const person = async (login: string, rest: object) => server.as(await addSamplePerson(database, { login, ...rest }))
  supportId = await addSamplePerson(database, { login: 's@benchwatch.example', role: 'support' })
  support = await server.as(supportId)
  nordic = await person('n@benchwatch.example', { scope: [fleet.customers.nordic] })
  customer = await person('c@helixbio.example', { role: 'customer', scope: [fleet.customers.helix] })
  await database.db.insertInto('feature_flag').values({ key: 'BACKOFFICE', user_id: null, value: true }).execute()
})
afterAll(() => server.close())

beforeEach(async () => {
  server.clock.set(TEST_NOW)
  await database.db.deleteFrom('gateway_feed_hour').execute()
  await database.db.deleteFrom('parked_item').execute()
})

/** Items of a new outbox, each one second newer; the batch arrives two seconds after the first. */
function outbox() {
  epochs += 1
  return gatewayItems(`f${epochs}`, new Date(server.clock.now().getTime() - 2000))
}

async function send(body: unknown[]) {
  const { name: gateway, key } = fleet.gateways.helix
  const answer = await server.call('ingestBatch', {
    params: { gateway },
    body,
    headers: { authorization: `Bearer ${key}` },
  })
  expect(answer.status).toBe(200)
  return answer.body
}

/** Signs in again, because tests move the clock by hours. */
async function feed() {
  const support = await server.as(supportId)
  const { body } = await support.call('listGatewayFeeds')
  const found = body.find(({ gateway }) => gateway === 'GW-UPP-01')
  if (!found) throw new Error('The feed has no GW-UPP-01.')
  return found
}

describe('the state of the feed', () => {
  it("lists every gateway, as 'never' before its first message", async () => {
    const { body } = await support.call('listGatewayFeeds')
    expect(body.map(({ gateway, customer: of }) => [gateway, of])).toEqual([
      ['GW-OSL-01', 'Nordic Pharma'],
      ['GW-UPP-01', 'Helix Biologics'],
    ])
    expect(body[0]).toMatchObject({ state: 'never', lastMessageAt: null, lagSeconds: null, instruments: 1 })
  })

  it('counts accepted, repeated and rejected items', async () => {
    const items = outbox()
    const [first, second] = [items.status('ready'), items.heartbeat()]
    await send([first, second])
    await send([first, items.raised({ alertType: 77 })])
    expect(await feed()).toMatchObject({
      state: 'heard',
      lastMessageAt: TEST_NOW.toISOString(),
      lagSeconds: 0,
      instruments: 2,
      duplicates: 1,
      parked: 1,
      gaps: 0,
    })
    const hours = await database.db.selectFrom('gateway_feed_hour').selectAll().execute()
    expect(hours).toMatchObject([{ hour: TEST_NOW, accepted: 2, duplicates: 1, rejected: 1 }])
  })

  it('shows the links of the last heartbeat, and lists to gateways what the server supports', async () => {
    const items = outbox()
    const link = { name: 'skids', kind: 'mqtt', state: 'down', since: '2026-11-20T13:00:00.000Z', reason: 'No broker.' }
    const shown = { ...link, unmatched: 2, faulty: 0, lastFault: null }
    const answer = await send([items.heartbeat({ links: [{ ...link, unmatched: 2 }] })])
    expect(answer.knows).toEqual(['at', 'count', 'links', 'reason', 'run', 'sources'])
    expect((await feed()).links).toEqual([shown])
    await send([items.status('ready')])
    expect((await feed()).links).toEqual([shown])
    // Heartbeats overtake each other; the sequence decides.
    const [older, newest] = [items.heartbeat({ links: [link] }), items.heartbeat({ links: [] })]
    await send([newest, older])
    expect((await feed()).links).toEqual([])
    await send([items.heartbeat({ links: [{ ...link, state: 'sideways' }] })])
    expect(await feed()).toMatchObject({ parked: 1, links: [] })
  })

  it('counts skipped numbers until they arrive', async () => {
    const items = outbox()
    const sent = Array.from({ length: 8 }, () => items.heartbeat())
    await send([sent[0], sent[5]])
    expect((await feed()).gaps).toBe(4)
    // Alarms are sent before logs, so sequence numbers arrive out of order.
    await send([sent[1], sent[2]])
    expect((await feed()).gaps).toBe(2)
    server.clock.advance(3_600_000)
    await send([sent[3], sent[4], sent[7]])
    expect((await feed()).gaps).toBe(1)
    await send([sent[3], sent[6]])
    expect(await feed()).toMatchObject({ gaps: 0, duplicates: 1 })
    expect(await database.db.selectFrom('gateway_feed_hour').select('gaps').orderBy('hour').execute()).toEqual([
      { gaps: 2 },
      { gaps: -2 },
    ])
  })

  it('counts a parked number once, however often it arrives', async () => {
    const items = outbox()
    const [before, bad, after] = [items.heartbeat(), items.raised({ alertType: 77 }), items.heartbeat()]
    await send([before, bad, after])
    await send([bad])
    await send([{ ...bad, data: items.raised().data }])
    const { first_sequence, last_sequence, seen } = await database.db
      .selectFrom('gateway_epoch')
      .selectAll()
      .where('epoch', '=', `f${epochs}`)
      .executeTakeFirstOrThrow()
    expect([first_sequence, last_sequence, seen]).toEqual([1, 3, 3])
    expect(await feed()).toMatchObject({ gaps: 0, parked: 0 })
  })

  it('forgets what is older than a day, and says who lags', async () => {
    const items = outbox()
    await send([items.heartbeat(), items.heartbeat(), items.heartbeat()])
    const late = items.heartbeat()
    server.clock.advance(600_000)
    await send([late])
    expect(await feed()).toMatchObject({ state: 'late', lagSeconds: 598 })
    server.clock.advance(25 * 3_600_000)
    expect(await feed()).toMatchObject({ lagSeconds: null, gaps: 0, duplicates: 0 })
  })

  it('is shown for gateways of the scope alone, and to no customer', async () => {
    const { body } = await nordic.call('listGatewayFeeds')
    expect(body.map(({ gateway }) => gateway)).toEqual(['GW-OSL-01'])
    expect((await customer.call('listGatewayFeeds')).status).toBe(403)
  })
})

describe('a parked item', () => {
  async function parkedOne(data: object = { alertType: 77 }, envelope: object = {}) {
    const sent = outbox().raised({ ...data, componentName: `Valve (V${epochs})` }, { ...envelope })
    await send([sent])
    const { body } = await support.call('listParkedItems', { query: {} })
    const [item] = body.values
    if (!item) throw new Error('Nothing was parked.')
    return { sent, item, total: body.total }
  }
  const retry = (id: string, item?: object | string) =>
    support.call('retryParkedItem', {
      params: { id },
      body: item === undefined ? {} : { item: typeof item === 'string' ? item : JSON.stringify(item) },
    })
  const eventsOf = (alertId: unknown) =>
    database.db.selectFrom('service_event').selectAll().where('alert_id', '=', String(alertId)).execute()

  it('is listed as received, with its reason', async () => {
    const { sent, item, total } = await parkedOne()
    expect(total).toBe(1)
    expect(item).toMatchObject({ gateway: 'GW-UPP-01', itemId: sent.id, code: 'bad-item', resolvedAt: null })
    expect(item.reason).toContain('alertType')
    expect(JSON.parse(item.item)).toEqual(sent)
  })

  it('becomes what it should have been once it is mended, and that is recorded', async () => {
    const { sent, item } = await parkedOne()
    const data = { ...(sent.data as { alertId: string }), alertType: 2 }
    const seenBefore = (await feed()).lastMessageAt
    server.clock.advance(60_000)
    const { status, body } = await retry(item.id, { ...sent, data })
    expect([status, body.resolvedAt]).toEqual([200, server.clock.now().toISOString()])
    expect(JSON.parse(body.item)).toEqual(sent)
    expect(await eventsOf(data.alertId)).toMatchObject([{ alert_type: 2, alert_source: 'INSTRUMENT' }])
    // This does not count as a message from the gateway.
    expect((await feed()).lastMessageAt).toBe(seenBefore)
    const written = await database.db
      .selectFrom('audit')
      .selectAll()
      .where('property', '=', `parkedItem ${item.id}`)
      .orderBy('id')
      .execute()
    expect(written).toMatchObject([
      { action: 'retry', actor_type: 'user', actor_name: 's', old_value: 'bad-item', new_value: 'resolved' },
      { action: 'mend', entity_type: 'gateway', entity_id: 'GW-UPP-01', new_value: JSON.stringify({ ...sent, data }) },
    ])
    expect((await verifyAuditLog(database.db)).findings).toEqual([])
    const resolved = await support.call('listParkedItems', { query: { state: 'resolved' } })
    expect(resolved.body.values.map(({ id }) => id)).toEqual([item.id])
    expect((await retry(item.id)).problem).toMatchObject({ status: 409 })
  })

  it('stays parked with the reason of the database if that refuses it', async () => {
    const { sent, item } = await parkedOne()
    const owner = await connectClient(database.owner)
    await owner.query(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        RAISE numeric_value_out_of_range USING MESSAGE = 'integer out of range'; END $$;
      CREATE TRIGGER refuse BEFORE INSERT ON service_event FOR EACH ROW EXECUTE FUNCTION refuse()`)
    const mended = { ...sent, data: { ...(sent.data as object), alertType: 2 } }
    const { status, body } = await retry(item.id, mended)
    await owner.query('DROP TRIGGER refuse ON service_event')
    await owner.end()
    expect([status, body.resolvedAt, body.reason]).toEqual([200, null, 'The database refused it: integer out of range'])
    expect((await retry(item.id, mended)).body.resolvedAt).not.toBeNull()
  })

  it('that is very long is cut in the list, and tried again whole', async () => {
    const lines = Array.from({ length: 5 }, () => ({ timestamp: TEST_NOW.toISOString(), message: 'x'.repeat(60_000) }))
    await send([outbox().log(lines, { subject: 'IP-66666666' })])
    const [item] = (await support.call('listParkedItems', { query: {} })).body.values
    expect(item?.item).toHaveLength(200_000)
    const { body } = await retry(item?.id ?? '')
    expect([body.code, body.item.length > 300_000]).toEqual(['unknown-instrument', true])
  })

  it('is taken as it is once its instrument is registered', async () => {
    const { sent, item } = await parkedOne({}, { subject: 'IP-77777777' })
    expect(item.code).toBe('unknown-instrument')
    expect((await retry(item.id)).body).toMatchObject({ code: 'unknown-instrument', resolvedAt: null })
    await database.db
      .updateTable('instrument')
      .set({ installed_product_id: 'IP-77777777' })
      .where('id', '=', fleet.instruments.second)
      .execute()
    expect((await retry(item.id)).body.resolvedAt).not.toBeNull()
    expect(await eventsOf((sent.data as { alertId: string }).alertId)).toHaveLength(1)
    await database.db
      .updateTable('instrument')
      .set({ installed_product_id: 'IP-20431188' })
      .where('id', '=', fleet.instruments.second)
      .execute()
  })

  it('stays parked with the reason of now, and no second one is parked', async () => {
    const { sent, item } = await parkedOne()
    const other = { ...sent, id: 'no id of an item', data: { alertId: 'x' } }
    const { body } = await retry(item.id, other)
    expect(body).toMatchObject({ id: item.id, code: 'bad-item', resolvedAt: null })
    expect(body.reason).toMatch(/^id: /)
    expect((await retry(item.id, '{"id": ')).problem).toMatchObject({ status: 400 })
    expect((await support.call('listParkedItems', { query: {} })).body.total).toBe(1)
  })

  it('becomes one event however many try it at once', async () => {
    const { sent, item } = await parkedOne()
    const data = { ...(sent.data as { alertId: string }), alertType: 2 }
    const answers = await Promise.all(Array.from({ length: 4 }, () => retry(item.id, { ...sent, data })))
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 409, 409, 409])
    expect(await eventsOf(data.alertId)).toHaveLength(1)
  })

  it('can be discarded with a reason, which is recorded; it no longer waits', async () => {
    const { sent, item } = await parkedOne()
    expect(await feed()).toMatchObject({ parked: 1 })
    const discard = (reason: string) => support.call('discardParkedItem', { params: { id: item.id }, body: { reason } })
    expect((await discard(' ')).status).toBe(400)
    expect((await discard('Sent by a test bench.')).status).toBe(204)
    expect(await feed()).toMatchObject({ parked: 0 })
    const now = server.clock.now().toISOString()
    const { body } = await support.call('listParkedItems', { query: { state: 'resolved' } })
    expect(body.values).toMatchObject([
      { id: item.id, code: 'discarded', reason: 'Sent by a test bench.', resolvedAt: now },
    ])
    const written = await database.db
      .selectFrom('audit')
      .selectAll()
      .where('property', '=', `parkedItem ${item.id}`)
      .execute()
    expect(written).toMatchObject([
      {
        ...{ action: 'discard', entity_id: 'GW-UPP-01', actor_name: 's', reason: 'Sent by a test bench.' },
        ...{ old_value: `bad-item: ${item.reason}`, new_value: 'discarded' },
      },
    ])
    expect((await discard('Once more.')).problem).toMatchObject({ status: 409 })
    expect((await retry(item.id)).problem).toMatchObject({ status: 409 })
    // When it is sent again it no longer waits, and once it can be accepted it is not counted twice.
    await send([sent])
    expect(await feed()).toMatchObject({ parked: 0 })
    await send([{ ...sent, data: { ...(sent.data as object), alertType: 2 } }])
    expect(await feed()).toMatchObject({ parked: 0, gaps: 0 })
  })

  it('is discarded only by callers with the back office whose scope holds its gateway', async () => {
    const { item } = await parkedOne()
    const request = { params: { id: item.id }, body: { reason: 'Not ours.' } }
    expect((await nordic.call('discardParkedItem', request)).status).toBe(404)
    expect((await customer.call('discardParkedItem', request)).status).toBe(403)
    expect(await feed()).toMatchObject({ parked: 1 })
  })

  it('of another customer’s gateway is not there', async () => {
    const { item } = await parkedOne()
    expect((await nordic.call('listParkedItems', { query: {} })).body).toEqual({ values: [], total: 0 })
    const refused = await nordic.call('retryParkedItem', { params: { id: item.id }, body: {} })
    expect(refused.status).toBe(404)
    expect((await support.call('listParkedItems', { query: { gateway: 'GW-OSL-01' } })).body.total).toBe(0)
    expect((await support.call('listParkedItems', { query: { gateway: 'GW-UPP-01' } })).body.total).toBe(1)
  })
})

describe('held back', () => {
  /** An instrument without a contract. */
  const FREE = 'IP-20431188'
  /** An instrument under a contract. */
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
            severity: 'high',
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

    test.each([
      ['of its first report', { severity: 'low' }, 'low'],
      ['of its template', {}, 'medium'],
      ['high without a template', { templateId: 'UNKNOWN-1' }, 'high'],
    ] as const)(
      'what is held back is listed with the severity %s, as the event is made',
      async (_name, raise, severity) => {
        const setTemplates = (code: number) =>
          database.db.updateTable('event_template').set({ severity: code }).execute()
        await setTemplates(2)
        await send(freshItems().raised(raise, { subject: FREE }))
        expect((await heldBack()).values).toMatchObject([{ severity }])
        expect((await release((await onlyHeld()).id)).body.severity).toBe(severity)
        await setTemplates(3)
      },
    )

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

    test('is 404 outside the data scope, and refused once the instrument belongs to another user', async () => {
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
})
