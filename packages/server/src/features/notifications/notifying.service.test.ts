import { sql } from 'kysely'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { PersonActor } from '../../db/actor.ts'
import { connectClient, type Db } from '../../db/connect.ts'
import { QueuePosition } from '../../db/queues/queue-position.ts'
import { inTransaction } from '../../db/transaction.ts'
import { addEvents } from '../../testing/many-events.ts'
import { notifyingOn, setProfile } from '../../testing/notifying-fixture.ts'
import { registerSampleFleet, type SampleFleet } from '../../testing/sample-fleet.ts'
import { addSamplePerson } from '../../testing/sample-people.ts'
import { TEST_NOW } from '../../testing/test-app.ts'
import { type TestDatabase, testDatabase } from '../../testing/test-database.ts'
import { changeServiceEvent } from '../events/events.service.ts'
import { processPendingNotifications, sendDigests } from './notifying.service.ts'
import { readDuePendingNotifications } from './notifying.store.ts'

const MINUTE = 60_000
const after = (minutes: number) => new Date(TEST_NOW.getTime() + minutes * MINUTE)

let database: TestDatabase
let fleet: SampleFleet
const people = { anna: 0, jonas: 0, nora: 0 }

beforeAll(async () => {
  database = await testDatabase()
  fleet = await registerSampleFleet(database, TEST_NOW)
  const add = (login: string, person: object) => addSamplePerson(database, { login, ...person })
  people.anna = await add('anna@benchwatch.example', { name: 'Anna Lind', msisdn: '+46700000001' })
  people.jonas = await add('jonas@benchwatch.example', { name: 'Jonas Berg', msisdn: '+46700000002' })
  people.nora = await add('nora@nordic.example', { role: 'customer', scope: [fleet.customers.nordic] })
})
beforeEach(async () => {
  await database.db.deleteFrom('profile').execute()
})
afterEach(async () => {
  await database.pool.query('DELETE FROM notification')
  await database.pool.query('DELETE FROM pending_notification')
  await database.pool.query('DELETE FROM outbound_message')
})

const raise = (event: Partial<Parameters<typeof addEvents>[1]> = {}) =>
  addEvents(database, { count: 1, instrumentId: fleet.instruments.first, ...event })
const wantsAll = (userId: number, settings: object = {}) =>
  setProfile(database, { userId, kind: 'new_event_notification', settings: { notifyEmail: true, ...settings } })
const wantsAssigned = (userId: number, settings: object = { notifyEmail: true }) =>
  setProfile(database, { userId, kind: 'assign_me_notification', settings })
const messages = () => database.db.selectFrom('outbound_message').selectAll().orderBy('id').execute()
const sentTo = async () => (await messages()).map(({ recipient }) => recipient)
const log = () => database.db.selectFrom('notification').selectAll().orderBy('id').execute()
const pendingNotifications = () => database.db.selectFrom('pending_notification').selectAll().execute()
const actor = (id: number, name: string): PersonActor => ({ type: 'user', id, name, role: 'service', scope: 'all' })
const claim = (id: string, { by, to }: { by: PersonActor; to: number }) =>
  changeServiceEvent(notifyingOn(database), { id, caller: by, change: { claimedBy: String(to) } })

describe('what waits', () => {
  it('causes notifications whenever its transaction ends, even after later ones were processed', async () => {
    await wantsAll(people.anna)
    const position = new QueuePosition()
    const note = (db: Db, eventId: string) =>
      sql`INSERT INTO pending_notification (event_id, kind, at) VALUES (${eventId}, 'new_event_notification', ${TEST_NOW})`.execute(
        db,
      )
    const [late = '', early = ''] = [...(await raise()), ...(await raise())]
    await database.pool.query('DELETE FROM pending_notification')
    await inTransaction(database.db, async (trx) => {
      await note(trx, late)
      await note(database.db, early)
      await processPendingNotifications(notifyingOn(database), position)
      expect(await log()).toMatchObject([{ event_id: Number(early) }])
    })
    await note(database.db, early)
    await processPendingNotifications(notifyingOn(database), position)
    expect((await log()).map(({ event_id }) => event_id)).toEqual([Number(early), Number(late)])
    expect(await pendingNotifications()).toEqual([])
  })

  it('is searched from the oldest that was neither decided nor set aside', async () => {
    await wantsAll(people.anna)
    const position = new QueuePosition()
    const [id = ''] = await raise()
    await position.scan((from) => readDuePendingNotifications(database.db, { limit: 1, now: TEST_NOW, from }))
    await raise({ instrumentId: fleet.instruments.first })
    await processPendingNotifications(notifyingOn(database), position)
    expect((await log()).map(({ event_id }) => event_id)).toContain(Number(id))
    expect(await pendingNotifications()).toEqual([])
  })
})

describe('a new event', () => {
  it('notifies every user whose profile matches, by each of their channels, and is recorded', async () => {
    await wantsAll(people.anna, { notifySms: true, severity: ['HIGH'] })
    await wantsAll(people.jonas, { severity: ['low'] })
    const [id = ''] = await raise()
    await processPendingNotifications(notifyingOn(database))
    const [mail, text] = await messages()
    expect(mail).toMatchObject({
      channel: 'email',
      recipient: 'anna@benchwatch.example',
      subject: `ORC-${id} · HIGH · Pressure limit exceeded`,
      headers: { References: `<event.${id}@console.example.com>` },
      user_id: people.anna,
    })
    expect(mail?.text).toContain(`Open the event: https://console.example.com/events/${id}`)
    expect(text).toMatchObject({
      channel: 'sms',
      recipient: '+46700000001',
      text: `HIGH ORC-${id} Pressure limit exceeded, ÄKTA pilot 600 IP-20431187, Uppsala. https://console.example.com/events/${id}`,
    })
    expect(await messages()).toHaveLength(2)
    expect(await log()).toMatchObject([
      {
        event_id: Number(id),
        user_id: people.anna,
        channel: 'email',
        message_id: mail?.id,
        waits_for: null,
        version: 0,
      },
      { event_id: Number(id), user_id: people.anna, channel: 'sms', message_id: text?.id, waits_for: null },
    ])
    expect(await pendingNotifications()).toEqual([])
  })

  it('goes to each address once, and to no user whose scope excludes it', async () => {
    await wantsAll(people.anna)
    await wantsAll(people.nora)
    const other = { notificationEmail: 'lab@benchwatch.example', useNotificationEmail: true }
    await setProfile(database, { userId: people.anna, kind: 'email', settings: other })
    await raise()
    await processPendingNotifications(notifyingOn(database))
    expect(await sentTo()).toEqual(['anna@benchwatch.example', 'lab@benchwatch.example'])
  })

  it('causes one notification despite restarts, repeated occasions and two leaders at once', async () => {
    await wantsAll(people.anna)
    const ids = await addEvents(database, { count: 12, instrumentId: fleet.instruments.first })
    await Promise.all([
      processPendingNotifications(notifyingOn(database)),
      processPendingNotifications(notifyingOn(database)),
    ])
    const again = sql`INSERT INTO pending_notification (event_id, kind, at)
      SELECT unnest(${ids.map(Number)}::bigint[]), 'new_event_notification', ${TEST_NOW}`
    await again.execute(database.db)
    await processPendingNotifications(notifyingOn(database))
    expect(await messages()).toHaveLength(12)
    expect(await log()).toHaveLength(12)
  })

  it('sends no text message in China, nor to a user without a number', async () => {
    await wantsAll(people.anna, { notifyEmail: false, notifySms: true })
    await wantsAll(people.nora, { notifyEmail: false, notifySms: true })
    await raise()
    await raise({ instrumentId: fleet.instruments.nordic })
    await processPendingNotifications(notifyingOn(database, { DEPLOYMENT: 'china' }))
    expect(await log()).toEqual([])
    await raise()
    await raise({ instrumentId: fleet.instruments.nordic })
    await processPendingNotifications(notifyingOn(database))
    expect(await sentTo()).toEqual(['+46700000001', '+46700000001'])
  })

  it('notifies no disabled user, and nobody about an event that was deleted meanwhile', async () => {
    await wantsAll(people.anna)
    await wantsAll(people.jonas)
    const [gone = ''] = await raise()
    await raise()
    await database.pool.query('DELETE FROM service_event WHERE id = $1', [gone])
    await database.db.updateTable('app_user').set({ disabled_at: TEST_NOW }).where('id', '=', people.jonas).execute()
    await processPendingNotifications(notifyingOn(database))
    await database.db.updateTable('app_user').set({ disabled_at: null }).where('id', '=', people.jonas).execute()
    expect(await sentTo()).toEqual(['anna@benchwatch.example'])
    expect(await pendingNotifications()).toEqual([])
  })

  it('shows texts of an instrument as text, cut to the limit of an e-mail', async () => {
    await wantsAll(people.anna)
    await raise({ description: `<img src=x onerror=alert(1)>\r\nBcc: x@evil.example ${'<b>å</b>'.repeat(1250)}` })
    await processPendingNotifications(notifyingOn(database))
    const [mail] = await messages()
    expect(mail?.html).not.toContain('<img')
    expect(mail?.html).toContain('&lt;img src=x onerror=alert(1)&gt;')
    expect(mail?.subject).not.toMatch(/[\r\n]/)
    expect(mail?.text?.length).toBeLessThan(4000)
  })
})

describe('one that cannot be decided', () => {
  it('is set aside with its reason, and keeps back none of the others', async () => {
    await wantsAll(people.anna)
    const ids = await addEvents(database, { count: 9, instrumentId: fleet.instruments.first })
    const bad = Number(ids[4])
    const refuse = `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF NEW.event_id = ${bad} THEN RAISE 'this one never works'; END IF; RETURN NEW; END $$;
      CREATE TRIGGER refuse BEFORE INSERT ON notification FOR EACH ROW EXECUTE FUNCTION refuse();`
    await asOwner(refuse)
    const notifying = notifyingOn(database)
    await processPendingNotifications(notifying)
    expect((await log()).map(({ event_id }) => String(event_id))).toEqual(ids.filter((id) => Number(id) !== bad))
    expect(await pendingNotifications()).toMatchObject([
      { event_id: bad, retry_at: after(10), last_error: 'error: this one never works' },
    ])
    await asOwner('DROP TRIGGER refuse ON notification; DROP FUNCTION refuse()')
    await processPendingNotifications(notifying)
    expect(await pendingNotifications()).toHaveLength(1)
    notifying.clock.set(after(10))
    await processPendingNotifications(notifying)
    expect(await pendingNotifications()).toEqual([])
    expect(await messages()).toHaveLength(9)
  })
})

describe('an event that is assigned to a user', () => {
  it('notifies them with the name of the user who assigned it; users who take an event themselves get nothing', async () => {
    await wantsAssigned(people.jonas, { notifyEmail: true, notifySms: true })
    await wantsAssigned(people.anna)
    const anna = actor(people.anna, 'Anna Lind')
    const [given = '', taken = ''] = await addEvents(database, { count: 2, instrumentId: fleet.instruments.first })
    await claim(given, { by: anna, to: people.jonas })
    await claim(taken, { by: anna, to: people.anna })
    await processPendingNotifications(notifyingOn(database))
    const [mail, text, ...more] = await messages()
    expect(more).toEqual([])
    expect(mail).toMatchObject({ recipient: 'jonas@benchwatch.example', template: 'assigned-event' })
    expect(mail?.text).toMatch(/^Anna Lind assigned a service event to you\n/)
    expect(text?.text).toMatch(new RegExp(`^Anna Lind assigned to you: HIGH ORC-${given} .*/events/${given}$`))
    expect(await log()).toMatchObject([
      { version: 2, kind: 'assign_me_notification' },
      { version: 2, channel: 'sms' },
    ])
  })

  it('notifies again when it is assigned again, and only if the profile matches', async () => {
    await wantsAssigned(people.jonas, { notifyEmail: true, severity: ['high'] })
    const anna = actor(people.anna, 'Anna Lind')
    const [high = ''] = await raise()
    const [low = ''] = await raise({ severity: 'low' })
    for (const id of [high, low]) await claim(id, { by: anna, to: people.jonas })
    await claim(high, { by: anna, to: people.anna })
    await claim(high, { by: anna, to: people.jonas })
    await processPendingNotifications(notifyingOn(database))
    expect((await log()).map(({ event_id, version }) => [String(event_id), version])).toEqual([
      [high, 2],
      [high, 4],
    ])
  })
})

describe('more messages than the limit of an hour', () => {
  const limited = {
    NOTIFICATION_MAILS_PER_HOUR: '3',
    NOTIFICATION_SMS_PER_HOUR: '1',
    NOTIFICATION_DIGEST_MINUTES: '15',
  }

  it('are collected per channel and user, and sent in one digest', async () => {
    await wantsAll(people.anna, { notifySms: true })
    await wantsAll(people.jonas, { severity: ['low'] })
    const notifying = notifyingOn(database, limited)
    const ids = await addEvents(database, { count: 5, instrumentId: fleet.instruments.first })
    await raise({ severity: 'low' })
    await processPendingNotifications(notifying)
    expect((await messages()).map(({ channel, recipient }) => `${channel} ${recipient}`).toSorted()).toEqual([
      'email anna@benchwatch.example',
      'email anna@benchwatch.example',
      'email anna@benchwatch.example',
      'email jonas@benchwatch.example',
      'sms +46700000001',
    ])
    notifying.clock.set(after(14))
    await sendDigests(notifying)
    expect(await messages()).toHaveLength(5)
    notifying.clock.set(after(15))
    await Promise.all([sendDigests(notifying), sendDigests(notifying)])
    const [mail, text, ...more] = (await messages()).slice(5)
    expect(more).toEqual([])
    expect(mail).toMatchObject({ template: 'event-digest', subject: '3 service events in one mail · HIGH' })
    expect(mail?.text).toContain(`https://console.example.com/events/${ids[4]}\n`)
    expect(text?.text).toMatch(/^5 more service events within the hour\. HIGH ORC-\d+ Pressure .*\/notifications$/)
    const rows = (await log()).filter(({ message_id }) => message_id === mail?.id)
    expect(rows).toHaveLength(3)
    expect((await log()).every(({ waits_for }) => waits_for === null)).toBe(true)
  })

  it('leave at once again when the hour is over; a digest does not count', async () => {
    await wantsAll(people.anna)
    const notifying = notifyingOn(database, limited)
    const raiseAndTell = async (count: number) => {
      await addEvents(database, { count, instrumentId: fleet.instruments.first })
      await processPendingNotifications(notifying)
    }
    const sent = async () => (await messages()).map(({ template }) => template)
    await raiseAndTell(4)
    notifying.clock.set(after(59))
    await sendDigests(notifying)
    await raiseAndTell(1)
    expect(await sent()).toEqual(['new-event', 'new-event', 'new-event', 'event-digest'])
    notifying.clock.set(after(60))
    await raiseAndTell(2)
    expect((await sent()).slice(4)).toEqual(['new-event', 'new-event'])
  })

  it('cannot be where the limit is 0', async () => {
    await wantsAll(people.anna)
    await addEvents(database, { count: 30, instrumentId: fleet.instruments.first })
    await processPendingNotifications(notifyingOn(database, { NOTIFICATION_MAILS_PER_HOUR: '0' }))
    expect(await messages()).toHaveLength(30)
  })

  it('an event goes to both addresses of a user, or waits for both', async () => {
    await wantsAll(people.anna)
    const other = { notificationEmail: 'lab@benchwatch.example', useNotificationEmail: true }
    await setProfile(database, { userId: people.anna, kind: 'email', settings: other })
    await addEvents(database, { count: 2, instrumentId: fleet.instruments.first })
    await processPendingNotifications(notifyingOn(database, limited))
    expect((await log()).map(({ waits_for }) => waits_for)).toEqual([null, null, 'digest', 'digest'])
  })
})

async function asOwner(statements: string): Promise<void> {
  const client = await connectClient(database.owner)
  await client.query(statements)
  await client.end()
}
