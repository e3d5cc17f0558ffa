import type { AlertStatus } from '@benchwatch/contract/vocabulary'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type GatewayItems, gatewayItems } from '../../testing/gateway-items.ts'
import { registerSampleFleet, type SampleFleet } from '../../testing/sample-fleet.ts'
import { addSamplePerson } from '../../testing/sample-people.ts'
import { type Caller, TEST_NOW, type TestApp, testApp } from '../../testing/test-app.ts'
import { testDatabase } from '../../testing/test-database.ts'
import { verifyAuditLog } from '../audit/audit.queries.ts'

let server: TestApp
let fleet: SampleFleet
let support: Caller
let supportId: number
/** A service user for Nordic Pharma only. */
let nordic: Caller
let nordicId: number
let customer: Caller
let items: GatewayItems
let epochs = 0

const FIRST = 'IP-20431187'

beforeAll(async () => {
  const database = await testDatabase()
  fleet = await registerSampleFleet(database, TEST_NOW)
  server = await testApp(database)
  supportId = await addSamplePerson(database, { login: 's@benchwatch.example', name: 'Sara Support', role: 'support' })
  support = await server.as(supportId)
  nordicId = await addSamplePerson(database, { login: 'n@benchwatch.example', scope: [fleet.customers.nordic] })
  nordic = await server.as(nordicId)
  customer = await server.as(
    await addSamplePerson(database, { login: 'c@helixbio.example', role: 'customer', scope: [fleet.customers.helix] }),
  )
  await database.db.insertInto('feature_flag').values({ key: 'BACKOFFICE', user_id: null, value: true }).execute()
})
afterAll(() => server.close())

beforeEach(async () => {
  const { db } = server.database
  const tables = ['latched_alert', 'pending_notification', 'event_origin']
  for (const table of [...tables, 'live_outbox', 'live_message', 'service_event'])
    await sql`DELETE FROM ${sql.table(table)}`.execute(db)
  epochs += 1
  items = gatewayItems(`b${epochs}`, server.clock.now())
})

const form = () => ({
  componentName: 'Pump B (P9-B)',
  description: 'Pressure above limit',
  userMessage: 'Look at the pump',
  severity: 'high',
  templateId: 'P9B-1042',
  alertType: 1,
  alertStatus: '1_NEW' as AlertStatus | 'NEW',
  alertSource: 'INSTRUMENT',
  alertId: 'by-hand',
  createdAt: server.clock.now().toISOString(),
  instrumentInstalledProductId: FIRST,
})
const create = (over: object = {}, caller = support) =>
  caller.call('createBackofficeEvent', { body: { ...form(), ...over } })
const total = async (query: object = {}) =>
  (await support.call('listServiceEvents', { query, body: {} })).body.total.events
const ago = (hours: number) => new Date(server.clock.now().getTime() - hours * 3_600_000).toISOString()

async function ingest(batch: unknown[]): Promise<void> {
  const { name, key } = fleet.gateways.helix
  const gateway = server.withHeaders({ authorization: `Bearer ${key}` })
  const { body } = await gateway.call('ingestBatch', { params: { gateway: name }, body: batch })
  expect(body.accepted).toBe(batch.length)
}

async function liveMessages() {
  const { db } = server.database
  const waiting = db.selectFrom('live_outbox').select(['id as seq', 'message', sql<number>`2`.as('part')])
  const rows = await db
    .selectFrom('live_message')
    .select(['seq', 'message', sql<number>`1`.as('part')])
    .unionAll(waiting)
    .orderBy('part')
    .orderBy('seq')
    .execute()
  return rows.map(({ message }) => message)
}

const history = async (id: string) =>
  (await support.call('listServiceEventHistory', { params: { id } })).body.values.map(
    ({ actorName, action, property, newValue }) => [actorName, action, property, newValue],
  )

describe('a created event', () => {
  it('is the one that a gateway would have raised, with BACKOFFICE as its source', async () => {
    const { status, body: event } = await create({ logGeneratedAt: ago(2), createdAt: ago(1) })
    expect(status).toBe(201)
    expect(event).toMatchObject({
      alertStatus: '1_NEW',
      severity: 'high',
      alertType: 1,
      alertSource: 'INSTRUMENT,BACKOFFICE',
      alertId: 'by-hand',
      templateId: 'P9B-1042',
      componentName: 'Pump B (P9-B)',
      componentType: 'Pump',
      description: 'Pressure above limit',
      userMessage: 'Look at the pump',
      latchedCount: 0,
      createdAt: ago(1),
      logGeneratedAt: ago(2),
      instrumentInstalledProductId: FIRST,
      gatewayName: 'GW-UPP-01',
      enterpriseName: 'Helix Biologics',
      fullSupport: true,
      isEdgeIssue: false,
      claimedBy: null,
      version: 1,
    })
    expect(await liveMessages()).toEqual([
      expect.objectContaining({
        entity: 'alarm',
        action: 'create',
        payload: expect.objectContaining({ id: event.id }),
      }),
    ])
    expect(await history(event.id)).toEqual([['Sara Support', 'created', null, null]])
    expect(await verifyAuditLog(server.database.db)).toMatchObject({ findings: [] })
  })

  it('is counted on the day on which it was created', async () => {
    const day = 86_400_000
    const createdAt = new Date(TEST_NOW.getTime() - 40 * day).toISOString()
    await create({ createdAt })
    await create({ templateId: 'U9M-1', createdAt: '1970-01-01' })
    await create({ templateId: 'U9M-2' })
    const range = { start: new Date(TEST_NOW.getTime() - 41 * day).toISOString(), stop: ago(24) }
    expect([await total(), await total(range), await total({ start: ago(1) })]).toEqual([3, 1, 1])
  })

  it('may be about an instrument without a gateway', async () => {
    const { db } = server.database
    await db.updateTable('instrument').set({ gateway_id: null }).where('id', '=', fleet.instruments.second).execute()
    const { status, body } = await create({ instrumentInstalledProductId: 'IP-20431188' })
    expect([status, body.gatewayName]).toEqual([201, null])
    const gateway_id = fleet.gateways.helix.id
    await db.updateTable('instrument').set({ gateway_id }).where('id', '=', fleet.instruments.second).execute()
  })

  it('keeps texts as they were written, and takes no markup for any', async () => {
    const description = `<script>alert(1)</script>\r\n${'ä'.repeat(9970)}`
    const { body } = await create({ description, userMessage: '=1+1' })
    expect([body.description, body.userMessage]).toEqual([description, '=1+1'])
  })

  it('returns to normal when the gateway says so of its alert id', async () => {
    const { body } = await create()
    const later = { time: new Date(server.clock.now().getTime() + 5000).toISOString() }
    await ingest([items.cleared('by-hand', later)])
    const { body: event } = await support.call('getServiceEvent', { params: { id: body.id } })
    expect(event).toMatchObject({ clearedAt: later.time, alertStatus: '1_NEW' })
    expect((await create()).body.id).not.toBe(body.id)
  })

  it('is not ended by an older cleared that waited for its raise, nor once that comes', async () => {
    const [late, overtaking] = [items.raised({ alertId: 'by-hand' }), items.cleared('by-hand')]
    await ingest([overtaking])
    const { body } = await create()
    expect(body.clearedAt).toBeNull()
    await ingest([late])
    const read = async () => (await support.call('getServiceEvent', { params: { id: body.id } })).body
    expect(await read()).toMatchObject({ latchedCount: 1, clearedAt: null })
    await ingest([items.cleared('by-hand')])
    expect((await read()).clearedAt).not.toBeNull()
  })
})

describe('an alarm that is open already', () => {
  it('is counted on its event, whoever raises it', async () => {
    const { body: first } = await create()
    const { status, body: second } = await create({ alertId: 'again' })
    expect([status, second.id, second.latchedCount]).toEqual([201, first.id, 1])
    await ingest([items.raised()])
    const { body: event } = await support.call('getServiceEvent', { params: { id: first.id } })
    expect([event.latchedCount, await total()]).toEqual([2, 1])
    expect(await history(first.id)).toEqual([
      ['Sara Support', 'created', null, null],
      ['Sara Support', 'update', 'latchedCount', '1'],
    ])
  })

  it('is one event, however many raise it at once', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, (_, index) => create({ alertId: `at-once-${index}` })))
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
    expect(answers.map(({ body }) => body.latchedCount).sort((one, other) => one - other)).toEqual([0, 1, 2, 3, 4, 5])
    expect(await verifyAuditLog(server.database.db)).toMatchObject({ findings: [] })
  })

  it('takes no status from the form of another', async () => {
    const { body: first } = await create()
    const { status, problem } = await create({ alertStatus: '2_IN_PROGRESS', claimedBy: String(supportId) })
    const message = `This alarm is already open as ORC-${first.id}. Close that event first, or create this one as New to count it there.`
    expect([status, problem.code, problem.errors]).toEqual([400, 'bad-event', [{ path: 'body.alertStatus', message }]])
    const { body: event } = await support.call('getServiceEvent', { params: { id: first.id } })
    expect([event.version, event.latchedCount]).toEqual([1, 0])
  })
})

describe('an event that is created in a later status', () => {
  it('gets to In progress by the ordinary change', async () => {
    const { body } = await create({ alertStatus: '2_IN_PROGRESS', claimedBy: String(supportId) })
    expect(body).toMatchObject({ alertStatus: '2_IN_PROGRESS', claimedByName: 'Sara Support', version: 2 })
    expect((await liveMessages()).map((message) => ('property' in message ? message.property : null))).toEqual([
      ...[null, 'alertStatus', 'claimedBy'],
    ])
    expect(await history(body.id)).toEqual([
      ['Sara Support', 'created', null, null],
      ['Sara Support', 'update', 'claimedBy', 'Sara Support'],
      ['Sara Support', 'update', 'alertStatus', '2_IN_PROGRESS'],
    ])
  })

  it('gets to Closed in the name of its owner, and the record says who did it', async () => {
    const owner = await addSamplePerson(server.database, { login: `o${epochs}@benchwatch.example`, name: 'Otto Owner' })
    const { body } = await create({
      alertStatus: '3_CLOSED',
      claimedBy: String(owner),
      reasonClosed: 'Service Case Created',
      serviceMaxCaseNumber: '00012345',
      serviceMaxUrl: 'https://cases.benchwatch.example/00012345',
    })
    expect(body).toMatchObject({
      alertStatus: '3_CLOSED',
      claimedBy: String(owner),
      reasonClosed: 'Service Case Created',
      version: 3,
      serviceMaxCaseNumber: '00012345',
      reasonClosedComment: null,
    })
    const entries = await history(body.id)
    expect(entries.at(-1)).toEqual([
      ...['Sara Support', 'update', 'serviceMaxUrl', 'https://cases.benchwatch.example/00012345'],
    ])
    expect(entries.every(([actor]) => actor === 'Sara Support')).toBe(true)
    expect(await verifyAuditLog(server.database.db)).toMatchObject({ findings: [] })
    // The alarm is not open, so its next raise creates another event.
    expect((await create()).body.id).not.toBe(body.id)
  })

  it('is owned by somebody who may see the instrument', async () => {
    for (const claimedBy of [String(nordicId), '999999', 'SYSTEM', '0', "1' OR 1=1"]) {
      const { status, problem } = await create({ alertStatus: '2_IN_PROGRESS', claimedBy })
      const message = 'Owner must be a user who may see this instrument. Choose one from the list.'
      expect([status, problem.code, problem.ErrorBody]).toEqual([400, 'bad-event', message])
      expect(problem.errors).toEqual([{ path: 'body.claimedBy', message }])
    }
    expect(await total()).toBe(0)
  })
})

describe('what is refused', () => {
  it('names each field, the first one as ErrorBody', async () => {
    const { status, problem } = await support.call('createBackofficeEvent', { body: {} })
    expect([status, problem.code, problem.ErrorBody]).toEqual([400, 'bad-event', 'Module name cannot be empty.'])
    expect(problem.errors).toHaveLength(11)
    expect(problem.errors?.at(-1)).toEqual({ path: 'body.alertId', message: 'Alert ID cannot be empty.' })
  })

  it('is nothing of customers, and of nobody without the flag', async () => {
    expect((await create({}, customer)).problem.code).toBe('wrong-role')
    expect((await server.call('createBackofficeEvent', { body: {} })).status).toBe(401)
    await server.database.db.updateTable('feature_flag').set({ value: false }).where('key', '=', 'BACKOFFICE').execute()
    expect((await create()).problem.code).toBe('feature-off')
    await server.database.db.updateTable('feature_flag').set({ value: true }).where('key', '=', 'BACKOFFICE').execute()
  })

  it('is 404 for an instrument outside the scope, before anything is said of other fields', async () => {
    for (const [id, caller] of [
      [FIRST, nordic],
      ['IP-99999999', support],
      ["IP-1'; DROP TABLE instrument", support],
      ['<b>IP</b>', support],
    ] as const) {
      const { status, problem } = await create(
        { instrumentInstalledProductId: id, message: undefined, severity: '' },
        caller,
      )
      expect([id, status, problem.code]).toEqual([id, 404, 'not-found'])
    }
    const own = await create({ instrumentInstalledProductId: 'IP-30000001' }, nordic)
    expect(own.status).toBe(201)
    expect((await create({ instrumentInstalledProductId: FIRST, componentName: 3 }, nordic)).status).toBe(400)
  })

  it.each([
    ['an unknown field', { owner: '1' }],
    ['10,001 characters', { description: 'x'.repeat(10_001) }],
    ['a NUL', { userMessage: 'a\u0000b' }],
    ['a line end in a name', { componentName: 'Pump\r\nBcc: x@evil.example' }],
    ['a tab in a code', { alertId: 'a\tb' }],
    ['a number for a text', { severity: 3 }],
    ['a list', { alertId: ['a'] }],
  ])('is %s, before 404', async (_name, over) => {
    const { status, problem } = await create({ instrumentInstalledProductId: 'IP-99999999', ...over })
    expect([status, problem.code]).toEqual([400, 'validation-failed'])
  })

  it.each([
    ['createdAt', '9999-12-31'],
    ['createdAt', '2027-01-01T00:00:00Z'],
    ['createdAt', '0000-00-00'],
    ['logGeneratedAt', '2199-01-01T00:00:00Z'],
  ])('is %s %s', async (field, value) => {
    const { status, problem } = await create({ [field]: value })
    expect([status, problem.code]).toEqual([400, 'bad-event'])
    expect(await total()).toBe(0)
  })
})
