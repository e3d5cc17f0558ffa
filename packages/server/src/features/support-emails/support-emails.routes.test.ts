import { afterAll, beforeAll, expect, it } from 'vitest'
import { registerSampleFleet, type SampleFleet } from '../../testing/sample-fleet.ts'
import { addSamplePerson } from '../../testing/sample-people.ts'
import { type Caller, TEST_NOW, type TestApp, testApp } from '../../testing/test-app.ts'
import { testDatabase } from '../../testing/test-database.ts'

let server: TestApp
let fleet: SampleFleet
let service: Caller
let helix: Caller
let nordic: Caller

const FIRST = 'IP-20431187'
const hours = (count: number) => new Date(TEST_NOW.getTime() + count * 3_600_000)

beforeAll(async () => {
  const database = await testDatabase()
  fleet = await registerSampleFleet(database, TEST_NOW)
  server = await testApp(database)
  const { db } = database
  const { customers } = fleet
  service = await server.as(await addSamplePerson(database, { login: 'sven@benchwatch.example' }))
  helix = await server.as(
    await addSamplePerson(database, { login: 'h@helixbio.example', role: 'customer', scope: [customers.helix] }),
  )
  nordic = await server.as(
    await addSamplePerson(database, { login: 'n@nordic.example', role: 'customer', scope: [customers.nordic] }),
  )
  const template = { instrument_type: 'AKTAPilot600' as const, body: 'Hello {contactName}' }
  await db
    .insertInto('support_email_template')
    .values([
      { ...template, template_id: 'U9-M-2011', component_name: 'UV monitor (U9-M)', subject: 'Lamp is weak' },
      { ...template, template_id: 'P9B-1042', component_name: 'Pump B (P9-B)', subject: 'Pressure' },
      { ...template, template_id: 'P9B-1017', component_name: 'Pump B (P9-B)', subject: 'Ripple' },
      { ...template, template_id: 'P9B-1099', component_name: 'Pump B (P9-B)', subject: '{instrument}: leak' },
      {
        ...template,
        instrument_type: 'Wave25',
        template_id: 'ROCK-1',
        component_name: 'Rocker (ROCK-1)',
        subject: 'Rocker',
      },
    ])
    .execute()
  const contact = 'maria.oberg@helixbio.example'
  const gone = { instrument_id: fleet.instruments.first, created_at: hours(-48) }
  await db
    .insertInto('support_email_unsubscription')
    .values([
      { ...gone, contact_email: contact, template_id: 'P9B-1042', until: null },
      { ...gone, contact_email: contact, template_id: 'U9-M-2011', until: hours(24) },
      { ...gone, contact_email: contact, template_id: 'P9B-1017', until: hours(0) },
      // A former contact.
      { ...gone, contact_email: 'former@helixbio.example', template_id: 'P9B-1099', until: null },
    ])
    .execute()
  await db.insertInto('feature_flag').values({ key: 'AUTO_EMAIL', user_id: null, value: true }).execute()
})
afterAll(() => server.close())

const list = (caller: Caller, query: object = {}) =>
  caller.call('listSupportEmails', { query: { instrumentIpid: FIRST, ...query } })

it('errors with an automatic e-mail are listed by component, each with what the contact unsubscribed from', async () => {
  const subscribed = { unsubscribed: false, unsubscriptionDate: null, contactEmail: null, expires: null }
  const left = {
    unsubscribed: true,
    unsubscriptionDate: hours(-48).toISOString(),
    contactEmail: 'maria.oberg@helixbio.example',
  }
  for (const caller of [service, helix]) {
    const { status, body } = await list(caller, { instrumentType: 'AKTAPilot600' })
    expect(status).toBe(200)
    expect(body).toEqual([
      { componentName: 'Pump B (P9-B)', errorCode: '1017', subject: 'Ripple', ...subscribed },
      { componentName: 'Pump B (P9-B)', errorCode: '1042', subject: 'Pressure', ...left, expires: null },
      { componentName: 'Pump B (P9-B)', errorCode: '1099', subject: 'ÄKTA pilot 600: leak', ...subscribed },
      {
        componentName: 'UV monitor (U9-M)',
        errorCode: '2011',
        subject: 'Lamp is weak',
        ...left,
        expires: hours(24).toISOString(),
      },
    ])
  }
})

it('an instrument without a contact has unsubscribed from nothing', async () => {
  const { body } = await list(service, { instrumentIpid: 'IP-20431188' })
  expect(body).toHaveLength(4)
  expect(body.every(({ unsubscribed }) => !unsubscribed)).toBe(true)
})

it('they do not exist for another customer, nor for another type, and need AUTO_EMAIL', async () => {
  expect(await list(nordic)).toMatchObject({ status: 404, problem: { code: 'not-found' } })
  expect((await list(service, { instrumentType: 'Wave25' })).status).toBe(404)
  await server.database.db.deleteFrom('feature_flag').execute()
  expect(await list(service)).toMatchObject({ status: 403, problem: { code: 'feature-off' } })
})
