import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addSamplePerson, SAMPLE_PASSWORD } from '../../testing/sample-people.ts'
import { forgetAttempts, tokensOf } from '../../testing/signed-in.ts'
import { type Answer, TEST_NOW, type TestApp, testApp } from '../../testing/test-app.ts'
import { type TestDatabase, testDatabase } from '../../testing/test-database.ts'

const COOKIE = 'benchwatch_refresh'
const BAD_CREDENTIALS = { status: 401, code: 'bad-credentials', ErrorBody: 'Incorrect username or password.' }
const EXPIRED = { status: 401, code: 'session-expired', detail: 'Session expired', ErrorBody: 'Session expired' }

let database: TestDatabase
let app: TestApp
let engineer: number

beforeAll(async () => {
  database = await testDatabase()
  app = await testApp(database)
  engineer = await addSamplePerson(database, { login: 'engineer@benchwatch.example', name: 'Ines Berg' })
})
afterAll(() => app.close())
beforeEach(async () => {
  app.clock.set(TEST_NOW)
  await forgetAttempts(database.db)
})

function setCookie({ headers }: Pick<Answer<'refresh'>, 'headers'>): string {
  const header = headers['set-cookie']
  return Array.isArray(header) ? (header[0] ?? '') : String(header ?? '')
}
const markerIn = ({ headers }: Pick<Answer<'refresh'>, 'headers'>): string =>
  [headers['set-cookie'] ?? []]
    .flat()
    .map(String)
    .find((cookie) => cookie.startsWith('benchwatch_session=')) ?? ''
const tokenIn = (answer: Pick<Answer<'refresh'>, 'headers'>) =>
  /benchwatch_refresh=([^;]*)/.exec(setCookie(answer))?.[1] ?? ''

const signIn = (userId = 'engineer@benchwatch.example', password = SAMPLE_PASSWORD, headers = {}) =>
  app.call('signIn', { body: { userId, password }, headers })
async function freshToken(): Promise<string> {
  return tokenIn(await signIn())
}
const refresh = (token: string, idleSeconds = 0, headers = {}) =>
  app.call('refresh', { body: { idleSeconds }, headers: { cookie: `${COOKIE}=${token}`, ...headers } })
const accessTokenOf = ({ body }: Pick<Answer<'signIn'>, 'body'>) => tokensOf(body).accessToken
const me = (accessToken: string) => app.call('getMe', { headers: { authorization: `Bearer ${accessToken}` } })

describe('sign-in', () => {
  test('returns an access token, the user, and the refresh token in a cookie that no script and no other site can read', async () => {
    const answer = await signIn()
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      accessToken: expect.any(String),
      expiresIn: 900,
      user: { userId: String(engineer), userName: 'Ines Berg', mail: 'engineer@benchwatch.example' },
    })
    expect(setCookie(answer)).toMatch(/^benchwatch_refresh=[\w-]{43}; Path=\/api\/auth; HttpOnly; SameSite=Strict$/)
    // A second cookie tells the console's scripts that a refresh cookie exists, and nothing else.
    expect(markerIn(answer)).toBe('benchwatch_session=1; Path=/; SameSite=Strict')
    expect((await me(accessTokenOf(answer))).body.name).toBe('Ines Berg')
  })

  test('takes the login in any case and with blanks around it', async () => {
    expect((await signIn(' Engineer@Benchwatch.Example ')).status).toBe(200)
  })

  test('answers a wrong password and an unknown user alike', async () => {
    const answers = [
      await signIn('engineer@benchwatch.example', 'wrong'),
      await signIn('nobody@benchwatch.example'),
      await signIn('SYSTEM'),
      await signIn('not an address'),
      await signIn('with\u0000nul'),
      await signIn('', ''),
    ]
    for (const answer of answers) {
      expect(answer.problem).toMatchObject(BAD_CREDENTIALS)
      expect(setCookie(answer)).toBe('')
      expect({ ...answer.problem, requestId: '' }).toEqual({ ...answers[0]?.problem, requestId: '' })
    }
  })

  test('spends the same work on an unknown user', async () => {
    const patient = await testApp(database, { environment: { SIGN_IN_FAILURES_PER_ACCOUNT: '1000' } })
    const took = { known: [] as number[], unknown: [] as number[] }
    for (let round = 0; round < 15; round += 1) {
      for (const who of ['known', 'unknown'] as const) {
        // Not the time of the clock: other programs take the processor in between.
        const start = process.cpuUsage()
        const userId = `${who === 'known' ? 'engineer' : 'nobody'}@benchwatch.example`
        expect((await patient.call('signIn', { body: { userId, password: 'wrong' } })).status).toBe(401)
        took[who].push(process.cpuUsage(start).user)
      }
    }
    await patient.close()
    const median = (times: number[]) => times.sort((a, b) => a - b)[7] ?? 0
    const [known, unknown] = [median(took.known), median(took.unknown)]
    // A hash takes at least 8 ms, everything else about 2 ms. Without the dummy hash the ratio would be far below a
    // half.
    expect(unknown).toBeGreaterThan(known / 2)
  })

  test('refuses somebody who is disabled like somebody unknown', async () => {
    const id = await addSamplePerson(database, { login: 'left@benchwatch.example' })
    await database.db.updateTable('app_user').set({ disabled_at: TEST_NOW }).where('id', '=', id).execute()
    expect((await signIn('left@benchwatch.example')).problem).toMatchObject(BAD_CREDENTIALS)
  })

  test('makes a hash with old parameters again', async () => {
    const { hash } = await import('@node-rs/argon2')
    const id = await addSamplePerson(database, { login: 'old@benchwatch.example' })
    const old = await hash(SAMPLE_PASSWORD, { algorithm: 2, memoryCost: 8192, timeCost: 2, parallelism: 1 })
    const stored = () =>
      database.db.selectFrom('app_user').select('password_hash').where('id', '=', id).executeTakeFirst()
    await database.db.updateTable('app_user').set({ password_hash: old }).where('id', '=', id).execute()
    expect((await signIn('old@benchwatch.example', 'wrong')).status).toBe(401)
    expect(await stored()).toEqual({ password_hash: old })
    expect((await signIn('old@benchwatch.example')).status).toBe(200)
    expect((await stored())?.password_hash).toMatch(/m=19456,t=2,p=1/)
    expect((await signIn('old@benchwatch.example')).status).toBe(200)
  })

  test.each([
    [{ userId: 'a' }, 'body.password'],
    [{ userId: 7, password: 'x' }, 'body.userId'],
    [{ userId: 'a', password: 'x'.repeat(257) }, 'body.password'],
    [{ userId: 'a', password: 'x', admin: true }, 'body'],
  ])('tells what is wrong with %j', async (body, path) => {
    const response = await app.app.http.inject({ method: 'POST', url: '/api/auth/sign-in', payload: body })
    expect(response.statusCode).toBe(400)
    expect(response.headers['content-type']).toBe('application/problem+json; charset=utf-8')
    expect(response.json()).toMatchObject({ code: 'validation-failed', errors: [{ path }] })
  })

  test('tells that a body is no JSON', async () => {
    const headers = { 'content-type': 'application/json' }
    const response = await app.app.http.inject({
      method: 'POST',
      url: '/api/auth/sign-in',
      headers,
      payload: '{"userId":',
    })
    expect(response.json()).toMatchObject({ status: 400, code: 'malformed-json' })
  })

  test('has a Secure cookie where the product’s address is https', async () => {
    const secure = await testApp(database, { environment: { PUBLIC_URL: 'https://bench.example' } })
    const body = { userId: 'engineer@benchwatch.example', password: SAMPLE_PASSWORD }
    expect(setCookie(await secure.call('signIn', { body }))).toContain('; Secure')
    await secure.close()
  })
})

describe('requests of other sites are refused before anything is read', () => {
  test.each([
    ['Sec-Fetch-Site', { 'sec-fetch-site': 'cross-site' }],
    ['Origin', { origin: 'https://evil.example' }],
    [
      'another port of this host',
      { origin: 'http://localhost:3000', 'sec-fetch-site': 'same-site', host: 'localhost:8080' },
    ],
  ])('told by %s', async (_by, headers) => {
    const token = await freshToken()
    for (const answer of [
      await signIn('engineer@benchwatch.example', SAMPLE_PASSWORD, headers),
      await refresh(token, 0, headers),
      await app.call('signOut', { headers: { ...headers, cookie: `${COOKIE}=${token}` } }),
    ]) {
      expect(answer.problem).toMatchObject({ status: 403, code: 'cross-site' })
      expect(setCookie(answer)).toBe('')
    }
    expect((await refresh(token)).status).toBe(200)
  })

  test('and those of the console’s own pages are not', async () => {
    const own = { origin: 'http://console.example', host: 'console.example', 'sec-fetch-site': 'same-origin' }
    expect((await refresh(await freshToken(), 0, own)).status).toBe(200)
  })
})

describe('refresh', () => {
  test('rotates the token, and a chain of them goes on', async () => {
    const first = await freshToken()
    const second = tokenIn(await refresh(first))
    const third = tokenIn(await refresh(second))
    expect(new Set([first, second, third]).size).toBe(3)
    const answer = await refresh(third)
    expect(answer.body).toMatchObject({ expiresIn: 900, user: { userId: String(engineer) } })
    expect((await me(accessTokenOf(answer))).status).toBe(200)
  })

  test('gives two tabs that ask at once the same successor', async () => {
    const token = await freshToken()
    const answers = await Promise.all([refresh(token), refresh(token), refresh(token)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(new Set(answers.map(tokenIn)).size).toBe(1)
    expect((await refresh(tokenIn(answers[0]))).status).toBe(200)
  })

  test('gives the same successor for 30 s more, and ends the session after that', async () => {
    const token = await freshToken()
    const successor = tokenIn(await refresh(token))
    app.clock.advance(30_000)
    expect(tokenIn(await refresh(token))).toBe(successor)
    app.clock.advance(1)
    const reused = await refresh(token)
    expect(reused.problem).toMatchObject(EXPIRED)
    expect(setCookie(reused)).toMatch(/^benchwatch_refresh=; .*Expires=Thu, 01 Jan 1970/)
    expect((await refresh(successor)).problem).toMatchObject(EXPIRED)
  })

  test('ends the session, and its access tokens, when a token comes back that was replaced twice', async () => {
    const first = await freshToken()
    const second = tokenIn(await refresh(first))
    const { body } = await refresh(second)
    expect((await me(tokensOf(body).accessToken)).status).toBe(200)
    expect((await refresh(first)).problem).toMatchObject(EXPIRED)
    expect((await me(tokensOf(body).accessToken)).problem).toMatchObject(EXPIRED)
  })

  test('leaves other sessions of the same user alone when one ends', async () => {
    const [one, other] = [await freshToken(), await freshToken()]
    await refresh(one)
    app.clock.advance(31_000)
    expect((await refresh(one)).status).toBe(401)
    expect((await refresh(other)).status).toBe(200)
  })

  test.each(['', 'made-up', 'x'.repeat(5000)])('accepts no token %.10s', async (token) => {
    expect((await refresh(token)).problem).toMatchObject(EXPIRED)
  })

  test('needs a cookie, and no body', async () => {
    const none = await app.call('refresh')
    expect(none.problem).toMatchObject(EXPIRED)
    // A marker without a refresh cookie is removed, so that it causes only one request.
    expect(markerIn(none)).toMatch(/^benchwatch_session=; /)
    const cookie = `${COOKIE}=${await freshToken()}`
    const bare = await app.call('refresh', { headers: { cookie } })
    expect(bare.status).toBe(200)
    const typed = await app.app.http.inject({
      method: 'POST',
      url: '/api/auth/refresh',
      headers: { cookie: `${COOKIE}=${tokenIn(bare)}`, 'content-type': 'application/json' },
      payload: '',
    })
    expect(typed.statusCode).toBe(200)
  })

  test.each([{ idleSeconds: -1 }, { idleSeconds: 'long' }, { idle: 1 }])(
    'tells what is wrong with %j',
    async (body) => {
      const headers = { cookie: `${COOKIE}=${await freshToken()}` }
      const response = await app.app.http.inject({ method: 'POST', url: '/api/auth/refresh', headers, payload: body })
      expect(response.json()).toMatchObject({ status: 400, code: 'validation-failed' })
    },
  )

  test('stores no token, only hashes', async () => {
    const token = await freshToken()
    const successor = tokenIn(await refresh(token))
    const { rows } = await sql<{ row: string }>`
      SELECT s::text AS row FROM session s UNION ALL SELECT t::text FROM spent_refresh_token t`.execute(database.db)
    const stored = rows.map(({ row }) => row).join('\n')
    for (const secret of [token, successor]) {
      expect(stored).not.toContain(secret)
      expect(stored).not.toContain(Buffer.from(secret).toString('hex'))
      expect(stored).not.toContain(Buffer.from(secret, 'base64url').toString('hex'))
    }
  })
})

describe('inactivity', () => {
  const hours = (count: number) => count * 3_600_000

  test('ends the session at four hours without a click, however often tabs refreshed and asked', async () => {
    let token = await freshToken()
    for (let hour = 1; hour <= 3; hour += 1) {
      app.clock.advance(hours(1))
      const answer = await refresh(token, hour * 3600)
      token = tokenIn(answer)
      // Polling by a screen does not count as activity.
      expect((await me(accessTokenOf(answer))).status).toBe(200)
    }
    app.clock.advance(hours(1) - 1000)
    token = tokenIn(await refresh(token, 4 * 3600 - 1))
    app.clock.advance(1000)
    expect((await refresh(token, 4 * 3600)).problem).toMatchObject(EXPIRED)
    expect((await refresh(token, 0)).problem).toMatchObject(EXPIRED)
    const ended = await database.db
      .selectFrom('session')
      .select('end_reason')
      .orderBy('ended_at', (o) => o.desc().nullsLast())
      .executeTakeFirst()
    expect(ended?.end_reason).toBe('inactive')
  })

  test('does not end a session whose tabs slept if the user clicked in time', async () => {
    const token = await freshToken()
    app.clock.advance(hours(7))
    expect((await refresh(token, 3.5 * 3600)).status).toBe(200)
  })

  test('a tab that was idle longer than another does not move the last activity back', async () => {
    const token = await freshToken()
    app.clock.advance(hours(3))
    const active = tokenIn(await refresh(token, 0))
    const other = tokenIn(await refresh(active, 3 * 3600))
    app.clock.advance(hours(3))
    expect((await refresh(other, 6 * 3600)).status).toBe(200)
  })
})

describe('sign-out', () => {
  test('ends this session, its access tokens and no other, and clears the cookie', async () => {
    const [one, other] = [await signIn(), await signIn()]
    const answer = await app.call('signOut', { headers: { cookie: `${COOKIE}=${tokenIn(one)}` } })
    expect(answer.status).toBe(204)
    expect(setCookie(answer)).toMatch(/^benchwatch_refresh=; .*Path=\/api\/auth/)
    expect(markerIn(answer)).toMatch(/^benchwatch_session=; .*Path=\//)
    expect((await refresh(tokenIn(one))).problem).toMatchObject(EXPIRED)
    expect((await me(accessTokenOf(one))).problem).toMatchObject(EXPIRED)
    expect((await me(accessTokenOf(other))).status).toBe(200)
  })

  test('everywhere ends every session of this user alone', async () => {
    await addSamplePerson(database, { login: 'colleague@benchwatch.example' })
    const [one, other, colleague] = [await signIn(), await signIn(), await signIn('colleague@benchwatch.example')]
    const headers = { cookie: `${COOKIE}=${tokenIn(one)}` }
    expect((await app.call('signOut', { body: { everywhere: true }, headers })).status).toBe(204)
    expect((await me(accessTokenOf(one))).status).toBe(401)
    expect((await me(accessTokenOf(other))).status).toBe(401)
    expect((await refresh(tokenIn(other))).status).toBe(401)
    expect((await me(accessTokenOf(colleague))).status).toBe(200)
  })

  test('works by the access token for a program without cookies', async () => {
    const { body } = await signIn()
    const headers = { authorization: `Bearer ${tokensOf(body).accessToken}` }
    expect((await app.call('signOut', { headers })).status).toBe(204)
    expect((await me(tokensOf(body).accessToken)).status).toBe(401)
    expect((await app.call('signOut', { body: { everywhere: true }, headers })).status).toBe(204)
  })

  test('is fine without a session, and twice', async () => {
    expect((await app.call('signOut')).status).toBe(204)
    expect((await app.call('signOut', { headers: { cookie: `${COOKIE}=made-up` } })).status).toBe(204)
    const cookie = `${COOKIE}=${await freshToken()}`
    expect((await app.call('signOut', { headers: { cookie } })).status).toBe(204)
    expect((await app.call('signOut', { headers: { cookie } })).status).toBe(204)
  })

  test('is recorded in the audit log with its reason, like the sign-in', async () => {
    const { body, headers } = await signIn()
    const { sid } = JSON.parse(Buffer.from(tokensOf(body).accessToken.split('.')[1] ?? '', 'base64url').toString()) as {
      sid: string
    }
    await app.call('signOut', { headers: { cookie: `${COOKIE}=${tokenIn({ headers })}` } })
    const rows = await database.db
      .selectFrom('audit')
      .select(['actor_name', 'action', 'reason'])
      .where('entity_type', '=', 'session')
      .where('entity_id', '=', sid)
      .orderBy('entity_seq')
      .execute()
    expect(rows).toEqual([
      { actor_name: 'Ines Berg', action: 'signed-in', reason: null },
      { actor_name: 'Ines Berg', action: 'ended', reason: 'signed-out' },
    ])
  })
})

test('what the sign-in screen needs is public: provider, product, and the five rules', async () => {
  const { status, body } = await app.call('getAuthConfig')
  expect(status).toBe(200)
  expect(body).toMatchObject({ provider: 'local', product: 'Benchwatch', deployment: 'global' })
  expect(body.passwordRules.map(({ id }) => id)).toEqual(['length', 'lowercase', 'uppercase', 'number', 'special'])
})

test('nothing secret is logged, not even at the finest level', async () => {
  const loud = await testApp(database, { logLevel: 'trace' })
  const body = { userId: 'engineer@benchwatch.example', password: SAMPLE_PASSWORD }
  const { body: step, headers } = await loud.call('signIn', { body })
  const tokens = tokensOf(step)
  const cookie = tokenIn({ headers })
  await loud.call('signIn', { body: { ...body, password: 'canary-wrong-password' } })
  const bearer = { authorization: `Bearer ${tokens.accessToken}` }
  const live = await loud.call('createLiveToken', { headers: bearer })
  await loud.call('getMe', { headers: bearer })
  const next = await loud.call('refresh', { headers: { cookie: `${COOKIE}=${cookie}` } })
  await loud.app.http.inject({ url: `/api/live?token=${live.body.token}&after=1` })
  await loud.app.http.inject({ url: '/api/users/me?token=canary-in-address', headers: bearer })
  await loud.close()
  const logged = loud.logged()
  expect(logged).toContain('/api/auth/sign-in')
  for (const secret of [
    SAMPLE_PASSWORD,
    'canary-wrong-password',
    'canary-in-address',
    tokens.accessToken,
    tokens.accessToken.split('.')[2] ?? '',
    cookie,
    tokenIn(next),
    live.body.token,
    'engineer@benchwatch.example',
  ]) {
    expect(logged).not.toContain(secret)
  }
})
