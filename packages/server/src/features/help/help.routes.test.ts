import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addSamplePerson } from '../../testing/sample-people.ts'
import { type Caller, TEST_NOW, type TestApp, testApp } from '../../testing/test-app.ts'
import { type TestDatabase, testDatabase } from '../../testing/test-database.ts'

let database: TestDatabase
let app: TestApp
let root: string
let people = 0

beforeAll(async () => {
  database = await testDatabase()
  root = await mkdtemp(join(tmpdir(), 'benchwatch-help-'))
  await writeFile(join(root, 'index.html'), '<!doctype html><title>First steps</title>')
  await writeFile(join(root, 'search.json'), '{}')
  app = await testApp(database, { helpRoot: root, environment: { ACCESS_TOKEN_MINUTES: '15' } })
})
afterAll(async () => {
  await app.close()
  await rm(root, { recursive: true, force: true })
})
beforeEach(() => app.clock.set(TEST_NOW))

async function somebody(): Promise<Caller> {
  people += 1
  return app.as(await addSamplePerson(database, { login: `reader${people}@benchwatch.example`, name: 'Ines Berg' }))
}

/** Returns the cookie that the server sets, split into its parts. */
async function cookieOf(caller: Caller) {
  const { headers, body } = await caller.call('createHelpCookie')
  const [set] = [headers['set-cookie']].flat()
  const [pair = '', ...attributes] = String(set).split('; ')
  return { pair, attributes, body, token: pair.split('=')[1] ?? '' }
}

const get = (url: string, cookie?: string) => app.app.http.inject({ url, headers: cookie ? { cookie } : {} })

describe('the cookie of the help site', () => {
  test('is set for the help site alone, out of reach of scripts and other sites, and outlives its token by 1 s', async () => {
    const { attributes, body } = await cookieOf(await somebody())
    expect(body).toEqual({ expiresIn: 900 })
    expect(attributes.sort()).toEqual(['HttpOnly', 'Max-Age=901', 'Path=/help-site/', 'SameSite=Strict'])
  })

  test('opens the help site, and nothing else', async () => {
    const { pair, token } = await cookieOf(await somebody())
    const page = await get('/help-site/', pair)
    expect(page.statusCode).toBe(200)
    expect(page.body).toContain('First steps')
    expect(page.headers['cache-control']).toBe('private, no-cache')
    const [, claims = ''] = token.split('.')
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({ aud: 'urn:benchwatch:help' })
    const asBearer = app.withHeaders({ authorization: `Bearer ${token}` })
    expect((await asBearer.call('getMe')).status).toBe(401)
  })

  test('takes somebody who is signed in', async () => {
    expect((await app.call('createHelpCookie')).problem).toMatchObject({ status: 401, code: 'session-expired' })
  })
})

describe('the help site', () => {
  const refused = ['/help-site/', '/help-site/index.html', '/help-site/search.json', '/help-site/no-such-page.html']

  test.each(refused)('%s is not served without its cookie', async (url) => {
    const answer = await get(url)
    expect(answer.statusCode).toBe(401)
    expect(answer.body).toContain('Sign in to read the help')
    expect(answer.body).not.toContain('First steps')
  })

  test('is not served for an access token in its cookie, or a forged one', async () => {
    const { token } = await cookieOf(await somebody())
    const [head, body] = token.split('.')
    for (const value of ['x', `${head}.${body}.AAAA`, ''])
      expect((await get('/help-site/', `benchwatch_help=${value}`)).statusCode).toBe(401)
  })

  test('is closed once the token has expired, and open again with the next', async () => {
    const caller = await somebody()
    const { pair } = await cookieOf(caller)
    app.clock.advance(899_000)
    expect((await get('/help-site/', pair)).statusCode).toBe(200)
    app.clock.advance(2000)
    expect((await get('/help-site/', pair)).statusCode).toBe(401)
  })

  test('is closed with the session', async () => {
    const caller = await somebody()
    const { pair } = await cookieOf(caller)
    expect((await caller.call('signOut', { body: { everywhere: false } })).status).toBe(204)
    expect((await get('/help-site/', pair)).statusCode).toBe(401)
  })

  test('may be framed by the console, and by nobody else', async () => {
    const { pair } = await cookieOf(await somebody())
    const { headers } = await get('/help-site/', pair)
    expect(headers['content-security-policy']).toContain("frame-ancestors 'self'")
    expect(headers['content-security-policy']).toMatch(/script-src 'self'(;|$)/)
    expect(headers['x-frame-options']).toBe('SAMEORIGIN')
    expect((await get('/api/health')).headers['x-frame-options']).toBe('DENY')
  })

  test('is found without its last slash, and says what to do about a page that it does not have', async () => {
    const { pair } = await cookieOf(await somebody())
    const folder = await get('/help-site?x=1')
    expect([folder.statusCode, folder.headers.location]).toEqual([308, '/help-site/'])
    const missing = await get('/help-site/no-such-page.html', pair)
    expect(missing.statusCode).toBe(404)
    expect(missing.body).toContain('This help page does not exist')
  })
})
