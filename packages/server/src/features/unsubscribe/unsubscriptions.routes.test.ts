import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { inTransaction } from '../../db/transaction.ts'
import { registerSampleFleet, type SampleFleet } from '../../testing/sample-fleet.ts'
import { addSamplePerson } from '../../testing/sample-people.ts'
import { CONTACT } from '../../testing/support-email-fixture.ts'
import { type Caller, TEST_NOW, type TestApp, testApp } from '../../testing/test-app.ts'
import { type TestDatabase, testDatabase } from '../../testing/test-database.ts'
import { verifyAuditLog } from '../audit/audit.queries.ts'
import { newUnsubscribeLinks } from './unsubscribe-link.ts'

let database: TestDatabase
let server: TestApp
let fleet: SampleFleet
let support: Caller
/** Service user, limited to Nordic Pharma. */
let nordic: Caller
let customer: Caller
/** Ids of the unsubscriptions, by contact. */
let ids: Record<string, string>

const hours = (count: number) => new Date(TEST_NOW.getTime() + count * 3_600_000)

beforeAll(async () => {
  database = await testDatabase()
  fleet = await registerSampleFleet(database, TEST_NOW)
  server = await testApp(database)
  support = await server.as(await addSamplePerson(database, { login: 's@benchwatch.example', role: 'support' }))
  nordic = await server.as(
    await addSamplePerson(database, { login: 'n@benchwatch.example', scope: [fleet.customers.nordic] }),
  )
  customer = await server.as(
    await addSamplePerson(database, { login: 'c@helixbio.example', role: 'customer', scope: [fleet.customers.helix] }),
  )
  await database.db.insertInto('feature_flag').values({ key: 'BACKOFFICE', user_id: null, value: true }).execute()
  await database.db
    .insertInto('support_email_template')
    .values({
      instrument_type: 'AKTAPilot600',
      template_id: 'U9-M-2011',
      component_name: 'UV monitor (U9-M)',
      subject: 'Lamp',
      body: 'Lamp',
    })
    .execute()
  await inTransaction(database.db, (trx) =>
    newUnsubscribeLinks(trx, {
      at: TEST_NOW,
      links: [
        {
          eventId: 1,
          contactEmail: 'link@helixbio.example',
          instrumentId: fleet.instruments.second,
          templateId: 'P9B-1042',
          componentName: 'Pump B (P9-B)',
        },
      ],
    }),
  )
})
afterAll(() => server.close())

beforeEach(async () => {
  await database.db.deleteFrom('support_email_unsubscription').execute()
  const { first, second, nordic: oslo } = fleet.instruments
  const rows = await database.db
    .insertInto('support_email_unsubscription')
    .values([
      {
        contact_email: 'template@helixbio.example',
        instrument_id: first,
        template_id: 'U9-M-2011',
        created_at: hours(-4),
      },
      {
        contact_email: 'link@helixbio.example',
        instrument_id: second,
        template_id: 'P9B-1042',
        created_at: hours(-3),
        until: hours(9),
      },
      { contact_email: 'bare@helixbio.example', instrument_id: second, template_id: 'C9-7', created_at: hours(-2) },
      {
        contact_email: 'over@helixbio.example',
        instrument_id: first,
        template_id: 'U9-M-2011',
        created_at: hours(-2),
        until: hours(0),
      },
      { contact_email: 'kari@nordic.example', instrument_id: oslo, template_id: 'U9-M-2011', created_at: hours(-1) },
    ])
    .returning(['id', 'contact_email'])
    .execute()
  ids = Object.fromEntries(rows.map(({ id, contact_email }) => [contact_email, String(id)]))
})

const list = (caller: Caller, query: Record<string, string> = {}) => caller.call('listUnsubscriptions', { query })
const contacts = async (query: Record<string, string>) =>
  (await list(support, query)).body.map(({ contactEmail }) => contactEmail.split('@', 1)[0])

it('valid ones are listed newest first, with the component of the template, the last link, or the module code', async () => {
  const { status, body } = await list(support)
  expect(status).toBe(200)
  expect(body.map(({ id: _id, ...row }) => row)).toEqual([
    {
      contactEmail: 'kari@nordic.example',
      instrumentIpid: 'IP-30000001',
      componentName: 'UV monitor (U9-M)',
      errorCode: '2011',
    },
    { contactEmail: 'bare@helixbio.example', instrumentIpid: 'IP-20431188', componentName: 'C9', errorCode: '7' },
    {
      contactEmail: 'link@helixbio.example',
      instrumentIpid: 'IP-20431188',
      componentName: 'Pump B (P9-B)',
      errorCode: '1042',
    },
    {
      contactEmail: 'template@helixbio.example',
      instrumentIpid: 'IP-20431187',
      componentName: 'UV monitor (U9-M)',
      errorCode: '2011',
    },
  ])
  expect(body.map(({ id }) => id)).toEqual(
    ['kari@nordic', 'bare@helixbio', 'link@helixbio', 'template@helixbio'].map((name) => ids[`${name}.example`]),
  )
})

it('each field finds by a part of it in any case, all together', async () => {
  expect(await contacts({ contactEmail: 'HELIXBIO' })).toEqual(['bare', 'link', 'template'])
  expect(await contacts({ instrumentIpid: 'ip-2043118' })).toEqual(['bare', 'link', 'template'])
  expect(await contacts({ componentName: 'uv MON' })).toEqual(['kari', 'template'])
  expect(await contacts({ errorCode: '104' })).toEqual(['link'])
  expect(await contacts({ componentName: 'monitor', instrumentIpid: '187', contactEmail: '', errorCode: '' })).toEqual([
    'template',
  ])
  // Characters have no special meaning, and the module code is not part of the error code.
  for (const nothing of ['%', '_', 'U9', 'P9B-1042']) expect(await contacts({ errorCode: nothing })).toEqual([])
})

it('no more than the newest 200', async () => {
  const row = { instrument_id: fleet.instruments.first, template_id: 'P9B-1', created_at: hours(-1) }
  const many = Array.from({ length: 205 }, (_, index) => ({ ...row, contact_email: `${index}@many.example` }))
  await database.db.insertInto('support_email_unsubscription').values(many).execute()
  const found = await contacts({ contactEmail: 'many' })
  expect(found).toHaveLength(200)
  expect([found[0], found.at(-1)]).toEqual(['204', '5'])
})

it('one that is deleted no longer applies, and the audit log says who deleted it', async () => {
  const id = ids['template@helixbio.example'] ?? ''
  const remove = () => support.call('deleteUnsubscription', { params: { id } })
  expect((await remove()).status).toBe(204)
  expect(await contacts({})).toEqual(['kari', 'bare', 'link'])
  expect(await remove()).toMatchObject({ status: 404, problem: { code: 'not-found' } })
  const recorded = await database.db
    .selectFrom('audit')
    .selectAll()
    .where('entity_type', '=', 'support_email_unsubscription')
    .where('entity_id', '=', id)
    .execute()
  expect(recorded).toMatchObject([
    {
      actor_type: 'user',
      actor_name: 's',
      action: 'deleted',
      old_value: 'for good',
      reason: 'E-mails to template@helixbio.example are sent again',
    },
  ])
  expect((await verifyAuditLog(database.db)).findings).toEqual([])
})

const move = (customer: number, since: Date) =>
  database.db
    .updateTable('instrument')
    .set({ customer_id: customer, customer_since: since })
    .where('id', '=', fleet.instruments.first)
    .execute()

it('those of a former customer’s contacts do not exist for the new one', async () => {
  await move(fleet.customers.nordic, hours(-1))
  expect((await list(nordic)).body.map(({ contactEmail }) => contactEmail)).toEqual(['kari@nordic.example'])
  const id = ids['template@helixbio.example'] ?? ''
  expect((await nordic.call('deleteUnsubscription', { params: { id } })).status).toBe(404)
  await move(fleet.customers.nordic, hours(-4))
  expect((await nordic.call('deleteUnsubscription', { params: { id } })).status).toBe(204)
  await move(fleet.customers.helix, hours(-999))
})

it('those of a former customer’s contacts who use their links after the move do not exist for the new one either', async () => {
  const link = { eventId: 1, instrumentId: fleet.instruments.first, templateId: 'P9B-1042', componentName: 'Pump' }
  const [token = ''] = await inTransaction(database.db, (trx) =>
    newUnsubscribeLinks(trx, { at: hours(-2), links: [{ ...link, contactEmail: CONTACT }] }),
  )
  await move(fleet.customers.nordic, hours(-1))
  expect((await server.call('unsubscribe', { body: { token, unsubscribeDays: null } })).status).toBe(200)
  expect((await list(nordic)).body.map(({ contactEmail }) => contactEmail)).toEqual(['kari@nordic.example'])
  const [own] = (await list(support, { contactEmail: CONTACT })).body
  expect((await nordic.call('deleteUnsubscription', { params: { id: own?.id ?? '' } })).status).toBe(404)
  expect((await support.call('deleteUnsubscription', { params: { id: own?.id ?? '' } })).status).toBe(204)
  await move(fleet.customers.helix, hours(-999))
})

it('another customer’s do not exist, whoever asks; customers and who has not BACKOFFICE have none', async () => {
  expect((await list(nordic)).body.map(({ contactEmail }) => contactEmail)).toEqual(['kari@nordic.example'])
  for (const id of [ids['template@helixbio.example'] ?? '', '999999999', '999999999999999999'])
    expect(await nordic.call('deleteUnsubscription', { params: { id } })).toMatchObject({
      status: 404,
      problem: { code: 'not-found' },
    })
  expect(await contacts({ contactEmail: 'template' })).toEqual(['template'])
  expect(await list(customer)).toMatchObject({ status: 403, problem: { code: 'wrong-role' } })
  await database.db.updateTable('feature_flag').set({ value: false }).execute()
  expect(await list(support)).toMatchObject({ status: 403, problem: { code: 'feature-off' } })
  await database.db.updateTable('feature_flag').set({ value: true }).execute()
})
