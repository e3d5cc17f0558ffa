import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { inTransaction } from '../../db/transaction.ts'
import { tokenHash } from '../../platform/secret-token.ts'
import { notifyingOn } from '../../testing/notifying-fixture.ts'
import { addSamplePerson } from '../../testing/sample-people.ts'
import {
  CONTACT,
  courseOf,
  eventOf,
  leave,
  mailsOf,
  raiseEvents,
  resetSupportEmails,
  runTasks,
  type SupportEmailFixture,
  setFlag,
  setTemplate,
  supportEmailFixture,
  supportEmailsOf,
  tell,
  unsubscribe,
} from '../../testing/support-email-fixture.ts'
import { TEST_NOW } from '../../testing/test-app.ts'
import { changeServiceEvent } from '../events/events.service.ts'
import { processPendingNotifications } from '../notifications/notifying.service.ts'
import { mailContacts } from './support-emails.service.ts'

const MINUTE = 60_000
const after = (minutes: number) => new Date(TEST_NOW.getTime() + minutes * MINUTE)

let fixture: SupportEmailFixture
let anna: number

beforeAll(async () => {
  fixture = await supportEmailFixture()
  anna = await addSamplePerson(fixture.database, { login: 'anna@benchwatch.example', name: 'Anna Lind' })
})
beforeEach(() => resetSupportEmails(fixture))

const raise = (over: Parameters<typeof raiseEvents>[1] = {}) => raiseEvents(fixture, over)
const mails = () => mailsOf(fixture)
const mailedTo = async () => (await mails()).map(({ recipient }) => recipient)
const rows = () => supportEmailsOf(fixture)
const event = (id: number) => eventOf(fixture, id)
const query = (sql: string, values: unknown[] = []) => fixture.database.pool.query(sql, values)
const close = (id: number) =>
  query('UPDATE service_event SET alert_status = 3, claimed_by = 0, reason_closed = 1 WHERE id = $1', [id])

const closedBy = async (id: number) => {
  const { alert_status, claimed_by, reason_closed } = await event(id)
  return { alert_status, claimed_by, reason_closed }
}
const OPEN = { alert_status: 1, claimed_by: null, reason_closed: null }
const closedFor = (reason_closed: number) => ({ alert_status: 3, claimed_by: 0, reason_closed })
const BY_MAIL = closedFor(5)
const UNSUBSCRIBED = closedFor(6)

describe('an event with a template', () => {
  it('has the contact mailed, with a link of their own that ends it', async () => {
    const [id = 0] = await raise()
    await tell(fixture)
    const [mail] = await mails()
    expect(mail).toMatchObject({
      channel: 'email',
      recipient: CONTACT,
      template: 'support-email',
      subject: 'ÄKTA pilot 600: Pressure limit exceeded',
    })
    const token = /unsubscribe\?token=([\w-]{43})\n/.exec(mail?.text ?? '')?.[1] ?? ''
    expect(mail?.headers).toEqual({
      'List-Unsubscribe': `<https://console.example.com/api/unsubscribe/one-click?token=${token}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    })
    expect(await fixture.database.db.selectFrom('unsubscribe_link').selectAll().execute()).toMatchObject([
      { token_hash: tokenHash(token), event_id: id, contact_email: CONTACT, template_id: 'P9B-1042' },
    ])
    expect(await rows()).toMatchObject([
      { event_id: id, contact_email: CONTACT, message_id: mail?.id, is_held: false, closes_event: true },
    ])
    const [row] = await rows()
    expect(`${row?.subject} ${row?.body}`).not.toContain(token)
  })

  it('shows what was sent and is closed by the system marker once the e-mail has been sent, not before', async () => {
    const [id = 0] = await raise()
    await tell(fixture)
    expect(await closedBy(id)).toEqual(OPEN)
    fixture.notifying.clock.set(after(3))
    await leave(fixture)
    expect(await closedBy(id)).toEqual(BY_MAIL)
    const { automatic_email, automatic_email_sent_at, version } = await event(id)
    expect(automatic_email_sent_at).toEqual(after(3))
    expect(automatic_email).toEqual({
      contactName: 'Maria Öberg',
      email: CONTACT,
      subject: 'ÄKTA pilot 600: Pressure limit exceeded',
      body: 'Dear Maria Öberg, Pressure limit exceeded',
    })
    const { rows: record } = await query(
      "SELECT actor_type, property, new_value FROM audit WHERE entity_type = 'service_event' AND entity_id = $1 ORDER BY id",
      [String(id)],
    )
    expect(record).toMatchObject([
      { actor_type: 'system', property: 'automaticEmailSentAt', new_value: after(3).toISOString() },
      { property: 'claimedBy', new_value: 'SYSTEM' },
      { property: 'alertStatus', new_value: '3_CLOSED' },
      { property: 'reasonClosed', new_value: 'Closed by automatic email' },
    ])
    const { rows: live } = await query(
      "SELECT message->>'property' AS property, message->'payload' AS payload FROM live_outbox WHERE message->'payload'->>'id' = $1 AND message->>'action' = 'update' ORDER BY id",
      [String(id)],
    )
    expect(live[0]).toMatchObject({
      property: 'automaticEmailSentAt',
      payload: { automaticEmailSentAt: after(3).toISOString(), version: version - 1 },
    })
  })

  it('stays open where its template says so, and where a person has taken it', async () => {
    await setTemplate(fixture, { closes_event: false })
    const [open = 0] = await raise()
    const caller = { type: 'user', id: anna, name: 'Anna Lind', role: 'service', scope: 'all' } as const
    await tell(fixture)
    await setTemplate(fixture, { closes_event: true })
    const [taken = 0] = await raise()
    await tell(fixture)
    await changeServiceEvent(fixture.notifying, { id: String(taken), caller, change: { claimedBy: String(anna) } })
    await leave(fixture)
    expect(await closedBy(open)).toEqual(OPEN)
    expect(await closedBy(taken)).toMatchObject({ alert_status: 2, claimed_by: anna })
    expect((await event(taken)).automatic_email_sent_at).toEqual(TEST_NOW)
  })

  it('stays open for people where its mail was refused', async () => {
    const [id = 0] = await raise()
    await tell(fixture)
    await query("UPDATE outbound_message SET failed_at = $1, last_failure = 'refused'", [TEST_NOW])
    await runTasks(fixture)
    expect(await closedBy(id)).toEqual(OPEN)
    expect((await event(id)).automatic_email_sent_at).toBeNull()
    expect((await rows())[0]?.settled_at).toEqual(TEST_NOW)
  })

  it('is mailed about once, whatever restarts: a repeated call, two leaders, a mail noted twice', async () => {
    const ids = await raise({ count: 5 })
    await Promise.all([tell(fixture), processPendingNotifications(notifyingOn(fixture.database))])
    const again = () =>
      inTransaction(fixture.database.db, (trx) =>
        mailContacts(trx, { eventIds: ids, now: TEST_NOW }, fixture.notifying),
      )
    await Promise.all([again(), again()])
    expect(await mails()).toHaveLength(5)
    await leave(fixture)
    const before = await Promise.all(ids.map(event))
    const [first] = await mails()
    await courseOf(fixture).sent(fixture.database.db, first?.id ?? 0, after(9))
    await Promise.all([runTasks(fixture), runTasks(fixture)])
    expect(await Promise.all(ids.map(event))).toEqual(before)
  })

  it('shows the mail although the process died right after it had left', async () => {
    const [id = 0] = await raise()
    await tell(fixture)
    await query('UPDATE outbound_message SET sent_at = $1', [after(1)])
    fixture.notifying.clock.set(after(2))
    await runTasks(fixture)
    expect((await event(id)).automatic_email_sent_at).toEqual(after(1))
    expect(await closedBy(id)).toEqual(BY_MAIL)
  })
})

describe('nobody is mailed', () => {
  it.each([
    ['while AUTO_EMAIL is off', () => fixture.database.db.updateTable('feature_flag').set({ value: false }).execute()],
    ['by a template under review', () => setTemplate(fixture, { under_review: true })],
    ['without a template', () => fixture.database.db.deleteFrom('support_email_template').execute()],
    ['without a contact', () => query('UPDATE instrument SET contact_id = NULL')],
    ['at a list of addresses', () => query("UPDATE contact SET key = 'a@x.example, b@x.example'")],
    ['at what is no address', () => query("UPDATE contact SET key = E'a@x.example\\nBcc: b@x.example'")],
    [
      'at a contact of another customer',
      () => query('UPDATE contact SET customer_id = $1', [fixture.fleet.customers.nordic]),
    ],
  ])('%s', async (_when, arrange) => {
    await arrange()
    const [id = 0] = await raise()
    await tell(fixture)
    expect(await mails()).toEqual([])
    expect(await rows()).toEqual([])
    expect(await closedBy(id)).toEqual(OPEN)
  })

  it('about an event that is closed already', async () => {
    const [id = 0] = await raise()
    await close(id)
    await tell(fixture)
    expect(await rows()).toEqual([])
  })

  it('about an instrument that moved to another customer since', async () => {
    await raise({ customerId: fixture.fleet.customers.nordic })
    await tell(fixture)
    expect(await rows()).toEqual([])
  })
})

it('a template under review mails under NOTIFY_UNDER_REVIEW', async () => {
  await setTemplate(fixture, { under_review: true })
  await setFlag(fixture, 'NOTIFY_UNDER_REVIEW')
  await raise()
  await tell(fixture)
  expect(await mailedTo()).toEqual([CONTACT])
})

describe('a contact who has unsubscribed', () => {
  it('is not mailed, and the event is closed, whatever its template says', async () => {
    await setTemplate(fixture, { closes_event: false })
    await unsubscribe(fixture)
    const [id = 0] = await raise()
    await tell(fixture)
    expect(await mails()).toEqual([])
    expect(await closedBy(id)).toEqual(UNSUBSCRIBED)
    expect((await event(id)).automatic_email_sent_at).toBeNull()
    expect(await rows()).toMatchObject([{ withdrawn_reason: 'Customer unsubscribed', settled_at: TEST_NOW }])
  })

  it('is mailed again after 30 days, and about other instruments all the time', async () => {
    await unsubscribe(fixture, { until: TEST_NOW })
    await unsubscribe(fixture, { instrumentId: fixture.fleet.instruments.second })
    await raise()
    await tell(fixture)
    expect(await mailedTo()).toEqual([CONTACT])
  })

  it('while the e-mail waits for the mail server, gets none: the event is closed instead', async () => {
    const [id = 0] = await raise()
    await tell(fixture)
    const [mail] = await mails()
    expect(await courseOf(fixture).refusal(fixture.database.db, mail?.id ?? 0)).toBeNull()
    await unsubscribe(fixture)
    for (let attempt = 0; attempt < 2; attempt += 1) {
      expect(await courseOf(fixture).refusal(fixture.database.db, mail?.id ?? 0)).not.toBeNull()
    }
    expect(await mails()).toHaveLength(1)
    expect(await closedBy(id)).toEqual(UNSUBSCRIBED)
  })
})

describe('before an e-mail is sent, everything is checked again', () => {
  const refusal = async () => courseOf(fixture).refusal(fixture.database.db, (await mails())[0]?.id ?? 0)

  it('a former contact gets none; the new one gets one', async () => {
    await raise()
    await tell(fixture)
    await query("UPDATE contact SET key = 'new@helixbio.example', name = 'Nils Ny'")
    expect(await refusal()).toContain('rewritten')
    expect(await mailedTo()).toEqual([CONTACT, 'new@helixbio.example'])
    expect(await rows()).toMatchObject([{ contact_email: 'new@helixbio.example', contact_name: 'Nils Ny' }])
  })

  it('AUTO_EMAIL switched off meanwhile, a closed event and a deleted one keep it back', async () => {
    const [closed = 0] = await raise()
    await tell(fixture)
    await close(closed)
    expect(await refusal()).toContain('was closed')
    await fixture.database.db.deleteFrom('outbound_message').execute()
    await raise()
    await tell(fixture)
    await fixture.database.db.updateTable('feature_flag').set({ value: false }).execute()
    expect(await refusal()).toContain('switched off')
    await fixture.database.db.deleteFrom('support_email').execute()
    expect(await refusal()).toContain('were deleted')
  })
})
