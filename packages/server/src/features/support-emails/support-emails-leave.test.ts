import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type MailServer, startMailServer } from '../../testing/emulators/mail-server.ts'
import { eventually } from '../../testing/eventually.ts'
import { addSamplePerson } from '../../testing/sample-people.ts'
import {
  CONTACT,
  eventOf,
  mailsOf,
  raiseEvents,
  resetSupportEmails,
  type SupportEmailFixture,
  setTemplate,
  supportEmailFixture,
} from '../../testing/support-email-fixture.ts'
import { type TestApp, testApp } from '../../testing/test-app.ts'

/** The complete server with a real mail server: from the event to the e-mail and back to the event. */

let fixture: SupportEmailFixture | undefined
let server: MailServer
let app: TestApp

async function start(smtpUrl?: string): Promise<SupportEmailFixture> {
  fixture ??= await supportEmailFixture()
  await resetSupportEmails(fixture)
  await fixture.database.pool.query('DELETE FROM job_outbox')
  await fixture.database.pool.query('DELETE FROM graphile_worker._private_jobs')
  const environment = { PUBLIC_URL: 'https://console.example.com', SMTP_URL: smtpUrl ?? server.url }
  app = await testApp(fixture.database, { environment })
  return fixture
}
beforeEach(async () => {
  server = await startMailServer()
})
afterEach(async () => {
  await app.close()
  await server.close()
})

describe('an automatic support e-mail', () => {
  it('leaves with its own button to unsubscribe; the event shows it, and is closed', async () => {
    const current = await start()
    const { helix, nordic } = current.fleet.customers
    const person = (login: string, scope: number) =>
      addSamplePerson(current.database, { login, role: 'customer', scope: [scope] })
    const hanna = await app.as(await person('hanna@helixbio.example', helix))
    const nora = await app.as(await person('nora@nordic.example', nordic))
    const [id = 0] = await raiseEvents(current, { description: 'Pressure <1> & rising' })
    await eventually(async () => expect((await eventOf(current, id)).reason_closed).toBe(5))
    const [{ parsed, recipients, raw } = { parsed: undefined, recipients: [], raw: '' }] = server.mails
    expect(server.mails).toHaveLength(1)
    expect(recipients).toEqual([CONTACT])
    expect(parsed?.subject).toBe('ÄKTA pilot 600: Pressure <1> & rising')
    expect(parsed?.text).toContain('Dear Maria Öberg, Pressure <1> & rising')
    expect(parsed?.html).toContain('Pressure &lt;1&gt; &amp; rising')
    expect(raw).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m)
    expect(parsed?.headers.get('list')).toMatchObject({
      unsubscribe: {
        url: expect.stringMatching(/^https:\/\/console\.example\.com\/api\/unsubscribe\/one-click\?token=/),
      },
    })
    const emails = (caller: typeof hanna) => caller.call('listServiceEventEmails', { params: { id: String(id) } })
    expect((await emails(hanna)).body.values).toMatchObject([{ to: CONTACT, state: 'sent', automatic: true }])
    expect((await emails(nora)).status).toBe(404)
    expect(app.logged()).not.toContain('maria.oberg')
  })

  it('is ended by the button of the mail program: the next event is closed without an e-mail', async () => {
    const current = await start()
    await raiseEvents(current)
    await eventually(async () => expect(server.mails).toHaveLength(1))
    const token = /one-click\?token=([\w-]{43})>/.exec(server.mails[0]?.raw.replace(/\r\n\s+/g, '') ?? '')?.[1] ?? ''
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const posted = await app.call('unsubscribeOneClick', {
      query: { token },
      body: 'List-Unsubscribe=One-Click',
      headers,
    })
    expect(posted).toMatchObject({ status: 200, body: { unsubscribedUntil: null } })
    const [id = 0] = await raiseEvents(current)
    await eventually(async () => expect((await eventOf(current, id)).reason_closed).toBe(6))
    expect(server.mails).toHaveLength(1)
  })

  it('that the mail server refuses leaves the event open, and is shown as given up', async () => {
    const current = await start()
    server.answers.RCPT.push(550)
    const [id = 0] = await raiseEvents(current)
    await eventually(async () => expect((await mailsOf(current))[0]?.failed_at).toBeInstanceOf(Date))
    expect(await eventOf(current, id)).toMatchObject({ alert_status: 1, automatic_email_sent_at: null })
    const sam = await app.as(
      await addSamplePerson(current.database, { login: 'sam@benchwatch.example', role: 'support' }),
    )
    const { body } = await sam.call('listServiceEventEmails', { params: { id: String(id) } })
    expect(body.values).toMatchObject([{ sentAt: null, state: 'failed', automatic: true }])
  })

  it('waits for a mail server that drops it in the middle, and leaves the event open until then', async () => {
    const current = await start()
    await setTemplate(current, { body: 'x '.repeat(4000) })
    server.answers.DATA.push('drop')
    const [id = 0] = await raiseEvents(current)
    await eventually(async () => expect((await mailsOf(current))[0]?.last_failure).toBe('deferred'))
    expect(await eventOf(current, id)).toMatchObject({ alert_status: 1, automatic_email_sent_at: null })
  })
})
