import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addSamplePerson, SAMPLE_PASSWORD } from '../../testing/sample-people.ts'
import { lastMessageTo } from '../../testing/sent-messages.ts'
import { forgetAttempts, tokensOf } from '../../testing/signed-in.ts'
import { type Caller, TEST_NOW, type TestApp, testApp } from '../../testing/test-app.ts'
import { type TestDatabase, testDatabase } from '../../testing/test-database.ts'

const OWN_PASSWORD = 'Quiet-Pipette-71'
const WRONG_PASSWORD = { status: 401, code: 'bad-credentials' }
const WRONG_CODE = { status: 400, code: 'wrong-code' }

let database: TestDatabase
let app: TestApp
let people = 0

beforeAll(async () => {
  database = await testDatabase()
  app = await testApp(database, { environment: { DEMO: 'on' } })
})
afterAll(() => app.close())
beforeEach(async () => {
  app.clock.set(TEST_NOW)
  await forgetAttempts(database.db)
})

async function somebody() {
  people += 1
  const login = `person${people}@benchwatch.example`
  const id = await addSamplePerson(database, { login, name: 'Ines Berg' })
  return { id, login, caller: await app.as(id) }
}
const signIn = (userId: string, password = SAMPLE_PASSWORD, headers = {}) =>
  app.call('signIn', { body: { userId, password }, headers })
const asBearer = (accessToken: string) => app.withHeaders({ authorization: `Bearer ${accessToken}` })
const codeOf = (secret: string, shift = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: app.clock.now().getTime() + shift * 1000 })
const nextStep = () => app.clock.advance(30_000)

async function withApp() {
  const person = await somebody()
  const { secret } = (await person.caller.call('beginTotp', { body: { password: SAMPLE_PASSWORD } })).body
  const confirmed = await person.caller.call('confirmTotp', { body: { code: codeOf(secret) } })
  nextStep()
  return { ...person, secret, recoveryCodes: confirmed.body.recoveryCodes }
}
async function challenged(login: string) {
  const { body } = await signIn(login)
  if (!('challenge' in body)) throw new Error('The sign-in asked for nothing more.')
  return body
}
const mfa = (challengeToken: string, code: string) => app.call('answerMfa', { body: { challengeToken, code } })

async function recordOf(id: number) {
  return database.db
    .selectFrom('audit')
    .select(['actor_name', 'property', 'old_value', 'new_value'])
    .where('entity_type', '=', 'user')
    .where('entity_id', '=', String(id))
    .where('action', '=', 'update')
    .orderBy('entity_seq')
    .execute()
}

describe('one’s sessions', () => {
  test('are listed with browser and address, the latest activity first, and nobody else’s', async () => {
    const { login } = await somebody()
    await somebody()
    app.clock.advance(1000)
    const before = app.clock.now().toISOString()
    await signIn(login, SAMPLE_PASSWORD, { 'user-agent': 'Old Browser/1' })
    app.clock.advance(60_000)
    const { accessToken } = tokensOf((await signIn(login, SAMPLE_PASSWORD, { 'user-agent': 'x'.repeat(400) })).body)
    const { values } = (await asBearer(accessToken).call('listMySessions')).body
    expect(values.map(({ isCurrent, userAgent, address }) => ({ isCurrent, userAgent, address }))).toEqual([
      { isCurrent: true, userAgent: 'x'.repeat(300), address: '127.0.0.1' },
      { isCurrent: false, userAgent: 'Old Browser/1', address: '127.0.0.1' },
      { isCurrent: false, userAgent: null, address: null },
    ])
    expect(values[1]).toMatchObject({ createdAt: before, lastActivityAt: before })
  })

  test('that nobody used for too long, or that ended, are not listed', async () => {
    const { id, login, caller } = await somebody()
    await caller.call('signOut')
    await app.as(id)
    app.clock.advance(4 * 3_600_000)
    const { accessToken } = tokensOf((await signIn(login)).body)
    expect((await asBearer(accessToken).call('listMySessions')).body.values).toHaveLength(1)
  })

  test('can be ended one by one; another user’s are not found', async () => {
    const [one, other] = [await somebody(), await somebody()]
    const second = await app.as(one.id)
    const current = (await second.call('listMySessions')).body.values.find(({ isCurrent }) => isCurrent)
    const id = current?.id ?? ''
    expect((await other.caller.call('endMySession', { params: { id } })).problem).toMatchObject({ status: 404 })
    expect((await second.call('getMe')).status).toBe(200)
    expect((await one.caller.call('endMySession', { params: { id } })).status).toBe(204)
    expect((await second.call('getMe')).status).toBe(401)
    expect((await one.caller.call('endMySession', { params: { id } })).problem).toMatchObject({ status: 404 })
    expect((await one.caller.call('getMe')).status).toBe(200)
  })
})

describe('one’s password', () => {
  const change = (caller: Caller, currentPassword: string, newPassword: string) =>
    caller.call('changePassword', { body: { currentPassword, newPassword } })

  test('is changed with the present one; all other sessions end, and an e-mail says so', async () => {
    const { id, login, caller } = await somebody()
    const other = await app.as(id)
    expect((await change(caller, SAMPLE_PASSWORD, OWN_PASSWORD)).status).toBe(204)
    expect((await caller.call('getMe')).status).toBe(200)
    expect((await other.call('getMe')).status).toBe(401)
    expect(await lastMessageTo(database.db, login)).toMatchObject({ template: 'password-changed' })
    expect((await signIn(login)).status).toBe(401)
    expect((await signIn(login, OWN_PASSWORD)).status).toBe(200)
    expect(await recordOf(id)).toEqual([
      { actor_name: 'Ines Berg', property: 'password', old_value: null, new_value: null },
    ])
  })

  test('is guessed no more often than at sign-in', async () => {
    const { login, caller } = await somebody()
    const answers = await Promise.all(Array.from({ length: 20 }, () => change(caller, 'wrong', OWN_PASSWORD)))
    expect(answers.filter(({ problem }) => problem.code === 'bad-credentials')).toHaveLength(5)
    expect((await change(caller, SAMPLE_PASSWORD, OWN_PASSWORD)).problem.code).toBe('attempts-exceeded')
    expect((await signIn(login)).problem.code).toBe('attempts-exceeded')
    expect((await caller.call('getMe')).status).toBe(200)
  })

  test('conforms to policy and is another one', async () => {
    const { caller } = await somebody()
    for (const password of ['weak', 'Password-1!', 'Ines-Berg-2026', SAMPLE_PASSWORD]) {
      expect((await change(caller, SAMPLE_PASSWORD, password)).problem).toMatchObject({ code: 'password-policy' })
    }
  })
})

describe('an authenticator app', () => {
  test('counts once it is confirmed, and is then asked for at sign-in', async () => {
    const { id, login, caller } = await somebody()
    const begun = await caller.call('beginTotp', { body: { password: SAMPLE_PASSWORD } })
    expect(begun.body.otpauthUrl).toContain(`secret=${begun.body.secret}`)
    expect((await signIn(login)).body).toHaveProperty('accessToken')
    expect((await caller.call('getSecondFactor')).body).toMatchObject({ totp: false, recoveryCodesLeft: 0 })
    const confirmed = await caller.call('confirmTotp', { body: { code: codeOf(begun.body.secret) } })
    expect(new Set(confirmed.body.recoveryCodes).size).toBe(10)
    expect((await caller.call('getSecondFactor')).body).toEqual({
      isManagedHere: true,
      sms: false,
      totp: true,
      recoveryCodesLeft: 10,
    })
    expect(await lastMessageTo(database.db, login)).toMatchObject({ template: 'second-factor-changed' })
    nextStep()
    const { challenge, challengeToken } = await challenged(login)
    expect(challenge).toBe('TOTP_MFA')
    expect(tokensOf((await mfa(challengeToken, codeOf(begun.body.secret))).body).user.userId).toBe(String(id))
    expect(await recordOf(id)).toEqual([
      { actor_name: 'Ines Berg', property: 'secondFactor', old_value: null, new_value: 'authenticator app' },
    ])
  })

  test('takes each code once, and codes of the step before and after', async () => {
    const { login, secret } = await withApp()
    const before = codeOf(secret, -30)
    const now = codeOf(secret)
    const first = await challenged(login)
    // The code that confirmed the app belongs to the previous time step.
    expect((await mfa(first.challengeToken, before)).problem).toMatchObject(WRONG_CODE)
    expect((await mfa(first.challengeToken, now)).status).toBe(200)
    const second = await challenged(login)
    expect((await mfa(second.challengeToken, now)).problem).toMatchObject(WRONG_CODE)
    expect((await mfa(second.challengeToken, codeOf(secret, 60))).problem).toMatchObject(WRONG_CODE)
    expect((await mfa(second.challengeToken, codeOf(secret, 30))).status).toBe(200)
  })

  test('signs in one of two steps to which one code is sent at the same time', async () => {
    const { login, secret } = await withApp()
    const [one, two] = [await challenged(login), await challenged(login)]
    const code = codeOf(secret)
    const answers = await Promise.all([mfa(one.challengeToken, code), mfa(two.challengeToken, code)])
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 400])
  })

  test('gets no code by SMS', async () => {
    const { id, login } = await withApp()
    await database.db
      .updateTable('app_user')
      .set({ sms_mfa: true, msisdn: '+46705550777' })
      .where('id', '=', id)
      .execute()
    const { challenge, challengeToken } = await challenged(login)
    expect(challenge).toBe('TOTP_MFA')
    expect((await app.call('resendMfa', { body: { challengeToken } })).problem.code).toBe('challenge-expired')
    expect(await lastMessageTo(database.db, '+46705550777')).toBeUndefined()
  })

  test('takes the password to be begun or switched off, and counts wrong ones', async () => {
    const { caller, login } = await withApp()
    for (const name of ['beginTotp', 'removeTotp', 'renewRecoveryCodes'] as const) {
      expect((await caller.call(name, { body: { password: 'wrong' } })).problem).toMatchObject(WRONG_PASSWORD)
    }
    await caller.call('removeTotp', { body: { password: 'wrong' } })
    await caller.call('removeTotp', { body: { password: 'wrong' } })
    expect((await caller.call('removeTotp', { body: { password: SAMPLE_PASSWORD } })).problem.code).toBe(
      'attempts-exceeded',
    )
    app.clock.advance(60_000)
    expect((await caller.call('removeTotp', { body: { password: SAMPLE_PASSWORD } })).status).toBe(204)
    expect(await lastMessageTo(database.db, login)).toMatchObject({ template: 'second-factor-changed' })
    expect((await caller.call('getSecondFactor')).body).toMatchObject({ totp: false, recoveryCodesLeft: 0 })
    expect((await signIn(login)).body).toHaveProperty('accessToken')
  })

  test('is not replaced by one that nobody confirmed', async () => {
    const { caller } = await withApp()
    const again = await caller.call('beginTotp', { body: { password: SAMPLE_PASSWORD } })
    expect(again.problem).toMatchObject({ status: 400, code: 'bad-change' })
    expect((await caller.call('confirmTotp', { body: { code: '123456' } })).problem.code).toBe('bad-change')
  })

  test('is confirmed with a code of it', async () => {
    const { caller } = await somebody()
    expect((await caller.call('confirmTotp', { body: { code: '123456' } })).problem.code).toBe('bad-change')
    const { secret } = (await caller.call('beginTotp', { body: { password: SAMPLE_PASSWORD } })).body
    expect((await caller.call('confirmTotp', { body: { code: '12345' } })).problem.code).toBe('invalid-parameter')
    const wrong = String((Number(codeOf(secret)) + 1) % 1_000_000).padStart(6, '0')
    expect((await caller.call('confirmTotp', { body: { code: wrong } })).problem).toMatchObject(WRONG_CODE)
    expect((await caller.call('removeTotp', { body: { password: SAMPLE_PASSWORD } })).problem.code).toBe('bad-change')
    expect((await caller.call('renewRecoveryCodes', { body: { password: SAMPLE_PASSWORD } })).problem.code).toBe(
      'bad-change',
    )
  })

  test('is kept sealed, and its recovery codes as hashes', async () => {
    const { id, secret, recoveryCodes } = await withApp()
    const user = await database.db.selectFrom('app_user').select('totp_secret').where('id', '=', id).executeTakeFirst()
    const codes = await database.db.selectFrom('recovery_code').select('code_hash').where('user_id', '=', id).execute()
    const stored = [user?.totp_secret, ...codes.map(({ code_hash }) => code_hash)]
      .map((bytes) => `${bytes?.toString('latin1')} ${bytes?.toString('hex')}`)
      .join(' ')
    for (const text of [secret, ...recoveryCodes]) expect(stored).not.toContain(text)
  })
})

describe('a recovery code', () => {
  test('works once in place of the app, in any case and with or without dashes, and an e-mail says so', async () => {
    const { id, login, caller, recoveryCodes } = await withApp()
    const [first = '', second = ''] = recoveryCodes
    const { challengeToken } = await challenged(login)
    expect((await mfa(challengeToken, first.toUpperCase())).status).toBe(200)
    expect((await lastMessageTo(database.db, login))?.text).toContain('recovery codes')
    const again = await challenged(login)
    expect((await mfa(again.challengeToken, first)).problem).toMatchObject(WRONG_CODE)
    expect((await mfa(again.challengeToken, second.replaceAll('-', ' '))).status).toBe(200)
    expect((await caller.call('getSecondFactor')).body.recoveryCodesLeft).toBe(8)
    const used = (await recordOf(id)).filter(({ property }) => property === 'recoveryCodes')
    expect(used).toHaveLength(2)
  })

  test('of another user, and a replaced one, are wrong', async () => {
    const [one, other] = [await withApp(), await withApp()]
    const { challengeToken } = await challenged(one.login)
    expect((await mfa(challengeToken, other.recoveryCodes[0] ?? '')).problem).toMatchObject(WRONG_CODE)
    const renewed = await one.caller.call('renewRecoveryCodes', { body: { password: SAMPLE_PASSWORD } })
    expect((await mfa(challengeToken, one.recoveryCodes[0] ?? '')).problem).toMatchObject(WRONG_CODE)
    expect((await mfa(challengeToken, renewed.body.recoveryCodes[0] ?? '')).status).toBe(200)
  })
})

test('where an identity provider keeps passwords, they are not changed here', async () => {
  const environment = { IDENTITY_PROVIDER: 'oidc', OIDC_ISSUER: 'https://id.example', OIDC_CLIENT_ID: 'benchwatch' }
  const elsewhere = await testApp(database, { environment })
  const caller = await elsewhere.as((await somebody()).id)
  expect((await caller.call('getSecondFactor')).body).toMatchObject({ isManagedHere: false })
  const body = { currentPassword: SAMPLE_PASSWORD, newPassword: OWN_PASSWORD }
  for (const answer of [
    await caller.call('changePassword', { body }),
    await caller.call('beginTotp', { body: { password: SAMPLE_PASSWORD } }),
    await caller.call('confirmTotp', { body: { code: '123456' } }),
  ]) {
    expect(answer.problem).toMatchObject({ status: 400, code: 'bad-change' })
  }
  expect((await caller.call('listMySessions')).body.values).toHaveLength(2)
  await elsewhere.close()
})

test('nothing secret of an account is logged', async () => {
  const loud = await testApp(database, { environment: { DEMO: 'on' }, logLevel: 'trace' })
  const person = await somebody()
  const caller = await loud.as(person.id)
  const { secret } = (await caller.call('beginTotp', { body: { password: SAMPLE_PASSWORD } })).body
  const code = codeOf(secret)
  const { recoveryCodes } = (await caller.call('confirmTotp', { body: { code } })).body
  await caller.call('changePassword', { body: { currentPassword: SAMPLE_PASSWORD, newPassword: 'Canary-Cage-8' } })
  const { body } = await loud.call('signIn', { body: { userId: person.login, password: 'Canary-Cage-8' } })
  const challengeToken = 'challengeToken' in body ? body.challengeToken : ''
  await loud.call('answerMfa', { body: { challengeToken, code: recoveryCodes[0] ?? '' } })
  await loud.call('forgotPassword', { body: { email: person.login } })
  await loud.close()
  const logged = loud.logged()
  expect(logged).toContain('second factor changed')
  for (const text of [SAMPLE_PASSWORD, 'Canary-Cage-8', secret, challengeToken, person.login, ...recoveryCodes]) {
    expect(logged).not.toContain(text)
  }
  // Matched as a whole word: the digits of a timestamp may contain any six digits.
  expect(logged).not.toMatch(new RegExp(`\\b${code}\\b`))
})
