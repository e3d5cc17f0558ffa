import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { type MailServer, startMailServer } from '../../testing/emulators/mail-server.ts'
import { eventually } from '../../testing/eventually.ts'
import { gatewayItems } from '../../testing/gateway-items.ts'
import { setProfile } from '../../testing/notifying-fixture.ts'
import { registerSampleFleet, type SampleFleet } from '../../testing/sample-fleet.ts'
import { addSamplePerson } from '../../testing/sample-people.ts'
import { TEST_NOW, type TestApp, testApp } from '../../testing/test-app.ts'
import { type TestDatabase, testDatabase } from '../../testing/test-database.ts'

/** The complete path: a gateway reports an alarm, an e-mail arrives. */

let database: TestDatabase
let server: MailServer
let app: TestApp
let fleet: SampleFleet
let anna: number
const items = gatewayItems('e1', TEST_NOW)

beforeAll(async () => {
  database = await testDatabase()
  fleet = await registerSampleFleet(database, TEST_NOW)
  anna = await addSamplePerson(database, { login: 'anna@benchwatch.example', name: 'Anna Lind' })
  await setProfile(database, {
    userId: anna,
    kind: 'new_event_notification',
    settings: { notifyEmail: true },
  })
  server = await startMailServer()
  app = await testApp(database, { environment: { SMTP_URL: server.url, PUBLIC_URL: 'https://console.example.com' } })
})
afterEach(() => app.clock.set(TEST_NOW))
afterAll(async () => {
  await app.close()
  await server.close()
})

async function report(data: Record<string, unknown>): Promise<void> {
  const { status, body } = await app
    .withHeaders({ authorization: `Bearer ${fleet.gateways.helix.key}` })
    .call('ingestBatch', { params: { gateway: 'GW-UPP-01' }, body: [items.raised(data)] as never })
  expect([status, body]).toMatchObject([200, { accepted: 1 }])
}

it('an event that a gateway reports reaches its mailbox, in one thread, with nothing of it in the head', async () => {
  await report({ severity: 'high', description: 'Pressure above limit\r\nBcc: other@evil.example\r\n\r\n<b>body</b>' })
  await eventually(() => expect(server.mails).toHaveLength(1))
  const [{ recipients, parsed, raw } = { recipients: [], parsed: undefined, raw: '' }] = server.mails
  expect(recipients).toEqual(['anna@benchwatch.example'])
  expect(parsed?.subject).toMatch(/^ORC-\d+ · HIGH · Pressure above limit Bcc: other@evil\.example <b>body<\/b>$/)
  expect(parsed?.references).toMatch(/^<event\.\d+@console\.example\.com>$/)
  expect(parsed?.bcc).toBeUndefined()
  expect(raw).toMatch(/^Auto-Submitted: auto-generated\r$/m)
})

it('a raise that only repeats an open event notifies nobody', async () => {
  const before = server.mails.length
  await report({ alertId: 'again-1', templateId: 'P9B-2000', severity: 'high', description: 'Air' })
  await report({ alertId: 'again-2', templateId: 'P9B-2000', severity: 'high', description: 'Air' })
  await report({ alertId: 'other', templateId: 'P9B-2001', severity: 'high', description: 'Other' })
  await eventually(() => expect(server.mails).toHaveLength(before + 2))
  const told = server.mails.slice(before).map(({ parsed }) => parsed.subject?.split(' · ')[2])
  expect(new Set(told)).toEqual(new Set(['Air', 'Other']))
})

/** Sends what waits now: the leader runs every ten seconds, and another message starts it at once. */
async function tryAgain(): Promise<void> {
  app.clock.advance(60_000)
  await database.db
    .updateTable('outbound_message')
    .set({ next_attempt_at: TEST_NOW })
    .where('sent_at', 'is', null)
    .execute()
  await database.pool.query(`SELECT graphile_worker.add_job('send messages', '{}')`)
}

it('an e-mail that waits for its server is not sent once its reader may no longer see the event', async () => {
  const before = server.mails.length
  server.answers.MAIL.push(421, 421, 421, 421)
  await report({ templateId: 'P9B-2002', severity: 'high', description: 'Secret' })
  const waiting = () =>
    database.db.selectFrom('outbound_message').selectAll().where('subject', 'like', '%Secret').executeTakeFirst()
  await eventually(async () => expect(await waiting()).toMatchObject({ last_failure: 'unreachable' }))
  server.answers.MAIL.length = 0
  await database.db.updateTable('app_user').set({ all_customers: false }).where('id', '=', anna).execute()
  await tryAgain()
  await eventually(async () =>
    expect(await waiting()).toMatchObject({
      last_error: 'The recipient may no longer see this event.',
      sent_at: null,
    }),
  )
  expect(server.mails).toHaveLength(before)
  expect(
    await database.db.selectFrom('notification').select('withdrawn_reason').orderBy('id', 'desc').executeTakeFirst(),
  ).toEqual({ withdrawn_reason: 'The recipient may no longer see this event.' })
})

it('nor is one that shares an event, once its receiver may no longer see the event or use the account', async () => {
  const add = (login: string) => addSamplePerson(database, { login, role: 'customer', scope: [fleet.customers.helix] })
  const [narrowed, disabled, entitled] = [
    await add('n@lab.example'),
    await add('d@lab.example'),
    await add('e@lab.example'),
  ]
  await report({ templateId: 'P9B-2003', severity: 'high', description: 'Shared' })
  const { id } = await database.db
    .selectFrom('service_event')
    .select('id')
    .where('template_id', '=', 'P9B-2003')
    .executeTakeFirstOrThrow()
  server.answers.MAIL.push(...Array.from({ length: 50 }, () => 421))
  const sharer = await app.as(await addSamplePerson(database, { login: 'sharer@benchwatch.example' }))
  const receiverIds = [narrowed, disabled, entitled].map(String)
  expect((await sharer.call('shareServiceEvent', { body: { eventId: String(id), receiverIds } })).status).toBe(204)
  const shared = () =>
    database.db
      .selectFrom('outbound_message')
      .select(['recipient', 'last_failure', 'last_error', 'sent_at'])
      .where('template', '=', 'shared-event')
      .orderBy('recipient')
      .execute()
  // All three: one that is still in flight would be sent with the rights from before.
  await eventually(async () =>
    expect((await shared()).map(({ last_failure }) => last_failure)).toEqual(receiverIds.map(() => 'unreachable')),
  )
  server.answers.MAIL.length = 0
  await database.db.deleteFrom('user_customer').where('user_id', '=', narrowed).execute()
  await database.db.updateTable('app_user').set({ disabled_at: TEST_NOW }).where('id', '=', disabled).execute()
  await tryAgain()
  await eventually(async () => {
    const [toDisabled, toEntitled, toNarrowed] = await shared()
    expect(toNarrowed).toMatchObject({ last_error: 'The recipient may no longer see this event.', sent_at: null })
    expect(toDisabled).toMatchObject({ last_error: 'The account of the recipient is disabled.', sent_at: null })
    expect(toEntitled?.sent_at).not.toBeNull()
  })
  const sharedWith = server.mails.filter(({ parsed }) => parsed.text?.includes('shared a service event with you'))
  expect(sharedWith.flatMap(({ recipients }) => recipients)).toEqual(['e@lab.example'])
})
