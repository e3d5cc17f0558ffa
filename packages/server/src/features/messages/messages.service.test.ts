import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { inTransaction } from '../../db/transaction.ts'
import { startTwilioServer, type TwilioServer } from '../../testing/emulators/twilio-server.ts'
import { eventually } from '../../testing/eventually.ts'
import { TEST_NOW, type TestApp, testApp } from '../../testing/test-app.ts'
import { type TestDatabase, testDatabase } from '../../testing/test-database.ts'
import type { OutgoingSms } from '../outgoing-messages.ts'

const sms: OutgoingSms = {
  channel: 'sms',
  to: '+46701234567',
  text: '481516 is your Benchwatch code. It is valid for 3 minutes.',
  template: 'mfa-code',
  isSecret: true,
}

let database: TestDatabase
let twilio: TwilioServer
let app: TestApp | undefined
beforeAll(async () => {
  database = await testDatabase()
  twilio = await startTwilioServer()
})
afterAll(() => twilio.close())
beforeEach(async () => {
  await database.db.deleteFrom('outbound_message').execute()
  twilio.requests.length = 0
  twilio.answer = { status: 201 }
})
afterEach(async () => {
  await app?.close()
  app = undefined
})

const twilioKeys = () => ({
  TWILIO_ACCOUNT_SID: 'AC123',
  TWILIO_AUTH_TOKEN: 'token',
  TWILIO_FROM: '+46700000000',
  TWILIO_API_URL: twilio.url,
})
async function start(environment: Record<string, string>): Promise<TestApp> {
  app = await testApp(database, { environment })
  return app
}
const stored = () => database.db.selectFrom('outbound_message').selectAll().execute()

describe('a text message that somebody waits for', () => {
  it('is sent at once, and kept without its code', async () => {
    const { app } = await start(twilioKeys())
    await app.messages.sendNow(sms)
    expect(twilio.requests.map(({ body }) => new URLSearchParams(body).get('Body'))).toEqual([sms.text])
    expect(await stored()).toMatchObject([{ recipient: sms.to, sent_at: TEST_NOW, text: null, template: 'mfa-code' }])
  })

  it.each([
    [{ status: 400, code: 21211 }, 'bad-phone', 400],
    [{ status: 400, code: 21614 }, 'bad-phone', 400],
    [{ status: 429 }, 'sms-failed', 502],
    [{ status: 401 }, 'sms-failed', 502],
    [{ status: 500 }, 'sms-failed', 502],
  ])('that Twilio answers with %j fails with %s, and no log contains number or code', async (answer, code, status) => {
    const { app, logged } = await start(twilioKeys())
    twilio.answer = answer
    await expect(app.messages.sendNow(sms)).rejects.toMatchObject({ code, status })
    expect(await stored()).toEqual([])
    expect(logged()).toContain('text message not sent')
    // Matches the code as a whole word, because a timestamp in the log may contain the same six digits.
    expect(logged()).not.toMatch(/46701234567|\b481516\b/)
  })

  it('stands in the outbox of the demo', async () => {
    const { app } = await start({ DEMO: 'on' })
    await app.messages.sendNow(sms)
    expect(await stored()).toMatchObject([{ recipient: sms.to, sent_at: TEST_NOW, text: sms.text }])
  })

  it.each([
    ['where none can be sent', {}],
    ['in China', { DEPLOYMENT: 'china', DEMO: 'on' }],
  ])('fails %s', async (_where, environment) => {
    const { app } = await start(environment)
    await expect(app.messages.sendNow(sms)).rejects.toMatchObject({ code: 'sms-failed' })
    expect(await stored()).toEqual([])
  })
})

describe('a text message that is queued', () => {
  it('leaves by Twilio', async () => {
    const { app } = await start(twilioKeys())
    await inTransaction(database.db, (trx) => app.messages.queue(trx, [{ ...sms, isSecret: false }], TEST_NOW))
    await eventually(async () => expect(await stored()).toMatchObject([{ sent_at: TEST_NOW, text: sms.text }]))
    expect(twilio.requests).toHaveLength(1)
  })

  it('is left out in China, with a line in the log', async () => {
    const { app, logged } = await start({ DEPLOYMENT: 'china', DEMO: 'on' })
    await inTransaction(database.db, (trx) => app.messages.queue(trx, [sms], TEST_NOW))
    expect(await stored()).toEqual([])
    expect(logged()).toContain('text messages left out')
  })
})

describe('a message whose texts come from elsewhere', () => {
  it('contains no character that changes the direction of the following text', async () => {
    const { app } = await start({})
    const evil = 'SYS\u202e1\u2067 حيوية'
    const mail = {
      channel: 'email',
      to: 'somebody@lab.example',
      subject: evil,
      text: evil,
      html: `<p>${evil}</p>`,
    } as const
    await inTransaction(database.db, (trx) => app.messages.queue(trx, [{ ...mail, template: 'event' }], TEST_NOW))
    expect(await stored()).toMatchObject([{ subject: 'SYS1 حيوية', text: 'SYS1 حيوية', html: '<p>SYS1 حيوية</p>' }])
  })
})
