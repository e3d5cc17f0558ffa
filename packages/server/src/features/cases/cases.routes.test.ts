import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CaseDeskServer, startCaseDeskServer } from '../../testing/emulators/case-desk-server.ts'
import { eventually } from '../../testing/eventually.ts'
import { addEvents } from '../../testing/many-events.ts'
import { registerSampleFleet, type SampleFleet } from '../../testing/sample-fleet.ts'
import { addSamplePerson } from '../../testing/sample-people.ts'
import { type Caller, TEST_NOW, type TestApp, testApp } from '../../testing/test-app.ts'
import { type TestDatabase, testDatabase } from '../../testing/test-database.ts'

let database: TestDatabase
let app: TestApp
let fleet: SampleFleet
let server: CaseDeskServer
const people = { helix: 0, colleague: 0, nordic: 0, admin: 0 }
const as: Record<keyof typeof people | 'desk' | 'registry', Caller> = {} as never

beforeAll(async () => {
  database = await testDatabase()
  server = await startCaseDeskServer()
  const environment = { CASE_DESK_FILE: await server.file('servicenow'), METRICS_TOKEN: 'metrics-of-the-test' }
  app = await testApp(database, { environment })
  fleet = await registerSampleFleet(database, TEST_NOW)
  const { helix, nordic } = fleet.customers
  const add = (login: string, person: object) => addSamplePerson(database, { login, ...person })
  people.helix = await add('lab@helixbio.example', { name: 'Hanna Lind', role: 'customer', scope: [helix] })
  people.colleague = await add('lab2@helixbio.example', { name: 'Hugo Alm', role: 'customer', scope: [helix] })
  people.nordic = await add('lab@nordic.example', { name: 'Nora Nord', role: 'customer', scope: [nordic] })
  people.admin = await add('admin@benchwatch.example', { name: 'Ada Berg', role: 'admin' })
  for (const [name, id] of Object.entries(people)) as[name as keyof typeof people] = await app.as(id)
  for (const [name, scope] of [
    ['desk', 'cases'],
    ['registry', 'registry'],
  ] as const) {
    const { body } = await as.admin.call('createApiToken', {
      body: { name: `Token of ${scope}`, scopes: [scope], expiresAt: '2027-01-01' },
    })
    as[name] = app.withHeaders({ authorization: `Bearer ${body.token}` })
  }
})
afterAll(async () => {
  await app.close()
  await server.close()
})

/** Raises an event of Helix that Hanna owns. */
async function owned(): Promise<string> {
  const [id = ''] = await addEvents(database, { count: 1, instrumentId: fleet.instruments.first })
  await as.helix.call('updateServiceEvent', { params: { id }, body: { claimedBy: String(people.helix) } })
  return id
}

const request = (caller: Caller, id: string, version?: number) =>
  caller.call('requestCase', {
    params: { id },
    body: {},
    ...(version !== undefined && { headers: { 'if-match': `"${version}"` } }),
  })
const read = async (id: string) => (await as.helix.call('getServiceEvent', { params: { id } })).body

/** Returns an event that the product has closed with a case of the desk. */
async function closed() {
  const id = await owned()
  await request(as.helix, id)
  return eventually(async () => {
    const event = await read(id)
    expect(event.alertStatus).toBe('3_CLOSED')
    return { ...event, number: event.serviceMaxCaseNumber ?? '' }
  })
}

describe('asking for a case', () => {
  test('has the desk create it, and closes the event', async () => {
    const id = await owned()
    const asked = await request(as.helix, id, 2)
    expect(asked.status).toBe(200)
    expect(asked.headers.etag).toBe('"3"')
    expect(asked.body).toMatchObject({
      alertStatus: '2_IN_PROGRESS',
      version: 3,
      serviceCase: { requestedAt: TEST_NOW.toISOString(), requestedByName: 'Hanna Lind', isCreated: false },
    })
    const made = await eventually(async () => {
      const event = await read(id)
      expect(event.serviceCase?.isCreated).toBe(true)
      return event
    })
    expect(made).toMatchObject({ alertStatus: '3_CLOSED', reasonClosed: 'Service Case Created', version: 4 })
    expect(server.cases.filter(({ correlationId }) => correlationId === id)).toHaveLength(1)
  })

  test('twice asks once', async () => {
    server.refusal = 503
    const id = await owned()
    const first = await request(as.helix, id)
    const second = await request(as.helix, id)
    expect([second.status, second.body.version]).toEqual([200, first.body.version])
    server.refusal = null
    await as.helix.call('cancelCase', { params: { id } })
  })

  test('is for the owner of an open event that was not changed meanwhile', async () => {
    const id = await owned()
    expect((await request(as.colleague, id)).problem).toMatchObject({ status: 403, code: 'not-owner' })
    expect((await request(as.helix, id, 1)).problem).toMatchObject({ status: 412, code: 'version-mismatch' })
    const { id: closedId } = await closed()
    expect((await request(as.helix, closedId)).problem).toMatchObject({ status: 409, event: { id: closedId } })
  })

  test('for an event of another customer answers as for none', async () => {
    const id = await owned()
    const other = await request(as.nordic, id)
    const none = await request(as.nordic, '99999999')
    expect([other.status, other.problem.detail]).toEqual([404, none.problem.detail])
    const cancelled = await as.nordic.call('cancelCase', { params: { id } })
    expect([cancelled.status, cancelled.problem.detail]).toEqual([404, none.problem.detail])
  })

  test('informs the other screens of this customer', async () => {
    const { id } = await closed()
    const { rows } = await sql<{ customer_id: number; property: string }>`
      SELECT customer_id, message->>'property' AS property FROM (
        SELECT customer_id, message FROM live_message UNION ALL SELECT customer_id, message FROM live_outbox) AS m
      WHERE message->'payload'->>'id' = ${id} AND message->>'property' = 'serviceCase'`.execute(database.db)
    expect(rows).toHaveLength(2)
    expect(rows.every(({ customer_id }) => customer_id === fleet.customers.helix)).toBe(true)
  })

  test('is counted while it waits', async () => {
    server.refusal = 503
    const id = await owned()
    await request(as.helix, id)
    await eventually(async () =>
      expect((await read(id)).serviceCase?.lastError).toBe('ServiceNow is not available (503).'),
    )
    const { body } = await app.app.http.inject({
      url: '/metrics',
      headers: { authorization: 'Bearer metrics-of-the-test' },
    })
    expect(body).toContain('benchwatch_service_cases{state="failing"} 1')
    expect(body).toContain('benchwatch_service_cases_oldest_age_seconds 0')
    server.refusal = null
    const cancelled = await as.helix.call('cancelCase', { params: { id } })
    expect(cancelled.body).toMatchObject({ alertStatus: '2_IN_PROGRESS', serviceCase: null })
    expect((await as.helix.call('cancelCase', { params: { id } })).status).toBe(409)
  })
})

describe('what happens to a case', () => {
  const at = '2026-11-20T13:30:00.000Z'
  const report = (number: string, body: object = {}, caller: Caller = as.desk) =>
    caller.call('reportCase', { params: { number }, body: { status: 'Technician on the way', at, ...body } })

  test('stands on the event, since when, and in its history with the note', async () => {
    const { id, number, version } = await closed()
    const url = `https://cases.benchwatch.example/${number}/new`
    expect((await report(number, { url, note: 'Arrives on Friday.' })).status).toBe(204)
    expect(await read(id)).toMatchObject({
      version: version + 1,
      serviceMaxUrl: url,
      serviceCase: { status: 'Technician on the way', statusSince: at },
    })
    const { body } = await as.helix.call('listServiceEventHistory', { params: { id } })
    expect(body.values.slice(-2)).toMatchObject([
      {
        actorName: 'Token of cases',
        property: 'caseStatus',
        oldValue: null,
        newValue: 'Technician on the way',
        reason: 'Arrives on Friday.',
      },
      { actorName: 'Token of cases', property: 'serviceMaxUrl', newValue: url },
    ])
  })

  test('changes nothing when it is repeated or comes late, and keeps its beginning when it is told again', async () => {
    const { id, number } = await closed()
    await report(number)
    const { version } = await read(id)
    expect((await report(number)).status).toBe(204)
    expect((await report(number, { status: 'New', at: '2026-11-20T13:00:00Z' })).status).toBe(204)
    expect(await read(id)).toMatchObject({ version, serviceCase: { status: 'Technician on the way', statusSince: at } })
    await report(number, { at: '2026-11-20T13:45:00Z', note: 'Still on the way.' })
    expect(await read(id)).toMatchObject({ version: version + 1, serviceCase: { statusSince: at } })
    await report(number, { status: 'Closed', at: '2026-11-20T13:50:00Z' })
    expect((await read(id)).serviceCase).toMatchObject({ status: 'Closed', statusSince: '2026-11-20T13:50:00.000Z' })
  })

  test.each([
    [{ status: ' ' }, 'validation-failed'],
    [{ status: 'x'.repeat(61) }, 'validation-failed'],
    [{ url: 'https://evil.example/1' }, 'bad-change'],
    [{ url: 'javascript:alert(1)' }, 'bad-change'],
    [{ at: '2026-11-20T14:06:00Z' }, 'bad-change'],
    [{ more: 1 }, 'validation-failed'],
  ])('is refused as %j', async (body, code) => {
    const { number, id, version } = await closed()
    expect((await report(number, body)).problem).toMatchObject({ status: 400, code })
    expect((await read(id)).version).toBe(version)
  })

  test('is not followed for a number that nobody knows, that was typed by hand, or that was corrected', async () => {
    expect((await report('99999999')).problem).toMatchObject({ status: 404, code: 'not-found' })
    const typed = await owned()
    const change = { alertStatus: 'CLOSED', reasonClosed: 'Service Case Created' } as const
    await as.helix.call('updateServiceEvent', {
      params: { id: typed },
      body: { ...change, serviceMaxCaseNumber: '77777777' },
    })
    expect((await report('77777777')).status).toBe(404)
    const { id, number } = await closed()
    await as.helix.call('updateServiceEvent', { params: { id }, body: { serviceMaxCaseNumber: '66666666' } })
    expect((await report(number)).status).toBe(404)
    expect((await read(id)).serviceCase).toBeNull()
  })

  test('a customer who types the number of another customer’s case learns nothing about it', async () => {
    const { number } = await closed()
    await report(number)
    const [id = ''] = await addEvents(database, { count: 1, instrumentId: fleet.instruments.nordic })
    const put = (body: object) => as.nordic.call('updateServiceEvent', { params: { id }, body })
    await put({ claimedBy: String(people.nordic) })
    const change = { alertStatus: 'CLOSED', reasonClosed: 'Service Case Created', serviceMaxCaseNumber: number }
    expect((await put(change)).body).toMatchObject({ serviceMaxCaseNumber: number, serviceCase: null })
    await report(number, { status: 'Closed', at: '2026-11-20T13:50:00Z' })
    expect((await as.nordic.call('getServiceEvent', { params: { id } })).body.serviceCase).toBeNull()
  })

  test('is accepted from administrators and tokens for cases only', async () => {
    const { number } = await closed()
    const scope = [fleet.customers.nordic]
    const elsewhere = await addSamplePerson(database, { login: 'nordic@benchwatch.example', role: 'admin', scope })
    expect((await report(number, {}, await app.as(elsewhere))).status).toBe(404)
    expect((await report(number, {}, as.admin)).status).toBe(204)
    expect((await report(number, {}, as.registry)).problem).toMatchObject({ status: 403, code: 'wrong-role' })
    expect((await report(number, {}, as.helix)).problem).toMatchObject({ status: 403, code: 'wrong-role' })
    expect((await report(number, {}, app)).status).toBe(401)
    expect((await as.desk.call('listCustomers', { query: {} })).problem.code).toBe('wrong-role')
  })
})

test('without a desk, the user is asked to enter the number', async () => {
  const plain = await testApp(database)
  const id = await owned()
  const { problem } = await request(await plain.as(people.helix), id)
  expect(problem).toMatchObject({
    status: 409,
    detail: 'No case desk is configured. Enter the number of the case by hand.',
  })
  await plain.close()
})
