import { AdminDeleteUserCommand, CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  COGNITO_CODE,
  type CognitoEmulator,
  startCognitoEmulator,
} from '../../../testing/emulators/cognito-emulator.ts'
import { addSamplePerson, SAMPLE_PASSWORD } from '../../../testing/sample-people.ts'
import { forgetAttempts, tokensOf } from '../../../testing/signed-in.ts'
import { type Answer, type TestApp, testApp } from '../../../testing/test-app.ts'
import { type TestDatabase, testDatabase } from '../../../testing/test-database.ts'
import { findChallenge } from '../credentials/challenge.store.ts'
import { unseal } from '../session/sealed-secret.ts'

/** Tests the whole product with a Cognito user pool; sessions and accounts stay on this server. */

const PASSWORD = 'Cognito-Only-2026!'
const ENGINEER = 'engineer@benchwatch.example'
const LEAVER = 'leaver@benchwatch.example'
const FORGETFUL = 'forgetful@benchwatch.example'
const NEWCOMER = 'newcomer@benchwatch.example'
const TEXTED = 'texted@benchwatch.example'
const QUARTER_MS = 16 * 60_000
let emulator: CognitoEmulator
let database: TestDatabase
let app: TestApp

beforeAll(async () => {
  emulator = await startCognitoEmulator([
    ...[ENGINEER, LEAVER, FORGETFUL, 'stranger@benchwatch.example'].map((email) => ({ email, password: PASSWORD })),
    { email: NEWCOMER, password: 'Temporary-2026!', mustChange: true },
    { email: TEXTED, password: PASSWORD, phone: '+46700000103' },
  ])
  database = await testDatabase()
  app = await testApp(database, {
    now: new Date(),
    environment: {
      IDENTITY_PROVIDER: 'cognito',
      COGNITO_REGION: emulator.region,
      COGNITO_USER_POOL_ID: emulator.userPoolId,
      COGNITO_CLIENT_ID: emulator.clientId,
      COGNITO_ENDPOINT: emulator.endpoint,
    },
  })
  for (const login of [ENGINEER, LEAVER, FORGETFUL, NEWCOMER, TEXTED]) {
    await addSamplePerson(database, { login, name: login })
  }
})
afterAll(async () => {
  await app.close()
  await emulator.stop()
})
beforeEach(() => forgetAttempts(database.db))

/** Returns the refresh cookie of a response as the browser would send it. */
function cookieOf({ headers }: { headers: Answer<'refresh'>['headers'] }): string {
  return String([headers['set-cookie'] ?? ''].flat()[0]).split(';', 1)[0] ?? ''
}
const signIn = (userId: string, password = PASSWORD) => app.call('signIn', { body: { userId, password } })
const refresh = (cookie: string) => app.call('refresh', { body: { idleSeconds: 0 }, headers: { cookie } })

async function stepOf(userId: string, password = PASSWORD) {
  const { body } = await signIn(userId, password)
  if ('accessToken' in body) throw new Error('No further step was asked for.')
  return body
}

test('signs in, is refreshed with what Cognito gave, and signs out', async () => {
  expect((await app.call('getAuthConfig')).body).toMatchObject({ provider: 'cognito' })
  const entered = await signIn(` ${ENGINEER} `)
  expect(entered.body).toMatchObject({ user: { userName: ENGINEER, mail: ENGINEER } })
  const bearer = { authorization: `Bearer ${tokensOf(entered.body).accessToken}` }
  expect((await app.call('getMe', { headers: bearer })).status).toBe(200)

  app.clock.advance(QUARTER_MS)
  const fresh = await refresh(cookieOf(entered))
  expect(fresh.status).toBe(200)
  const out = await app.call('signOut', { body: { everywhere: false }, headers: { cookie: cookieOf(fresh) } })
  expect(out.status).toBe(204)
  expect((await refresh(cookieOf(fresh))).problem).toMatchObject({ code: 'session-expired' })
  expect(app.logged()).not.toContain('could not be')
})

test('the password of this server counts no longer', async () => {
  expect((await signIn(ENGINEER, SAMPLE_PASSWORD)).problem).toMatchObject({ code: 'bad-credentials' })
})

test('an unknown name, a wrong password and somebody without an account here are answered alike', async () => {
  const answers = [
    await signIn('nobody@benchwatch.example'),
    await signIn(ENGINEER, 'wrong'),
    await signIn('stranger@benchwatch.example'),
  ]
  for (const { problem } of answers) {
    expect(problem).toMatchObject({ status: 401, ErrorBody: 'Incorrect username or password.' })
    expect({ ...problem, requestId: '' }).toEqual({ ...answers[0]?.problem, requestId: '' })
  }
})

test('locks as for every provider', async () => {
  for (let tries = 0; tries < 5; tries++) await signIn(ENGINEER, 'wrong')
  expect((await signIn(ENGINEER)).problem).toMatchObject({ code: 'attempts-exceeded' })
})

test('a temporary password must be replaced', async () => {
  const { challenge, challengeToken } = await stepOf(NEWCOMER, 'Temporary-2026!')
  expect(challenge).toBe('NEW_PASSWORD_REQUIRED')
  const set = await app.call('setNewPassword', { body: { challengeToken, newPassword: 'Of-My-Own-2026!' } })
  expect(set.body).toMatchObject({ user: { mail: NEWCOMER } })
  expect((await signIn(NEWCOMER, 'Of-My-Own-2026!')).status).toBe(200)
})

describe('a code by SMS', () => {
  test('is requested, sent again and accepted', async () => {
    const { challenge, challengeToken } = await stepOf(TEXTED)
    expect(challenge).toBe('SMS_MFA')
    const wrong = await app.call('answerMfa', { body: { challengeToken, code: '000000' } })
    expect(wrong.problem).toMatchObject({ code: 'wrong-code' })
    app.clock.advance(6000)
    const again = await app.call('resendMfa', { body: { challengeToken } })
    expect(again.body).toEqual({ challengeToken })
    const right = await app.call('answerMfa', { body: { challengeToken, code: COGNITO_CODE } })
    expect(right.body).toMatchObject({ user: { mail: TEXTED } })
  })

  test('keeps the password where only the browser’s token opens it, and no longer than the step', async () => {
    const { challengeToken } = await stepOf(TEXTED)
    const at = app.clock.now()
    const found = await findChallenge(database.db, { challengeToken, at })
    expect(JSON.stringify(found)).toContain(PASSWORD)

    const steps = () => database.db.selectFrom('auth_challenge').select(['state', 'token_hash']).execute()
    const sealed = (await steps()).flatMap(({ state, token_hash }) => (state ? [{ state, token_hash }] : []))
    expect(sealed.length).toBeGreaterThan(0)
    for (const { state, token_hash } of sealed) {
      // Tries all keys that the database has.
      const use = `challenge/${token_hash.toString('hex')}`
      await expect(unseal(database.db, { sealed: state, use })).rejects.toThrow()
    }

    await app.call('answerMfa', { body: { challengeToken, code: COGNITO_CODE } })
    expect(await findChallenge(database.db, { challengeToken, at })).toBeUndefined()
    expect((await steps()).filter(({ state }) => state !== null).length).toBe(sealed.length - 1)
  })
})

test('a forgotten password is set with a code sent by e-mail, and ends the sessions here', async () => {
  const cookie = cookieOf(await signIn(FORGETFUL))
  for (const email of ['nobody@benchwatch.example', FORGETFUL]) {
    expect(await app.call('forgotPassword', { body: { email } })).toMatchObject({ status: 200, body: {} })
  }
  const reset = (code: string) =>
    app.call('confirmForgotPassword', { body: { email: FORGETFUL, code, newPassword: 'Remembered-2026!' } })
  expect((await reset('000000')).problem).toMatchObject({ code: 'wrong-code' })
  expect((await refresh(cookie)).status).toBe(200)
  expect((await reset(COGNITO_CODE)).status).toBe(200)
  expect((await refresh(cookie)).problem).toMatchObject({ code: 'session-expired' })
  expect((await signIn(FORGETFUL, 'Remembered-2026!')).status).toBe(200)
})

test('a session ends when the user no longer exists at Cognito', async () => {
  const cookie = cookieOf(await signIn(LEAVER))
  const administrator = new CognitoIdentityProviderClient({
    region: emulator.region,
    endpoint: emulator.endpoint,
    credentials: { accessKeyId: 'any', secretAccessKey: 'any' },
  })
  await administrator.send(new AdminDeleteUserCommand({ UserPoolId: emulator.userPoolId, Username: LEAVER }))
  const before = await refresh(cookie)
  expect(before.status).toBe(200)
  app.clock.advance(QUARTER_MS)
  expect((await refresh(cookieOf(before))).problem).toMatchObject({ status: 401, code: 'session-expired' })
})

test('nothing that was typed and nothing that Cognito gave gets into the log', () => {
  for (const secret of [PASSWORD, 'Temporary-2026!', 'Of-My-Own-2026!', 'Remembered-2026!', 'eyJ']) {
    expect(app.logged()).not.toContain(secret)
  }
  // Matched as a whole word: the time of a log line may end in these digits.
  expect(app.logged()).not.toMatch(new RegExp(`\\b${COGNITO_CODE}\\b`))
})

test('while Cognito is down nobody can sign in, and sessions continue', async () => {
  const cookie = cookieOf(await signIn(ENGINEER))
  await emulator.stop()
  app.clock.advance(QUARTER_MS)
  const during = await refresh(cookie)
  expect(during.status).toBe(200)
  expect(app.logged()).toContain('identity provider unreachable for a session check; the session continues')
  expect((await signIn(ENGINEER)).problem).toMatchObject({ status: 503, code: 'unavailable' })
  const out = await app.call('signOut', { body: { everywhere: false }, headers: { cookie: cookieOf(during) } })
  expect(out.status).toBe(204)
})
