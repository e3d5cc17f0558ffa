import type { ServiceEvent } from '@benchwatch/contract/events/events'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { recordAudits } from '../../db/audit.ts'
import { inTransaction } from '../../db/transaction.ts'
import { addEvents } from '../../testing/many-events.ts'
import { registerSampleFleet } from '../../testing/sample-fleet.ts'
import { addSamplePerson } from '../../testing/sample-people.ts'
import { switchFlag } from '../../testing/switched-flags.ts'
import { type Caller, TEST_NOW, type TestApp, testApp } from '../../testing/test-app.ts'
import { type TestDatabase, testDatabase } from '../../testing/test-database.ts'
import { defaultSettings } from '../profiles/profile-settings.ts'

/** Checks who sees automatic e-mails, wherever events are read (3-decisions 5). */

let database: TestDatabase
let app: TestApp
let annaId: number
let jonasId: number
let anna: Caller
let eventId: string

const IP = 'IP-20431187'
const sent = { contactName: 'Maria Öberg', email: 'maria@helixbio.example', subject: 'Lid', body: 'Close the lid.' }
const { body: _body, ...listed } = sent

beforeAll(async () => {
  database = await testDatabase()
  app = await testApp(database)
  const fleet = await registerSampleFleet(database, TEST_NOW)
  annaId = await addSamplePerson(database, { login: 'anna@benchwatch.example' })
  jonasId = await addSamplePerson(database, { login: 'jonas@benchwatch.example' })
  anna = await app.as(annaId)
  const [id = ''] = await addEvents(database, { count: 1, instrumentId: fleet.instruments.first })
  eventId = id
  await database.db
    .updateTable('service_event')
    .set({ automatic_email: JSON.stringify(sent), automatic_email_sent_at: TEST_NOW })
    .where('id', '=', Number(id))
    .execute()
  const entry = { action: 'update', property: 'automaticEmailSentAt', oldValue: null, newValue: TEST_NOW.toISOString() }
  await inTransaction(database.db, (trx) =>
    recordAudits(trx, [
      {
        subject: { entityType: 'service_event', entityId: id, actor: { type: 'system' }, at: TEST_NOW },
        entries: [entry as never],
      },
    ]),
  )
})
beforeEach(async () => {
  await database.db.deleteFrom('feature_flag').execute()
})
afterAll(() => app.close())

const params = () => ({ id: eventId })
const ofInstrument = { instrumentInstalledProductId: IP }
const first = ({ values }: { values: { alarm: ServiceEvent }[] }) => values[0]?.alarm

/** Every read that returns events. */
const reads: Record<string, () => Promise<ServiceEvent | undefined>> = {
  'one event': async () => (await anna.call('getServiceEvent', { params: params() })).body,
  'one event by its number': async () => (await anna.call('getServiceEventByEventId', { params: { eventId } })).body,
  'a changed event': async () =>
    (await anna.call('updateServiceEvent', { params: params(), body: { claimedBy: String(annaId) } })).body,
  'the event of a refused change': async () => {
    const headers = { 'if-match': '"999"' }
    const body = { claimedBy: String(jonasId) }
    const { problem } = await anna.call('updateServiceEvent', { params: params(), body, headers })
    return (problem as unknown as { event: ServiceEvent }).event
  },
  'the list': async () => first((await anna.call('listServiceEvents', { query: {}, body: {} })).body),
  'similar events': async () => first((await anna.call('listSimilarEvents', { query: ofInstrument })).body),
  'recent events': async () => first((await anna.call('listRecentEvents', { query: ofInstrument })).body),
  'frequent events': async () =>
    Object.values((await anna.call('listFrequentEvents', { query: ofInstrument })).body)[0]?.event,
  'what happened around an event': async () =>
    first((await anna.call('getEventSurroundings', { params: params() })).body),
  'the events of an instrument': async () =>
    (await anna.call('getInstrument', { params: { id: IP } })).body.events[0]?.alarm,
  'the preview of a profile': async () => {
    const profiles = (await anna.call('listProfiles')).body
    const profile = profiles.find(({ profileType }) => profileType === 'new_event_notification')
    const body = { ...defaultSettings.new_event_notification, notifyEmail: true }
    return first((await anna.call('previewProfile', { params: { id: profile?.id ?? '' }, body })).body)
  },
}

describe.each(Object.entries(reads))('%s', (_name, read) => {
  test('shows the automatic e-mail to users with AUTO_EMAIL', async () => {
    await switchFlag(database, 'AUTO_EMAIL', { value: true })
    expect(await read()).toMatchObject({ automaticEmail: listed, automaticEmailSentAt: TEST_NOW.toISOString() })
  })

  test('has none for anybody else', async () => {
    await switchFlag(database, 'AUTO_EMAIL', { value: true })
    await switchFlag(database, 'AUTO_EMAIL', { value: false, userId: annaId })
    expect(await read()).toMatchObject({ id: eventId, automaticEmail: null, automaticEmailSentAt: null })
  })
})

test('a value of one’s own comes before the deployment’s, and none is off', async () => {
  const { 'one event': read = () => Promise.reject() } = reads
  expect((await read())?.automaticEmail).toBeNull()
  await switchFlag(database, 'AUTO_EMAIL', { value: false })
  await switchFlag(database, 'AUTO_EMAIL', { value: true, userId: annaId })
  expect((await read())?.automaticEmail).toEqual(sent)
})

test('the history is whole for everybody', async () => {
  const { values } = (await anna.call('listServiceEventHistory', { params: params() })).body
  expect(values.map(({ property }) => property)).toContain('automaticEmailSentAt')
})
