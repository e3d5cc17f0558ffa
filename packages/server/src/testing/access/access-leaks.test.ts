import type { LiveMessage } from '@benchwatch/contract/live'
import type { RouteName } from '@benchwatch/contract/paths'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { inTransaction } from '../../db/transaction.ts'
import { upsertInstruments } from '../../features/registry/instruments.store.ts'
import { type LiveSocket, openLive } from '../live-socket.ts'
import { type TestApp, testApp } from '../test-app.ts'
import { testDatabase } from '../test-database.ts'
import { type AccessRequest, ask, newCaller, type RawAnswer } from './access-callers.ts'
import { type AccessFixture, buildAccessFixture, tellsOf } from './access-fixture.ts'

let app: TestApp
let fixture: AccessFixture
/** One event of each customer, raised before the first request. */
let events: { a: string; b: string }
const sockets: LiveSocket[] = []

beforeAll(async () => {
  app = await testApp(await testDatabase())
  await app.app.http.listen({ host: '127.0.0.1', port: 0 })
  fixture = await buildAccessFixture(app)
  events = { a: await fixture.a.raise(), b: await fixture.b.raise() }
  // Totals are folded later, and filter values come from them.
})
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.close()
})
afterAll(() => app.close())

async function askAs<N extends RouteName>(
  who: 'customer A' | 'customer B',
  name: N,
  request: AccessRequest<N> = {},
): Promise<RawAnswer> {
  const { headers } = await newCaller(app, fixture, who)
  return ask(app, name, { ...request, headers: { ...headers, ...request.headers } })
}

/** Requests of B whose answers could contain data of A: by its ids, words, positions and users. */
const questions: [string, () => Promise<RawAnswer>, (answer: RawAnswer) => void][] = [
  ['the list of events', () => list({}), one],
  ['events with a word of A', () => list({ keyword: fixture.a.mark }), none],
  ['events with the id of an event of A', () => list({ keyword: `ORC-${events.a}` }), none],
  ['events of the customer A', () => filtered({ enterpriseName: ['Canarya7 Labs'] }), none],
  ['events in the country of A', () => filtered({ siteCountry: [fixture.a.values.country] }), none],
  ['events of the modules of A', () => filtered({ componentName: ['Canarya7'] }), none],
  ['events of the types of A', () => filtered({ instrumentType: [fixture.a.values.instrumentType] }), none],
  ['events of an owner of A', () => filtered({ owner: [String(fixture.a.user.id)] }), none],
  ['events without the customer A', () => filtered({ 'enterpriseName!': ['Canarya7 Labs'] }), one],
  ['events without the country of A', () => filtered({ 'siteCountry!': [fixture.a.values.country] }), one],
  ['events at the place of A', () => list({}, { positions: [fixture.a.values.position] }), none],
  ['every order of the list', () => list({ orderBy: 'enterpriseName', order: 'asc' }), one],
  ['what lies beyond its last page', () => list({ offset: '1' }), () => undefined],
  ['the event of A', () => askAs('customer B', 'getServiceEvent', { params: { id: events.a } }), absent],
  ['it by number', () => askAs('customer B', 'getServiceEventByEventId', { params: { eventId: events.a } }), absent],
  ['its history', () => askAs('customer B', 'listServiceEventHistory', { params: { id: events.a } }), absent],
  ['to change it', () => change(events.a, { alertStatus: 'CLOSED' }), absent],
  ['to give it away', () => change(events.a, { claimedBy: String(fixture.b.user.id) }), absent],
  ['to change it under a version', () => change(events.a, { alertStatus: 'NEW' }, '"99"'), absent],
  ['to give an own event to A', () => change(events.b, { claimedBy: String(fixture.a.user.id) }), refused],
  ['users', () => askAs('customer B', 'listUsers'), found],
  ['filter values', () => askAs('customer B', 'getMyFilters'), found],
  ['itself', () => askAs('customer B', 'getMe'), found],
]

function list(
  query: AccessRequest<'listServiceEvents'>['query'],
  body: AccessRequest<'listServiceEvents'>['body'] = {},
) {
  return askAs('customer B', 'listServiceEvents', { query, body })
}
function filtered(filter: Record<string, string[]>) {
  return list({}, { filter })
}
function change(id: string, body: AccessRequest<'updateServiceEvent'>['body'], ifMatch?: string) {
  return askAs('customer B', 'updateServiceEvent', {
    params: { id },
    body,
    ...(ifMatch !== undefined && { headers: { 'if-match': ifMatch } }),
  })
}
type ListBody = { values: unknown[]; total: Record<string, number> }
function none({ status, body }: RawAnswer) {
  const { values, total } = body as ListBody
  expect([status, values, Object.values(total).filter((number) => number > 0)]).toEqual([200, [], []])
}
function one({ status, body }: RawAnswer) {
  const { values, total } = body as ListBody
  expect([status, values.length, total.events, total.instruments, total.customers]).toEqual([200, 1, 1, 1, 1])
}
function absent({ status }: RawAnswer) {
  expect(status).toBe(404)
}
function refused({ status }: RawAnswer) {
  expect(status).toBe(400)
}
function found({ status }: RawAnswer) {
  expect(status).toBe(200)
}

/** Rows that belong to a customer, by table. */
const owned = {
  customer: sql`SELECT * FROM customer WHERE id = `,
  site: sql`SELECT * FROM site WHERE customer_id = `,
  contract: sql`SELECT * FROM contract WHERE customer_id = `,
  contact: sql`SELECT * FROM contact WHERE customer_id = `,
  gateway: sql`SELECT g.* FROM gateway g JOIN site s ON s.id = g.site_id WHERE s.customer_id = `,
  instrument: sql`SELECT * FROM instrument WHERE customer_id = `,
  service_event: sql`SELECT * FROM service_event WHERE customer_id = `,
}

test('every text of customer A in the database holds its mark, but for the words of the product', async () => {
  const { db } = app.database
  const unmarked = new Set<string>()
  for (const [table, rowsOf] of Object.entries(owned)) {
    const columns = await sql<{ name: string }>`
      SELECT column_name AS name FROM information_schema.columns
      WHERE table_name = ${table} AND data_type = 'text'`.execute(db)
    const { rows } = await sql<Record<string, string | null>>`${rowsOf}${fixture.a.id}`.execute(db)
    expect([table, rows.length > 0]).toEqual([table, true])
    for (const row of rows) {
      for (const { name } of columns.rows) {
        if (row[name]?.toLowerCase().includes(fixture.a.mark) === false) unmarked.add(`${table}.${name}`)
      }
    }
  }
  expect([...unmarked].toSorted()).toEqual([
    'instrument.orc_status',
    'instrument.status',
    'instrument.type',
    'service_event.alert_source',
    'service_event.instrument_status_at_event',
    'service_event.template_id',
    'site.time_zone',
  ])
})

describe('customer B gets not one byte of customer A', () => {
  test.each(questions)('asking for %s', async (_what, question, holds) => {
    const answer = await question()
    holds(answer)
    expect(tellsOf(fixture.a, answer.bytes)).toEqual([])
  })

  test('and is answered for A’s ids as for ids that nobody has', async () => {
    const read = async (id: string) => {
      const { bytes } = await askAs('customer B', 'getServiceEvent', { params: { id } })
      return bytes.replace(/"requestId":"[^"]+"/, '').replace(/"date":"[^"]+"/, '')
    }
    expect(await read(events.a)).toBe(await read('987654321'))
  })

  test('while A itself gets its own', async () => {
    const answers = [
      await askAs('customer A', 'listServiceEvents', { body: {} }),
      await askAs('customer A', 'getServiceEvent', { params: { id: events.a } }),
      await askAs('customer A', 'listUsers'),
      await askAs('customer A', 'getMyFilters'),
      await askAs('customer A', 'getMe'),
    ]
    for (const { bytes } of answers) expect(tellsOf(fixture.a, bytes)).toContain(fixture.a.mark)
    const filters = await askAs('customer A', 'getMyFilters')
    expect(filters.bytes).toContain(`${fixture.a.mark} pump`)
    const { bytes } = await askAs('customer A', 'getServiceEvent', { params: { id: events.a } })
    expect(tellsOf(fixture.a, bytes)).toEqual([fixture.a.mark, 'UniFlux', '59.77177', '17.77177'])
  })
})

describe('the live connection of customer B', () => {
  async function connect(who: 'customer A' | 'customer B', after?: number): Promise<LiveSocket> {
    const { headers } = await newCaller(app, fixture, who)
    const socket = await openLive(app, app.withHeaders(headers), after === undefined ? {} : { after })
    sockets.push(socket)
    return socket
  }

  /** Runs everything that can happen to A, followed by a change of B's own. */
  async function happenings(): Promise<string> {
    const id = await fixture.a.raise()
    await fixture.a.report()
    const { headers, userId } = await newCaller(app, fixture, 'customer A')
    const as = app.withHeaders(headers)
    await as.call('updateServiceEvent', { params: { id }, body: { claimedBy: String(userId) } })
    await as.call('updateServiceEvent', {
      params: { id },
      body: { alertStatus: 'CLOSED', reasonClosed: 'No action required', reasonClosedComment: fixture.a.mark },
    })
    return fixture.b.raise()
  }

  test('brings nothing of A, neither new nor caught up', async () => {
    const [a, b] = [await connect('customer A'), await connect('customer B')]
    const { seq } = await b.next()
    await a.next()
    const own = await happenings()
    const received: LiveMessage[] = []
    for (let message = await b.next(); ; message = await b.next()) {
      received.push(message)
      if (message.entity === 'alarm' && message.payload.id === own) break
    }
    expect(tellsOf(fixture.a, JSON.stringify(received))).toEqual([])
    expect(received.every((message) => message.entity === 'alarm' && message.payload.id === own)).toBe(true)
    expect(tellsOf(fixture.a, JSON.stringify([await a.next(), await a.next()]))).toContain(fixture.a.mark)

    const again = await connect('customer B', seq)
    expect((await again.next()).entity).toBe('hello')
    const caught = await again.next()
    expect(caught).toMatchObject({ entity: 'alarm', payload: { id: own } })
  })

  test('brings nothing of an instrument that went to A', async () => {
    const { instrument } = fixture.b.registered
    const moved = { ...instrument, key: 'IP-MOVED-1', input: { ...instrument.input, gateway: null } }
    const { a } = fixture
    const toA = { ...moved.input, site: a.registered.site.key, contract: null, contact: null, itContact: null }
    const { db } = app.database
    const writing = { actor: { type: 'command', name: 'test' } as const, at: app.clock.now() }
    await inTransaction(db, (trx) => upsertInstruments(trx, writing, [moved]))
    await inTransaction(db, (trx) =>
      upsertInstruments(trx, writing, [{ key: moved.key, input: { ...toA, gateway: a.gateway.name } }]),
    )
    const { bytes } = await askAs('customer B', 'getMyFilters')
    expect(tellsOf(fixture.a, bytes)).toEqual([])
  })
})
