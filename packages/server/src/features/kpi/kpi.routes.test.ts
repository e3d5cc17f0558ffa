import { kpiMeasures } from '@benchwatch/contract/vocabulary'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inTransaction } from '../../db/transaction.ts'
import { addEvents } from '../../testing/many-events.ts'
import { registerSampleFleet, type SampleFleet } from '../../testing/sample-fleet.ts'
import { addSamplePerson } from '../../testing/sample-people.ts'
import { type Caller, TEST_NOW, type TestApp, testApp } from '../../testing/test-app.ts'
import { type TestDatabase, testDatabase } from '../../testing/test-database.ts'
import { createSession, endSessions } from '../auth/session/session.store.ts'
import { readHelpCookie } from '../help/help-site.ts'

let database: TestDatabase
let app: TestApp
let fleet: SampleFleet
const range = { from: '2026-11-01', to: '2026-11-20' }

beforeAll(async () => {
  database = await testDatabase()
  app = await testApp(database)
  fleet = await registerSampleFleet(database, TEST_NOW)
  const { rows } = await database.pool.query<{ id: number }>('SELECT id FROM instrument ORDER BY id')
  for (const { id } of rows) await addEvents(database, { count: 2, instrumentId: id })
})
afterAll(() => app.close())

let people = 0
function addPerson(over: Partial<Parameters<typeof addSamplePerson>[1]> = {}): Promise<number> {
  people += 1
  return addSamplePerson(database, { login: `kpi-${people}@benchwatch.example`, role: 'service', ...over })
}

/** Returns the dashboard of a user, as its page calls the API. */
async function opened(caller: Caller): Promise<Caller> {
  const { body } = await caller.call('getKpiDashboard', { params: { id: 'overview' } })
  const token = /^\/kpi-embed\/#token=(.+)$/.exec(body.dashboardEmbedUrl)?.[1]
  return app.withHeaders({ authorization: `Bearer ${token}` })
}
const rate = async (caller: Caller, query: object = range) =>
  caller.call('getKpiTable', { params: { measure: 'event-rate' }, query: query as typeof range })
const total = async (caller: Caller, query: object = range) => {
  const { body } = await rate(caller, query)
  return body.rows.reduce((sum, row) => sum + Number(row.at(-1)), 0)
}

describe('dashboards', () => {
  test.each(['service', 'support', 'admin'] as const)('the built-in one is for %s', async (role) => {
    const caller = await app.as(await addPerson({ role }))
    expect((await caller.call('listKpiDashboards')).body).toEqual([{ id: 'overview', name: 'Service overview' }])
    const { status, body } = await caller.call('getKpiDashboard', { params: { id: 'overview' } })
    expect([status, body.expiresAt]).toEqual([200, '2026-11-20T14:05:00.000Z'])
    const other = await caller.call('getKpiDashboard', { params: { id: 'elsewhere' } })
    expect(other).toMatchObject({ status: 404, problem: { code: 'not-found' } })
  })

  test('customers have none', async () => {
    const caller = await app.as(await addPerson({ role: 'customer', scope: [fleet.customers.helix] }))
    expect((await caller.call('listKpiDashboards')).body).toEqual([])
    expect((await caller.call('getKpiDashboard', { params: { id: 'overview' } })).status).toBe(404)
  })
})

describe('the token in the fragment', () => {
  test('opens the tables for 5 minutes', async () => {
    const page = await opened(await app.as(await addPerson()))
    expect((await rate(page)).status).toBe(200)
    app.clock.advance(299_000)
    expect((await rate(page)).status).toBe(200)
    app.clock.advance(1000)
    expect(await rate(page)).toMatchObject({ status: 401, problem: { code: 'session-expired' } })
    app.clock.set(TEST_NOW)
  })

  test('is no access token, and an access token opens no table', async () => {
    const caller = await app.as(await addPerson())
    const page = await opened(caller)
    expect((await page.call('listServiceEvents', { body: {} })).status).toBe(401)
    expect((await page.call('getMe')).status).toBe(401)
    expect((await rate(caller)).status).toBe(401)
  })

  test('is not the help cookie, nor that cookie it', async () => {
    const caller = await app.as(await addPerson())
    const { headers } = await caller.call('createHelpCookie')
    const cookie = /^benchwatch_help=([^;]+)/.exec(String([headers['set-cookie']].flat()[0]))?.[1]
    expect((await rate(app.withHeaders({ authorization: `Bearer ${cookie}` }))).status).toBe(401)
    const { body } = await caller.call('getKpiDashboard', { params: { id: 'overview' } })
    const token = body.dashboardEmbedUrl.split('#token=')[1]
    const subject = await readHelpCookie({ db: database.db, clock: app.clock }, {
      cookies: { benchwatch_help: token },
    } as never)
    expect(subject).toBeUndefined()
  })

  test('opens nothing once anything of it is changed', async () => {
    const caller = await app.as(await addPerson())
    const { body } = await caller.call('getKpiDashboard', { params: { id: 'overview' } })
    const [head = '', claims = '', signature = ''] = (body.dashboardEmbedUrl.split('#token=')[1] ?? '').split('.')
    const decoded = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString())
    const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
    const forged = [
      [encoded({ ...decoded(head), alg: 'none' }), claims, ''],
      [encoded({ ...decoded(head), kid: 'elsewhere' }), claims, signature],
      [head, encoded({ ...decoded(claims), sub: '1' }), signature],
      [head, encoded({ ...decoded(claims), exp: decoded(claims).exp + 3600 }), signature],
    ]
    for (const parts of forged)
      expect((await rate(app.withHeaders({ authorization: `Bearer ${parts.join('.')}` }))).status).toBe(401)
  })

  test('shows what its holder may see now', async () => {
    const id = await addPerson()
    const page = await opened(await app.as(id))
    const all = await total(page)
    await database.pool.query('UPDATE app_user SET all_customers = false WHERE id = $1', [id])
    await database.pool.query('INSERT INTO user_customer VALUES ($1, $2)', [id, fleet.customers.helix])
    const some = await total(page)
    expect(some).toBeGreaterThan(0)
    expect(some).toBeLessThan(all)
    await database.pool.query("UPDATE app_user SET role = 'customer' WHERE id = $1", [id])
    expect((await rate(page)).status).toBe(401)
  })

  test('is worth nothing once its holder is disabled or signed out', async () => {
    const id = await addPerson()
    const page = await opened(await app.as(id))
    await database.pool.query('UPDATE app_user SET disabled_at = now() WHERE id = $1', [id])
    expect((await rate(page)).status).toBe(401)
    await database.pool.query('UPDATE app_user SET disabled_at = NULL WHERE id = $1', [id])
    expect((await rate(page)).status).toBe(200)
    await inTransaction(database.db, (trx) =>
      endSessions(trx, { which: { userId: id }, reason: 'signed-out', actor: null, at: TEST_NOW }),
    )
    expect((await rate(page)).status).toBe(401)
    // A new session does not revive the old session's token.
    await createSession({ db: database.db, clock: app.clock, config: app.config }, { userId: id })
    expect((await rate(page)).status).toBe(401)
  })
})

describe('tables', () => {
  let page: Caller
  let limited: Caller
  beforeAll(async () => {
    page = await opened(await app.as(await addPerson()))
    limited = await opened(await app.as(await addPerson({ scope: [fleet.customers.nordic] })))
  })

  test.each(kpiMeasures)('%s has a cell for each column, of its kind', async (measure) => {
    const { status, body } = await page.call('getKpiTable', { params: { measure }, query: range })
    expect([status, body.measure]).toEqual([200, measure])
    const isOfKind = {
      text: (cell: unknown) => typeof cell === 'string',
      number: Number.isInteger,
      seconds: (cell: unknown) => Number.isInteger(cell) && Number(cell) >= 0,
      share: (cell: unknown) => Number(cell) >= 0,
      day: (cell: unknown) => /^\d{4}-\d\d-\d\d$/.test(String(cell)),
      instant: (cell: unknown) => !Number.isNaN(Date.parse(String(cell))),
    }
    for (const row of body.rows) {
      expect(row).toHaveLength(body.columns.length)
      for (const [index, cell] of row.entries())
        expect([
          body.columns[index]?.key,
          cell === null || isOfKind[body.columns[index]?.kind ?? 'text'](cell),
        ]).toEqual([body.columns[index]?.key, true])
    }
  })

  test('hold nothing of other customers, whatever is asked for', async () => {
    const { body: names } = await limited.call('listKpiCustomers')
    expect(names).toHaveLength(1)
    const { body: everybody } = await page.call('listKpiCustomers')
    expect(everybody.length).toBeGreaterThan(1)
    const own = await total(limited)
    expect(own).toBeGreaterThan(0)
    expect(await total(limited, { ...range, customers: JSON.stringify(everybody) })).toBe(own)
    const others = everybody.filter((name) => name !== names[0])
    expect(await total(limited, { ...range, customers: JSON.stringify(others) })).toBe(0)
    expect(await total(page, { ...range, customers: JSON.stringify(names) })).toBe(own)
    expect(await total(page, { ...range, customers: '[]' })).toBe(0)
  })

  test('take customers by names with commas, quotes and brackets', async () => {
    const name = 'Østby, "Lab" & [Sons] \\ 50 %'
    const { rows } = await database.pool.query<{ name: string }>('SELECT name FROM customer WHERE id = $1', [
      fleet.customers.nordic,
    ])
    await database.pool.query('UPDATE customer SET name = $2 WHERE id = $1', [fleet.customers.nordic, name])
    expect((await limited.call('listKpiCustomers')).body).toEqual([name])
    expect(await total(limited)).toBeGreaterThan(0)
    expect(await total(page, { ...range, customers: JSON.stringify([name]) })).toBe(await total(limited))
    const { body } = await page.call('getKpiTable', { params: { measure: 'response-by-customer' }, query: range })
    expect(body.rows.map(([customer]) => customer)).toContain(name)
    await database.pool.query('UPDATE customer SET name = $2 WHERE id = $1', [fleet.customers.nordic, rows[0]?.name])
  })

  test('count by UTC days, also where clocks change and months end', async () => {
    const at = [
      '2026-03-28T23:59:59.999Z',
      '2026-03-29T00:00:00.000Z',
      '2026-03-29T23:59:59.999Z',
      '2026-04-01T00:00:00.000Z',
    ]
    const { rows } = await database.pool.query<{ id: number }>('SELECT id FROM service_event ORDER BY id LIMIT 4')
    for (const [index, { id }] of rows.entries())
      await database.pool.query('UPDATE service_event SET created_at = $2 WHERE id = $1', [id, at[index]])
    const { body } = await rate(page, { from: '2026-03-28', to: '2026-04-01' })
    expect(body.rows.map((row) => [row[0], row.at(-1)])).toEqual([
      ['2026-03-28', 1],
      ['2026-03-29', 2],
      ['2026-03-30', 0],
      ['2026-03-31', 0],
      ['2026-04-01', 1],
    ])
    expect(await total(page, { from: '2026-03-29', to: '2026-03-31' })).toBe(2)
  })

  test('say when a flag hides them', async () => {
    const query = { params: { measure: 'usage-due' }, query: range } as const
    expect((await page.call('getKpiTable', query)).body).toMatchObject({
      rows: [],
      note: 'The feature ASSET_USAGE is switched off for you.',
    })
  })

  test('have every day of the range up to today', async () => {
    const { body } = await rate(page, { from: '2026-11-18', to: '2026-11-30' })
    expect(body.rows.map(([day]) => day)).toEqual(['2026-11-18', '2026-11-19', '2026-11-20'])
    expect((await rate(page, { from: '2025-10-17', to: '2026-11-20' })).body.rows).toHaveLength(400)
  })

  test.each([
    [{ from: '2026-11-20', to: '2026-11-19' }, 'to: the last day must not be before the first day.'],
    [{ from: '2025-10-16', to: '2026-11-20' }, 'to: choose at most 400 days.'],
    [{ from: '0001-01-01', to: '0001-01-02' }, 'from: the year must be 1970 or later.'],
    [{ from: '9999-12-31', to: '9999-12-31' }, 'to: the year must be 9998 or earlier.'],
    [{ ...range, customers: '["\\u0000"]' }, 'customers: must be a JSON list of names, such as ["Helix Biologics"].'],
    [{ ...range, customers: 'Helix' }, 'customers: must be a JSON list of names, such as ["Helix Biologics"].'],
    [{ ...range, customers: '{"a":1}' }, 'customers: must be a JSON list of names, such as ["Helix Biologics"].'],
    [{ ...range, customers: '[1]' }, 'customers: must be a JSON list of names, such as ["Helix Biologics"].'],
  ])('refuse %j', async (query, ErrorBody) => {
    expect(await rate(page, query)).toMatchObject({ status: 400, problem: { code: 'invalid-parameter', ErrorBody } })
  })

  test.each([{}, { from: '2026-11-20' }, { from: 'today', to: 'today' }])('refuse the syntax of %j', async (query) => {
    expect(await rate(page, query)).toMatchObject({ status: 400, problem: { code: 'validation-failed' } })
  })
})
