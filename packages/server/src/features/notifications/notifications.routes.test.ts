import type { NotificationKind } from '@benchwatch/contract/vocabulary'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addEvents } from '../../testing/many-events.ts'
import { setProfile } from '../../testing/notifying-fixture.ts'
import { registerSampleFleet, type SampleFleet } from '../../testing/sample-fleet.ts'
import { addSamplePerson } from '../../testing/sample-people.ts'
import { type Caller, TEST_NOW, type TestApp, testApp } from '../../testing/test-app.ts'
import { type TestDatabase, testDatabase } from '../../testing/test-database.ts'

let database: TestDatabase
let app: TestApp
let fleet: SampleFleet
let people: Record<'anna' | 'jonas' | 'nora' | 'support' | 'gone', number>
let callers: Record<'anna' | 'nora' | 'support', Caller>
/** Event of Helix. `nordicEvent` belongs to Nordic, Nora's customer. */
let helixEvent: string
let nordicEvent: string

beforeAll(async () => {
  database = await testDatabase()
  app = await testApp(database)
  fleet = await registerSampleFleet(database, TEST_NOW)
  const { helix, nordic } = fleet.customers
  const add = (login: string, person: object) => addSamplePerson(database, { login, ...person })
  people = {
    anna: await add('anna@benchwatch.example', { name: 'Anna Lind' }),
    jonas: await add('jonas@helixbio.example', { name: 'Jonas Berg', role: 'customer', scope: [helix] }),
    nora: await add('nora@nordic.example', { name: 'Nora Dahl', role: 'customer', scope: [nordic] }),
    support: await add('support@benchwatch.example', { name: 'Support', role: 'support' }),
    gone: await add('gone@benchwatch.example', { name: 'Gone' }),
  }
  callers = { anna: await app.as(people.anna), nora: await app.as(people.nora), support: await app.as(people.support) }
  ;[helixEvent = ''] = await addEvents(database, { count: 1, instrumentId: fleet.instruments.first })
  ;[nordicEvent = ''] = await addEvents(database, { count: 1, instrumentId: fleet.instruments.nordic })
  // No notification is created automatically: the test writes rows in every state. The maintenance keeps the held one.
  await database.pool.query('DELETE FROM pending_notification')
  const maintenance = { query: { instrumentId: 'IP-20431187' }, body: { start: TEST_NOW.toISOString() } }
  expect((await callers.support.call('setMaintenance', maintenance)).status).toBe(200)
  await database.pool.query('UPDATE app_user SET disabled_at = now() WHERE id = $1', [people.gone])
})
afterAll(() => app.close())

let minutes = 0

/** Adds one notification, a minute after the previous one. */
async function note(
  userId: number,
  eventId: string,
  {
    message = null,
    kind = 'new_event_notification',
    ...row
  }: {
    message?: object | null
    kind?: NotificationKind
    waits_for?: 'maintenance' | 'digest'
    withdrawn_reason?: string
  } = {},
): Promise<string> {
  minutes += 1
  const at = new Date(TEST_NOW.getTime() + minutes * 60_000)
  const carrier = message && {
    channel: 'email' as const,
    recipient: 'anna@benchwatch.example',
    headers: '{}',
    template: 'sample',
    created_at: at,
    next_attempt_at: new Date('2100-01-01T00:00:00.000Z'),
    give_up_at: new Date('2100-01-01T00:00:00.000Z'),
    ...message,
  }
  const messageId =
    carrier &&
    (await database.db.insertInto('outbound_message').values(carrier).returning('id').executeTakeFirstOrThrow()).id
  const { id } = await database.db
    .insertInto('notification')
    .values({
      event_id: Number(eventId),
      user_id: userId,
      kind,
      version: minutes,
      channel: 'email',
      recipient: 'anna@benchwatch.example',
      decided_at: at,
      message_id: messageId,
      ...row,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return String(id)
}

describe('GET /notifications', () => {
  it("lists the caller's notifications, newest first, with state and reason", async () => {
    const sentAt = new Date('2026-11-20T14:30:00.000Z')
    const ids = [
      await note(people.anna, helixEvent, { message: { sent_at: sentAt, attempts: 2 } }),
      await note(people.anna, nordicEvent, {
        message: { last_failure: 'unreachable', last_error: 'ECONNREFUSED', attempts: 3 },
      }),
      await note(people.anna, helixEvent, {
        message: { failed_at: sentAt, last_failure: 'refused', last_error: '550 mx-7.internal', attempts: 1 },
      }),
      await note(people.anna, helixEvent, { waits_for: 'maintenance' }),
      await note(people.anna, helixEvent, { waits_for: 'digest' }),
      await note(people.anna, helixEvent, { withdrawn_reason: 'The recipient may no longer see this event.' }),
      await note(people.anna, helixEvent, { message: {}, kind: 'assign_me_notification' }),
    ]
    const { status, body } = await callers.anna.call('listNotifications', { query: {} })
    expect([status, body.total]).toEqual([200, { notifications: 7 }])
    expect(body.values.map(({ id }) => id)).toEqual(ids.toReversed())
    expect(body.values.map(({ state, reason }) => [state, reason]).toReversed()).toEqual([
      ['sent', null],
      ['waiting', 'The mail server could not be reached.'],
      ['failed', 'The mail server refused it.'],
      ['held', 'Held until the maintenance of the instrument ends'],
      ['collected', 'Above the hourly limit; included in the next digest'],
      ['withdrawn', 'The recipient may no longer see this event.'],
      ['waiting', null],
    ])
    expect(body.values.at(-1)).toEqual({
      id: ids[0],
      kind: 'new_event_notification',
      channel: 'email',
      event: {
        id: helixEvent,
        eventId: helixEvent,
        severity: 'high',
        description: 'Pressure limit exceeded',
        instrumentInstalledProductId: 'IP-20431187',
      },
      userId: String(people.anna),
      userName: 'Anna Lind',
      to: 'anna@benchwatch.example',
      state: 'sent',
      decidedAt: new Date(TEST_NOW.getTime() + 60_000).toISOString(),
      sentAt: sentAt.toISOString(),
      attempts: 2,
      reason: null,
      eventsInMessage: 1,
    })
  })

  it('says how many events a message lists', async () => {
    const first = await note(people.support, helixEvent, { message: {} })
    await database.pool.query(
      `INSERT INTO notification (event_id, user_id, kind, version, channel, recipient, decided_at, message_id)
        SELECT $1, user_id, kind, version, channel, recipient, decided_at, message_id FROM notification WHERE id = $2`,
      [nordicEvent, first],
    )
    const { body } = await callers.support.call('listNotifications', { query: {} })
    expect(body.values.map(({ eventsInMessage }) => eventsInMessage)).toEqual([2, 2])
  })

  it('in pages; beyond the end nothing, with the same total', async () => {
    const whole = (await callers.anna.call('listNotifications', { query: {} })).body.values
    const page = async (offset: string) =>
      (await callers.anna.call('listNotifications', { query: { limit: '3', offset } })).body
    expect((await page('3')).values).toEqual(whole.slice(3, 6))
    expect(await page('90')).toEqual({ values: [], total: { notifications: 7 } })
  })

  it('of events that the caller may see now', async () => {
    await note(people.nora, nordicEvent, { message: {} })
    // Sent while she could still see the event.
    await note(people.nora, helixEvent, { message: {} })
    const { body } = await callers.nora.call('listNotifications', { query: {} })
    expect(body.total.notifications).toBe(1)
    expect(body.values.map(({ event }) => event.id)).toEqual([nordicEvent])
  })

  it('of another user: for support, also of a disabled one; for others 403; of nobody 404', async () => {
    const asked = (caller: Caller, userId: number | string) =>
      caller.call('listNotifications', { query: { userId: String(userId) } })
    expect((await asked(callers.support, people.anna)).body.total.notifications).toBe(7)
    expect((await asked(callers.support, people.gone)).body.values).toEqual([])
    expect((await asked(callers.anna, people.anna)).status).toBe(200)
    for (const caller of [callers.anna, callers.nora]) {
      const { status, problem } = await asked(caller, people.support)
      expect([status, problem.code]).toEqual([403, 'wrong-role'])
    }
    for (const nobody of ['0', '999999999', '999999999999999999']) {
      expect((await asked(callers.support, nobody)).status).toBe(404)
    }
    expect((await asked(callers.support, 'anna')).status).toBe(400)
  })
})

describe('GET /alarms/{id}/notifications', () => {
  const ofEvent = (caller: Caller, id: string) => caller.call('listEventNotifications', { params: { id } })

  it('shows all to support, and to others their own', async () => {
    const { body: everybody } = await ofEvent(callers.support, nordicEvent)
    expect(new Set(everybody.values.map(({ userName }) => userName))).toEqual(
      new Set(['Anna Lind', 'Nora Dahl', 'Support']),
    )
    const { body: own } = await ofEvent(callers.nora, nordicEvent)
    expect(own.values.map(({ userName }) => userName)).toEqual(['Nora Dahl'])
  })

  it('an event of another customer is 404, as one that does not exist', async () => {
    for (const id of [helixEvent, '999999999999999999']) {
      expect((await ofEvent(callers.nora, id)).problem.code).toBe('not-found')
    }
  })
})

describe('GET /alarms/{id}/notification-explanation', () => {
  const explain = (caller: Caller, id: string, userId?: number) =>
    caller.call('explainNotification', {
      params: { id },
      query: userId === undefined ? {} : { userId: String(userId) },
    })

  it('says what stops an event by the present profile, and which notifications were sent', async () => {
    const kind = 'new_event_notification' as const
    await setProfile(database, { userId: people.anna, kind, settings: { notifyEmail: true, severity: ['low'] } })
    const { status, body } = await explain(callers.anna, helixEvent)
    expect(status).toBe(200)
    expect(body).toMatchObject({ userId: String(people.anna), userName: 'Anna Lind', eventId: helixEvent })
    const [all, assigned] = body.explanations
    expect(all).toMatchObject({
      kind,
      isNotified: false,
      decidedBy: 'severity',
      sentence: 'The profile ‘All Events’ now requires Severity LOW, but the event has HIGH.',
      ways: ['email'],
    })
    expect(all?.notifications).toHaveLength(5)
    expect(assigned).toMatchObject({ kind: 'assign_me_notification', decidedBy: 'not-assigned' })
    expect(assigned?.notifications).toHaveLength(1)
    await setProfile(database, { userId: people.anna, kind, settings: { notifyEmail: true } })
    const [now] = (await explain(callers.anna, helixEvent)).body.explanations
    expect(now).toMatchObject({ isNotified: true, decidedBy: null })
  })

  it('of another user: what they may see is theirs, and a disabled one is named so', async () => {
    const gateOf = async (userId: number) =>
      (await explain(callers.support, helixEvent, userId)).body.explanations[0]?.decidedBy
    expect(await gateOf(people.nora)).toBe('scope')
    expect(await gateOf(people.jonas)).toBe('switched-off')
    expect(await gateOf(people.gone)).toBe('disabled')
    expect((await explain(callers.anna, helixEvent, people.jonas)).problem.code).toBe('wrong-role')
    expect((await explain(callers.support, helixEvent, 999_999_999)).status).toBe(404)
  })

  it('of a user who sees more customers is 404, because their profile may name these', async () => {
    const person = { login: 'helix@benchwatch.example', role: 'support', scope: [fleet.customers.helix] } as const
    const caller = await app.as(await addSamplePerson(database, person))
    expect((await explain(caller, helixEvent, people.anna)).status).toBe(404)
    expect((await explain(caller, helixEvent, people.jonas)).status).toBe(200)
  })

  it('an event of another customer is 404, as one that does not exist', async () => {
    for (const id of [helixEvent, '999999999999999999']) {
      expect((await explain(callers.nora, id)).problem.code).toBe('not-found')
    }
  })

  it('names who took an event, and says if another user assigned it', async () => {
    const claim = (caller: Caller, userId: number) =>
      caller.call('updateServiceEvent', { params: { id: nordicEvent }, body: { claimedBy: String(userId) } })
    const gate = async () => (await explain(callers.anna, nordicEvent)).body.explanations[1]?.decidedBy
    await claim(callers.anna, people.anna)
    expect(await gate()).toBe('own-assignment')
    await claim(callers.support, people.support)
    await claim(callers.support, people.anna)
    expect(await gate()).toBe('switched-off')
  })
})
