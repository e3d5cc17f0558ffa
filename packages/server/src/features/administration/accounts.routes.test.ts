import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { takeAdvisoryLock } from '../../db/advisory-locks.ts'
import { eventually } from '../../testing/eventually.ts'
import { registerSampleFleet } from '../../testing/sample-fleet.ts'
import { addSamplePerson, SAMPLE_PASSWORD } from '../../testing/sample-people.ts'
import { tokensOf } from '../../testing/signed-in.ts'
import { type Caller, TEST_NOW, type TestApp, testApp } from '../../testing/test-app.ts'
import { type TestDatabase, testDatabase } from '../../testing/test-database.ts'

let database: TestDatabase
let app: TestApp
let adminId: number
let admin: Caller

beforeAll(async () => {
  database = await testDatabase()
  app = await testApp(database)
  await registerSampleFleet(database, TEST_NOW)
  adminId = await addSamplePerson(database, { login: 'admin@benchwatch.example', name: 'Ada Admin', role: 'admin' })
  admin = await app.as(adminId)
})
afterAll(() => app.close())

const newUser = (email: string, over: object = {}) => ({
  email,
  name: 'Nils Ny',
  role: 'customer' as const,
  customers: ['helix-biologics'],
  ...over,
})
async function invited(email: string, over: object = {}): Promise<string> {
  const { status, body } = await admin.call('inviteUser', { body: newUser(email, over) })
  expect(status).toBe(201)
  return body.id
}
const change = (over: object = {}) => ({
  name: 'Nils Ny',
  role: 'customer' as const,
  customers: ['helix-biologics'],
  msisdn: null,
  smsMfa: false,
  disabled: false,
  ...over,
})

/** Returns the latest queued mail to an address. */
async function latestMail(to: string) {
  return database.db
    .selectFrom('outbound_message')
    .select(['template', 'text', 'is_secret'])
    .where('recipient', '=', to)
    .orderBy('id', 'desc')
    .executeTakeFirst()
}
const passwordIn = (text: string | null | undefined) => /Temporary password: (\S+)/.exec(text ?? '')?.[1] ?? ''

async function record(id: string) {
  const rows = await database.db
    .selectFrom('audit')
    .select(['action', 'property', 'old_value', 'new_value', 'actor_id'])
    .where('entity_type', '=', 'user')
    .where('entity_id', '=', id)
    .orderBy('entity_seq')
    .execute()
  return rows.map((row) => [row.action, row.property, row.old_value, row.new_value])
}

/** Returns the number of connections that wait for another connection's lock. */
async function waitingConnections(): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`
    WITH own AS (SELECT l.* FROM pg_locks l WHERE l.pid IN (
      SELECT o.pid FROM pg_locks o JOIN pg_database d ON d.oid = o.database WHERE d.datname = current_database()))
    SELECT count(DISTINCT pid) AS waiting FROM own WHERE NOT granted`.execute(database.db)
  return rows[0]?.waiting ?? 0
}

describe('an invitation', () => {
  test('creates an account and sends a temporary password by e-mail, which only permits choosing a new one', async () => {
    const { status, body } = await admin.call('inviteUser', {
      body: newUser('New.Person@HelixBio.example', { msisdn: '+46705550177', smsMfa: false }),
    })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      userId: 'new.person@helixbio.example',
      name: 'Nils Ny',
      role: 'customer',
      customers: [{ key: 'helix-biologics', name: 'Helix Biologics' }],
      msisdn: '+46705550177',
      state: 'invited',
      lastSignedInAt: null,
      features: [],
    })
    const mail = await latestMail('new.person@helixbio.example')
    expect(mail).toMatchObject({ template: 'invitation', is_secret: true })
    const password = passwordIn(mail?.text)
    const step = await app.call('signIn', { body: { userId: 'new.person@helixbio.example', password } })
    expect(step.body).toMatchObject({ challenge: 'NEW_PASSWORD_REQUIRED' })
    const challengeToken = 'challengeToken' in step.body ? step.body.challengeToken : ''
    const done = await app.call('setNewPassword', { body: { challengeToken, newPassword: 'Kr0kodil-im-Schrank!' } })
    const { accessToken } = tokensOf(done.body)
    const me = await app.withHeaders({ authorization: `Bearer ${accessToken}` }).call('getMe')
    expect(me.body).toMatchObject({ role: 'customer', customers: ['Helix Biologics'] })
    const after = await admin.call('getAccount', { params: { id: body.id } })
    expect(after.body).toMatchObject({ state: 'active', lastSignedInAt: expect.any(String) })
  })

  test('is void after seven days', async () => {
    await invited('late@helixbio.example')
    const password = passwordIn((await latestMail('late@helixbio.example'))?.text)
    const before = app.clock.now()
    app.clock.advance(7 * 86_400_000 + 1)
    expect((await app.call('signIn', { body: { userId: 'late@helixbio.example', password } })).problem.code).toBe(
      'bad-credentials',
    )
    app.clock.advance(before.getTime() - app.clock.now().getTime())
  })

  test('can be repeated: the password before is void, and sessions end', async () => {
    const id = String(await addSamplePerson(database, { login: 'again@benchwatch.example' }))
    const signIn = (password: string) => app.call('signIn', { body: { userId: 'again@benchwatch.example', password } })
    const { accessToken } = tokensOf((await signIn(SAMPLE_PASSWORD)).body)
    const person = app.withHeaders({ authorization: `Bearer ${accessToken}` })
    expect((await admin.call('repeatInvitation', { params: { id } })).status).toBe(204)
    expect((await person.call('getMe')).status).toBe(401)
    expect((await signIn(SAMPLE_PASSWORD)).problem.code).toBe('bad-credentials')
    const mail = await latestMail('again@benchwatch.example')
    expect((await signIn(passwordIn(mail?.text))).body).toMatchObject({ challenge: 'NEW_PASSWORD_REQUIRED' })
    expect((await admin.call('getAccount', { params: { id } })).body.state).toBe('invited')
    expect(await record(id)).toContainEqual(['invited', null, null, null])
    const ended = await database.db
      .selectFrom('audit')
      .select('actor_id')
      .where('entity_type', '=', 'session')
      .where('action', '=', 'ended')
      .orderBy('id', 'desc')
      .executeTakeFirst()
    expect(ended?.actor_id).toBe(String(adminId))
  })

  test('is not repeated to oneself, to the disabled, or to nobody', async () => {
    const repeat = async (id: string) => (await admin.call('repeatInvitation', { params: { id } })).problem
    expect(await repeat(String(adminId))).toMatchObject({ status: 409, code: 'own-account' })
    const id = await invited('gone@helixbio.example')
    await admin.call('updateAccount', { params: { id }, body: change({ disabled: true }) })
    expect(await repeat(id)).toMatchObject({ status: 400, code: 'bad-change' })
    for (const none of ['0', '4711', '999999999999999999']) expect(await repeat(none)).toMatchObject({ status: 404 })
  })

  test.each([
    ['a name of two lines', { name: 'Eve\r\nBcc: eve@x.example' }, 400, 'validation-failed', 'body.name'],
    ['no customer', { customers: null }, 400, 'bad-change', 'body.customers'],
    ['an empty list of customers', { customers: [] }, 400, 'bad-change', 'body.customers'],
    ['an unknown customer', { customers: ['helix-biologics', 'nobody'] }, 400, 'unknown-reference', 'body.customers.1'],
    ['a code by SMS without a number', { smsMfa: true }, 400, 'bad-change', 'body.msisdn'],
    ['a number that is none', { msisdn: '0705550101' }, 400, 'validation-failed', 'body.msisdn'],
    ['another role', { role: 'system' }, 400, 'validation-failed', 'body.role'],
  ])('is refused with %s', async (_what, over, status, code, path) => {
    const { problem } = await admin.call('inviteUser', { body: newUser('refused@helixbio.example', over) })
    expect(problem).toMatchObject({ status, code, errors: [{ path }] })
    expect(await latestMail('refused@helixbio.example')).toBeUndefined()
  })

  test('is refused for a login that is taken, in any case', async () => {
    await invited('taken@helixbio.example')
    const { problem } = await admin.call('inviteUser', { body: newUser('TAKEN@helixbio.example') })
    expect(problem).toMatchObject({ status: 409, code: 'login-taken' })
  })
})

describe('the list', () => {
  test('finds by name and address, folded, with page and total agreeing', async () => {
    for (const name of ['Ägir Öberg', 'Agir Berg', 'Zoe Zander']) {
      const local = name.split(' ')[1]?.toLowerCase().replace('ö', 'o')
      await invited(`${local}@listed.example`, { name })
    }
    const names = async (keyword: string, page = {}) => {
      const { body } = await admin.call('listAccounts', { query: { keyword, ...page } })
      return [body.total, ...body.values.map(({ name }) => name)]
    }
    expect(await names('agir')).toEqual([2, 'Agir Berg', 'Ägir Öberg'])
    expect(await names('ÄGIR öb')).toEqual([1, 'Ägir Öberg'])
    expect(await names('listed.example')).toEqual([3, 'Agir Berg', 'Ägir Öberg', 'Zoe Zander'])
    expect(await names('listed', { limit: '1', offset: '1' })).toEqual([3, 'Ägir Öberg'])
    expect(await names('listed', { offset: '9' })).toEqual([3])
    expect(await names('100%')).toEqual([0])
    const { body } = await admin.call('listAccounts', { query: { limit: '100' } })
    expect(body.total).toBe(body.values.length)
    expect(body.values.map(({ userId }) => userId)).not.toContain('SYSTEM')
  })
})

describe('a change', () => {
  test('replaces what it names and records each property', async () => {
    const id = await invited('changed@helixbio.example')
    const { status, body } = await admin.call('updateAccount', {
      params: { id },
      body: change({
        name: 'Nora Neu',
        role: 'service',
        customers: ['nordic-pharma'],
        msisdn: '+46705550188',
        smsMfa: true,
      }),
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      name: 'Nora Neu',
      role: 'service',
      customers: [{ key: 'nordic-pharma', name: 'Nordic Pharma' }],
      smsMfa: true,
    })
    expect((await record(id)).slice(-5)).toEqual([
      ['update', 'name', 'Nils Ny', 'Nora Neu'],
      ['update', 'msisdn', null, '+46705550188'],
      ['update', 'role', 'customer', 'service'],
      ['update', 'scope', '1', '2'],
      ['update', 'smsMfa', 'false', 'true'],
    ])
    expect(await latestMail('changed@helixbio.example')).toMatchObject({ template: 'second-factor-changed' })
    const rows = (await record(id)).length
    await admin.call('updateAccount', {
      params: { id },
      body: change({
        name: 'Nora Neu',
        role: 'service',
        customers: ['nordic-pharma'],
        msisdn: '+46705550188',
        smsMfa: true,
      }),
    })
    expect(await record(id)).toHaveLength(rows)
  })

  test('of the scope applies to the very next call', async () => {
    const id = await addSamplePerson(database, { login: 'scope@helixbio.example', role: 'customer', scope: [1] })
    const person = await app.as(id)
    expect((await person.call('getMe')).body.customers).toEqual(['Helix Biologics'])
    await admin.call('updateAccount', { params: { id: String(id) }, body: change({ customers: ['nordic-pharma'] }) })
    expect((await person.call('getMe')).body.customers).toEqual(['Nordic Pharma'])
  })

  test('of an older version is refused, but not because the user has signed in since', async () => {
    const id = await invited('versions@helixbio.example')
    const { headers } = await admin.call('getAccount', { params: { id } })
    const based = { 'if-match': String(headers['etag']) }
    await database.db
      .updateTable('app_user')
      .set({ last_signed_in_at: TEST_NOW })
      .where('id', '=', Number(id))
      .execute()
    const disabled = await admin.call('updateAccount', {
      params: { id },
      body: change({ disabled: true }),
      headers: based,
    })
    expect(disabled.status).toBe(200)
    const late = { params: { id }, body: change({ name: 'Nora Neu' }) }
    expect(await admin.call('updateAccount', { ...late, headers: based })).toMatchObject({
      status: 412,
      problem: { code: 'version-mismatch' },
    })
    expect((await admin.call('getAccount', { params: { id } })).body).toMatchObject({
      name: 'Nils Ny',
      state: 'disabled',
    })
    expect(
      (await admin.call('updateAccount', { ...late, headers: { 'if-match': String(disabled.headers['etag']) } }))
        .status,
    ).toBe(200)
  })

  test('of the role takes the administration away at once', async () => {
    const id = await addSamplePerson(database, { login: 'second@benchwatch.example', role: 'admin' })
    const second = await app.as(id)
    expect((await second.call('listAccounts', { query: {} })).status).toBe(200)
    await admin.call('updateAccount', {
      params: { id: String(id) },
      body: change({ role: 'support', customers: null }),
    })
    expect((await second.call('listAccounts', { query: {} })).status).toBe(403)
  })

  test('to disabled ends sessions at once; enabled again, the old ones stay ended', async () => {
    const id = await addSamplePerson(database, { login: 'off@benchwatch.example', role: 'service' })
    const person = await app.as(id)
    const set = (disabled: boolean) =>
      admin.call('updateAccount', {
        params: { id: String(id) },
        body: change({ role: 'service', customers: null, disabled }),
      })
    expect((await set(true)).body.state).toBe('disabled')
    expect((await person.call('getMe')).status).toBe(401)
    const signIn = () => app.call('signIn', { body: { userId: 'off@benchwatch.example', password: SAMPLE_PASSWORD } })
    expect((await signIn()).problem.code).toBe('bad-credentials')
    expect((await set(false)).body.state).toBe('active')
    expect((await person.call('getMe')).status).toBe(401)
    expect((await signIn()).status).toBe(200)
  })

  test('of one’s own role or state is refused, of one’s own name is not', async () => {
    const own = (over: object) =>
      admin.call('updateAccount', {
        params: { id: String(adminId) },
        body: change({ name: 'Ada Admin', role: 'admin', customers: null, ...over }),
      })
    expect((await own({ role: 'support' })).problem).toMatchObject({ status: 409, code: 'own-account' })
    expect((await own({ disabled: true })).problem).toMatchObject({ status: 409, code: 'own-account' })
    expect((await own({ name: 'Ada A. Admin' })).body.name).toBe('Ada A. Admin')
  })

  test('by two administrators who demote each other leaves one', async () => {
    await database.db.updateTable('app_user').set({ disabled_at: TEST_NOW }).where('id', '=', adminId).execute()
    const ids = [
      await addSamplePerson(database, { login: 'one@benchwatch.example', role: 'admin' }),
      await addSamplePerson(database, { login: 'two@benchwatch.example', role: 'admin' }),
    ] as const
    const callers = [await app.as(ids[0]), await app.as(ids[1])] as const
    const demote = (by: Caller, id: number) =>
      by.call('updateAccount', { params: { id: String(id) }, body: change({ role: 'support', customers: null }) })
    const answers = await database.db.transaction().execute(async (trx) => {
      // Both calls have passed authorisation and wait for the rows that this transaction holds.
      await trx.selectFrom('app_user').select('id').where('id', 'in', ids).forUpdate().execute()
      const calls = [demote(callers[0], ids[1]), demote(callers[1], ids[0])]
      await expect.poll(waitingConnections).toBe(2)
      return calls
    })
    const statuses = (await Promise.all(answers)).map(({ status }) => status)
    expect(statuses.toSorted((x, y) => x - y)).toEqual([200, 403])
    await database.db.updateTable('app_user').set({ disabled_at: null }).where('id', '=', adminId).execute()
    admin = await app.as(adminId)
  })

  test('is not made by an administrator whose rights were narrowed while the change waited', async () => {
    const id = await addSamplePerson(database, { login: 'late@benchwatch.example', name: 'Late', role: 'admin' })
    const late = await app.as(id)
    const { answer } = await database.db.transaction().execute(async (trx) => {
      await takeAdvisoryLock(trx, 'administration')
      const answer = late.call('inviteUser', {
        body: newUser('all@benchwatch.example', { role: 'support', customers: null }),
      })
      await expect.poll(waitingConnections).toBe(1)
      await trx.updateTable('app_user').set({ all_customers: false }).where('id', '=', id).execute()
      return { answer }
    })
    expect((await answer).problem).toMatchObject({ status: 403, code: 'wrong-role' })
    expect(await latestMail('all@benchwatch.example')).toBeUndefined()
  })

  test('of nobody is not found, whatever its content', async () => {
    for (const id of ['0', '4711', '999999999999999999']) {
      const { problem } = await admin.call('updateAccount', { params: { id }, body: change({ customers: [] }) })
      expect(problem).toMatchObject({ status: 404, code: 'not-found' })
      expect((await admin.call('getAccount', { params: { id } })).status).toBe(404)
    }
  })
})

describe('help for a user who cannot sign in', () => {
  test('lifts the lock of too many failures', async () => {
    const id = String(await addSamplePerson(database, { login: 'locked@benchwatch.example' }))
    const signIn = (password: string) => app.call('signIn', { body: { userId: 'locked@benchwatch.example', password } })
    for (let tries = 0; tries < 5; tries += 1) await signIn('wrong')
    expect((await signIn(SAMPLE_PASSWORD)).problem.code).toBe('attempts-exceeded')
    const { body } = await admin.call('getAccount', { params: { id } })
    expect(body).toMatchObject({ state: 'locked', lockedUntil: '2026-11-20T14:01:00.000Z' })
    // Sign-in does not wait for the audit log rows of the five refusals and the lock.
    const refused = async () => (await record(id)).filter(([action]) => /^(attempt-refused|locked)$/.test(action ?? ''))
    await eventually(async () => expect(await refused()).toHaveLength(6))
    expect((await admin.call('unlockAccount', { params: { id } })).status).toBe(204)
    expect((await signIn(SAMPLE_PASSWORD)).status).toBe(200)
    expect((await record(id)).at(-1)).toEqual(['unlocked', null, null, null])
    expect((await admin.call('unlockAccount', { params: { id: '4711' } })).status).toBe(404)
  })

  test('removes a lost second factor, and says so by e-mail', async () => {
    const id = await addSamplePerson(database, { login: 'lost@benchwatch.example' })
    await database.db
      .updateTable('app_user')
      .set({ totp_secret: Buffer.from('sealed'), totp_confirmed_at: TEST_NOW })
      .where('id', '=', id)
      .execute()
    await database.db
      .insertInto('recovery_code')
      .values({ user_id: id, code_hash: Buffer.alloc(32) })
      .execute()
    const account = () => admin.call('getAccount', { params: { id: String(id) } })
    expect((await account()).body.totp).toBe(true)
    expect((await admin.call('resetSecondFactor', { params: { id: String(id) } })).status).toBe(204)
    expect((await account()).body.totp).toBe(false)
    expect(await database.db.selectFrom('recovery_code').selectAll().where('user_id', '=', id).execute()).toEqual([])
    expect(await latestMail('lost@benchwatch.example')).toMatchObject({ template: 'second-factor-changed' })
    expect((await admin.call('resetSecondFactor', { params: { id: '4711' } })).status).toBe(404)
  })
})

test('with another identity provider, an invitation creates the account and sends a link without a password', async () => {
  const elsewhere = await testApp(database, {
    environment: {
      IDENTITY_PROVIDER: 'oidc',
      OIDC_ISSUER: 'http://127.0.0.1:1',
      OIDC_CLIENT_ID: 'benchwatch',
      OIDC_CLIENT_SECRET: 'a-secret-of-the-client',
    },
  })
  try {
    const caller = await elsewhere.as(adminId)
    const { body } = await caller.call('inviteUser', { body: newUser('federated@helixbio.example') })
    expect(body.state).toBe('invited')
    const mail = await latestMail('federated@helixbio.example')
    expect(mail).toMatchObject({ template: 'account-ready', is_secret: false })
    expect(mail?.text).toContain('/login')
    expect(mail?.text).not.toMatch(/password/i)
    const { password_hash } = await database.db
      .selectFrom('app_user')
      .select('password_hash')
      .where('login', '=', 'federated@helixbio.example')
      .executeTakeFirstOrThrow()
    expect(password_hash).toBeNull()
  } finally {
    await elsewhere.close()
  }
})

describe('an administrator with a data scope', () => {
  let scoped: Caller
  let ownId: string
  const outsiders: string[] = []

  beforeAll(async () => {
    const { id } = await database.db
      .selectFrom('customer')
      .select('id')
      .where('key', '=', 'helix-biologics')
      .executeTakeFirstOrThrow()
    ownId = String(await addSamplePerson(database, { login: 'helix-admin@x.example', role: 'admin', scope: [id] }))
    scoped = await app.as(Number(ownId))
    outsiders.push(
      await invited('nordic@x.example', { customers: ['nordic-pharma'] }),
      await invited('both@x.example', { customers: ['helix-biologics', 'nordic-pharma'] }),
      await invited('all@x.example', { role: 'support', customers: null }),
    )
  })

  test('finds the users who see nothing else, and their flags', async () => {
    const own = await invited('helix@x.example')
    const flag = { key: 'BACKOFFICE' as const }
    for (const id of [own, ...outsiders])
      await admin.call('setUserFeatureFlag', { params: { id, ...flag }, body: { value: 'true' } })
    const { body } = await scoped.call('listAccounts', { query: { limit: '100' } })
    const found = body.values.map(({ id }) => id)
    expect(found).toEqual(expect.arrayContaining([own, ownId]))
    for (const id of [...outsiders, String(adminId)]) expect(found).not.toContain(id)
    expect(body.values.every(({ customers }) => customers?.every(({ key }) => key === 'helix-biologics'))).toBe(true)
    const flags = (await scoped.call('listFeatureFlags')).body.values
    expect(flags.find(({ key }) => key === flag.key)?.users.map(({ userId }) => userId)).toEqual([own])
  })

  test('neither reads nor changes others', async () => {
    for (const id of outsiders) {
      const before = (await record(id)).length
      const answers = [
        await scoped.call('getAccount', { params: { id } }),
        await scoped.call('updateAccount', { params: { id }, body: change({ disabled: true }) }),
        await scoped.call('repeatInvitation', { params: { id } }),
        await scoped.call('unlockAccount', { params: { id } }),
        await scoped.call('resetSecondFactor', { params: { id } }),
        await scoped.call('setUserFeatureFlag', { params: { id, key: 'BACKOFFICE' }, body: { value: null } }),
      ]
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404])
      expect(await record(id)).toHaveLength(before)
    }
  })

  test.each([
    ['all customers', null, 'body.customers'],
    ['another customer', ['helix-biologics', 'nordic-pharma'], 'body.customers.1'],
  ])('gives nobody access to %s, nor takes it', async (_what, customers, path) => {
    const refusal = { status: 400, problem: { code: 'bad-change', errors: [{ path }] } }
    const invitation = newUser('more@x.example', { role: 'support', customers })
    expect(await scoped.call('inviteUser', { body: invitation })).toMatchObject(refusal)
    const own = change({ name: 'Hela Admin', role: 'admin', customers })
    expect(await scoped.call('updateAccount', { params: { id: ownId }, body: own })).toMatchObject(refusal)
  })

  test('invites and changes users of its own customers', async () => {
    const { status, body } = await scoped.call('inviteUser', { body: newUser('own@x.example') })
    expect(status).toBe(201)
    const changed = await scoped.call('updateAccount', { params: { id: body.id }, body: change({ name: 'Nora Neu' }) })
    expect([changed.status, changed.body.name]).toEqual([200, 'Nora Neu'])
  })

  test('does not count as the last one, who keeps all customers', async () => {
    await database.db
      .updateTable('app_user')
      .set({ disabled_at: TEST_NOW })
      .where('all_customers', '=', true)
      .where('id', '<>', adminId)
      .execute()
    const own = change({ name: 'Ada Admin', role: 'admin' })
    expect(await admin.call('updateAccount', { params: { id: String(adminId) }, body: own })).toMatchObject({
      status: 409,
      problem: { code: 'last-administrator' },
    })
  })
})
