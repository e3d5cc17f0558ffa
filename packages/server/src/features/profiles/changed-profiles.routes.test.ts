import type { EmailSettings, NotificationSettings } from '@benchwatch/contract/messages/profiles'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addEvents } from '../../testing/many-events.ts'
import { registerSampleFleet, type SampleFleet } from '../../testing/sample-fleet.ts'
import { addSamplePerson } from '../../testing/sample-people.ts'
import { type Caller, TEST_NOW, type TestApp, testApp } from '../../testing/test-app.ts'
import { type TestDatabase, testDatabase } from '../../testing/test-database.ts'
import { defaultSettings, type ProfileType } from './profile-settings.ts'

let database: TestDatabase
let app: TestApp
let fleet: SampleFleet
const people = { anna: 0, jonas: 0, nora: 0 }
let anna: Caller
let jonas: Caller
let nora: Caller

beforeAll(async () => {
  database = await testDatabase()
  app = await testApp(database)
  fleet = await registerSampleFleet(database, TEST_NOW)
  people.anna = await addSamplePerson(database, { login: 'anna@benchwatch.example' })
  people.jonas = await addSamplePerson(database, { login: 'jonas@benchwatch.example' })
  const scope = [fleet.customers.nordic]
  people.nora = await addSamplePerson(database, { login: 'nora@nordic.example', role: 'customer', scope })
  ;[anna, jonas, nora] = [await app.as(people.anna), await app.as(people.jonas), await app.as(people.nora)]
})
afterAll(() => app.close())

const none = defaultSettings.new_event_notification
const onByMail: NotificationSettings = { ...none, notifyEmail: true }

async function idOf(caller: Caller, profileType: ProfileType): Promise<string> {
  const { body } = await caller.call('listProfiles')
  return body.find((profile) => profile.profileType === profileType)?.id ?? ''
}
async function put(
  profileType: ProfileType,
  body: Partial<NotificationSettings> | Partial<EmailSettings> | object,
  caller = anna,
) {
  return caller.call('updateProfile', {
    params: { id: await idOf(caller, profileType) },
    body: body as NotificationSettings,
  })
}
const record = async () =>
  (
    await database.pool.query(
      "SELECT actor_id, property, old_value, new_value FROM audit WHERE entity_type = 'profile' ORDER BY id",
    )
  ).rows

describe('PUT /profiles/{id}', () => {
  it('replaces a profile, keeps the words of closed lists, and is recorded', async () => {
    await anna.call('listProfiles')
    app.clock.advance(60_000)
    const changed = { ...onByMail, severity: ['HIGH', 'high', 'Low'], customer: ['Helix Biologics'] }
    const { status, body } = await put('new_event_notification', changed)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      profileType: 'new_event_notification',
      notifyEmail: true,
      severity: ['high', 'low'],
      customer: ['Helix Biologics'],
      createdAt: TEST_NOW.toISOString(),
      updatedAt: app.clock.now().toISOString(),
    })
    expect((await anna.call('listProfiles')).body[1]).toEqual(body)
    const actor_id = String(people.anna)
    expect(await record()).toEqual([
      { actor_id, property: 'notifyEmail', old_value: 'false', new_value: 'true' },
      { actor_id, property: 'severity', old_value: '[]', new_value: '["high","low"]' },
      { actor_id, property: 'customer', old_value: '[]', new_value: '["Helix Biologics"]' },
    ])
  })

  it('writes nothing where nothing changes', async () => {
    const { body: before } = await put('assign_me_notification', onByMail)
    const recorded = await record()
    app.clock.advance(60_000)
    const { status, body } = await put('assign_me_notification', onByMail)
    expect([status, body]).toEqual([200, before])
    expect(await record()).toEqual(recorded)
  })

  it('is of one’s own alone: another’s is 404, as one that does not exist', async () => {
    const id = await idOf(anna, 'new_event_notification')
    for (const caller of [jonas, nora]) {
      for (const name of ['updateProfile', 'previewProfile'] as const) {
        const { status, problem } = await caller.call(name, { params: { id }, body: none })
        expect([status, problem.code]).toEqual([404, 'not-found'])
      }
    }
    const missing = await anna.call('updateProfile', { params: { id: '999999999999999999' }, body: none })
    expect(missing.status).toBe(404)
  })

  it.each<[string, object, string]>([
    ['a value outside a closed list', { ...none, severity: ['high', 'worst'] }, 'body.severity.1'],
    ['a field that is missing', { ...none, notifySms: undefined }, 'body.notifySms'],
    ['a field that is unknown', { ...none, owner: [] }, 'body'],
    ['a list that is none', { ...none, country: 'Sweden' }, 'body.country'],
    ['an empty value', { ...none, country: [''] }, 'body.country.0'],
    ['a line break', { ...none, siteCity: ['Uppsala\r\nBcc: x'] }, 'body.siteCity.0'],
    ['too many values', { ...none, siteCity: Array.from({ length: 1001 }, String) }, 'body.siteCity'],
  ])('names %s', async (_what, body, path) => {
    const { status, problem } = await put('new_event_notification', body)
    expect([status, problem.code]).toEqual([400, 'validation-failed'])
    expect(problem.errors?.map((error) => error.path)).toEqual([path])
  })

  it('takes the fields of its type', async () => {
    for (const [type, body] of [
      ['new_event_notification', defaultSettings.email],
      ['email', none],
    ] as const) {
      const { status, problem } = await put(type, body)
      expect([status, problem.code]).toEqual([400, 'bad-profile'])
      expect(problem.ErrorBody).toMatch(/^This profile is of type .+\. Send .+\.$/)
    }
  })
})

describe('Notification email', () => {
  const other = { notificationEmail: 'anna@helixbio.example', useDefaultEmail: false, useNotificationEmail: true }

  it('is a company address', async () => {
    expect((await put('email', other)).body).toMatchObject(other)
    const { status, problem } = await put('email', { ...other, notificationEmail: 'anna@elsewhere.example' })
    expect([status, problem.code, problem.ErrorBody]).toEqual([
      ...[400, 'bad-profile'],
      'Valid Benchwatch email address required!',
    ])
    expect(problem.errors?.map(({ path }) => path)).toEqual(['body.notificationEmail'])
    // Nothing of the change was stored.
    expect((await anna.call('listProfiles')).body[2]).toMatchObject(other)
  })

  it('is one address: no list, and nothing that breaks a line', async () => {
    const twice = await put('email', { ...other, notificationEmail: 'a@helixbio.example,b@helixbio.example' })
    expect(twice.problem.code).toBe('bad-profile')
    const broken = await put('email', { ...other, notificationEmail: 'a@helixbio.example\r\nBcc: b@helixbio.example' })
    expect([broken.problem.code, broken.problem.errors?.[0]?.path]).toEqual([
      'validation-failed',
      'body.notificationEmail',
    ])
    const long = await put('email', { ...other, notificationEmail: `${'a'.repeat(300)}@helixbio.example` })
    expect(long.status).toBe(400)
  })

  it('at least one address must be selected', async () => {
    const { problem } = await put('email', {
      notificationEmail: null,
      useDefaultEmail: false,
      useNotificationEmail: false,
    })
    expect([problem.code, problem.ErrorBody]).toEqual(['bad-profile', 'At least one address must be selected.'])
  })
})

describe('POST /profiles/{id}/preview', () => {
  async function preview(profileType: ProfileType, body: NotificationSettings, caller = anna) {
    return caller.call('previewProfile', { params: { id: await idOf(caller, profileType) }, body })
  }

  it('counts the events of the last 7 days in the caller’s scope that the profile in the body matches', async () => {
    const days = (count: number) => new Date(TEST_NOW.getTime() - count * 86_400_000)
    const { first, nordic } = fleet.instruments
    await addEvents(database, { count: 24, instrumentId: first, createdAt: days(1) })
    await addEvents(database, { count: 2, instrumentId: nordic, createdAt: days(2) })
    await addEvents(database, { count: 5, instrumentId: first, createdAt: days(8) })
    const all = await preview('new_event_notification', onByMail)
    expect(all.status).toBe(200)
    expect(all.body).toMatchObject({ days: 7, sent: 26, stopped: [] })
    expect(all.body.values).toHaveLength(20)
    // The newest 20 contain neither of the two events of the day before.
    expect(all.body.values.every(({ alarm }) => alarm.createdAt === days(1).toISOString())).toBe(true)
    const nordics = await preview('new_event_notification', { ...onByMail, customer: ['NORDIC pharma'] })
    expect(nordics.body).toMatchObject({ sent: 2, stopped: [{ gate: 'customer', events: 24 }] })
    expect((await preview('new_event_notification', onByMail, nora)).body).toMatchObject({ sent: 2, stopped: [] })
  })

  it('counts none while neither channel is on, and stores nothing', async () => {
    const before = (await anna.call('listProfiles')).body
    const { body } = await preview('new_event_notification', none)
    expect(body).toMatchObject({ sent: 0, values: [], stopped: [{ gate: 'switched-off', events: 26 }] })
    expect((await anna.call('listProfiles')).body).toEqual(before)
  })

  it('of assignments: events that another user assigned to the caller, never their own claims', async () => {
    const [given, taken, away] = await addEvents(database, { count: 3, instrumentId: fleet.instruments.first })
    const claim = (caller: Caller, id: string | undefined, userId: number) =>
      caller.call('updateServiceEvent', { params: { id: id ?? '' }, body: { claimedBy: String(userId) } })
    for (const answer of [
      await claim(jonas, given, people.anna),
      await claim(anna, taken, people.anna),
      await claim(jonas, away, people.anna),
      await claim(jonas, away, people.jonas),
    ])
      expect(answer.status).toBe(200)
    const { body } = await preview('assign_me_notification', onByMail)
    expect(body.sent).toBe(2)
    expect(body.values.map(({ alarm }) => alarm.id).sort()).toEqual([given, away])
    expect(body.stopped).toEqual([{ gate: 'own-assignment', events: 1 }])
  })

  it('is of notification profiles alone', async () => {
    const { problem } = await preview('email', onByMail)
    expect(problem.code).toBe('bad-profile')
    const wrong = await anna.call('previewProfile', {
      params: { id: await idOf(anna, 'new_event_notification') },
      body: defaultSettings.email,
    })
    expect(wrong.problem.code).toBe('bad-profile')
  })
})
