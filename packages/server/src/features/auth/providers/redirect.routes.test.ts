import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { OIDC_CLIENT, type OidcIssuer, startOidcIssuer } from '../../../testing/emulators/oidc-issuer.ts'
import { addSamplePerson } from '../../../testing/sample-people.ts'
import { type Answer, TEST_NOW, type TestApp, testApp } from '../../../testing/test-app.ts'
import { type TestDatabase, testDatabase } from '../../../testing/test-database.ts'

const PUBLIC_URL = 'https://bench.example'
const ADA = 'Ada@Bench.Example'

let database: TestDatabase
let issuer: OidcIssuer
let app: TestApp
let ada: number

const settings = () => ({
  PUBLIC_URL,
  IDENTITY_PROVIDER: 'oidc',
  OIDC_ISSUER: issuer.issuer,
  OIDC_CLIENT_ID: OIDC_CLIENT.id,
  OIDC_CLIENT_SECRET: OIDC_CLIENT.secret,
})

beforeAll(async () => {
  database = await testDatabase()
  issuer = await startOidcIssuer({ redirectUri: `${PUBLIC_URL}/api/auth/oidc/callback` })
  ada = await addSamplePerson(database, { login: ADA, name: 'Ada' })
  // The issuer uses the machine's clock.
  app = await testApp(database, { environment: settings(), now: new Date() })
})
afterAll(async () => {
  await app.close()
  await issuer.stop()
})
beforeEach(() => {
  app.clock.set(new Date())
  issuer.accounts.clear()
  issuer.accounts.set(ADA, { emailVerified: true })
  issuer.accounts.set('nobody@bench.example', { emailVerified: true })
})

function cookies({ headers }: Pick<Answer<'refresh'>, 'headers'>): string[] {
  const header = headers['set-cookie']
  return Array.isArray(header) ? header : header === undefined ? [] : [String(header)]
}
const cookieIn = (answer: Pick<Answer<'refresh'>, 'headers'>, name: string) =>
  cookies(answer)
    .find((cookie) => cookie.startsWith(`${name}=`))
    ?.split(';', 1)[0] ?? ''

async function begin(returnTo?: string, cookie?: string) {
  const answer = await app.call('startOidc', {
    query: returnTo === undefined ? {} : { returnTo },
    ...(cookie !== undefined && { headers: { cookie } }),
  })
  expect(answer.status).toBe(302)
  return { answer, url: String(answer.headers['location']), cookie: cookieIn(answer, 'benchwatch_redirect') }
}
const finish = (back: URL, cookie: string, on = app) =>
  on.call('finishOidc', {
    query: Object.fromEntries(back.searchParams),
    headers: { cookie, 'sec-fetch-site': 'cross-site' },
  })
async function signedIn(returnTo?: string) {
  const { url, cookie } = await begin(returnTo)
  return finish(await issuer.visit(url, ADA), cookie)
}
const refresh = (cookie: string, idleSeconds = 0) => app.call('refresh', { body: { idleSeconds }, headers: { cookie } })
const refused = (answer: Answer<'finishOidc'>, code: string) => {
  expect(answer.status).toBe(302)
  expect(answer.headers['location']).toBe(`${PUBLIC_URL}/login?error=${code}`)
  expect(cookieIn(answer, 'benchwatch_refresh')).toBe('')
}

test('the way there and back leads in, to the page that was asked for', async () => {
  const { answer, url, cookie } = await begin('/events/4711?page=2#log')
  expect(url).toMatch(new RegExp(`^${issuer.issuer}/`))
  expect(cookies(answer)).toEqual([
    expect.stringMatching(
      /^benchwatch_redirect=[\w-]{43}; Max-Age=900; Path=\/api\/auth\/oidc; HttpOnly; Secure; SameSite=Lax$/,
    ),
  ])
  const done = await finish(await issuer.visit(url, ADA), cookie)
  expect(done.headers['location']).toBe(`${PUBLIC_URL}/events/4711?page=2#log`)
  expect(cookies(done).find((text) => text.startsWith('benchwatch_refresh='))).toContain('SameSite=Strict')
  expect((await refresh(cookieIn(done, 'benchwatch_refresh'))).body.user).toMatchObject({ userId: String(ada) })
  expect(app.logged()).not.toContain('Reply was not sent')
})

test.each([
  undefined,
  '//evil.example/x',
  'https://evil.example/x',
  '/\\evil.example',
  'javascript:alert(1)',
  '\t//evil.example',
])('it redirects to a page of the console and nowhere else: %j', async (returnTo) => {
  expect((await signedIn(returnTo)).headers['location']).toBe(`${PUBLIC_URL}/`)
})

test('a way is walked once, and in the browser in which it was begun', async () => {
  const { url, cookie } = await begin()
  const back = await issuer.visit(url, ADA)
  const elsewhere = await begin()
  refused(await finish(back, elsewhere.cookie), 'session-expired')
  // Another browser used it up.
  refused(await finish(back, cookie), 'session-expired')
  refused(await finish(new URL('/api/auth/oidc/callback?code=a&state=made-up', PUBLIC_URL), cookie), 'session-expired')
  refused(await finish(new URL('/api/auth/oidc/callback', PUBLIC_URL), cookie), 'session-expired')
})

test('two tabs that sign in at the same time both get in', async () => {
  const one = await begin()
  const two = await begin(undefined, one.cookie)
  for (const { url } of [one, two]) {
    const done = await finish(await issuer.visit(url, ADA), two.cookie)
    expect(done.headers['location']).toBe(`${PUBLIC_URL}/`)
  }
})

test('a way ends after 15 minutes', async () => {
  const { url, cookie } = await begin()
  const back = await issuer.visit(url, ADA)
  app.clock.advance(15 * 60_000)
  refused(await finish(back, cookie), 'session-expired')
})

test('somebody without an account, or with a disabled one, gets back to the sign-in with a reason', async () => {
  const { url, cookie } = await begin()
  refused(await finish(await issuer.visit(url, 'nobody@bench.example'), cookie), 'bad-credentials')
  await database.db.updateTable('app_user').set({ disabled_at: TEST_NOW }).where('id', '=', ada).execute()
  refused(await signedIn(), 'bad-credentials')
  await database.db.updateTable('app_user').set({ disabled_at: null }).where('id', '=', ada).execute()
})

test('after a refusal, the provider asks once which account signs in', async () => {
  const first = await begin()
  const answer = await finish(await issuer.visit(first.url, 'nobody@bench.example'), first.cookie)
  const again = await begin(undefined, `${first.cookie}; ${cookieIn(answer, 'benchwatch_refused')}`)
  expect(new URL(again.url).searchParams.get('prompt')).toBe('select_account')
  expect(cookieIn(again.answer, 'benchwatch_refused')).toBe('benchwatch_refused=')
  expect(first.url).not.toContain('prompt')
})

test('one address begins a limited number of sign-ins a minute', async () => {
  const strict = await testApp(database, { environment: { ...settings(), SIGN_IN_FAILURES_PER_ADDRESS: '1' } })
  const kept = () => database.db.selectFrom('oidc_start').select(sql<string>`count(*)`.as('n')).executeTakeFirst()
  for (let i = 0; i < 10; i++) await strict.call('startOidc')
  const before = await kept()
  const { headers } = await strict.call('startOidc')
  expect(headers['location']).toBe(`${PUBLIC_URL}/login?error=too-many-requests`)
  expect(await kept()).toEqual(before)
  await strict.close()
})

test('several tabs ask the provider once', async () => {
  const begun = cookieIn(await signedIn(), 'benchwatch_refresh')
  app.clock.advance(900_000)
  const answers = await Promise.all([refresh(begun), refresh(begun), refresh(begun)])
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  app.clock.advance(900_000)
  // If the provider's token had been used twice, the whole token family would have ended.
  expect((await refresh(cookieIn(answers[0] as Answer<'refresh'>, 'benchwatch_refresh'))).status).toBe(200)
})

test('the provider hears of a sign-out, and its deafness is no failure', async () => {
  const begun = cookieIn(await signedIn(), 'benchwatch_refresh')
  expect((await app.call('signOut', { headers: { cookie: begun } })).status).toBe(204)
  const again = cookieIn(await signedIn(), 'benchwatch_refresh')
  await issuer.stop()
  expect((await app.call('signOut', { headers: { cookie: again } })).status).toBe(204)
  expect(app.logged()).toContain('identity provider could not be notified')
  await issuer.start()
})

test('with sign-in on this server, there is no such redirect', async () => {
  const local = await testApp(database)
  expect((await local.call('startOidc')).problem).toMatchObject({ status: 404, code: 'not-found' })
  expect((await local.call('finishOidc')).problem).toMatchObject({ status: 404, code: 'not-found' })
  await local.close()
})

test('a handle is kept sealed', async () => {
  await signedIn()
  const row = await database.db
    .selectFrom('session')
    .select('provider_handle')
    .where('provider_handle', 'is not', null)
    .executeTakeFirst()
  expect(row?.provider_handle?.toString('latin1')).not.toMatch(/refreshToken|bench\.example/i)
})
