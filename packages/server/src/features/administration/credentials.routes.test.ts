import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { registerSampleFleet, type SampleFleet } from '../../testing/sample-fleet.ts'
import { addSamplePerson } from '../../testing/sample-people.ts'
import { type Caller, TEST_NOW, type TestApp, testApp } from '../../testing/test-app.ts'
import { type TestDatabase, testDatabase } from '../../testing/test-database.ts'
import { verifyAuditLog } from '../audit/audit.queries.ts'

let database: TestDatabase
let app: TestApp
let fleet: SampleFleet
let admin: Caller
let adminId: number

beforeAll(async () => {
  database = await testDatabase()
  app = await testApp(database)
  fleet = await registerSampleFleet(database, TEST_NOW)
  adminId = await addSamplePerson(database, { login: 'admin@benchwatch.example', name: 'Ada Admin', role: 'admin' })
  admin = await app.as(adminId)
})
afterAll(() => app.close())

const YEAR_MS = 365 * 86_400_000
const inOneYear = new Date(TEST_NOW.getTime() + YEAR_MS).toISOString()
const withToken = (token: string) => app.withHeaders({ authorization: `Bearer ${token}` })
async function newToken(name = 'Warehouse') {
  const { status, body } = await admin.call('createApiToken', {
    body: { name, scopes: ['registry'], expiresAt: inOneYear },
  })
  expect(status).toBe(201)
  return body
}
async function audits(entityType: string, entityId: string) {
  const rows = await database.db
    .selectFrom('audit')
    .select(['action', 'actor_type', 'actor_id'])
    .where('entity_type', '=', entityType)
    .where('entity_id', '=', entityId)
    .orderBy('entity_seq')
    .execute()
  return rows.map(({ action, actor_type, actor_id }) => `${action} by ${actor_type} ${actor_id}`)
}

describe('keys of a gateway', () => {
  const gateway = 'GW-UPP-01'
  const heartbeat = (key: string) => withToken(key).call('ingestBatch', { params: { gateway }, body: [] as never })

  test('are shown once, and their first use revokes the older ones', async () => {
    expect((await heartbeat(fleet.gateways.helix.key)).status).toBe(200)
    const made = await admin.call('createGatewayKey', { params: { gateway } })
    expect(made.status).toBe(201)
    expect(made.body.key).toMatch(/^bwgw_[\w-]{43}$/)
    const { body } = await admin.call('listGatewayKeys', { params: { gateway } })
    expect(body.values.map(({ revokedAt }) => revokedAt)).toEqual([null, null])
    expect(JSON.stringify(body)).not.toContain(made.body.key)
    expect((await heartbeat(fleet.gateways.helix.key)).status).toBe(200)
    expect((await heartbeat(made.body.key)).status).toBe(200)
    expect((await heartbeat(fleet.gateways.helix.key)).status).toBe(401)
    const after = await admin.call('listGatewayKeys', { params: { gateway } })
    expect(after.body.values.map(({ revokedAt }) => revokedAt === null)).toEqual([true, false])
    expect(await audits('gateway', gateway)).toContain(`key-created by user ${adminId}`)
    expect(app.logged()).not.toContain(made.body.key)
  })

  test('are revoked one by one, once', async () => {
    const { body } = await admin.call('createGatewayKey', { params: { gateway } })
    const revoke = (id: string, of = gateway) => admin.call('revokeGatewayKey', { params: { gateway: of, id } })
    const before = (await audits('gateway', gateway)).length
    expect([(await revoke(body.id)).status, (await revoke(body.id)).status]).toEqual([204, 204])
    expect((await audits('gateway', gateway)).length).toBe(before + 1)
    expect((await heartbeat(body.key)).status).toBe(401)
    // A key belongs to one gateway only.
    const own = await admin.call('createGatewayKey', { params: { gateway } })
    expect((await revoke(own.body.id, 'GW-OSL-01')).status).toBe(404)
    expect((await heartbeat(own.body.key)).status).toBe(200)
    for (const id of ['0', '4711', '999999999999999999']) expect((await revoke(id)).status).toBe(404)
  })

  test('do not exist for an administrator whose data scope lacks the customer', async () => {
    const scope = [fleet.customers.nordic]
    const id = await addSamplePerson(database, { login: 'nordic@benchwatch.example', role: 'admin', scope })
    const limited = await app.as(id)
    const { body } = await admin.call('createGatewayKey', { params: { gateway } })
    const revoked = await limited.call('revokeGatewayKey', { params: { gateway, id: body.id } })
    const listed = await limited.call('listGatewayKeys', { params: { gateway } })
    const made = await limited.call('createGatewayKey', { params: { gateway } })
    expect([listed.status, made.status, revoked.status]).toEqual([404, 404, 404])
    expect((await heartbeat(body.key)).status).toBe(200)
    const own = await limited.call('createGatewayKey', { params: { gateway: fleet.gateways.nordic.name } })
    expect(own.status).toBe(201)
  })

  test('belong to registered gateways alone', async () => {
    const params = { gateway: 'GW-NONE' }
    expect((await admin.call('listGatewayKeys', { params })).problem).toMatchObject({ status: 404 })
    expect((await admin.call('createGatewayKey', { params })).problem).toMatchObject({ status: 404 })
  })
})

describe('API tokens', () => {
  test('are shown once, listed newest first, and open the registry alone', async () => {
    const { token, ...head } = await newToken()
    expect(token).toMatch(/^bwt_[\w-]{43}$/)
    expect(head).toMatchObject({
      name: 'Warehouse',
      scopes: ['registry'],
      createdBy: 'Ada Admin',
      expiresAt: inOneYear,
      revokedAt: null,
      lastUsedAt: null,
    })
    const system = withToken(token)
    expect((await system.call('listCustomers', { query: {} })).status).toBe(200)
    for (const name of ['getMe', 'listApiTokens', 'listFeatureFlags'] as const) {
      expect((await system.call(name)).status).toBe(401)
    }
    const { body } = await admin.call('listApiTokens')
    expect(body.values[0]).toEqual({ ...head, lastUsedAt: TEST_NOW.toISOString() })
    expect(JSON.stringify(body)).not.toContain(token)
    const stored = await database.db.selectFrom('api_token').selectAll().execute()
    expect(JSON.stringify(stored)).not.toContain(token.slice(4))
  })

  test('stand in the record as who registered something', async () => {
    const { token, id } = await newToken('ERP')
    await withToken(token).call('putCustomer', { params: { key: 'by-token' }, body: { name: 'By Token' } })
    expect(await audits('registry', 'customers/by-token')).toEqual([`created by api_token ${id}`])
    expect(await audits('api_token', id)).toEqual([`created by user ${adminId}`])
    await expect.poll(async () => (await verifyAuditLog(database.db)).findings).toEqual([])
  })

  test('are refused once they are revoked, at once and for good', async () => {
    const { token, id } = await newToken()
    const revoke = () => admin.call('revokeApiToken', { params: { id } })
    expect([(await revoke()).status, (await revoke()).status]).toEqual([204, 204])
    const { status, problem } = await withToken(token).call('listCustomers', { query: {} })
    expect([status, problem.code]).toEqual([401, 'session-expired'])
    expect(await audits('api_token', id)).toHaveLength(2)
    for (const none of ['0', '4711', '999999999999999999']) {
      expect((await admin.call('revokeApiToken', { params: { id: none } })).status).toBe(404)
    }
  })

  test('are refused after their end', async () => {
    const { token } = await newToken()
    app.clock.advance(YEAR_MS)
    expect((await withToken(token).call('listCustomers', { query: {} })).status).toBe(401)
    app.clock.advance(-YEAR_MS)
  })

  test.each([
    ['in the past', -1],
    ['now', 0],
    ['in more than two years', 2 * YEAR_MS + 2 * 86_400_000],
  ])('cannot end %s', async (_when, ms) => {
    const expiresAt = new Date(TEST_NOW.getTime() + ms).toISOString()
    const { problem } = await admin.call('createApiToken', { body: { name: 'x', scopes: ['registry'], expiresAt } })
    expect(problem).toMatchObject({ status: 400, code: 'bad-change', errors: [{ path: 'body.expiresAt' }] })
  })

  test('for service cases come from an administrator of all customers', async () => {
    const scope = [fleet.customers.nordic]
    const id = await addSamplePerson(database, { login: 'tokens@benchwatch.example', role: 'admin', scope })
    const make = async (caller: Caller, one: 'cases' | 'registry') =>
      caller.call('createApiToken', { body: { name: 'x', scopes: [one], expiresAt: inOneYear } })
    const limited = await app.as(id)
    expect((await make(limited, 'cases')).problem).toMatchObject({ status: 400, errors: [{ path: 'body.scopes' }] })
    expect((await make(limited, 'registry')).status).toBe(201)
    expect((await make(admin, 'cases')).status).toBe(201)
  })

  test('need a name, a scope and known scopes', async () => {
    for (const body of [
      { name: ' ', scopes: ['registry'] },
      { name: 'x', scopes: [] },
      { name: 'x', scopes: ['everything'] },
    ]) {
      const { problem } = await admin.call('createApiToken', { body: { ...body, expiresAt: inOneYear } as never })
      expect(problem).toMatchObject({ status: 400, code: 'validation-failed' })
    }
  })
})
