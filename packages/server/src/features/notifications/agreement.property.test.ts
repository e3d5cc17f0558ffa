import type { NotificationSettings } from '@benchwatch/contract/messages/profiles'
import { type NotificationKind, notificationKinds } from '@benchwatch/contract/vocabulary'
import { type SeededRandom, seededRandom } from '@benchwatch/samples/seeded-random'
import { beforeAll, expect, test } from 'vitest'
import type { DataScope, PersonActor, UserActor } from '../../db/actor.ts'
import { buildEventFixture, type EventFixture } from '../../testing/event-fixture.ts'
import { notifyingOn, setProfile } from '../../testing/notifying-fixture.ts'
import { type PlainEvent, plainlyTold, readPlainEvents, readPlainPeople } from '../../testing/plain/plain-notifying.ts'
import { propertyRun } from '../../testing/property-run.ts'
import { addSamplePerson } from '../../testing/sample-people.ts'
import { TEST_NOW } from '../../testing/test-app.ts'
import { type TestDatabase, testDatabase } from '../../testing/test-database.ts'
import { changeServiceEvent } from '../events/events.service.ts'
import { previewProfile, readRecipients } from '../profiles/profiles.queries.ts'
import { readExplanation } from './notifications.queries.ts'
import { processPendingNotifications } from './notifying.service.ts'

/**
 * Sending, preview and explanation agree on every event and user, and they agree with a straightforward query of the
 * tables. Users, profiles, scopes, flags and events are random. They change after the events were raised, because all
 * three use the current state.
 */
const EVENTS = 1000
const PEOPLE = 24
const ASSIGNMENTS = 700
const ASSIGNING = 8
const GIVEN = 100
/** Explanations of events that were given, and of others; each takes four queries. */
const EXPLAINED_GIVEN = 400
const EXPLAINED_OTHERS = 300

const random = seededRandom(propertyRun.seed)
/** Part of every failure message. */
const repeat = `PROPERTY_SEED=${propertyRun.seed} repeats it`
const notifying = { NOTIFICATION_MAILS_PER_HOUR: '0', NOTIFICATION_SMS_PER_HOUR: '0' }
let database: TestDatabase
let fixture: EventFixture
let people: number[]
/** Written notifications by `kind event user`, with their addresses. */
let sent: Map<string, string[]>
const keyOf = (kind: NotificationKind, eventId: number, userId: number) => `${kind} ${eventId} ${userId}`

beforeAll(async () => {
  database = await testDatabase()
  const { db } = database
  // Within the days that a preview covers.
  fixture = await buildEventFixture(db, { events: EVENTS, now: TEST_NOW, seed: propertyRun.seed, days: 6.9 })
  await database.pool.query(`
    UPDATE service_event SET during_maintenance = id % 11 = 0,
      instrument_status_at_event = CASE WHEN is_edge_issue THEN NULL ELSE (ARRAY['ready', 'wash', 'hold'])[1 + id % 3] END`)
  await database.pool.query(`
    INSERT INTO support_email_template (instrument_type, template_id, component_name, subject, body, under_review)
    SELECT DISTINCT ON (i.type, e.template_id) i.type, e.template_id, 'Pump', 'S', 'B', e.id % 2 = 0
    FROM service_event e JOIN instrument i ON i.id = e.instrument_id WHERE e.id % 3 > 0 ORDER BY i.type, e.template_id, e.id`)
  people = await Promise.all(
    Array.from({ length: PEOPLE }, (_, index) => addPerson(random.fork(`person ${index}`), index)),
  )
  await assign()
  for (const [index, id] of people.entries()) if (index > 0) await change(random.fork(`change ${index}`), id)
  await processPendingNotifications(notifyingOn(database, notifying))
  const rows = await db.selectFrom('notification').select(['kind', 'event_id', 'user_id', 'recipient']).execute()
  sent = new Map()
  for (const { kind, event_id, user_id, recipient } of rows) {
    const key = keyOf(kind, event_id, user_id)
    // A user who is assigned an event twice is notified twice.
    sent.set(key, sorted([...(sent.get(key) ?? []), recipient]))
  }
  // Beside other programs, 700 assignments and what follows from them took more than two minutes.
}, 300_000)

async function addPerson(own: SeededRandom, index: number): Promise<number> {
  const id = await addSamplePerson(database, {
    login: `p${index}@benchwatch.example`,
    scope: index < 2 || own.chance(0.7) ? 'all' : someOf(own, fixture.customers).map((customer) => customer.id),
    msisdn: own.chance(0.5) ? `+4670000${1000 + index}` : null,
  })
  // The first user wants all notifications by e-mail, and the second one assigns them each event, so that every run
  // has enough to compare.
  const settings = () => (index === 0 ? { notifyEmail: true } : randomSettings(own))
  for (const kind of notificationKinds) await setProfile(database, { userId: id, kind, settings: settings() })
  const other = own.chance(0.3)
  await setProfile(database, {
    userId: id,
    kind: 'email',
    settings: {
      // Sometimes the same mailbox as that of the account.
      notificationEmail: other ? `${own.chance(0.5) ? 'P' : 'x'}${index}@benchwatch.example` : null,
      useNotificationEmail: other && own.chance(0.7),
      useDefaultEmail: index === 0 || !other || own.chance(0.7),
    },
  })
  return id
}

/** Most categories are empty, as in real profiles; values are written in any case. */
function randomSettings(own: SeededRandom): NotificationSettings {
  const offered = {
    alertType: ['1', '2'],
    severity: ['low', 'medium', 'high'],
    customer: [...fixture.customers.map(({ name }) => name), 'Nobody'],
    instrumentType: ['AKTAPure', 'AKTAAvant', 'Wave25', 'UniFlux'],
    region: ['EMEA', 'AMER'],
    country: ['Sweden', 'USA', 'Norway', 'Switzerland'],
    siteCity: ['Uppsala', 'Malmö', 'boston', 'Øksnes', 'Zürich'],
    componentName: ['Pump A (P9-A)', 'Pump B (P9-B)', 'UV monitor (U9-L)', 'pH probe (C9)', 'Mixer'],
    instrumentStatus: ['ready', 'wash', 'hold'],
    contractSLA: ['24/7 EMEA', 'Gold 24h', '8/5 emea'],
    qualifiedSystem: ['true', 'false'],
  }
  const inAnyCase = (value: string) => own.pick([value, value.toUpperCase(), value.toLowerCase()])
  // Sometimes contracts alone: the case that fails most rarely is the contract of an instrument that has moved.
  const isOfContracts = own.chance(0.2)
  const asksFor = (key: string) => (isOfContracts ? key === 'contractSLA' : own.chance(0.2))
  const lists = Object.fromEntries(
    Object.entries(offered).map(([key, values]) => [key, asksFor(key) ? someOf(own, values).map(inAnyCase) : []]),
  ) as unknown as Record<keyof typeof offered, string[]>
  return { ...lists, notifyEmail: own.chance(0.7), notifySms: own.chance(0.3) }
}

function someOf<T>(own: SeededRandom, list: readonly T[]): T[] {
  return list.filter(() => own.chance(0.6))
}

/**
 * Users assign events to each other and claim them; rejected assignments are skipped. A few users do it with a few
 * events, so that many events are assigned to the same user more than once, by others and by themselves.
 */
async function assign(): Promise<void> {
  const rules = notifyingOn(database)
  const given = fixture.eventIds.slice(0, GIVEN)
  const scopes = new Map<number, DataScope>(
    (await readRecipients(database.db, people)).map(({ userId, scope }) => [userId, scope]),
  )
  const give = async ({ id, by, to }: { id: number; by: number; to: number }) => {
    rules.clock.advance(1000)
    const caller: PersonActor = { type: 'user', id: by, name: `p${by}`, role: 'service', scope: scopes.get(by) ?? [] }
    const wanted = { id: String(id), caller, change: { claimedBy: String(to) } }
    await changeServiceEvent(rules, wanted).catch((error: { status?: number }) => {
      if (error.status === undefined || error.status >= 500) throw error
    })
  }
  const [first = 0, second = 0] = people
  for (const id of given) await give({ id, by: second, to: first })
  for (let count = 0; count < ASSIGNMENTS; count += 1) {
    const by = random.pick(people.slice(0, ASSIGNING))
    const to = random.chance(0.4) ? by : random.pick(people.slice(0, ASSIGNING))
    await give({ id: random.pick(given), by, to })
  }
}

/** Changes that may happen to a user between an event and its notification. */
async function change(own: SeededRandom, id: number): Promise<void> {
  if (own.chance(0.1)) await database.pool.query('UPDATE app_user SET disabled_at = now() WHERE id = $1', [id])
  if (own.chance(0.1)) await database.pool.query('UPDATE app_user SET all_customers = false WHERE id = $1', [id])
  if (own.chance(0.3)) {
    await database.pool.query("INSERT INTO feature_flag (key, user_id, value) VALUES ('NOTIFY_UNDER_REVIEW', $1, $2)", [
      id,
      own.chance(0.5),
    ])
  }
}

test('sending agrees with plain reading of the tables', async () => {
  const events = await readPlainEvents(database)
  const expected = new Map<string, string[]>()
  for (const person of await readPlainPeople(database, people)) {
    for (const kind of notificationKinds) {
      for (const event of events) {
        const told = plainlyTold(person, { kind, event })
        if (told.length > 0) expected.set(keyOf(kind, event.id, person.id), sorted(told))
      }
    }
  }
  expect(Object.fromEntries(sent), repeat).toEqual(Object.fromEntries(expected))
  // Enough notifications of both kinds, so that the comparison is meaningful.
  for (const kind of notificationKinds) {
    expect([...expected.keys()].filter((key) => key.startsWith(kind)).length, repeat).toBeGreaterThan(5)
  }
})

test('a preview counts and shows what was sent', async () => {
  const newestFirst = (await readPlainEvents(database)).sort(byCreation)
  for (const recipient of await readRecipients(database.db, people)) {
    for (const kind of notificationKinds) {
      const { userId } = recipient
      const told = newestFirst.filter(({ id }) => sent.has(keyOf(kind, id, userId)))
      const preview = await previewProfile(database.db, {
        kind,
        userId,
        settings: recipient.profiles[kind],
        hasSms: true,
        now: TEST_NOW,
      })
      expect([userId, kind, preview.sent], repeat).toEqual([userId, kind, told.length])
      expect(
        preview.values.map(({ alarm }) => alarm.id),
        repeat,
      ).toEqual(told.slice(0, 20).map(({ id }) => String(id)))
    }
  }
})

test('an explanation says what was sent', async () => {
  const admin: UserActor = { type: 'user', id: 0, name: 'Admin', role: 'admin', scope: 'all', sessionId: '' }
  const given = fixture.eventIds.slice(0, GIVEN)
  // Assignments are read in a way of their own; the rest decides as in sending, which is compared for every event.
  const explained = [
    ...Array.from({ length: EXPLAINED_GIVEN }, () => random.pick(given)),
    ...fixture.eventIds.slice(GIVEN, GIVEN + EXPLAINED_OTHERS),
  ]
  for (const eventId of explained) {
    const userId = random.pick(people)
    const answer = await readExplanation(database.db, { eventId, userId, caller: admin, hasSms: true })
    for (const { kind, isNotified, decidedBy, notifications } of answer?.explanations ?? []) {
      const told = sent.get(keyOf(kind, eventId, userId)) ?? []
      expect([eventId, userId, kind, isNotified], repeat).toEqual([eventId, userId, kind, told.length > 0])
      expect(decidedBy === null).toBe(isNotified)
      expect(sorted(notifications.map(({ to }) => to)), repeat).toEqual(told)
    }
  }
})

function sorted(recipients: readonly string[]): string[] {
  return [...new Set(recipients)].sort()
}

function byCreation(a: PlainEvent, b: PlainEvent): number {
  return b.createdAt.getTime() - a.createdAt.getTime() || b.id - a.id
}
