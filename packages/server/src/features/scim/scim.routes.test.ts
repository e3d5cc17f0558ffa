import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { OIDC_CLIENT, type OidcIssuer, startOidcIssuer } from '../../testing/emulators/oidc-issuer.ts'
import { registerSampleFleet, type SampleFleet } from '../../testing/sample-fleet.ts'
import { addSamplePerson } from '../../testing/sample-people.ts'
import { TEST_NOW, type TestApp, testApp } from '../../testing/test-app.ts'
import { type TestDatabase, testDatabase } from '../../testing/test-database.ts'
import { settleAll } from './scim.service.ts'

const PUBLIC_URL = 'https://bench.example'
const TOKEN = 'scim-token-of-at-least-thirty-two-characters'
const ADMIN = 'admin@benchwatch.example'
const GROUPS = 'Lab admins=admin; Field north=service:nordic-pharma; Helix=customer:helix-biologics,not-registered'
let issuer: OidcIssuer
let database: TestDatabase
let app: TestApp
let fleet: SampleFleet
let adminId: number
let people = 0

beforeAll(async () => {
  issuer = await startOidcIssuer({ redirectUri: `${PUBLIC_URL}/api/auth/oidc/callback` })
  database = await testDatabase()
  fleet = await registerSampleFleet(database, TEST_NOW)
  app = await testApp(database, {
    now: new Date(),
    environment: {
      PUBLIC_URL,
      IDENTITY_PROVIDER: 'oidc',
      OIDC_ISSUER: issuer.issuer,
      OIDC_CLIENT_ID: OIDC_CLIENT.id,
      OIDC_CLIENT_SECRET: OIDC_CLIENT.secret,
      SCIM_TOKEN: TOKEN,
      SCIM_GROUPS: GROUPS,
    },
  })
  adminId = await addSamplePerson(database, { login: ADMIN, role: 'admin' })
})
afterEach(async () => {
  await database.db.deleteFrom('scim_group').execute()
})
afterAll(async () => {
  await app.close()
  await issuer.stop()
})

interface ScimBody {
  id: string
  active: boolean
  userName: string
  displayName: string
  totalResults: number
  Resources: ScimBody[]
  members?: { value: string }[]
  groups: { value: string; display: string }[]
  meta: { location: string; resourceType: string }
  [more: string]: unknown
}

async function ask(
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  { body, token = TOKEN, query = {} }: { body?: object; token?: string | null; query?: Record<string, string> } = {},
) {
  const answer = await app.app.http.inject({
    method,
    url: `/scim/v2${path}`,
    query,
    headers: {
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...(body && { 'content-type': 'application/scim+json; charset=utf-8' }),
    },
    ...(body && { payload: JSON.stringify(body) }),
  })
  return {
    status: answer.statusCode,
    type: answer.headers['content-type'],
    headers: answer.headers,
    body: (answer.body === '' ? {} : JSON.parse(answer.body)) as ScimBody,
  }
}

const patchOf = (...Operations: object[]) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations,
})

async function newUser(over: object = {}): Promise<{ id: string; login: string }> {
  people += 1
  const login = `person-${people}@benchwatch.example`
  const answer = await ask('POST', '/Users', {
    body: {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      userName: login,
      externalId: `ext-${people}`,
      displayName: `Person ${people}`,
      active: true,
      ...over,
    },
  })
  expect([answer.status, answer.body.detail]).toEqual([201, undefined])
  return { id: answer.body.id, login }
}

async function newGroup(displayName: string, ...userIds: string[]): Promise<string> {
  const members = userIds.map((value) => ({ value }))
  const answer = await ask('POST', '/Groups', { body: { displayName, externalId: displayName, members } })
  expect([answer.status, answer.body.detail]).toEqual([201, undefined])
  return answer.body.id
}

/** Returns the account as it is used here. */
async function accountOf(id: string) {
  const { role, all_customers, disabled_at, name } = await database.db
    .selectFrom('app_user')
    .where('id', '=', Number(id))
    .selectAll()
    .executeTakeFirstOrThrow()
  const customers = await database.db
    .selectFrom('user_customer')
    .where('user_id', '=', Number(id))
    .select('customer_id')
    .execute()
  return {
    name,
    role,
    scope: all_customers ? 'all' : customers.map(({ customer_id }) => customer_id),
    isEnabled: disabled_at === null,
  }
}

/** Signs in at the provider, as a browser does. Returns the address to which the user is sent. */
async function signIn(login: string): Promise<string> {
  issuer.accounts.set(login, { emailVerified: true })
  const start = await app.call('startOidc', { query: {} })
  const cookie = [start.headers['set-cookie'] ?? []]
    .flat()
    .map((one) => String(one).split(';', 1)[0])
    .join('; ')
  const back = await issuer.visit(String(start.headers.location), login)
  const answer = await app.call('finishOidc', { query: Object.fromEntries(back.searchParams), headers: { cookie } })
  return String(answer.headers.location)
}

describe('access', () => {
  it('needs the token, on every path', async () => {
    for (const path of ['/Users', '/Groups/1', '/ServiceProviderConfig', '/nothing']) {
      for (const token of [null, 'x', `${TOKEN}x`]) {
        const { status, type, body } = await ask('GET', path, { token })
        expect([path, status, type, body.status]).toEqual([path, 401, 'application/scim+json; charset=utf-8', '401'])
      }
    }
    const person = await (await app.as(adminId)).call('getMe')
    expect(person.status).toBe(200)
  })

  it('is off without a token', async () => {
    const other = await testApp(database, { environment: { PUBLIC_URL } })
    const answer = await other.app.http.inject({ method: 'GET', url: '/scim/v2/Users' })
    expect([answer.statusCode, answer.json().detail]).toEqual([404, 'SCIM is switched off. Set SCIM_TOKEN.'])
    await other.close()
  })

  it('says what is supported', async () => {
    const config = await ask('GET', '/ServiceProviderConfig')
    expect(config.body).toMatchObject({ patch: { supported: true }, bulk: { supported: false } })
    const types = await ask('GET', '/ResourceTypes')
    expect(types.body.Resources.map(({ id, endpoint }) => [id, endpoint])).toEqual([
      ['User', '/Users'],
      ['Group', '/Groups'],
    ])
    expect((await ask('GET', '/Schemas')).body.Resources.map(({ name }) => name)).toEqual(['User', 'Group'])
    expect((await ask('POST', '/Bulk', { body: {} })).status).toBe(404)
  })
})

describe('a user of the provider', () => {
  it('has no access until a group gives a role, and loses it with the last group', async () => {
    const { id, login } = await newUser()
    expect(await accountOf(id)).toMatchObject({ isEnabled: false, scope: [], name: `Person ${people}` })
    expect(await signIn(login)).toContain('/login?')
    const group = await newGroup('Field north', id)
    expect(await accountOf(id)).toMatchObject({ isEnabled: true, role: 'service', scope: [fleet.customers.nordic] })
    expect(await signIn(login)).toBe(`${PUBLIC_URL}/`)
    await newGroup('Canteen', id)
    await ask('PATCH', `/Groups/${group}`, { body: patchOf({ op: 'remove', path: `members[value eq "${id}"]` }) })
    expect((await accountOf(id)).isEnabled).toBe(false)
    expect((await ask('GET', `/Users/${id}`)).body).toMatchObject({
      active: true,
      groups: [{ display: 'Canteen' }],
      meta: { location: `${PUBLIC_URL}/scim/v2/Users/${id}` },
    })
  })

  it('loses sessions at once when deactivated, and signing in creates nothing', async () => {
    const { id, login } = await newUser()
    await newGroup('Lab admins', id)
    const caller = await app.as(Number(id))
    expect((await caller.call('getMe')).status).toBe(200)
    const entra = await ask('PATCH', `/Users/${id}`, {
      body: patchOf({ op: 'Replace', path: 'active', value: 'False' }),
    })
    expect([entra.status, entra.body.active]).toEqual([200, false])
    expect((await caller.call('getMe')).status).toBe(401)
    const count = () =>
      database.db
        .selectFrom('app_user')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
    const before = await count()
    expect(await signIn(login)).toContain('/login?')
    expect(await count()).toEqual(before)
    const okta = await ask('PATCH', `/Users/${id}`, { body: patchOf({ op: 'replace', value: { active: true } }) })
    expect([okta.status, (await accountOf(id)).isEnabled]).toEqual([200, true])
    expect(await signIn(login)).toBe(`${PUBLIC_URL}/`)
    const audit = await database.db
      .selectFrom('audit')
      .where('entity_type', '=', 'user')
      .where('entity_id', '=', id)
      .where('property', '=', 'disabled')
      .orderBy('id')
      .select(['actor_type', 'actor_name', 'new_value'])
      .execute()
    expect(audit).toEqual(
      ['true', 'false', 'true', 'false'].map((new_value) => ({ actor_type: 'scim', actor_name: 'SCIM', new_value })),
    )
  })

  it('is found by name, and listed in pages', async () => {
    const { id, login } = await newUser()
    const found = await ask('GET', '/Users', { query: { filter: `userName eq "${login.toUpperCase()}"` } })
    expect([found.body.totalResults, found.body.Resources.map((user) => user.id)]).toEqual([1, [id]])
    const external = await ask('GET', '/Users', { query: { filter: `externalId eq "ext-${people}"` } })
    expect(external.body.Resources.map((user) => user.id)).toEqual([id])
    const both = (active: string) =>
      ask('GET', '/Users', { query: { filter: `userName eq "${login}" and active eq ${active}` } })
    expect((await both('true')).body.Resources).toMatchObject([{ id, active: true }])
    expect((await both('"False"')).body.Resources).toEqual([])
    const none = await ask('GET', '/Users', { query: { filter: 'userName eq "nobody@x.example"' } })
    expect([none.status, none.body.totalResults, none.body.Resources]).toEqual([200, 0, []])
    const page = await ask('GET', '/Users', { query: { startIndex: '2', count: '1' } })
    expect(page.body).toMatchObject({ startIndex: 2, itemsPerPage: 1 })
    expect(page.body.totalResults).toBeGreaterThan(1)
    const bad = await ask('GET', '/Users', { query: { filter: 'userName co "a"' } })
    expect([bad.status, bad.body.scimType]).toEqual([400, 'invalidFilter'])
  })

  it.each([
    ['a text as a number', { startIndex: 'one' }, 'invalidValue'],
    ['a number that no list has', { count: '2147483648' }, 'invalidValue'],
    ['a NUL', { filter: 'userName eq "\\u0000"' }, 'invalidFilter'],
    ['a long filter', { filter: `${'userName '.repeat(200)}eq "a"` }, 'invalidFilter'],
  ])('are not listed for %s, and the provider learns why', async (_what, query, scimType) => {
    for (const path of ['/Users', '/Groups']) {
      const { status, body } = await ask('GET', path, { query })
      expect([status, body.scimType]).toEqual([400, scimType])
    }
  })

  it('exists once, and keeps its address', async () => {
    const { id, login } = await newUser()
    const again = await ask('POST', '/Users', { body: { userName: login.toUpperCase() } })
    expect([again.status, again.body.scimType]).toEqual([409, 'uniqueness'])
    const moved = await ask('PUT', `/Users/${id}`, { body: { userName: 'other@x.example', active: true } })
    expect([moved.status, moved.body.scimType]).toEqual([400, 'mutability'])
    const renamed = await ask('PUT', `/Users/${id}`, { body: { userName: login, displayName: 'New Name' } })
    expect([renamed.status, renamed.body.displayName]).toEqual([200, 'New Name'])
    expect((await ask('GET', '/Users/999999')).status).toBe(404)
    expect(
      (await ask('PATCH', '/Users/x', { body: patchOf({ op: 'replace', value: { active: false } }) })).status,
    ).toBe(404)
  })

  it('is disabled and no longer found after a deletion, and is the same account when created again', async () => {
    const { id, login } = await newUser()
    await newGroup('Helix', id)
    expect(await accountOf(id)).toMatchObject({ role: 'customer', scope: [fleet.customers.helix], isEnabled: true })
    expect((await ask('DELETE', `/Users/${id}`)).status).toBe(204)
    expect((await accountOf(id)).isEnabled).toBe(false)
    expect((await ask('GET', `/Users/${id}`)).status).toBe(404)
    expect((await ask('DELETE', `/Users/${id}`)).status).toBe(404)
    const again = await ask('POST', '/Users', { body: { userName: login, active: true } })
    expect([again.status, again.body.id, (await accountOf(id)).isEnabled]).toEqual([201, id, false])
  })
})

describe('an account that is older than SCIM', () => {
  it('keeps its role until it joins a group, and follows the groups from then on', async () => {
    const id = String(
      await addSamplePerson(database, { login: 'old@benchwatch.example', scope: [fleet.customers.helix] }),
    )
    const own = { role: 'service', scope: [fleet.customers.helix] }
    await ask('PATCH', `/Users/${id}`, { body: patchOf({ op: 'add', path: 'externalId', value: 'e-1' }) })
    expect(await accountOf(id)).toMatchObject({ ...own, isEnabled: true })
    await newGroup('Canteen', id)
    expect(await accountOf(id)).toMatchObject({ ...own, isEnabled: true })
    const admin = await app.as(adminId)
    const body = { name: 'Old', role: 'service' as const, customers: ['helix-biologics'], msisdn: null, smsMfa: false }
    const setDisabled = async (disabled: boolean) =>
      (await admin.call('updateAccount', { params: { id }, body: { ...body, disabled } })).status
    expect(await setDisabled(true)).toBe(200)
    await ask('PATCH', `/Users/${id}`, { body: patchOf({ op: 'replace', path: 'displayName', value: 'Older' }) })
    expect(await accountOf(id)).toMatchObject({ ...own, name: 'Older', isEnabled: false })
    expect((await ask('GET', `/Users/${id}`)).body.active).toBe(false)
    expect(await setDisabled(false)).toBe(200)
    const group = await newGroup('Field north', id)
    expect(await accountOf(id)).toMatchObject({ role: 'service', scope: [fleet.customers.nordic], isEnabled: true })
    await ask('DELETE', `/Groups/${group}`)
    expect(await accountOf(id)).toMatchObject({ isEnabled: false })
  })

  it('is not changed by an administrator any more', async () => {
    const { id } = await newUser()
    await newGroup('Helix', id)
    const admin = await app.as(adminId)
    const body = {
      name: `Person ${people}`,
      role: 'customer' as const,
      customers: ['helix-biologics'],
      msisdn: '+46705550101',
      smsMfa: false,
      disabled: false,
    }
    const params = { id }
    const numbered = await admin.call('updateAccount', { params, body })
    expect([numbered.status, numbered.body.isProvisioned]).toEqual([200, true])
    for (const change of [{ role: 'service' as const }, { disabled: true }, { name: 'Other' }, { customers: null }]) {
      const { problem } = await admin.call('updateAccount', { params, body: { ...body, ...change } })
      expect([change, problem.code]).toEqual([change, 'bad-change'])
    }
  })

  it('is changed by an administrator again when SCIM is off', async () => {
    const { id } = await newUser()
    await newGroup('Helix', id)
    const other = await testApp(database, { environment: { PUBLIC_URL } })
    const admin = await other.as(adminId)
    const { body: read } = await admin.call('getAccount', { params: { id } })
    const body = {
      name: 'Other',
      role: 'service' as const,
      customers: null,
      msisdn: '+46705550101',
      smsMfa: false,
      disabled: false,
    }
    const { body: changed } = await admin.call('updateAccount', { params: { id }, body })
    expect([read.isProvisioned, changed.name]).toEqual([false, 'Other'])
    await other.close()
  })

  it('that is the last administrator stays', async () => {
    const body = patchOf({ op: 'replace', value: { active: false } })
    await database.db.updateTable('app_user').set({ role: 'service' }).where('id', '<>', adminId).execute()
    const refused = await ask('PATCH', `/Users/${adminId}`, { body })
    expect([refused.status, (await accountOf(String(adminId))).isEnabled]).toEqual([409, true])
  })
})

describe('a group', () => {
  it('is found by name without its members, renamed, and gives its new rights', async () => {
    const [one, two] = [await newUser(), await newUser()]
    const id = await newGroup('Canteen', one.id)
    const found = await ask('GET', '/Groups', {
      query: { filter: 'displayName eq "canteen"', excludedAttributes: 'members' },
    })
    expect(found.body.Resources.map((group) => [group.id, group.members])).toEqual([[id, undefined]])
    const renamed = await ask('PATCH', `/Groups/${id}`, {
      body: patchOf(
        { op: 'Replace', path: 'displayName', value: 'Helix' },
        { op: 'Add', path: 'members', value: [{ value: two.id }] },
      ),
    })
    expect(renamed.status).toBe(204)
    for (const { id: user } of [one, two]) expect((await accountOf(user)).role).toBe('customer')
    expect((await accountOf(one.id)).isEnabled).toBe(true)
    const whole = await ask('PUT', `/Groups/${id}`, { body: { displayName: 'Helix', members: [{ value: two.id }] } })
    expect(whole.body.members?.map(({ value }) => value)).toEqual([two.id])
    expect([(await accountOf(one.id)).isEnabled, (await accountOf(two.id)).isEnabled]).toEqual([false, true])
  })

  it('exists once, and has only users that exist', async () => {
    const { id } = await newUser()
    const group = await newGroup('Helix', id)
    const again = await ask('POST', '/Groups', { body: { displayName: 'helix' } })
    expect([again.status, again.body.scimType]).toEqual([409, 'uniqueness'])
    const stranger = patchOf({ op: 'add', path: 'members', value: [{ value: '999999' }] })
    const refused = await ask('PATCH', `/Groups/${group}`, { body: stranger })
    expect([refused.status, refused.body.scimType]).toEqual([400, 'invalidValue'])
    expect((await ask('GET', '/Groups/999999')).status).toBe(404)
    const broken = await ask('PATCH', `/Groups/${group}`, { body: {} })
    expect([broken.status, broken.body.scimType]).toEqual([400, 'invalidSyntax'])
  })

  it('gives other rights after the configuration changed', async () => {
    const { id } = await newUser()
    await newGroup('Helix', id)
    const groups = [{ name: 'Helix', role: 'support' as const, customers: null }]
    const { db } = database
    await settleAll({ db, clock: app.clock, log: app.app.http.log as never, groups })
    expect(await accountOf(id)).toMatchObject({ role: 'support', scope: 'all' })
  })
})
