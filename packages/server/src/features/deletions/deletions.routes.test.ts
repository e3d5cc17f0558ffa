import { notificationCategories } from '@benchwatch/contract/vocabulary'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sealAudit } from '../../db/audit.ts'
import { appendSampleLines, messagesOf } from '../../testing/log-lines.ts'
import { addEvents } from '../../testing/many-events.ts'
import { registerSampleFleet, type SampleFleet } from '../../testing/sample-fleet.ts'
import { addSamplePerson, SAMPLE_PASSWORD } from '../../testing/sample-people.ts'
import { switchFlag } from '../../testing/switched-flags.ts'
import { type Caller, TEST_NOW, type TestApp, testApp } from '../../testing/test-app.ts'
import { type TestDatabase, testDatabase } from '../../testing/test-database.ts'
import { verifyAuditLog } from '../audit/audit.queries.ts'

let database: TestDatabase
let app: TestApp
let fleet: SampleFleet
let adminId: number
let admin: Caller
let nordicSupport: Caller

const add = (login: string, person: object = {}) => addSamplePerson(database, { login, ...person })

beforeAll(async () => {
  database = await testDatabase()
  fleet = await registerSampleFleet(database, TEST_NOW)
  app = await testApp(database)
  adminId = await add('ada@benchwatch.example', { name: 'Ada Admin', role: 'admin' })
  admin = await app.as(adminId)
  nordicSupport = await app.as(
    await add('nils@benchwatch.example', { role: 'support', scope: [fleet.customers.nordic] }),
  )
  for (const key of ['ALLOW_LOG_DELETE', 'ALLOW_PROFILE_DELETE', 'ALLOW_USER_DELETE'] as const)
    await switchFlag(database, key, { value: true })
})
afterAll(() => app.close())

describe('DELETE /instrument-logs/{id}', () => {
  const read = async () => {
    const query = { logType: 'VID', instrumentInstalledProductId: 'IP-20431187' } as const
    return (await admin.call('listInstrumentLogs', { query })).body.body.hits.hits
  }

  test('takes the line with this _id out; the record says which, but not what it said', async () => {
    const instrumentId = fleet.instruments.first
    await appendSampleLines(database, [
      { instrumentId, message: 'Patient Berg' },
      { instrumentId, message: 'Valve open' },
    ])
    const id = (await read()).find(({ _source }) => _source.message === 'Patient Berg')?._id ?? ''
    const outside = await nordicSupport.call('deleteLogEntry', { params: { id } })
    expect(outside).toMatchObject({ status: 404, problem: { code: 'not-found' } })
    expect((await admin.call('deleteLogEntry', { params: { id } })).status).toBe(204)
    expect(messagesOf(await read())).toEqual(['Valve open'])
    expect((await admin.call('deleteLogEntry', { params: { id } })).status).toBe(404)
    const record = await recordOf('log_entry', id)
    expect(record).toMatchObject([{ action: 'deleted', actor_name: 'Ada Admin' }])
    expect(JSON.stringify(record)).not.toContain('Patient')
  })

  test.each(['0', 'abc', '9'.repeat(30)])('is 404 for %s, which is no line', async (id) => {
    expect((await admin.call('deleteLogEntry', { params: { id } })).status).toBe(404)
  })
})

describe('DELETE /profiles/{id}', () => {
  test('resets a profile to its defaults, with which it is created again when requested', async () => {
    const hanna = await app.as(await add('h@helixbio.example', { role: 'customer', scope: [fleet.customers.helix] }))
    const newEvents = async () =>
      (await hanna.call('listProfiles')).body.find(({ profileType }) => profileType === 'new_event_notification')
    const profile = await newEvents()
    const { id = '', profileType: _type, createdAt: _at, updatedAt: _then, userId: _user, ...settings } = profile ?? {}
    await hanna.call('updateProfile', { params: { id }, body: { ...settings, notifyEmail: true } as never })
    expect(await newEvents()).toMatchObject({ id, notifyEmail: true })
    const owner = { params: { id: String(await hanna.call('getMe').then(({ body }) => body.id)) } }
    expect((await admin.call('listUserProfiles', owner)).body).toContainEqual(await newEvents())
    expect((await nordicSupport.call('listUserProfiles', owner)).problem).toMatchObject({ code: 'not-found' })
    const outside = await nordicSupport.call('deleteProfile', { params: { id } })
    expect(outside).toMatchObject({ status: 404, problem: { code: 'not-found' } })
    expect((await admin.call('deleteProfile', { params: { id } })).status).toBe(204)
    const anew = await newEvents()
    expect(anew).toMatchObject({ notifyEmail: false })
    expect(anew?.id).not.toBe(id)
    expect((await recordOf('profile', id)).at(-1)).toMatchObject({
      action: 'deleted',
      property: 'new_event_notification',
    })
  })
})

test('the profiles of a user who sees more customers are neither shown nor deleted: their filters name customers', async () => {
  const id = await add('more@benchwatch.example', { role: 'support' })
  const all = await app.as(id)
  const [profile] = (await all.call('listProfiles')).body
  const params = { id: String(id) }
  expect((await nordicSupport.call('listUserProfiles', { params })).status).toBe(404)
  expect((await nordicSupport.call('deleteProfile', { params: { id: profile?.id ?? '' } })).status).toBe(404)
  expect((await admin.call('listUserProfiles', { params })).body).toContainEqual(profile)
})

describe('DELETE /users/{id}', () => {
  const remove = (id: number, caller = admin) => caller.call('deleteUser', { params: { id: String(id) } })

  test('ends sessions, forgets everything personal, and keeps what they own and did readable', async () => {
    const login = 'gustav@benchwatch.example'
    const id = await add(login, { name: 'Gustav Gone', msisdn: '+46701112233' })
    const gustav = await app.as(id)
    const [eventId = ''] = await addEvents(database, { count: 1, instrumentId: fleet.instruments.first })
    await gustav.call('updateServiceEvent', { params: { id: eventId }, body: { claimedBy: String(id) } })
    await gustav.call('listProfiles')
    await admin.call('shareServiceEvent', { body: { eventId, receiverIds: [String(id)], message: 'Look' } })
    expect((await remove(id)).status).toBe(204)

    expect((await gustav.call('getMe')).status).toBe(401)
    const credentials = { userId: login, password: SAMPLE_PASSWORD }
    expect((await app.call('signIn', { body: credentials })).problem.code).toBe('bad-credentials')
    expect((await admin.call('listUsers')).body.map(({ id: one }) => one)).not.toContain(String(id))
    const { body: accounts } = await admin.call('listAccounts', { query: { limit: '100' } as never })
    expect(accounts.values.map(({ userId }) => userId)).not.toContain(login)
    const { body: event } = await admin.call('getServiceEvent', { params: { id: eventId } })
    expect(event).toMatchObject({ claimedBy: String(id), claimedByName: 'Deleted user' })
    const { body: history } = await admin.call('listServiceEventHistory', { params: { id: eventId } })
    expect(history.values.find(({ property }) => property === 'claimedBy')).toMatchObject({ actorName: 'Gustav Gone' })
    expect((await recordOf('user', String(id))).at(-1)).toMatchObject({ action: 'deleted', old_value: 'Gustav Gone' })
    expect((await remove(id)).status).toBe(404)
  })

  test('ends their webhooks, with what these sent and have to send', async () => {
    const id = await add('wanda@benchwatch.example', { role: 'service' })
    const url = 'https://hooks.example.com/services/T0'
    const filter = Object.fromEntries(notificationCategories.map(({ key }) => [key, []])) as never
    const wanda = await app.as(id)
    const { body: hook } = await wanda.call('createWebhook', {
      body: { name: 'Duty', url, format: 'plain', occasions: ['event.raised'], filter, isOn: true },
    })
    await wanda.call('testWebhook', { params: { id: hook.id } })
    const stored = async () => {
      const rows = await database.db.selectFrom('webhook_delivery').select('webhook_id').execute()
      const hooks = await database.db.selectFrom('webhook').select('id').execute()
      return [hooks.length, rows.length]
    }
    expect(await stored()).toEqual([1, 1])
    expect((await remove(id)).status).toBe(204)
    expect(await stored()).toEqual([0, 0])
  })

  test('leaves no address, number or secret of them outside the record', async () => {
    const id = await add('mona.marker@benchwatch.example', { name: 'Mona Marker', msisdn: '+46709998877' })
    const mona = await app.as(id)
    await mona.call('beginTotp', { body: { password: SAMPLE_PASSWORD } })
    await app.call('forgotPassword', { body: { email: 'mona.marker@benchwatch.example' } })
    await mona.call('createView', {
      body: { area: 'events', name: 'Of mona.marker', shared: false, isDefault: true, state: {} } as never,
    })
    const before = await tablesWith(/mona.marker|\+46709998877|Mona Marker/)
    expect(before).toContain('app_user')
    expect((await remove(id)).status).toBe(204)
    const left = await tablesWith(/mona.marker|\+46709998877|Mona Marker/)
    expect(left).toEqual(['audit'])
    const user = await database.db.selectFrom('app_user').where('id', '=', id).selectAll().executeTakeFirstOrThrow()
    expect(user).toMatchObject({ password_hash: null, totp_secret: null, msisdn: null, email: '' })
  })

  test('leaves what waits for others at the same address: a contact, and a colleague whose notifications go there', async () => {
    const address = 'shared@helixbio.example'
    const id = await add(address)
    const colleague = await add('colleague@helixbio.example')
    const [eventId = ''] = await addEvents(database, { count: 1, instrumentId: fleet.instruments.first })
    const later = new Date(TEST_NOW.getTime() + 3_600_000)
    const write = async (template: string, userId: number | null) => {
      const { id: messageId } = await database.db
        .insertInto('outbound_message')
        .values({
          ...{ channel: 'email', recipient: address, subject: '', text: '', html: '', headers: '{}', template },
          ...{ dedupe_key: null, created_at: TEST_NOW, next_attempt_at: later, give_up_at: later, user_id: userId },
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      return messageId
    }
    const toContact = await write('support-email', null)
    const toColleague = await write('new-event', colleague)
    await write('invitation', null)
    await database.db
      .insertInto('support_email')
      .values({
        ...{ event_id: Number(eventId), instrument_id: fleet.instruments.first, template_id: 'P9B-1042' },
        ...{ contact_email: address, contact_name: null, subject: '', body: '', closes_event: true },
        ...{ created_at: TEST_NOW, message_id: toContact },
      })
      .execute()
    expect((await remove(id)).status).toBe(204)
    const left = await database.db
      .selectFrom('outbound_message')
      .select('id')
      .where('recipient', '=', address)
      .orderBy('id')
      .execute()
    expect(left).toEqual([{ id: toContact }, { id: toColleague }])
  })

  test('frees their address for a new user', async () => {
    const email = 'again@benchwatch.example'
    await remove(await add(email))
    const body = { email, name: 'Again', role: 'service', customers: null } as never
    expect((await admin.call('inviteUser', { body })).status).toBe(201)
  })

  test('is never oneself, and never the last administrator: 409', async () => {
    expect(await remove(adminId)).toMatchObject({ status: 409, problem: { code: 'own-account' } })
    const support = await app.as(await add('s@benchwatch.example', { role: 'support' }))
    expect(await remove(adminId, support)).toMatchObject({ status: 409, problem: { code: 'last-administrator' } })
    const second = await add('second@benchwatch.example', { role: 'admin' })
    expect((await remove(second, support)).status).toBe(204)
  })

  test('is 404 for users whom the caller may not know, and for the system marker', async () => {
    const id = await add('hidden@helixbio.example', { role: 'customer', scope: [fleet.customers.helix] })
    expect(await remove(id, nordicSupport)).toMatchObject({ status: 404, problem: { code: 'not-found' } })
    expect((await remove(0)).status).toBe(404)
  })

  test('is 404 for a colleague who sees more customers than the caller', async () => {
    const wide = [
      await add('all@benchwatch.example', { role: 'support' }),
      await add('both@benchwatch.example', { scope: [fleet.customers.nordic, fleet.customers.helix] }),
    ]
    for (const id of wide) expect((await remove(id, nordicSupport)).status).toBe(404)
    const own = await add('own@benchwatch.example', { scope: [fleet.customers.nordic] })
    expect((await remove(own, nordicSupport)).status).toBe(204)
  })

  test('leaves the chain of the record whole', async () => {
    await remove(await add('chain@benchwatch.example'))
    while ((await sealAudit(database.db)) > 0);
    expect((await verifyAuditLog(database.db)).findings).toEqual([])
  })
})

async function recordOf(entityType: string, entityId: string) {
  return database.db
    .selectFrom('audit')
    .where('entity_type', '=', entityType)
    .where('entity_id', '=', entityId)
    .orderBy('id')
    .selectAll()
    .execute()
}

/** Returns the tables with a row that contains the pattern. */
async function tablesWith(pattern: RegExp): Promise<string[]> {
  const { rows: tables } = await sql<{ name: string }>`
    SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace
      AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY 1`.execute(database.db)
  const found: string[] = []
  for (const { name } of tables) {
    const { rows } = await sql<object>`SELECT t::text FROM ${sql.table(name)} AS t`.execute(database.db)
    if (pattern.test(JSON.stringify(rows))) found.push(name)
  }
  return found
}
