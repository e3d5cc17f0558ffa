import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { registerSampleFleet, type SampleFleet } from '../../testing/sample-fleet.ts'
import { addSamplePerson } from '../../testing/sample-people.ts'
import { type Caller, TEST_NOW, type TestApp, testApp } from '../../testing/test-app.ts'
import { type TestDatabase, testDatabase } from '../../testing/test-database.ts'
import type { NewServiceEvent } from './change-record.ts'
import { insertServiceEvents } from './events.store.ts'

let database: TestDatabase
let app: TestApp
let fleet: SampleFleet
let templateId: string
let siteOf: Map<number, { site: number; customer: number }>
const people = { engineer: 0, colleague: 0, helix: 0, helixColleague: 0, nordic: 0 }
const as: Record<keyof typeof people, Caller> = {} as never

beforeAll(async () => {
  database = await testDatabase()
  app = await testApp(database)
  fleet = await registerSampleFleet(database, TEST_NOW)
  const { helix, nordic } = fleet.customers
  const add = (login: string, person: object) => addSamplePerson(database, { login, ...person })
  people.engineer = await add('engineer@benchwatch.example', { name: 'Ines Berg' })
  people.colleague = await add('colleague@benchwatch.example', { name: 'Carl Lind' })
  people.helix = await add('lab@helixbio.example', { name: 'Hanna Lind', role: 'customer', scope: [helix] })
  people.helixColleague = await add('lab2@helixbio.example', { name: 'Hugo Alm', role: 'customer', scope: [helix] })
  people.nordic = await add('lab@nordic.example', { name: 'Nora Nord', role: 'customer', scope: [nordic] })
  for (const [name, id] of Object.entries(people)) as[name as keyof typeof people] = await app.as(id)
  const template = await database.db.selectFrom('event_template').select('template_id').executeTakeFirstOrThrow()
  templateId = template.template_id
  await database.db
    .insertInto('component')
    .values({ name: 'Pump B (P9-B)', type: 'Pump', name_folded: 'pump b (p9-b)' })
    .execute()
  const rows = await database.db.selectFrom('instrument').select(['id', 'site_id', 'customer_id']).execute()
  siteOf = new Map(rows.map((row) => [row.id, { site: row.site_id, customer: row.customer_id }]))
})
afterAll(() => app.close())

let alertNumber = 0

async function raise(
  instrumentId = fleet.instruments.first,
  overrides: Partial<NewServiceEvent> = {},
): Promise<string> {
  const place = siteOf.get(instrumentId)
  if (!place) throw new Error(`There is no instrument ${instrumentId}.`)
  alertNumber += 1
  const isNordic = instrumentId === fleet.instruments.nordic
  const ids = await insertServiceEvents(database.db, [
    {
      createdAt: TEST_NOW,
      logGeneratedAt: new Date(TEST_NOW.getTime() - 5000),
      // Clears the event, so that the next test can raise the same alarm.
      clearedAt: TEST_NOW,
      alertId: `alert-${alertNumber}`,
      templateId,
      severity: 'high',
      alertType: 1,
      alertSource: 'INSTRUMENT',
      description: 'Pressure limit exceeded',
      userMessage: 'Check the pump.',
      instrumentId,
      componentId: 1,
      gatewayId: isNordic ? fleet.gateways.nordic.id : fleet.gateways.helix.id,
      siteId: place.site,
      customerId: place.customer,
      instrumentStatusAtEvent: 'method run',
      fullSupport: true,
      ...overrides,
    },
  ])
  return String(ids.get(0))
}

const put = (caller: Caller, id: string, body: object, version?: number | string) =>
  caller.call('updateServiceEvent', {
    params: { id },
    body,
    ...(version !== undefined && { headers: { 'if-match': typeof version === 'number' ? `"${version}"` : version } }),
  })

const auditRows = (id: string) =>
  database.db
    .selectFrom('audit')
    .where('entity_type', '=', 'service_event')
    .where('entity_id', '=', id)
    .orderBy('entity_seq')
    .select(['actor_id', 'action', 'property', 'old_value', 'new_value', 'reason'])
    .execute()

/** Returns the live messages about an event, published or still queued, in order. */
async function messages(id: string) {
  const { rows } = await sql<{ message: { property: string; payload: Record<string, unknown> }; customer_id: number }>`
    SELECT message, customer_id FROM live_message WHERE message->'payload'->>'id' = ${id}
    UNION ALL SELECT message, customer_id FROM live_outbox WHERE message->'payload'->>'id' = ${id}`.execute(database.db)
  return rows
}

describe('reading one event', () => {
  test('gives everything that is shown, with its version as ETag', async () => {
    const id = await raise()
    const answer = await as.helix.call('getServiceEvent', { params: { id } })
    expect(answer.status).toBe(200)
    expect(answer.headers.etag).toBe('"1"')
    expect(answer.body).toMatchObject({
      id,
      eventId: id,
      templateId,
      eventTemplateId: templateId,
      eisCode: templateId.slice(0, templateId.lastIndexOf('-')),
      errorCode: templateId.slice(templateId.lastIndexOf('-') + 1),
      createdAt: '2026-11-20T14:00:00.000Z',
      date: '2026-11-20T13:59:55.000Z',
      severity: 'high',
      alertStatus: '1_NEW',
      claimedBy: null,
      componentName: 'Pump B (P9-B)',
      componentType: 'Pump',
      instrumentInstalledProductId: 'IP-20431187',
      instrumentStatusAtEvent: 'method run',
      enterpriseName: 'Helix Biologics',
      siteCity: 'Uppsala',
      instrumentLocationLatitude: 59.85178,
      instrumentLocationLongitude: 17.65892,
      cpType: 'Complete Care',
      cpSLATerm: 'Platinum 24/7',
      cpEndDate: '2027-06-30',
      tierOne: true,
      contactName: 'Maria Öberg',
      contactEmail: 'maria.oberg@helixbio.example',
      gatewayName: 'GW-UPP-01',
      version: 1,
    })
    expect(answer.body.troubleshooting).toMatch(/</)
    expect(answer.body.remedy).toMatch(/</)
  })

  test.each(['', 'ORC-'])('by its event id with %j before it', async (prefix) => {
    const id = await raise()
    const answer = await as.engineer.call('getServiceEventByEventId', { params: { eventId: `${prefix}${id}` } })
    expect(answer.body).toMatchObject({ id })
    expect(answer.headers.etag).toBe('"1"')
  })

  test('another customer’s event is answered like one that does not exist', async () => {
    const id = await raise()
    const missing = await as.nordic.call('getServiceEvent', { params: { id: '999999999999999999' } })
    expect(missing.status).toBe(404)
    for (const answer of [
      await as.nordic.call('getServiceEvent', { params: { id } }),
      await as.nordic.call('getServiceEventByEventId', { params: { eventId: id } }),
      await as.nordic.call('listServiceEventHistory', { params: { id } }),
      await put(as.nordic, id, { claimedBy: String(people.nordic) }),
    ]) {
      expect({ ...answer.problem, requestId: '' }).toEqual({ ...missing.problem, requestId: '' })
    }
  })

  test('after the instrument has moved, its former customer sees nothing of what it has now', async () => {
    const id = await raise(fleet.instruments.second)
    const nordic = siteOf.get(fleet.instruments.nordic)
    const before = { customer_id: fleet.customers.helix, site_id: siteOf.get(fleet.instruments.second)?.site ?? 0 }
    const move = (to: { customer_id: number; site_id: number; contract_id: number | null; status: 'wash' }) =>
      database.db.updateTable('instrument').set(to).where('id', '=', fleet.instruments.second).execute()
    const { id: contract_id } = await database.db
      .insertInto('contract')
      .values({ key: 'N-1', customer_id: fleet.customers.nordic, sla_term: 'Secret 24h' })
      .returning('id')
      .executeTakeFirstOrThrow()
    await move({ customer_id: nordic?.customer ?? 0, site_id: nordic?.site ?? 0, contract_id, status: 'wash' })
    const { body } = await as.helix.call('getServiceEvent', { params: { id } })
    const found = (filter: object) => as.helix.call('listServiceEvents', { query: { keyword: id }, body: { filter } })
    const byStatus = await found({ instrumentStatus: ['wash'] })
    const byContract = await found({ contractSLA: ['Secret 24h'] })
    const byType = await found({ instrumentType: [body.instrumentType] })
    await move({ ...before, contract_id: null, status: 'wash' })
    expect(body).toMatchObject({ enterpriseName: 'Helix Biologics', siteCity: 'Uppsala' })
    expect(body).toMatchObject({
      instrumentStatus: null,
      cpSLATerm: null,
      contactName: null,
      instrumentLastService: null,
    })
    expect(byStatus.body.total.events).toBe(0)
    expect(byContract.body.total.events).toBe(0)
    expect(byType.body.total.events).toBe(1)
  })
})

describe('listing', () => {
  test('holds only events of the caller’s customers, in values and totals', async () => {
    const [own, other] = [await raise(), await raise(fleet.instruments.nordic)]
    const list = (caller: Caller) => caller.call('listServiceEvents', { query: { limit: '100' }, body: {} })
    const helix = (await list(as.helix)).body
    const nordic = (await list(as.nordic)).body
    const engineer = (await list(as.engineer)).body
    const ids = (body: typeof helix) => body.values.map(({ alarm }) => alarm.id)
    expect(ids(helix)).toContain(own)
    expect(ids(helix)).not.toContain(other)
    expect(ids(nordic)).toContain(other)
    expect(ids(nordic)).not.toContain(own)
    expect(helix.total.customers).toBe(1)
    expect(engineer.total).toMatchObject({ customers: 2, events: helix.total.events + nordic.total.events })
    const filtered = await as.nordic.call('listServiceEvents', {
      query: {},
      body: { filter: { enterpriseName: ['Helix Biologics'] } },
    })
    expect(filtered.body).toMatchObject({ values: [], total: { events: 0, customers: 0, locations: 0 } })
    const without = await as.nordic.call('listServiceEvents', {
      query: { limit: '100' },
      body: { filter: { 'enterpriseName!': ['Helix Biologics'] } },
    })
    expect(ids(without.body)).toEqual(ids(nordic))
    const nothing = await as.nordic.call('listServiceEvents', {
      query: {},
      body: { filter: { 'enterpriseName!': nordic.values.map(({ alarm }) => alarm.enterpriseName) } },
    })
    expect(nothing.body).toMatchObject({ values: [], total: { events: 0, customers: 0 } })
  })

  test.each<[string, object, object, string]>([
    ['an unknown category', {}, { filter: { colour: ['red'] } }, 'colour'],
    ['an unknown excluded category', {}, { filter: { 'colour!': ['red'] } }, 'colour!'],
    ['a filter that is no list', {}, { filter: { severity: 'high' } }, 'severity'],
    ['a date that is none', { start: 'yesterday' }, {}, 'start'],
    ['a page size beyond 100', { limit: '101' }, {}, 'limit'],
    ['a negative offset', { offset: '-1' }, {}, 'offset'],
    ['an unknown order', { orderBy: 'colour' }, {}, 'orderBy'],
    ['an unknown parameter', { page: '1' }, {}, 'page'],
    ['a keyword over 40 characters', { keyword: 'x'.repeat(41) }, {}, 'keyword'],
    ['a keyword with a NUL', { keyword: 'a\u0000' }, {}, 'keyword'],
    ['a position that is none', {}, { positions: [[1]] }, 'positions'],
    ['a flag that is neither true nor false', { noOwnerEvents: 'yes' }, {}, 'noOwnerEvents'],
  ])('%s is refused with a sentence that names it', async (_what, query, body, named) => {
    const answer = await as.engineer.call('listServiceEvents', { query: query as never, body: body as never })
    expect(answer.status).toBe(400)
    expect(answer.problem).toMatchObject({ code: 'validation-failed', status: 400 })
    expect(JSON.stringify(answer.problem)).toContain(named)
    expect(answer.problem.ErrorBody).toBe(answer.problem.detail)
  })

  test('nobody reads without a token', async () => {
    expect((await app.call('listServiceEvents', { query: {}, body: {} })).problem.code).toBe('session-expired')
    expect((await put(app, '1', {})).status).toBe(401)
  })
})

describe('changing an event', () => {
  let id: string
  beforeEach(async () => {
    id = await raise()
  })

  test('claim, close and correct: answer, version, record and live messages agree', async () => {
    const claimed = await put(as.helix, id, { claimedBy: String(people.helix), alertStatus: 'IN_PROGRESS' }, 1)
    expect(claimed.status).toBe(200)
    expect(claimed.headers.etag).toBe('"2"')
    expect(claimed.body).toMatchObject({
      alertStatus: '2_IN_PROGRESS',
      claimedBy: String(people.helix),
      claimedByName: 'Hanna Lind',
      version: 2,
    })
    app.clock.advance(60_000)
    const close = {
      alertStatus: 'CLOSED',
      reasonClosed: 'No action required',
      reasonClosedComment: ' Air in the line ',
    }
    const closed = await put(as.helix, id, close, 2)
    expect(closed.body).toMatchObject({
      alertStatus: '3_CLOSED',
      reasonClosed: 'No action required',
      reasonClosedComment: 'Air in the line',
      version: 3,
    })
    const corrected = await put(as.helix, id, { reasonClosedComment: 'Leak' }, 3)
    expect(corrected.body).toMatchObject({ reasonClosedComment: 'Leak', version: 4 })
    app.clock.set(TEST_NOW)

    const me = String(people.helix)
    expect(await auditRows(id)).toEqual([
      { actor_id: me, action: 'update', property: 'claimedBy', old_value: null, new_value: me, reason: null },
      {
        actor_id: me,
        action: 'update',
        property: 'alertStatus',
        old_value: '1_NEW',
        new_value: '2_IN_PROGRESS',
        reason: null,
      },
      {
        actor_id: me,
        action: 'update',
        property: 'alertStatus',
        old_value: '2_IN_PROGRESS',
        new_value: '3_CLOSED',
        reason: 'No action required',
      },
      {
        actor_id: me,
        action: 'update',
        property: 'reasonClosed',
        old_value: null,
        new_value: 'No action required',
        reason: null,
      },
      {
        actor_id: me,
        action: 'update',
        property: 'reasonClosedComment',
        old_value: null,
        new_value: 'Air in the line',
        reason: null,
      },
      {
        actor_id: me,
        action: 'update',
        property: 'reasonClosedComment',
        old_value: 'Air in the line',
        new_value: 'Leak',
        reason: null,
      },
    ])
    const head = { id, eventId: id, instrumentInstalledProductId: 'IP-20431187' }
    const told = await messages(id)
    expect(told.every(({ customer_id }) => customer_id === fleet.customers.helix)).toBe(true)
    expect(told.map(({ message }) => message.payload).sort((a, b) => Number(a.version) - Number(b.version))).toEqual([
      { ...head, version: 2, alertStatus: '2_IN_PROGRESS', reasonClosed: null },
      { ...head, version: 2, claimedBy: me, claimedByName: 'Hanna Lind' },
      { ...head, version: 3, alertStatus: '3_CLOSED', reasonClosed: 'No action required' },
      { ...head, version: 3, reasonClosedComment: 'Air in the line' },
      { ...head, version: 4, reasonClosedComment: 'Leak' },
    ])
    const row = await database.db
      .selectFrom('service_event')
      .where('id', '=', Number(id))
      .select(['claimed_at', 'closed_at', 'last_action_at'])
      .executeTakeFirst()
    const minuteLater = new Date(TEST_NOW.getTime() + 60_000)
    expect(row).toEqual({ claimed_at: TEST_NOW, closed_at: minuteLater, last_action_at: minuteLater })
  })

  test('the history begins with the gateway and names the owners', async () => {
    await put(as.engineer, id, { claimedBy: String(people.colleague) })
    await put(as.engineer, id, { claimedBy: String(people.engineer) })
    const { body } = await as.helix.call('listServiceEventHistory', { params: { id } })
    expect(
      body.values.map(({ actorName, action, property, oldValue, newValue }) => [
        actorName,
        action,
        property,
        oldValue,
        newValue,
      ]),
    ).toEqual([
      ['GW-UPP-01', 'created', null, null, null],
      ['Ines Berg', 'update', 'claimedBy', null, 'Carl Lind'],
      ['Ines Berg', 'update', 'alertStatus', '1_NEW', '2_IN_PROGRESS'],
      ['Ines Berg', 'update', 'claimedBy', 'Carl Lind', 'Ines Berg'],
    ])
    expect(body.values[0]).toMatchObject({ at: '2026-11-20T14:00:00.000Z', actorId: null })
    expect(body.values[1]).toMatchObject({ actorId: String(people.engineer) })
  })

  test.each(['EDGE_ISSUE', 'OFFLINE'])(
    'of %s the history begins with the system: nothing was delivered',
    async (kind) => {
      const silence = await raise(undefined, { alertSource: kind })
      const { body } = await as.helix.call('listServiceEventHistory', { params: { id: silence } })
      expect(body.values).toMatchObject([{ actorId: 'SYSTEM', actorName: 'Automatic', action: 'created' }])
    },
  )

  test('a repeated request changes nothing, whatever its version', async () => {
    const body = { claimedBy: String(people.engineer) }
    expect((await put(as.engineer, id, body, 1)).body.version).toBe(2)
    const again = await put(as.engineer, id, body, 1)
    expect(again.status).toBe(200)
    expect(again.body.version).toBe(2)
    expect(await auditRows(id)).toHaveLength(2)
    expect(await messages(id)).toHaveLength(2)
  })

  test('undo reverts the owner, status and time of a claim, with an audit entry and a live message', async () => {
    const me = String(people.engineer)
    await put(as.engineer, id, { claimedBy: me })
    app.clock.advance(5000)
    const undone = await put(as.engineer, id, { undo: true })
    app.clock.set(TEST_NOW)
    expect(undone.status).toBe(200)
    expect(undone.body).toMatchObject({ alertStatus: '1_NEW', claimedBy: null, claimedByName: null, version: 3 })
    expect((await auditRows(id)).slice(2)).toEqual([
      { actor_id: me, action: 'update', property: 'claimedBy', old_value: me, new_value: null, reason: null },
      {
        actor_id: me,
        action: 'update',
        property: 'alertStatus',
        old_value: '2_IN_PROGRESS',
        new_value: '1_NEW',
        reason: null,
      },
    ])
    const told = (await messages(id)).map(({ message }) => message.payload).filter(({ version }) => version === 3)
    expect(told).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ alertStatus: '1_NEW' }),
        expect.objectContaining({ claimedBy: null, claimedByName: null }),
      ]),
    )
    const row = await database.db
      .selectFrom('service_event')
      .where('id', '=', Number(id))
      .select('claimed_at')
      .executeTakeFirst()
    expect(row).toEqual({ claimed_at: null })
  })

  test('undo gives an event back to its earlier owner, who is not notified', async () => {
    await put(as.colleague, id, { claimedBy: String(people.colleague) })
    app.clock.advance(5000)
    await put(as.engineer, id, { claimedBy: String(people.engineer) })
    app.clock.advance(5000)
    const undone = await put(as.engineer, id, { undo: true })
    app.clock.set(TEST_NOW)
    expect(undone.body).toMatchObject({ alertStatus: '2_IN_PROGRESS', claimedByName: 'Carl Lind' })
    const told = (await messages(id)).map(({ message }) => message.payload)
    expect(told).toContainEqual(
      expect.objectContaining({ claimedBy: String(people.colleague), claimedByName: 'Carl Lind', version: 4 }),
    )
    const notified = await database.db
      .selectFrom('pending_notification')
      .where('event_id', '=', Number(id))
      .where('kind', '=', 'assign_me_notification')
      .select('user_id')
      .execute()
    expect(notified).toEqual([])
  })

  test('undo is refused after a minute, a second time, after another change, and to others', async () => {
    await put(as.engineer, id, { claimedBy: String(people.engineer) })
    const refused = async (caller: Caller) => {
      const answer = await put(caller, id, { undo: true })
      return [answer.status, answer.problem.code, answer.problem['event'] !== undefined]
    }
    const conflict = [409, 'status-conflict', true]
    expect(await refused(as.colleague)).toEqual(conflict)
    app.clock.advance(60_001)
    expect(await refused(as.engineer)).toEqual(conflict)
    await put(as.colleague, id, { claimedBy: String(people.colleague) })
    expect(await refused(as.engineer)).toEqual(conflict)
    app.clock.advance(1000)
    expect((await put(as.colleague, id, { undo: true })).status).toBe(200)
    expect(await refused(as.colleague)).toEqual(conflict)
    app.clock.set(TEST_NOW)
    expect((await put(as.colleague, id, { undo: true, claimedBy: null })).problem.code).toBe('bad-change')
    const foreign = await put(as.nordic, id, { undo: true })
    expect([foreign.status, foreign.problem.code]).toEqual([404, 'not-found'])
  })

  test('a stale version is refused with the current event', async () => {
    await put(as.engineer, id, { claimedBy: String(people.engineer) }, 1)
    for (const stale of [1, 'W/"1"', '"nonsense"', 'nonsense']) {
      const answer = await put(as.colleague, id, { claimedBy: String(people.colleague) }, stale)
      expect(answer.status).toBe(412)
      expect(answer.problem).toMatchObject({
        code: 'version-mismatch',
        event: { id, version: 2, claimedByName: 'Ines Berg' },
      })
    }
    expect((await put(as.colleague, id, { claimedBy: String(people.colleague) }, 'W/"2"')).status).toBe(200)
    expect((await put(as.engineer, id, { claimedBy: String(people.engineer) }, '*')).status).toBe(200)
  })

  test('only the owner may close, and a closed event can’t be claimed: 409 carries the event', async () => {
    const close = { alertStatus: 'CLOSED', reasonClosed: 'Duplicate event' }
    const refused = await put(as.engineer, id, close)
    expect([refused.status, refused.problem.code]).toEqual([403, 'not-owner'])
    expect(refused.problem).not.toHaveProperty('event')
    await put(as.engineer, id, { claimedBy: String(people.engineer) })
    expect((await put(as.engineer, id, close)).status).toBe(200)
    const late = await put(as.colleague, id, { claimedBy: String(people.colleague) })
    expect(late.status).toBe(409)
    expect(late.problem).toMatchObject({ code: 'status-conflict', event: { id, alertStatus: '3_CLOSED', version: 3 } })
  })

  test('a customer assigns only to its own people, and anybody only to who sees the event', async () => {
    const give = (caller: Caller, userId: number) => put(caller, id, { claimedBy: String(userId) })
    expect((await give(as.helix, people.helixColleague)).status).toBe(200)
    for (const answer of [
      await give(as.helix, people.engineer),
      await give(as.engineer, people.nordic),
      await give(as.engineer, 4_000_000),
    ]) {
      expect([answer.status, answer.problem.code]).toEqual([400, 'unknown-owner'])
    }
    expect((await put(as.engineer, id, { claimedBy: 'SYSTEM' })).problem.code).toBe('unknown-owner')
    expect((await put(as.engineer, id, { claimedBy: null })).problem.code).toBe('bad-change')
  })

  test.each<[string, unknown]>([
    ['an unknown field', { colour: 'red' }],
    ['a status that is none', { alertStatus: '3_CLOSED' }],
    ['a reason that is none', { alertStatus: 'CLOSED', reasonClosed: 'Because' }],
    ['a reason in other letters', { alertStatus: 'CLOSED', reasonClosed: 'duplicate event' }],
    ['a number as owner', { claimedBy: 5 }],
    [
      'a comment over 2,000 characters',
      { alertStatus: 'CLOSED', reasonClosed: 'Duplicate event', reasonClosedComment: 'x'.repeat(2001) },
    ],
  ])('%s is refused before anything else', async (_what, body) => {
    const answer = await put(as.engineer, id, body as object, 99)
    expect([answer.status, answer.problem.code]).toEqual([400, 'validation-failed'])
  })

  test('of 50 simultaneous claims of one version, one wins and the others learn whose', async () => {
    const callers = [as.engineer, as.colleague, as.helix, as.helixColleague]
    const owners = [people.engineer, people.colleague, people.helix, people.helixColleague]
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        put(callers[index % 4] as Caller, id, { claimedBy: String(owners[index % 4]) }, 1),
      ),
    )
    const current = (await as.engineer.call('getServiceEvent', { params: { id } })).body
    expect(current.version).toBe(2)
    expect(await auditRows(id)).toHaveLength(2)
    const won = answers.filter(({ status }) => status === 200)
    // Repeating the winning request changes nothing.
    expect(won.every(({ body }) => body.claimedBy === current.claimedBy)).toBe(true)
    expect(won.length).toBeGreaterThanOrEqual(1)
    expect(won.length).toBeLessThanOrEqual(13)
    const lost = answers.filter(({ status }) => status !== 200)
    for (const { status, problem } of lost) {
      expect(status).toBe(412)
      expect(problem).toMatchObject({ event: { claimedBy: current.claimedBy, version: 2 } })
    }
  })
})

test('a correction of what the system closed is for the service organisation', async () => {
  const id = await raise()
  await database.db
    .updateTable('service_event')
    .set({ alert_status: 3, claimed_by: 0, reason_closed: 5 })
    .where('id', '=', Number(id))
    .execute()
  const read = await as.helix.call('getServiceEvent', { params: { id } })
  expect(read.body).toMatchObject({
    claimedBy: 'SYSTEM',
    claimedByName: 'Automatic',
    reasonClosed: 'Closed by automatic email',
  })
  expect((await put(as.helix, id, { reasonClosedComment: 'Seen' })).status).toBe(403)
  expect((await put(as.engineer, id, { reasonClosedComment: 'Seen' })).body.reasonClosedComment).toBe('Seen')
})

test('case number and address follow the configuration', async () => {
  const other = await testApp(database, {
    environment: { CASE_NUMBER_PATTERN: '^SC-\\d+$', CASE_URL_HOSTS: 'crm.example' },
  })
  const caller = await other.as(people.engineer)
  const id = await raise()
  await put(caller, id, { claimedBy: String(people.engineer) })
  const close = (serviceMaxCaseNumber: string, serviceMaxUrl: string) =>
    put(caller, id, {
      alertStatus: 'CLOSED',
      reasonClosed: 'Service Case Created',
      serviceMaxCaseNumber,
      serviceMaxUrl,
    })
  expect((await close('00012345', 'https://crm.example/1')).problem.code).toBe('bad-change')
  expect((await close('SC-1', 'https://cases.benchwatch.example/1')).problem.detail).toContain('crm.example')
  expect((await close('SC-1', 'https://crm.example/1')).body).toMatchObject({
    serviceMaxCaseNumber: 'SC-1',
    serviceMaxUrl: 'https://crm.example/1',
  })
  await other.close()
})
