import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addSamplePerson, SAMPLE_PASSWORD } from '../../../testing/sample-people.ts'
import { countMessagesTo, lastCodeTo, lastMessageTo } from '../../../testing/sent-messages.ts'
import { forgetAttempts, tokensOf } from '../../../testing/signed-in.ts'
import { TEST_NOW, type TestApp, testApp } from '../../../testing/test-app.ts'
import { type TestDatabase, testDatabase } from '../../../testing/test-database.ts'

const OWN_PASSWORD = 'Quiet-Pipette-71'
const WRONG = { status: 400, code: 'wrong-code', ErrorBody: 'Incorrect verification code.' }
const EXPIRED = {
  status: 400,
  code: 'code-expired',
  ErrorBody: 'The verification code has expired, please resend the code.',
}

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
  return { login, id: await addSamplePerson(database, { login, name: 'Ines Berg' }) }
}
const signIn = (userId: string, password = SAMPLE_PASSWORD) => app.call('signIn', { body: { userId, password } })
const forgot = (email: string) => app.call('forgotPassword', { body: { email } })
const confirm = (email: string, code: string, newPassword = OWN_PASSWORD) =>
  app.call('confirmForgotPassword', { body: { email, code, newPassword } })
const me = (accessToken: string) => app.call('getMe', { headers: { authorization: `Bearer ${accessToken}` } })
const other = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')
const code = (login: string) => lastCodeTo(database.db, login)

async function asked() {
  const person = await somebody()
  expect((await forgot(person.login)).status).toBe(200)
  return { ...person, code: await code(person.login) }
}

describe('a forgotten password', () => {
  test('is replaced with a code sent by e-mail; all sessions end, the lock is lifted, and its owner is informed', async () => {
    const { login, id } = await somebody()
    const sessions = [tokensOf((await signIn(login)).body), tokensOf((await signIn(login)).body)]
    for (let count = 0; count < 5; count += 1) await signIn(login, 'wrong')
    expect((await signIn(login)).problem.code).toBe('attempts-exceeded')
    const request = await forgot(` ${login.toUpperCase()} `)
    expect({ status: request.status, body: request.body }).toEqual({ status: 200, body: {} })
    expect(await lastMessageTo(database.db, login)).toMatchObject({ template: 'password-reset' })
    const done = await confirm(login, await code(login))
    expect({ status: done.status, body: done.body }).toEqual({ status: 200, body: {} })
    for (const { accessToken } of sessions) expect((await me(accessToken)).status).toBe(401)
    expect(await lastMessageTo(database.db, login)).toMatchObject({ template: 'password-changed' })
    expect((await signIn(login)).problem.code).toBe('bad-credentials')
    expect((await signIn(login, OWN_PASSWORD)).status).toBe(200)
    const record = await database.db
      .selectFrom('audit')
      .select(['action', 'property', 'old_value', 'new_value', 'reason'])
      .where('entity_type', '=', 'user')
      .where('entity_id', '=', String(id))
      .where('property', '=', 'password')
      .execute()
    expect(record).toEqual([
      { action: 'update', property: 'password', old_value: null, new_value: null, reason: 'reset' },
    ])
  })

  test('of a temporary kind needs no change any more', async () => {
    const { id, login } = await somebody()
    await database.db.updateTable('app_user').set({ must_change_password: true }).where('id', '=', id).execute()
    await forgot(login)
    expect((await confirm(login, await code(login))).status).toBe(200)
    expect(tokensOf((await signIn(login, OWN_PASSWORD)).body).user.userId).toBe(String(id))
  })

  test('voids a pending step of a sign-in, and still requires the second factor', async () => {
    const { id, login } = await somebody()
    await database.db
      .updateTable('app_user')
      .set({ sms_mfa: true, msisdn: '+46705559999' })
      .where('id', '=', id)
      .execute()
    const { body } = await signIn(login)
    await forgot(login)
    await confirm(login, await code(login))
    const challengeToken = 'challengeToken' in body ? body.challengeToken : ''
    const answer = await app.call('answerMfa', {
      body: { challengeToken, code: await lastCodeTo(database.db, '+46705559999') },
    })
    expect(answer.problem.code).toBe('challenge-expired')
    expect((await signIn(login, OWN_PASSWORD)).body).toMatchObject({ challenge: 'SMS_MFA' })
  })
})

describe('nobody learns who has an account', () => {
  test('from what is answered', async () => {
    const { login } = await somebody()
    const disabled = await somebody()
    await database.db.updateTable('app_user').set({ disabled_at: TEST_NOW }).where('id', '=', disabled.id).execute()
    for (const email of [login, 'nobody@benchwatch.example', disabled.login]) {
      const request = await forgot(email)
      expect({ status: request.status, body: request.body }).toEqual({ status: 200, body: {} })
    }
    expect(await countMessagesTo(database.db, disabled.login)).toBe(0)
    expect(await countMessagesTo(database.db, 'nobody@benchwatch.example')).toBe(0)
    const wrong = other(await code(login))
    for (let count = 0; count < 7; count += 1) {
      const [known, unknown] = [await confirm(login, wrong), await confirm('nobody@benchwatch.example', wrong)]
      expect(known.problem).toMatchObject(WRONG)
      expect({ ...unknown.problem, requestId: '' }).toEqual({ ...known.problem, requestId: '' })
    }
  })

  test('from how long it takes', async () => {
    const { login } = await somebody()
    const took = async (email: string) => {
      const start = performance.now()
      await forgot(email)
      return performance.now() - start
    }
    // Both wait for the same minimum time, which is longer than the work takes.
    expect(await took(login)).toBeGreaterThan(98)
    expect(await took('nobody@benchwatch.example')).toBeGreaterThan(98)
  })
})

describe('the code sent by e-mail', () => {
  test('works once', async () => {
    const { login, code: right } = await asked()
    expect((await confirm(login, right)).status).toBe(200)
    expect((await confirm(login, right, 'Another-Flask-82')).problem).toMatchObject(WRONG)
  })

  test('sets one password, however many send it at the same time', async () => {
    const { login, code: right } = await asked()
    const answers = await Promise.all(
      Array.from({ length: 5 }, (_, index) => confirm(login, right, `Quiet-Pipette-${index}`)),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test('is good for 10 minutes', async () => {
    const { login, code: right } = await asked()
    app.clock.advance(600_000 - 1)
    expect((await confirm(login, right, 'weak')).problem.code).toBe('password-policy')
    app.clock.advance(1)
    expect((await confirm(login, right)).problem).toMatchObject(EXPIRED)
    expect((await confirm(login, other(right))).problem).toMatchObject(WRONG)
  })

  test('takes 5 wrong tries; a hundred at once are no more', async () => {
    const { login, code: right } = await asked()
    await Promise.all(Array.from({ length: 20 }, () => confirm(login, other(right))))
    expect((await confirm(login, right)).problem).toMatchObject(EXPIRED)
    await forgot(login)
    const next = await code(login)
    if (next !== right) expect((await confirm(login, right)).problem).toMatchObject(WRONG)
    expect((await confirm(login, next)).status).toBe(200)
  })

  test('is not used up by a password that does not conform to policy', async () => {
    const { login, code: right } = await asked()
    for (const password of ['weak', 'Password-1!', 'Ines-Berg-2026', '']) {
      expect((await confirm(login, right, password)).problem).toMatchObject({ status: 400, code: 'password-policy' })
    }
    expect((await confirm(login, right)).status).toBe(200)
  })

  test('is another one each time, and the one before is void', async () => {
    const { login, code: first } = await asked()
    await forgot(login)
    const second = await code(login)
    if (first !== second) expect((await confirm(login, first)).problem).toMatchObject(WRONG)
    expect((await confirm(login, second)).status).toBe(200)
  })

  test('belongs to one user', async () => {
    const [one, two] = [await asked(), await somebody()]
    expect((await confirm(two.login, one.code)).problem).toMatchObject(WRONG)
  })

  test('is mailed 5 times an hour; further wishes are answered alike', async () => {
    const { login } = await asked()
    for (let count = 0; count < 6; count += 1) expect((await forgot(login)).status).toBe(200)
    expect(await countMessagesTo(database.db, login)).toBe(5)
    app.clock.advance(2 * 3_600_000)
    await forgot(login)
    expect(await countMessagesTo(database.db, login)).toBe(6)
  })

  test('is kept as a keyed hash alone', async () => {
    const { id, code: right } = await asked()
    const row = await database.db.selectFrom('password_reset').selectAll().where('user_id', '=', id).executeTakeFirst()
    expect(JSON.stringify({ ...row, text: row?.code_hash.toString('latin1') })).not.toContain(right)
  })
})

describe('what can not be understood', () => {
  test.each(['', 'nobody', 'two@addresses.example, x@y.example', 'a@b', 'with\u0000nul@benchwatch.example'])(
    'is told for the address %j',
    async (email) => {
      for (const answer of [await forgot(email), await confirm(email, '123456')]) {
        expect(answer.problem).toMatchObject({
          status: 400,
          code: 'wrong-user-ids',
          ErrorBody: 'Wrong userIds parameter.',
        })
      }
    },
  )

  test.each(['', '12345', '1234567', 'abcdef'])('is told for the code %j', async (typed) => {
    const { login } = await asked()
    expect((await confirm(login, typed)).problem).toMatchObject({ status: 400, code: 'invalid-parameter' })
  })
})

test('a busy mail service is reported to every caller alike, before any account is looked up', async () => {
  const without = await testApp(database, { environment: { DEMO: 'off' } })
  const { login } = await somebody()
  for (const email of [login, 'nobody@benchwatch.example']) {
    const answer = await without.call('forgotPassword', { body: { email } })
    expect(answer.problem).toMatchObject({
      status: 503,
      code: 'mail-busy',
      ErrorBody: 'Mail service is busy, please try again later.',
    })
  }
  await without.close()
})
