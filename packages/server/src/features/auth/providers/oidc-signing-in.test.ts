import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { OIDC_CLIENT, type OidcIssuer, startOidcIssuer } from '../../../testing/emulators/oidc-issuer.ts'
import { addSamplePerson } from '../../../testing/sample-people.ts'
import { type Answer, type TestApp, testApp } from '../../../testing/test-app.ts'
import { type TestDatabase, testDatabase } from '../../../testing/test-database.ts'

/** Tests the whole product with an OpenID provider, from the sign-in screen to the end of a session. */

const PUBLIC_URL = 'https://bench.example'
const ENGINEER = 'engineer@benchwatch.example'
const QUARTER_MS = 16 * 60_000
let issuer: OidcIssuer
let database: TestDatabase
let app: TestApp

beforeAll(async () => {
  issuer = await startOidcIssuer({ redirectUri: `${PUBLIC_URL}/api/auth/oidc/callback` })
  database = await testDatabase()
  app = await testApp(database, {
    now: new Date(),
    environment: {
      PUBLIC_URL,
      IDENTITY_PROVIDER: 'oidc',
      OIDC_ISSUER: issuer.issuer,
      OIDC_CLIENT_ID: OIDC_CLIENT.id,
      OIDC_CLIENT_SECRET: OIDC_CLIENT.secret,
    },
  })
  await addSamplePerson(database, { login: ENGINEER, name: 'Ines Berg' })
})
afterAll(async () => {
  await app.close()
  await issuer.stop()
})
beforeEach(() => {
  issuer.accounts.clear()
  issuer.accounts.set(ENGINEER, { emailVerified: true })
})

type Headers = Answer<'refresh'>['headers']

/** Returns the cookies of a response as the browser would send them. */
function cookiesOf({ headers }: { headers: Headers }): string {
  return [headers['set-cookie'] ?? []]
    .flat()
    .map((cookie) => String(cookie).split(';', 1)[0] ?? '')
    .filter((cookie) => !cookie.endsWith('='))
    .join('; ')
}

async function begin(returnTo?: string) {
  const answer = await app.call('startOidc', { query: returnTo === undefined ? {} : { returnTo } })
  return { url: String(answer.headers['location']), cookie: cookiesOf(answer) }
}
const comeBack = (back: URL, cookie: string) =>
  app.call('finishOidc', { query: Object.fromEntries(back.searchParams), headers: { cookie } })

async function signIn(account = ENGINEER, returnTo?: string) {
  const { url, cookie } = await begin(returnTo)
  const answer = await comeBack(await issuer.visit(url, account), cookie)
  return { answer, location: answer.headers['location'], cookie: cookiesOf(answer) }
}
const refresh = (cookie: string) => app.call('refresh', { body: { idleSeconds: 0 }, headers: { cookie } })

test('the sign-in screen learns where to redirect', async () => {
  expect((await app.call('getAuthConfig')).body).toMatchObject({
    provider: 'oidc',
    startUrl: '/api/auth/oidc/start',
  })
})

test('from the link to the page that was wanted, with a session that is refreshed and ended', async () => {
  const { location, cookie } = await signIn(ENGINEER, '/events/17?tab=log')
  expect(location).toBe(`${PUBLIC_URL}/events/17?tab=log`)
  const fresh = await refresh(cookie)
  expect(fresh).toMatchObject({ status: 200, body: { user: { userName: 'Ines Berg', mail: ENGINEER } } })

  // When an access token has expired, the server asks the provider, which rotates its own refresh token.
  app.clock.advance(QUARTER_MS)
  const again = await refresh(cookiesOf(fresh))
  expect(again.status).toBe(200)
  app.clock.advance(QUARTER_MS)
  const third = await refresh(cookiesOf(again))
  expect(third.status).toBe(200)

  const out = await app.call('signOut', { body: { everywhere: false }, headers: { cookie: cookiesOf(third) } })
  expect(out.status).toBe(204)
  expect((await refresh(cookiesOf(third))).problem).toMatchObject({ code: 'session-expired' })
})

test('another site is no page to return to', async () => {
  for (const returnTo of ['https://evil.example/events', '//evil.example', '/\\evil.example', 'javascript:alert(1)']) {
    expect((await signIn(ENGINEER, returnTo)).location).toBe(`${PUBLIC_URL}/`)
  }
})

test('a session ends a quarter of an hour after it began, when the provider says no by then', async () => {
  const { cookie } = await signIn()
  issuer.accounts.clear()
  const before = await refresh(cookie)
  expect(before.status).toBe(200)
  app.clock.advance(QUARTER_MS)
  expect((await refresh(cookiesOf(before))).problem).toMatchObject({ status: 401, code: 'session-expired' })
})

test('a session continues while the provider is down, and ends when it is back and refuses', async () => {
  const { cookie } = await signIn()
  await issuer.stop()
  app.clock.advance(QUARTER_MS)
  const during = await refresh(cookie)
  expect(during.status).toBe(200)
  expect(app.logged()).toContain('identity provider unreachable for a session check; the session continues')

  await issuer.start()
  issuer.accounts.clear()
  app.clock.advance(QUARTER_MS)
  expect((await refresh(cookiesOf(during))).problem).toMatchObject({ code: 'session-expired' })
})

test('a provider that is down during a sign-in is reported on the sign-in screen', async () => {
  const elsewhere = await testApp(database, {
    environment: {
      PUBLIC_URL,
      IDENTITY_PROVIDER: 'oidc',
      // Nothing listens there.
      OIDC_ISSUER: 'http://127.0.0.1:1',
      OIDC_CLIENT_ID: OIDC_CLIENT.id,
    },
  })
  const answer = await elsewhere.call('startOidc', { query: {} })
  expect(answer).toMatchObject({ status: 302, headers: { location: `${PUBLIC_URL}/login?error=unavailable` } })
  expect(elsewhere.logged()).toContain('The OpenID provider failed')
  await elsewhere.close()
})

test('a user of the provider without an account here sees the reason on the sign-in screen', async () => {
  issuer.accounts.set('stranger@benchwatch.example', { emailVerified: true })
  const { answer, location, cookie } = await signIn('stranger@benchwatch.example')
  expect(answer.status).toBe(302)
  expect(location).toBe(`${PUBLIC_URL}/login?error=bad-credentials`)
  expect(cookie).not.toContain('benchwatch_refresh')
})

test('an address that is not verified opens nobody’s account', async () => {
  issuer.accounts.set('eve', { email: ENGINEER, emailVerified: false })
  expect((await signIn('eve')).location).toBe(`${PUBLIC_URL}/login?error=bad-credentials`)
})

test('a way back is good once, in the browser that began it', async () => {
  const { url, cookie } = await begin()
  const back = await issuer.visit(url, ENGINEER)
  const expired = `${PUBLIC_URL}/login?error=session-expired`
  // An attacker sent another user's browser here, with a code for the attacker's account.
  expect((await comeBack(back, '')).headers['location']).toBe(expired)
  const other = await begin()
  expect((await comeBack(back, other.cookie)).headers['location']).toBe(expired)
  // After one refusal it is void.
  expect((await comeBack(back, cookie)).headers['location']).toBe(expired)
})

test('cancelling at the provider returns to the sign-in screen', async () => {
  const { url, cookie } = await begin()
  const answer = await comeBack(await issuer.cancel(url), cookie)
  expect(answer.headers['location']).toBe(`${PUBLIC_URL}/login?error=bad-credentials`)
})

test('no password is taken here', async () => {
  const answer = await app.call('signIn', { body: { userId: ENGINEER, password: 'Benchwatch-2026!' } })
  expect(answer.problem).toMatchObject({ status: 401, code: 'bad-credentials' })
})

test('no token, code or secret gets into the log', async () => {
  const { url, cookie } = await begin()
  const back = await issuer.visit(url, ENGINEER)
  const answer = await comeBack(back, cookie)
  const secrets = [
    back.searchParams.get('code'),
    back.searchParams.get('state'),
    OIDC_CLIENT.secret,
    ...cookiesOf(answer).split('='),
  ].filter((text) => text !== null && text.length > 20)
  expect(secrets.length).toBeGreaterThanOrEqual(4)
  for (const secret of secrets) expect(app.logged()).not.toContain(secret)
})
