import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { inTransaction } from '../../db/transaction.ts'
import { addSamplePerson } from '../../testing/sample-people.ts'
import { TEST_NOW, type TestApp, testApp } from '../../testing/test-app.ts'
import { type TestDatabase, testDatabase } from '../../testing/test-database.ts'

let database: TestDatabase
let admin: number
let service: number
let app: TestApp
beforeAll(async () => {
  database = await testDatabase()
  admin = await addSamplePerson(database, { login: 'admin@benchwatch.example', role: 'admin' })
  service = await addSamplePerson(database, { login: 'service@benchwatch.example' })
})
beforeEach(async () => {
  await database.db.deleteFrom('outbound_message').execute()
})
afterEach(() => app.close())

async function start(environment: Record<string, string> = { DEMO: 'on' }): Promise<TestApp> {
  app = await testApp(database, { environment: { PUBLIC_URL: 'https://console.example.com', ...environment } })
  return app
}

/** Calls from an address, with the headers that a browser or a proxy would add. */
async function status(remoteAddress: string, headers: Record<string, string> = {}): Promise<number> {
  const answer = await app.app.http.inject({ url: '/api/dev/outbox', remoteAddress, headers })
  return answer.statusCode
}

describe('GET /dev/outbox', () => {
  it('shows what the demo sent, oldest first, with the head of a mail', async () => {
    await start()
    await app.app.messages.sendNow({ channel: 'sms', to: '+46701234567', text: 'Code', template: 'mfa-code' })
    await inTransaction(database.db, (trx) =>
      app.app.messages.queue(
        trx,
        [
          {
            channel: 'email',
            to: 'anna@helixbio.example',
            subject: 'Pump',
            text: 'Stopped',
            html: '<p>Stopped</p>',
            headers: { 'List-Unsubscribe': '<https://console.example.com/x>' },
            template: 'notice',
          },
        ],
        TEST_NOW,
      ),
    )
    const { body, headers } = await app.call('listOutbox')
    const [text, mail] = body.values
    expect(body.values).toHaveLength(2)
    expect(text).toEqual({
      id: expect.any(String),
      channel: 'sms',
      to: '+46701234567',
      subject: null,
      text: 'Code',
      html: null,
      headers: {},
      createdAt: TEST_NOW.toISOString(),
      sentAt: TEST_NOW.toISOString(),
    })
    expect(mail).toMatchObject({
      channel: 'email',
      to: 'anna@helixbio.example',
      subject: 'Pump',
      html: '<p>Stopped</p>',
    })
    expect(mail?.headers).toEqual({
      From: 'Benchwatch <support@benchwatch.example>',
      'Message-ID': `<outbound.${mail?.id}@console.example.com>`,
      'Auto-Submitted': 'auto-generated',
      'List-Unsubscribe': '<https://console.example.com/x>',
    })
    expect(headers['access-control-allow-origin']).toBeUndefined()
  })

  it.each(['127.0.0.1', '127.1.2.3', '::1', '::ffff:127.0.0.1'])(
    'needs no token on the machine itself: %s',
    async (ip) => {
      await start()
      expect(await status(ip)).toBe(200)
    },
  )

  it.each(['192.168.1.7', '::ffff:10.0.0.1', '2001:db8::1', '0.0.0.0'])('needs one from elsewhere: %s', async (ip) => {
    await start()
    expect(await status(ip)).toBe(401)
  })

  it('is for administrators alone from elsewhere', async () => {
    await start()
    const from = async (user: number) =>
      (await (await app.as(user)).call('listOutbox', { headers: { 'x-forwarded-for': '203.0.113.5' } })).status
    expect(await from(admin)).toBe(200)
    expect(await from(service)).toBe(403)
  })

  it.each<Record<string, string>>([
    { 'x-forwarded-for': '203.0.113.5' },
    { 'x-forwarded-for': '127.0.0.1' },
    { forwarded: 'for=127.0.0.1' },
    { 'x-real-ip': '127.0.0.1' },
    { via: '1.1 nginx' },
    { 'x-forwarded-proto': 'https' },
    { 'x-original-forwarded-for': '127.0.0.1' },
    { 'true-client-ip': '127.0.0.1' },
    // A proxy that forwards only the requested host name.
    { host: 'console.example.com' },
  ])('does not mistake a caller behind a local proxy for a local caller: %j', async (headers) => {
    await start()
    expect(await status('127.0.0.1', headers)).toBe(401)
  })

  it('goes by the address that a trusted proxy tells', async () => {
    await start({ DEMO: 'on', TRUST_PROXY: '127.0.0.1' })
    expect(await status('127.0.0.1', { 'x-forwarded-for': '203.0.113.5' })).toBe(401)
    expect(await status('203.0.113.5', { 'x-forwarded-for': '127.0.0.1' })).toBe(401)
    expect(await status('127.0.0.1')).toBe(200)
    expect(await status('127.0.0.1', { 'x-forwarded-for': '127.0.0.1', host: 'console.example.com' })).toBe(200)
  })

  it.each<[Record<string, string>, number]>([
    [{ 'sec-fetch-site': 'cross-site' }, 401],
    [{ 'sec-fetch-site': 'same-site' }, 401],
    [{ 'sec-fetch-site': 'same-origin' }, 200],
    [{ 'sec-fetch-site': 'none' }, 200],
    [{ host: 'evil.example:8080' }, 401],
    [{ host: 'localhost:8080' }, 200],
    [{ host: '127.0.0.1:8080' }, 200],
    [{ host: '[::1]:8080' }, 200],
  ])('is not read by another site’s page in a browser on this machine: %j', async (headers, expected) => {
    await start()
    expect(await status('127.0.0.1', headers)).toBe(expected)
  })

  it.each<[string, Record<string, string>]>([
    ['without the demo', { DEMO: 'off' }],
    ['with a real mail server', { DEMO: 'on', SMTP_URL: 'smtp://127.0.0.1:1' }],
    [
      'with real text messages',
      { DEMO: 'on', TWILIO_ACCOUNT_SID: 'AC1', TWILIO_AUTH_TOKEN: 't', TWILIO_FROM: '+46700000000' },
    ],
  ])('does not exist %s, not even for an administrator', async (_how, environment) => {
    await start(environment)
    expect(await status('127.0.0.1')).toBe(404)
    expect((await (await app.as(admin)).call('listOutbox')).status).toBe(404)
  })
})
