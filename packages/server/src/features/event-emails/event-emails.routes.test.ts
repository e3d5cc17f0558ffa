import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { registerSampleFleet, type SampleFleet } from '../../testing/sample-fleet.ts'
import { addSamplePerson } from '../../testing/sample-people.ts'
import { switchFlag } from '../../testing/switched-flags.ts'
import { type Caller, TEST_NOW, type TestApp, testApp } from '../../testing/test-app.ts'
import { type TestDatabase, testDatabase } from '../../testing/test-database.ts'
import { insertServiceEvents } from '../events/events.store.ts'

let database: TestDatabase
let app: TestApp
let fleet: SampleFleet
const people = { anna: 0, jonas: 0, support: 0, hanna: 0, hugo: 0, nora: 0 }
const as: Record<keyof typeof people, Caller> = {} as never

beforeAll(async () => {
  database = await testDatabase()
  app = await testApp(database, { environment: { SHARES_PER_HOUR: '3', PUBLIC_URL: 'https://console.example.com' } })
  fleet = await registerSampleFleet(database, TEST_NOW)
  const { helix, nordic } = fleet.customers
  const add = (login: string, person: object) => addSamplePerson(database, { login, ...person })
  people.anna = await add('anna@benchwatch.example', { name: 'Anna Lind' })
  people.jonas = await add('jonas@benchwatch.example', { name: 'Jonas Berg' })
  people.support = await add('support@benchwatch.example', { name: 'Sam Support', role: 'support' })
  people.hanna = await add('hanna@helixbio.example', { name: 'Hanna Lab', role: 'customer', scope: [helix] })
  people.hugo = await add('hugo@helixbio.example', { name: 'Hugo Alm', role: 'customer', scope: [helix] })
  people.nora = await add('nora@nordic.example', { name: 'Nora Nord', role: 'customer', scope: [nordic] })
  for (const [name, id] of Object.entries(people)) as[name as keyof typeof people] = await app.as(id)
})
afterAll(() => app.close())
afterEach(async () => {
  app.clock.set(TEST_NOW)
  await database.db.deleteFrom('rate_use').execute()
})

let alertNumber = 0

/** Raises an event of Helix. */
async function raise(): Promise<string> {
  const { site_id: siteId, customer_id: customerId } = await database.db
    .selectFrom('instrument')
    .select(['site_id', 'customer_id'])
    .where('id', '=', fleet.instruments.first)
    .executeTakeFirstOrThrow()
  alertNumber += 1
  const ids = await insertServiceEvents(database.db, [
    {
      createdAt: TEST_NOW,
      logGeneratedAt: TEST_NOW,
      clearedAt: TEST_NOW,
      alertId: `shared-${alertNumber}`,
      templateId: 'P9B-1042',
      severity: 'high',
      alertType: 1,
      alertSource: 'INSTRUMENT',
      description: 'Pressure above limit',
      userMessage: null,
      instrumentId: fleet.instruments.first,
      componentId: null,
      gatewayId: fleet.gateways.helix.id,
      siteId,
      customerId,
      instrumentStatusAtEvent: null,
      fullSupport: false,
    },
  ])
  return String(ids.get(0))
}

const share = (
  who: keyof typeof people,
  eventId: string,
  receivers: (keyof typeof people)[],
  message?: string | null,
) =>
  as[who].call('shareServiceEvent', {
    body: {
      eventId,
      receiverIds: receivers.map((name) => String(people[name])),
      ...(message !== undefined && { message }),
    },
  })

const emails = async (who: keyof typeof people, id: string) =>
  (await as[who].call('listServiceEventEmails', { params: { id } })).body.values

/** Returns everything that a share writes for an event. */
async function traces(id: string) {
  const rows = await database.db.selectFrom('event_email').selectAll().where('event_id', '=', Number(id)).execute()
  const mails = await database.db
    .selectFrom('outbound_message')
    .select(['id', 'recipient', 'subject', 'html', 'headers', 'template'])
    .where('subject', 'like', `ORC-${id} %`)
    .orderBy('recipient')
    .execute()
  const audits = await database.db
    .selectFrom('audit')
    .select(['action', 'new_value', 'reason', 'actor_id'])
    .where('entity_type', '=', 'service_event')
    .where('entity_id', '=', id)
    .execute()
  return { rows, mails, audits }
}

describe('sharing an event', () => {
  test('mails it to each receiver once, keeps what was sent, and records who shared it with whom and why', async () => {
    const id = await raise()
    const answer = await share('anna', `ORC-${id}`, ['jonas', 'hanna', 'jonas'], ' Please look\nbefore noon ')
    expect([answer.status, answer.body]).toEqual([204, null])
    const { rows, mails, audits } = await traces(id)
    expect(mails.map(({ recipient }) => recipient)).toEqual(['hanna@helixbio.example', 'jonas@benchwatch.example'])
    for (const { subject, html, headers, template } of mails) {
      expect(subject).toBe(`ORC-${id} · HIGH · Pressure above limit`)
      expect(html).toContain('Please look<br>before noon')
      expect(html).toContain(`href="https://console.example.com/events/${id}"`)
      expect(headers).toEqual({})
      expect(template).toBe('shared-event')
    }
    expect(new Set(rows.map(({ message_id }) => message_id))).toEqual(new Set(mails.map((mail) => mail.id)))
    expect(audits).toEqual([
      {
        action: 'shared',
        actor_id: String(people.anna),
        new_value: `${people.hanna},${people.jonas}`,
        reason: 'Please look\nbefore noon',
      },
    ])
  })

  test('the comment is optional; one of spaces is none', async () => {
    for (const message of [undefined, null, '  \n '] as const) {
      const id = await raise()
      expect((await share('anna', id, ['jonas'], message)).status).toBe(204)
      expect((await traces(id)).audits).toMatchObject([{ reason: null }])
    }
  })

  test.each([
    ['nobody', [], undefined],
    ['21 receivers', Array.from({ length: 21 }, (_, n) => String(n + 1)), undefined],
    ['a comment of 2,001 characters', ['1'], 'x'.repeat(2001)],
    ['a comment with a NUL', ['1'], 'a\0b'],
  ])('with %s is refused', async (_what, receiverIds, message) => {
    const id = await raise()
    const answer = await as.anna.call('shareServiceEvent', { body: { eventId: id, receiverIds, message } })
    expect([answer.status, answer.problem.code]).toEqual([400, 'validation-failed'])
  })

  test('of another customer answers as if it did not exist', async () => {
    const id = await raise()
    const answer = await share('nora', id, ['nora'])
    expect([answer.status, answer.problem.code]).toEqual([404, 'not-found'])
    expect(answer.problem.detail).toBe((await share('nora', '999999999', ['nora'])).problem.detail)
  })

  test('a receiver whose scope does not include the event: 400, and no e-mail is sent', async () => {
    const id = await raise()
    const answer = await share('anna', id, ['jonas', 'nora'])
    expect([answer.status, answer.problem.code]).toEqual([400, 'wrong-user-ids'])
    expect(answer.problem.detail).toContain('Nora Nord')
    expect(await traces(id)).toEqual({ rows: [], mails: [], audits: [] })
  })

  test('a receiver whom the caller does not see: 400, without revealing the name', async () => {
    const id = await raise()
    const { id: system } = await database.db
      .selectFrom('app_user')
      .select('id')
      .where('role', '=', 'system')
      .executeTakeFirstOrThrow()
    for (const receiver of [people.anna, people.nora, system, 0, 999999, 'SYSTEM', '1e3', '99999999999999999999']) {
      const body = { eventId: id, receiverIds: [String(people.hugo), String(receiver)] }
      const answer = await as.hanna.call('shareServiceEvent', { body })
      expect([receiver, answer.status, answer.problem.code]).toEqual([receiver, 400, 'wrong-user-ids'])
      expect(answer.problem.detail).not.toMatch(/Anna|Nora/)
    }
    expect(await traces(id)).toEqual({ rows: [], mails: [], audits: [] })
  })

  test('a disabled user is no receiver', async () => {
    const id = await raise()
    const gone = await addSamplePerson(database, { login: 'gone@benchwatch.example' })
    await database.db.updateTable('app_user').set({ disabled_at: TEST_NOW }).where('id', '=', gone).execute()
    const answer = await as.anna.call('shareServiceEvent', { body: { eventId: id, receiverIds: [String(gone)] } })
    expect(answer.status).toBe(400)
  })

  test('so many an hour; what is refused counts nothing, and others are not limited by it', async () => {
    const id = await raise()
    const status = async (...what: Parameters<typeof share>) => (await share(...what)).status
    for (let n = 0; n < 5; n += 1) expect(await status('anna', id, ['nora'])).toBe(400)
    for (let n = 0; n < 3; n += 1) {
      expect(await status('anna', id, ['jonas'])).toBe(204)
      app.clock.advance(60_000)
    }
    const refused = await share('anna', id, ['jonas'])
    expect([refused.status, refused.problem.code]).toEqual([429, 'too-many-requests'])
    expect(refused.headers['retry-after']).toBe('3420')
    expect(await status('jonas', id, ['anna'])).toBe(204)
    expect((await traces(id)).mails).toHaveLength(4)
    app.clock.advance(Number(refused.headers['retry-after']) * 1000)
    // Access tokens expire sooner than that.
    const later = await app.as(people.anna)
    const body = { eventId: id, receiverIds: [String(people.jonas)] }
    expect((await later.call('shareServiceEvent', { body })).status).toBe(204)
    expect((await later.call('shareServiceEvent', { body })).status).toBe(429)
  })

  test('shares at the same moment are counted one by one', async () => {
    const id = await raise()
    const answers = await Promise.all(Array.from({ length: 6 }, () => share('anna', id, ['jonas'])))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 204, 204, 429, 429, 429])
    const { rows, mails, audits } = await traces(id)
    expect([rows.length, mails.length, audits.length]).toEqual([3, 3, 3])
  })
})

describe('the e-mails about an event', () => {
  beforeEach(() => switchFlag(database, 'AUTO_EMAIL', { value: true }))

  test('the automatic one is shown to everybody who sees the event, with the contact’s address', async () => {
    const id = await raise()
    const automatic = {
      contactName: 'Maria Öberg',
      email: 'maria@helixbio.example',
      subject: 'Pressure',
      body: 'Dear M',
    }
    await database.db
      .updateTable('service_event')
      .set({ automatic_email: JSON.stringify(automatic), automatic_email_sent_at: TEST_NOW })
      .where('id', '=', Number(id))
      .execute()
    const { email: to, ...rest } = automatic
    for (const who of ['anna', 'hanna', 'support'] as const) {
      expect(await emails(who, id)).toEqual([
        { ...rest, to, sentAt: TEST_NOW.toISOString(), state: 'sent', reason: null, automatic: true },
      ])
    }
    const foreign = await as.nora.call('listServiceEventEmails', { params: { id } })
    expect([foreign.status, foreign.problem.code]).toEqual([404, 'not-found'])
  })

  test('one that has not been sent is shown with its state: held, on its way, given up', async () => {
    const id = await raise()
    const row = {
      event_id: Number(id),
      instrument_id: fleet.instruments.first,
      template_id: 'P9B-1042',
      contact_email: 'maria@helixbio.example',
      contact_name: 'Maria Öberg',
      subject: 'Pressure',
      body: 'Dear M',
      closes_event: true,
      created_at: TEST_NOW,
      is_held: true,
    }
    await database.db.insertInto('support_email').values(row).execute()
    const shown = async () => (await emails('hanna', id)).map(({ state, sentAt, reason }) => [state, sentAt, reason])
    expect(await emails('hanna', id)).toMatchObject([
      { to: row.contact_email, contactName: 'Maria Öberg', subject: 'Pressure', body: 'Dear M', automatic: true },
    ])
    expect(await shown()).toEqual([['held', null, expect.stringContaining('maintenance')]])
    const { id: messageId } = await database.db
      .insertInto('outbound_message')
      .values({
        channel: 'email',
        recipient: row.contact_email,
        subject: 'Pressure',
        text: 'Dear M',
        headers: '{}',
        template: 'other',
        created_at: TEST_NOW,
        next_attempt_at: TEST_NOW,
        give_up_at: TEST_NOW,
        failed_at: TEST_NOW,
        last_failure: 'refused',
        last_error: '550 5.1.1 mx-7.internal',
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await database.db
      .updateTable('support_email')
      .set({ is_held: false, message_id: messageId })
      .where('event_id', '=', Number(id))
      .execute()
    expect(await shown()).toEqual([['failed', null, 'The mail server refused it.']])
  })

  test('the automatic one, sent or not, is left out for whom AUTO_EMAIL is off; shared ones stay', async () => {
    const [id, waiting] = [await raise(), await raise()]
    await database.db
      .updateTable('service_event')
      .set({
        automatic_email: JSON.stringify({ contactName: null, email: 'm@helixbio.example', subject: 'S', body: 'B' }),
      })
      .where('id', '=', Number(id))
      .execute()
    const unsent = {
      ...{ event_id: Number(waiting), instrument_id: fleet.instruments.first, template_id: 'P9B-1042', is_held: true },
      ...{ contact_email: 'm@helixbio.example', subject: 'S', body: 'B', closes_event: true, created_at: TEST_NOW },
    }
    await database.db.insertInto('support_email').values(unsent).execute()
    await share('hanna', id, ['hugo'])
    await switchFlag(database, 'AUTO_EMAIL', { value: false, userId: people.hanna })
    const shown = async (who: keyof typeof people) =>
      (await Promise.all([id, waiting].map((one) => emails(who, one)))).map((mails) =>
        mails.map((mail) => mail.automatic),
      )
    expect(await shown('hanna')).toEqual([[false], []])
    expect(await shown('hugo')).toEqual([expect.arrayContaining([true, false]), [true]])
    await database.db.deleteFrom('feature_flag').where('user_id', '=', people.hanna).execute()
  })

  test('a shared one is shown to its sender, its receiver, support and administrators alone', async () => {
    const id = await raise()
    await share('hanna', id, ['hugo'], 'Between us')
    const shown = async (who: keyof typeof people) =>
      (await emails(who, id)).map(({ body }) => /> Between us/.test(body))
    expect(await shown('hanna')).toEqual([true])
    expect(await shown('hugo')).toEqual([true])
    expect(await shown('support')).toEqual([true])
    expect(await shown('anna')).toEqual([])
  })

  test('an address is shown as in the list of users: one’s own, and all to support and administrators', async () => {
    const id = await raise()
    await share('anna', id, ['jonas'])
    const to = async (who: keyof typeof people) => (await emails(who, id)).map((email) => [email.to, email.contactName])
    expect(await to('anna')).toEqual([[null, 'Jonas Berg']])
    expect(await to('jonas')).toEqual([['jonas@benchwatch.example', 'Jonas Berg']])
    expect(await to('support')).toEqual([['jonas@benchwatch.example', 'Jonas Berg']])
  })

  test('waiting ones come first, then the newest; one that was sent shows when', async () => {
    const id = await raise()
    const minutes = (n: number) => new Date(TEST_NOW.getTime() + n * 60_000)
    for (const [n, receiver] of (['jonas', 'support', 'hanna'] as const).entries()) {
      app.clock.set(minutes(n))
      await share('anna', id, [receiver])
    }
    const sent = async (who: keyof typeof people, at: Date | null) => {
      const address = `${who}@${who === 'hanna' ? 'helixbio' : 'benchwatch'}.example`
      await database.db
        .updateTable('outbound_message')
        .set({ sent_at: at })
        .where('recipient', '=', address)
        .where('subject', 'like', `ORC-${id} %`)
        .execute()
    }
    await sent('jonas', minutes(30))
    await sent('support', null)
    await sent('hanna', minutes(20))
    expect((await emails('anna', id)).map(({ contactName, sentAt }) => [contactName, sentAt])).toEqual([
      ['Sam Support', null],
      ['Jonas Berg', minutes(30).toISOString()],
      ['Hanna Lab', minutes(20).toISOString()],
    ])
  })
})

describe('the history of a shared event', () => {
  test('names the receivers and the comment to those whom the e-mail is shown to; others see that it was shared', async () => {
    const id = await raise()
    await share('anna', id, ['jonas', 'support'], 'Not for the customer')
    const entry = async (who: keyof typeof people) => {
      const { values } = (await as[who].call('listServiceEventHistory', { params: { id } })).body
      return values.find(({ action }) => action === 'shared')
    }
    for (const who of ['anna', 'jonas', 'support'] as const) {
      expect(await entry(who)).toMatchObject({
        actorName: 'Anna Lind',
        newValue: 'Jonas Berg, Sam Support',
        reason: 'Not for the customer',
      })
    }
    expect(await entry('hanna')).toMatchObject({ actorName: 'Anna Lind', newValue: null, reason: null })
  })
})
