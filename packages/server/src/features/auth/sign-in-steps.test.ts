import type { Challenge, SignInStep } from '@benchwatch/contract/users/auth'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addSamplePerson, SAMPLE_PASSWORD } from '../../testing/sample-people.ts'
import { lastCodeTo, lastMessageTo } from '../../testing/sent-messages.ts'
import { forgetAttempts, tokensOf } from '../../testing/signed-in.ts'
import { type Answer, TEST_NOW, type TestApp, testApp } from '../../testing/test-app.ts'
import { type TestDatabase, testDatabase } from '../../testing/test-database.ts'
import { hashPassword } from './credentials/password-hash.ts'

const OWN_PASSWORD = 'Quiet-Pipette-71'
const EXPIRED = { status: 401, code: 'challenge-expired', ErrorBody: 'MFA Token has expired, please resend code.' }
const WRONG = { status: 400, code: 'wrong-code', ErrorBody: 'Incorrect verification code.' }

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

/** Creates a separate user for each test, with an account that differs from an ordinary one. */
async function somebody(changes: {
  sms_mfa?: boolean
  msisdn?: string | null
  must_change_password?: boolean
  temporary_password_until?: Date
}) {
  people += 1
  const login = `person${people}@benchwatch.example`
  const msisdn = `+4670555${String(people).padStart(4, '0')}`
  const id = await addSamplePerson(database, { login, name: 'Ines Berg', msisdn })
  await database.db.updateTable('app_user').set(changes).where('id', '=', id).execute()
  return { id, login, msisdn }
}

const signIn = (userId: string, password = SAMPLE_PASSWORD) => app.call('signIn', { body: { userId, password } })
const mfa = (challengeToken: string, code: string) => app.call('answerMfa', { body: { challengeToken, code } })
const resend = (challengeToken: string) => app.call('resendMfa', { body: { challengeToken } })
const setPassword = (challengeToken: string, newPassword: string) =>
  app.call('setNewPassword', { body: { challengeToken, newPassword } })
const other = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

function challengeOf(step: SignInStep): Challenge {
  if (!('challenge' in step)) throw new Error('The sign-in asked for nothing more.')
  return step
}
const hasCookie = ({ headers }: Pick<Answer<'signIn'>, 'headers'>) =>
  String(headers['set-cookie'] ?? '').includes('benchwatch_refresh')

describe('a temporary password', () => {
  test('opens the step in which a new password is set, which completes the sign-in', async () => {
    const { id, login } = await somebody({ must_change_password: true })
    const first = await signIn(login)
    expect(first.status).toBe(200)
    expect(first.body).toEqual({
      challenge: 'NEW_PASSWORD_REQUIRED',
      challengeToken: expect.stringMatching(/^[\w-]{43}$/),
    })
    expect(hasCookie(first)).toBe(false)
    const done = await setPassword(challengeOf(first.body).challengeToken, OWN_PASSWORD)
    expect(tokensOf(done.body).user).toMatchObject({ userId: String(id), mail: login })
    expect(hasCookie(done)).toBe(true)
    expect((await signIn(login)).problem.code).toBe('bad-credentials')
    expect(tokensOf((await signIn(login, OWN_PASSWORD)).body).user.userId).toBe(String(id))
  })

  test('stays until the new one conforms to policy, and is not taken as the new one', async () => {
    const { login } = await somebody({ must_change_password: true })
    const { challengeToken } = challengeOf((await signIn(login)).body)
    for (const bad of ['short-A1', 'alllowercase-1', 'Password-1!', 'Ines-Berg-2026', SAMPLE_PASSWORD, 'x']) {
      const answer = await setPassword(challengeToken, bad === 'short-A1' ? 'Ab-1' : bad)
      expect(answer.problem).toMatchObject({ status: 400, code: 'password-policy' })
    }
    expect((await setPassword(challengeToken, OWN_PASSWORD)).status).toBe(200)
  })

  test('is wrong once its time has passed, also for a step that was begun before', async () => {
    const until = new Date(TEST_NOW.getTime() + 60_000)
    const { login } = await somebody({ must_change_password: true, temporary_password_until: until })
    const { challengeToken } = challengeOf((await signIn(login)).body)
    app.clock.set(until)
    expect((await signIn(login)).problem).toMatchObject({ code: 'bad-credentials' })
    expect((await setPassword(challengeToken, OWN_PASSWORD)).problem).toMatchObject(EXPIRED)
  })

  test('comes before the second factor', async () => {
    const { login, msisdn } = await somebody({ must_change_password: true, sms_mfa: true })
    const { challengeToken } = challengeOf((await signIn(login)).body)
    const next = challengeOf((await setPassword(challengeToken, OWN_PASSWORD)).body)
    expect(next.challenge).toBe('SMS_MFA')
    expect((await mfa(next.challengeToken, await lastCodeTo(database.db, msisdn))).status).toBe(200)
  })
})

describe('a code by SMS', () => {
  async function begun() {
    const person = await somebody({ sms_mfa: true })
    const answer = await signIn(person.login)
    return { ...person, answer, ...challengeOf(answer.body), code: await lastCodeTo(database.db, person.msisdn) }
  }

  test('is sent after the right password, and completes the sign-in', async () => {
    const { id, login, msisdn } = await somebody({ sms_mfa: true })
    expect((await signIn(login, 'wrong')).problem.code).toBe('bad-credentials')
    expect(await lastMessageTo(database.db, msisdn)).toBeUndefined()
    const first = await signIn(login)
    expect(hasCookie(first)).toBe(false)
    expect(first.body).toEqual({
      challenge: 'SMS_MFA',
      challengeToken: expect.any(String),
      delivery: `••• ••• ${msisdn.slice(-2)}`,
    })
    const done = await mfa(challengeOf(first.body).challengeToken, await lastCodeTo(database.db, msisdn))
    expect(tokensOf(done.body).user.userId).toBe(String(id))
    expect(hasCookie(done)).toBe(true)
  })

  test('works once, and its step too', async () => {
    const { challengeToken, code } = await begun()
    expect((await mfa(challengeToken, code)).status).toBe(200)
    expect((await mfa(challengeToken, code)).problem).toMatchObject(EXPIRED)
    expect((await resend(challengeToken)).problem).toMatchObject(EXPIRED)
  })

  test('is accepted once, however many send it at the same time', async () => {
    const { challengeToken, code } = await begun()
    const answers = await Promise.all(Array.from({ length: 10 }, () => mfa(challengeToken, code)))
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, ...Array(9).fill(401)])
  })

  test('is valid for 3 minutes; another one can be requested with the same step', async () => {
    const { challengeToken, code, msisdn } = await begun()
    app.clock.advance(180_001)
    expect((await mfa(challengeToken, code)).problem).toMatchObject(EXPIRED)
    expect((await resend(challengeToken)).body).toEqual({ challengeToken })
    const next = await lastCodeTo(database.db, msisdn)
    app.clock.advance(180_000)
    expect((await mfa(challengeToken, next)).status).toBe(200)
  })

  test('replaces the one before', async () => {
    const { challengeToken, code, msisdn } = await begun()
    app.clock.advance(5000)
    expect((await resend(challengeToken)).status).toBe(200)
    const next = await lastCodeTo(database.db, msisdn)
    if (next !== code) expect((await mfa(challengeToken, code)).problem).toMatchObject(WRONG)
    expect((await mfa(challengeToken, next)).status).toBe(200)
  })

  test('is not sent again within 5 s', async () => {
    const { challengeToken } = await begun()
    app.clock.advance(3500)
    const soon = await resend(challengeToken)
    expect(soon.problem).toMatchObject({ status: 429, code: 'too-many-requests' })
    expect(soon.headers['retry-after']).toBe('2')
    app.clock.advance(1500)
    const answers = await Promise.all([resend(challengeToken), resend(challengeToken), resend(challengeToken)])
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 429, 429])
  })

  test('is sent to one number 10 times a day, first ones included', async () => {
    const { challengeToken, login } = await begun()
    for (let count = 1; count < 9; count += 1) {
      app.clock.advance(5000)
      expect((await resend(challengeToken)).status).toBe(200)
    }
    expect((await signIn(login)).status).toBe(200)
    app.clock.advance(5000)
    for (const answer of [await resend(challengeToken), await signIn(login)]) {
      expect(answer.problem).toMatchObject({ status: 429, code: 'too-many-requests' })
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(3600)
    }
    app.clock.advance(86_400_000)
    expect((await signIn(login)).status).toBe(200)
  })

  test('takes 6 digits, with or without blanks; anything else is a wrong form and no try', async () => {
    const { challengeToken, code } = await begun()
    for (const form of ['', '12345', '1234567', 'abcdef', '12345６', 'aaaa-aaaa-aaaa-aaaa', '12345x']) {
      expect((await mfa(challengeToken, form)).problem).toMatchObject({ status: 400, code: 'invalid-parameter' })
    }
    expect((await mfa(challengeToken, `${code.slice(0, 3)} ${code.slice(3)}`)).status).toBe(200)
  })

  test('is void after 5 wrong tries, which lock the account too', async () => {
    const { challengeToken, code, login, msisdn } = await begun()
    for (let count = 0; count < 5; count += 1) {
      expect((await mfa(challengeToken, other(code))).problem).toMatchObject(WRONG)
    }
    const locked = await mfa(challengeToken, code)
    expect(locked.problem).toMatchObject({
      status: 429,
      code: 'attempts-exceeded',
      ErrorBody: 'Password attempts exceeded.',
    })
    expect(locked.headers['retry-after']).toBe('60')
    expect((await signIn(login)).problem.code).toBe('attempts-exceeded')
    app.clock.advance(60_000)
    expect((await mfa(challengeToken, code)).problem).toMatchObject(EXPIRED)
    expect((await resend(challengeToken)).status).toBe(200)
    expect((await mfa(challengeToken, await lastCodeTo(database.db, msisdn))).status).toBe(200)
  })

  test('guessed a hundred times at once is checked 5 times', async () => {
    const { challengeToken, code } = await begun()
    const answers = await Promise.all(Array.from({ length: 100 }, () => mfa(challengeToken, other(code))))
    expect(answers.filter(({ problem }) => problem.code === 'wrong-code')).toHaveLength(5)
    expect(answers.filter(({ problem }) => problem.code === 'attempts-exceeded')).toHaveLength(95)
  })

  test('needs a number that can get one', async () => {
    for (const msisdn of [null, '0705550101', '+12']) {
      const { login } = await somebody({ sms_mfa: true, msisdn })
      expect((await signIn(login)).problem).toMatchObject({ status: 400, code: 'bad-phone' })
    }
  })

  test('reports that no text message can be sent', async () => {
    const without = await testApp(database, { environment: { DEMO: 'off' } })
    const { login } = await somebody({ sms_mfa: true })
    const answer = await without.call('signIn', { body: { userId: login, password: SAMPLE_PASSWORD } })
    expect(answer.problem).toMatchObject({ status: 502, code: 'sms-failed' })
    await without.close()
  })
})

describe('a step', () => {
  test('ends after 15 minutes, and when it never was', async () => {
    const { login, msisdn } = await somebody({ sms_mfa: true })
    const { challengeToken } = challengeOf((await signIn(login)).body)
    app.clock.advance(15 * 60_000 - 1)
    expect((await resend(challengeToken)).status).toBe(200)
    app.clock.advance(1)
    expect((await mfa(challengeToken, await lastCodeTo(database.db, msisdn))).problem).toMatchObject(EXPIRED)
    expect((await mfa('made-up', '123456')).problem).toMatchObject(EXPIRED)
    expect((await resend('')).problem).toMatchObject(EXPIRED)
    expect((await setPassword('made-up', OWN_PASSWORD)).problem).toMatchObject(EXPIRED)
  })

  test('is answered at its own address only', async () => {
    const first = await somebody({ must_change_password: true })
    const { challengeToken } = challengeOf((await signIn(first.login)).body)
    expect((await mfa(challengeToken, '123456')).problem).toMatchObject(EXPIRED)
    const second = await somebody({ sms_mfa: true })
    const sms = challengeOf((await signIn(second.login)).body)
    expect((await setPassword(sms.challengeToken, OWN_PASSWORD)).problem).toMatchObject(EXPIRED)
  })

  test('leads nowhere once its user was disabled', async () => {
    const { id, login, msisdn } = await somebody({ sms_mfa: true })
    const { challengeToken } = challengeOf((await signIn(login)).body)
    await database.db.updateTable('app_user').set({ disabled_at: TEST_NOW }).where('id', '=', id).execute()
    expect((await mfa(challengeToken, await lastCodeTo(database.db, msisdn))).problem).toMatchObject(EXPIRED)
  })

  test('leads nowhere once its user has another password, whoever set it', async () => {
    const first = await somebody({ sms_mfa: true })
    const sms = challengeOf((await signIn(first.login)).body)
    const second = await somebody({ must_change_password: true })
    const temporary = challengeOf((await signIn(second.login)).body)
    await database.db
      .updateTable('app_user')
      .set({ password_hash: await hashPassword('Another-Flask-82') })
      .where('id', 'in', [first.id, second.id])
      .execute()
    app.clock.advance(5000)
    for (const answer of [
      await resend(sms.challengeToken),
      await mfa(sms.challengeToken, await lastCodeTo(database.db, first.msisdn)),
      await setPassword(temporary.challengeToken, OWN_PASSWORD),
    ]) {
      expect(answer.problem).toMatchObject(EXPIRED)
    }
  })

  test('is kept as a hash, and what belongs to it sealed', async () => {
    const { login, msisdn } = await somebody({ sms_mfa: true })
    const { challengeToken } = challengeOf((await signIn(login)).body)
    const code = await lastCodeTo(database.db, msisdn)
    const rows = await database.db.selectFrom('auth_challenge').selectAll().execute()
    const stored = JSON.stringify(
      rows.map(({ state, token_hash, ...row }) => ({
        ...row,
        state: state?.toString('latin1'),
        hash: token_hash.toString('latin1'),
      })),
    )
    expect(stored).toContain(login)
    for (const secret of [challengeToken, code]) expect(stored).not.toContain(secret)
  })

  test.each(['setNewPassword', 'answerMfa', 'resendMfa', 'forgotPassword', 'confirmForgotPassword'] as const)(
    '%s is refused from another site',
    async (name) => {
      const answer = await app.call(name, { body: {} as never, headers: { 'sec-fetch-site': 'cross-site' } })
      expect(answer.problem).toMatchObject({ status: 403, code: 'cross-site' })
    },
  )
})

test('no code, token or number of a step is logged, not even at the finest level', async () => {
  const loud = await testApp(database, { environment: { DEMO: 'on' }, logLevel: 'trace' })
  const { login, msisdn } = await somebody({ sms_mfa: true, must_change_password: true })
  const first = await loud.call('signIn', { body: { userId: login, password: SAMPLE_PASSWORD } })
  const temporary = challengeOf(first.body).challengeToken
  const second = await loud.call('setNewPassword', {
    body: { challengeToken: temporary, newPassword: OWN_PASSWORD },
  })
  const { challengeToken } = challengeOf(second.body)
  const code = await lastCodeTo(database.db, msisdn)
  await loud.call('answerMfa', { body: { challengeToken, code: other(code) } })
  const { accessToken } = tokensOf((await loud.call('answerMfa', { body: { challengeToken, code } })).body)
  await loud.call('forgotPassword', { body: { email: login } })
  const mailed = await lastCodeTo(database.db, login)
  const reset = { email: login, code: mailed, newPassword: 'Canary-Cage-8' }
  expect((await loud.call('confirmForgotPassword', { body: reset })).status).toBe(200)
  await loud.close()
  const logged = loud.logged()
  expect(logged).toContain('password set with a code')
  for (const text of [OWN_PASSWORD, 'Canary-Cage-8', temporary, challengeToken, accessToken, login, msisdn]) {
    expect(logged).not.toContain(text)
  }
  // Matched as whole words: the digits of a timestamp may contain any six digits.
  for (const digits of [code, mailed]) expect(logged).not.toMatch(new RegExp(`\\b${digits}\\b`))
})
