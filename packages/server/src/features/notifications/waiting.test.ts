import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { UserActor } from '../../db/actor.ts'
import { addEvents } from '../../testing/many-events.ts'
import { notifyingOn, setProfile } from '../../testing/notifying-fixture.ts'
import { registerSampleFleet, type SampleFleet } from '../../testing/sample-fleet.ts'
import { addSamplePerson } from '../../testing/sample-people.ts'
import { TEST_NOW } from '../../testing/test-app.ts'
import { type TestDatabase, testDatabase } from '../../testing/test-database.ts'
import { changeServiceEvent } from '../events/events.service.ts'
import { planRecurringMaintenance, setMaintenance } from '../maintenance/maintenance.service.ts'
import type { MaintenanceRequest } from '../maintenance/maintenance-plan.ts'
import { notificationHooks } from './notification-hooks.ts'
import { processPendingNotifications, releaseHeld, sendDigests } from './notifying.service.ts'

const hours = (count: number) => new Date(TEST_NOW.getTime() + count * 3_600_000)

let database: TestDatabase
let fleet: SampleFleet
let notifying: ReturnType<typeof notifyingOn>
const people = { anna: 0, hanna: 0 }
let anna: UserActor

beforeAll(async () => {
  database = await testDatabase()
  fleet = await registerSampleFleet(database, TEST_NOW)
  const { helix } = fleet.customers
  const add = (login: string, person: object) => addSamplePerson(database, { login, msisdn: '+46700000001', ...person })
  people.anna = await add('anna@benchwatch.example', { name: 'Anna Lind' })
  people.hanna = await add('hanna@helixbio.example', { role: 'customer', scope: [helix] })
  anna = { type: 'user', id: people.anna, name: 'Anna Lind', role: 'service', scope: 'all', sessionId: '1' }
})
beforeEach(async () => {
  notifying = notifyingOn(database)
  await wantsAll(people.anna)
})
afterEach(async () => {
  const { db } = database
  for (const table of ['notification', 'pending_notification', 'outbound_message', 'maintenance', 'profile'] as const) {
    await db.deleteFrom(table).execute()
  }
  await db.deleteFrom('user_customer').where('user_id', '=', people.hanna).execute()
  await db.insertInto('user_customer').values({ user_id: people.hanna, customer_id: fleet.customers.helix }).execute()
  await db.updateTable('app_user').set({ disabled_at: null, msisdn: '+46700000001' }).execute()
})

const wantsAll = (userId: number, settings: object = {}) =>
  setProfile(database, { userId, kind: 'new_event_notification', settings: { notifyEmail: true, ...settings } })
const maintenance = (request: Partial<MaintenanceRequest>, instrumentId = 'IP-20431187') =>
  setMaintenance(notifying, {
    instrumentId,
    caller: anna,
    request: { start: null, end: null, reason: null, ...request },
  })
const raise = async (event: Partial<Parameters<typeof addEvents>[1]> = {}) => {
  const ids = await addEvents(database, { count: 1, instrumentId: fleet.instruments.first, ...event })
  await processPendingNotifications(notifying)
  return ids
}
const messages = () => database.db.selectFrom('outbound_message').selectAll().orderBy('id').execute()
const log = () => database.db.selectFrom('notification').selectAll().orderBy('id').execute()
const states = async () => (await log()).map(({ waits_for, withdrawn_reason }) => withdrawn_reason ?? waits_for)

describe('during maintenance of an instrument its messages are held', () => {
  it('and sent in one message when the window ends, newest first, with those of other instruments', async () => {
    await maintenance({ start: TEST_NOW, end: hours(1) })
    await maintenance({ start: TEST_NOW, end: hours(1) }, 'IP-20431188')
    const [first = ''] = await raise({ severity: 'low', description: 'Lamp aged' })
    const [second = ''] = await raise({ instrumentId: fleet.instruments.second, createdAt: hours(0.5) })
    notifying.clock.set(hours(0.99))
    await releaseHeld(notifying)
    expect(await messages()).toEqual([])
    expect(await states()).toEqual(['maintenance', 'maintenance'])
    notifying.clock.set(hours(1))
    await Promise.all([releaseHeld(notifying), releaseHeld(notifying)])
    const [mail, ...more] = await messages()
    expect(more).toEqual([])
    expect(mail).toMatchObject({ template: 'held-events', subject: 'Maintenance is over: 2 service events · HIGH' })
    expect(mail?.text).toMatch(
      new RegExp(`HIGH · ORC-${second} · .*\n  Pressure limit exceeded\n  ÄKTA pilot 600 IP-20431188, Uppsala\n`),
    )
    expect(mail?.text?.indexOf(`ORC-${second}`)).toBeLessThan(mail?.text?.indexOf(`LOW · ORC-${first}`) ?? 0)
    expect((await log()).map(({ message_id }) => message_id)).toEqual([mail?.id, mail?.id])
  })

  it('whether it is ended by hand, moved, or recurs', async () => {
    await maintenance({ start: TEST_NOW })
    await raise()
    await releaseHeld(notifying)
    expect(await messages()).toEqual([])
    notifying.clock.set(hours(0.5))
    await maintenance({ start: null })
    await releaseHeld(notifying)
    expect(await messages()).toHaveLength(1)

    const [moved] = await maintenance({ start: hours(0.5), end: hours(2) })
    await raise()
    await maintenance({ id: Number(moved?.id), start: hours(0.5), end: hours(3) })
    notifying.clock.set(hours(2.5))
    await releaseHeld(notifying)
    expect(await messages()).toHaveLength(1)
    notifying.clock.set(hours(3))
    await releaseHeld(notifying)
    expect(await messages()).toHaveLength(2)

    await maintenance({ start: hours(4), end: hours(5), rrule: 'FREQ=DAILY', timeZone: 'UTC' })
    notifying.clock.set(hours(28.5))
    await planRecurringMaintenance(notifying)
    await raise()
    await releaseHeld(notifying)
    expect(await messages()).toHaveLength(2)
    notifying.clock.set(hours(29))
    await releaseHeld(notifying)
    expect(await messages()).toHaveLength(3)
  })

  it('also about events that happened in it and arrived later; an earlier event notifies at once', async () => {
    await raise({ duringMaintenance: true })
    await raise()
    expect(await states()).toEqual(['maintenance', null])
    await releaseHeld(notifying)
    expect((await messages()).map(({ template }) => template)).toEqual(['new-event', 'held-events'])
  })

  it('but not during a maintenance of the customer to whom the instrument moved since', async () => {
    const { first } = fleet.instruments
    const move = (customer: number) =>
      database.db.updateTable('instrument').set({ customer_id: customer }).where('id', '=', first).execute()
    await raise({ duringMaintenance: true })
    await move(fleet.customers.nordic)
    await maintenance({ start: TEST_NOW })
    await releaseHeld(notifying)
    await raise({ customerId: fleet.customers.helix })
    expect((await messages()).map(({ template }) => template)).toEqual(['held-events', 'new-event'])
    await move(fleet.customers.helix)
  })

  it('but assignments by a user and edge issues notify at once', async () => {
    await setProfile(database, {
      userId: people.hanna,
      kind: 'assign_me_notification',
      settings: { notifyEmail: true },
    })
    await maintenance({ start: TEST_NOW })
    const [id = ''] = await raise()
    await changeServiceEvent(notifying, { id, caller: anna, change: { claimedBy: String(people.hanna) } })
    const [edge] = await addEvents(database, { count: 1, instrumentId: fleet.instruments.first })
    await database.pool.query(
      'UPDATE service_event SET is_edge_issue = true, instrument_id = NULL, instrument_status_at_event = NULL WHERE id = $1',
      [edge],
    )
    await processPendingNotifications(notifying)
    expect((await messages()).map(({ recipient, template }) => [recipient, template])).toEqual([
      ['hanna@helixbio.example', 'assigned-event'],
      ['anna@benchwatch.example', 'new-event'],
    ])
  })

  it('a text message gives the number and the worst', async () => {
    await wantsAll(people.anna, { notifyEmail: false, notifySms: true })
    await maintenance({ start: TEST_NOW, end: hours(1) })
    await raise({ severity: 'low' })
    const [worst = ''] = await raise({ severity: 'medium', description: 'Air in the flow path' })
    notifying.clock.set(hours(1))
    await releaseHeld(notifying)
    expect((await messages()).map(({ text }) => text)).toEqual([
      `Maintenance is over: 2 service events. MED ORC-${worst} Air in the flow path, ÄKTA pilot 600 IP-20431187, Uppsala. https://console.example.com/notifications`,
    ])
  })

  it('of more than a hundred the newest hundred are listed, and all are counted', async () => {
    await maintenance({ start: TEST_NOW, end: hours(1) })
    const ids = await raise({ count: 130 })
    notifying.clock.set(hours(1))
    await releaseHeld(notifying)
    const [mail] = await messages()
    expect(mail?.subject).toBe('Maintenance is over: 130 service events · HIGH')
    expect(mail?.text).toContain('These are the newest 100 of 130 events.')
    const listed = [...(mail?.text ?? '').matchAll(/HIGH · ORC-(\d+)/g)].map(([, id]) => id)
    expect(listed).toEqual(ids.toReversed().slice(0, 100))
    expect(mail?.html?.length).toBeLessThan(100_000)
  })
})

describe('what waited is looked at again', () => {
  it.each([
    ['the account was disabled', 'The account of the recipient is disabled.', () => setUser({ disabled_at: TEST_NOW })],
    ['the customer is not seen any more', 'The recipient may no longer see this event.', leaveCustomer],
    [
      'mails were switched off',
      'The recipient has switched these notifications off.',
      () => wantsAll(people.hanna, { notifyEmail: false, notifySms: true }),
    ],
    [
      'mails go elsewhere now',
      'The recipient no longer uses this address for notifications.',
      () =>
        setProfile(database, {
          userId: people.hanna,
          kind: 'email',
          settings: { useDefaultEmail: false, useNotificationEmail: true, notificationEmail: 'l@helixbio.example' },
        }),
    ],
  ])('%s: it is withdrawn with the reason', async (_case, reason, change) => {
    await database.db.deleteFrom('profile').execute()
    await wantsAll(people.hanna)
    await maintenance({ start: TEST_NOW, end: hours(1) })
    await raise()
    await change()
    notifying.clock.set(hours(1))
    await releaseHeld(notifying)
    expect(await states()).toEqual([reason])
    expect(await messages()).toEqual([])
  })

  it('a number that is gone gets no text message', async () => {
    await wantsAll(people.anna, { notifySms: true })
    await maintenance({ start: TEST_NOW, end: hours(1) })
    await raise()
    await setUser({ msisdn: null })
    notifying.clock.set(hours(1))
    await releaseHeld(notifying)
    expect((await messages()).map(({ channel }) => channel)).toEqual(['email'])
    expect(await states()).toEqual([null, 'The recipient no longer uses this address for notifications.'])
  })

  it('a deleted event is in no list', async () => {
    await maintenance({ start: TEST_NOW, end: hours(1) })
    const [gone] = await raise()
    await database.pool.query('DELETE FROM service_event WHERE id = $1', [gone])
    notifying.clock.set(hours(1))
    await releaseHeld(notifying)
    expect(await messages()).toEqual([])
  })
})

describe('right before a message leaves', () => {
  const refusal = async () => {
    const [message] = (await messages()).slice(-1)
    const course = notificationHooks.find(({ template }) => template === message?.template)
    return course?.refusal(database.db, message?.id ?? 0)
  }

  it('its recipient must still see the event', async () => {
    await database.db.deleteFrom('profile').execute()
    await wantsAll(people.hanna)
    await raise()
    expect(await refusal()).toBeNull()
    await setUser({ disabled_at: TEST_NOW })
    expect(await refusal()).toBe('The account of the recipient is disabled.')
    expect(await states()).toEqual(['The account of the recipient is disabled.'])
    // Repeats the step, as after a process that died before it was recorded.
    await setUser({ disabled_at: null })
    expect(await refusal()).toBe('The recipient may no longer see this event.')
  })

  it('its address must still be that of the recipient', async () => {
    await wantsAll(people.anna, { notifyEmail: false, notifySms: true })
    await raise()
    expect(await refusal()).toBeNull()
    await setUser({ msisdn: '+46700000002' })
    expect(await refusal()).toBe('The recipient no longer uses this address for notifications.')
    expect(await states()).toEqual(['The recipient no longer uses this address for notifications.'])
  })

  it('of a list, events that its recipient may still see go into the next digest', async () => {
    const { db } = database
    const { nordic } = fleet.customers
    await db.deleteFrom('profile').execute()
    await wantsAll(people.hanna)
    await db.insertInto('user_customer').values({ user_id: people.hanna, customer_id: nordic }).execute()
    await raise({ duringMaintenance: true })
    const [other = ''] = await raise({ duringMaintenance: true, instrumentId: fleet.instruments.nordic })
    await releaseHeld(notifying)
    await leaveCustomer()
    expect(await refusal()).toBe('The recipient may no longer see this event.')
    expect(await states()).toEqual(['The recipient may no longer see this event.', 'digest'])
    notifying.clock.set(hours(1))
    await sendDigests(notifying)
    const [, digest] = await messages()
    expect(digest?.subject).toBe('1 service event in one mail · HIGH')
    expect(digest?.text).toContain(`ORC-${other}`)
    expect(await refusal()).toBeNull()
  })

  it('there must still be an event', async () => {
    const [id] = await raise()
    await database.pool.query('DELETE FROM service_event WHERE id = $1', [id])
    expect(await refusal()).toBe('All of its events have been deleted.')
  })
})

async function setUser(values: { disabled_at?: Date | null; msisdn?: string | null }): Promise<void> {
  const both = [people.anna, people.hanna]
  await database.db.updateTable('app_user').set(values).where('id', 'in', both).execute()
}

async function leaveCustomer(): Promise<void> {
  await database.db.deleteFrom('user_customer').where('customer_id', '=', fleet.customers.helix).execute()
}
