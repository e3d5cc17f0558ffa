import { type FeatureKey, featureKeys } from '@benchwatch/contract/vocabulary'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { eventually } from '../../testing/eventually.ts'
import { type LiveSocket, openLive } from '../../testing/live-socket.ts'
import { addSamplePerson } from '../../testing/sample-people.ts'
import { type Caller, type TestApp, testApp } from '../../testing/test-app.ts'
import { type TestDatabase, testDatabase } from '../../testing/test-database.ts'

let database: TestDatabase
let app: TestApp
let admin: Caller
const ids = { ada: 0, bo: 0 }
const people = {} as { ada: Caller; bo: Caller }
const sockets: LiveSocket[] = []

beforeAll(async () => {
  database = await testDatabase()
  app = await testApp(database)
  await app.app.http.listen({ host: '127.0.0.1', port: 0 })
  admin = await app.as(await addSamplePerson(database, { login: 'admin@benchwatch.example', role: 'admin' }))
  ids.ada = await addSamplePerson(database, { login: 'ada@benchwatch.example', name: 'Ada' })
  ids.bo = await addSamplePerson(database, { login: 'bo@benchwatch.example', name: 'Bo' })
  people.ada = await app.as(ids.ada)
  people.bo = await app.as(ids.bo)
})
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.close()
})
afterAll(() => app.close())

type Value = 'true' | 'false' | null
const forAll = (key: FeatureKey, value: Value) => admin.call('setFeatureFlag', { params: { key }, body: { value } })
const forOne = (id: number, key: FeatureKey, value: Value) =>
  admin.call('setUserFeatureFlag', { params: { id: String(id), key }, body: { value } })
async function valueFor(person: Caller, key: FeatureKey): Promise<string | undefined> {
  const { body } = await person.call('listMyFeatures')
  return body.find((feature) => feature.key === key)?.value
}
async function connect(person: Caller): Promise<LiveSocket> {
  const socket = await openLive(app, person)
  sockets.push(socket)
  await socket.next()
  return socket
}

test('every flag is listed in its order, unset at first', async () => {
  const { body } = await admin.call('listFeatureFlags')
  expect(body.values).toEqual(featureKeys.map((key) => ({ key, value: null, users: [] })))
})

describe('a flag', () => {
  test('of the deployment applies to all users without their own value, from the next call on', async () => {
    expect((await forAll('BACKOFFICE', 'true')).body).toEqual({ key: 'BACKOFFICE', value: 'true', users: [] })
    expect([await valueFor(people.ada, 'BACKOFFICE'), await valueFor(people.bo, 'BACKOFFICE')]).toEqual([
      'true',
      'true',
    ])
    const { body } = await forOne(ids.bo, 'BACKOFFICE', 'false')
    expect(body.users).toEqual([{ userId: String(ids.bo), name: 'Bo', value: 'false' }])
    expect([await valueFor(people.ada, 'BACKOFFICE'), await valueFor(people.bo, 'BACKOFFICE')]).toEqual([
      'true',
      'false',
    ])
    const account = await admin.call('getAccount', { params: { id: String(ids.bo) } })
    expect(account.body.features).toEqual([{ key: 'BACKOFFICE', value: 'false' }])
  })

  test('that is cleared falls back to the deployment’s, and that to "false"', async () => {
    await forAll('ASSET_USAGE', 'true')
    await forOne(ids.ada, 'ASSET_USAGE', 'false')
    expect(await valueFor(people.ada, 'ASSET_USAGE')).toBe('false')
    await forOne(ids.ada, 'ASSET_USAGE', null)
    expect(await valueFor(people.ada, 'ASSET_USAGE')).toBe('true')
    await forAll('ASSET_USAGE', null)
    expect(await valueFor(people.ada, 'ASSET_USAGE')).toBe('false')
  })

  test('is recorded as it changes, and not when it stays', async () => {
    const key = 'AUTO_EMAIL'
    for (const value of ['true', 'true', 'false', null, null] as const) await forAll(key, value)
    await forOne(ids.ada, key, 'true')
    const rows = await database.db
      .selectFrom('audit')
      .select(['entity_id', 'old_value', 'new_value', 'actor_type'])
      .where('entity_type', '=', 'feature_flag')
      .where('property', '=', key)
      .orderBy('id')
      .execute()
    const by = { actor_type: 'user' }
    expect(rows).toEqual([
      { entity_id: key, old_value: null, new_value: 'true', ...by },
      { entity_id: key, old_value: 'true', new_value: 'false', ...by },
      { entity_id: key, old_value: 'false', new_value: null, ...by },
      { entity_id: `${key}/${ids.ada}`, old_value: null, new_value: 'true', ...by },
    ])
  })

  test('set by many at once keeps one value and one chain', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => forAll('WEEKLY_ALARM_INJECTION', index % 2 === 0 ? 'true' : 'false')),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
    const { body } = await admin.call('listFeatureFlags')
    const flag = body.values.find(({ key }) => key === 'WEEKLY_ALARM_INJECTION')
    const last = await database.db
      .selectFrom('audit')
      .select('new_value')
      .where('entity_id', '=', 'WEEKLY_ALARM_INJECTION')
      .orderBy('entity_seq', 'desc')
      .executeTakeFirst()
    expect(last?.new_value).toBe(flag?.value)
  })

  test('that is none, or of nobody, is refused', async () => {
    const unknown = await admin.call('setFeatureFlag', {
      params: { key: 'EVERYTHING' as never },
      body: { value: 'true' },
    })
    expect(unknown.problem).toMatchObject({ status: 400, code: 'validation-failed' })
    const bad = await forAll('BACKOFFICE', 'yes' as never)
    expect(bad.problem).toMatchObject({ status: 400, code: 'validation-failed' })
    for (const id of [0, 4711]) expect((await forOne(id, 'BACKOFFICE', 'true')).problem).toMatchObject({ status: 404 })
  })
})

describe('signed-in users are informed', () => {
  // Messages of earlier tests are in transit until the publisher numbers them. They must not reach the sockets opened
  // now.
  beforeEach(() =>
    eventually(async () => {
      expect(await database.db.selectFrom('live_outbox').select('id').execute()).toEqual([])
    }),
  )

  test('of their own flag, and no other user is', async () => {
    const [ada, bo] = [await connect(people.ada), await connect(people.bo)]
    await forOne(ids.bo, 'EDGE_ISSUE_EVENT_CREATION', 'true')
    const toBo = await bo.next()
    expect(toBo).toMatchObject({ entity: 'user', action: 'update', property: 'features', payload: {} })
    await forOne(ids.ada, 'EDGE_ISSUE_EVENT_CREATION', 'false')
    // The first message that Ada receives is the later one, so the message for Bo was not sent to her.
    expect((await ada.next()).seq).toBeGreaterThan(toBo.seq)
  })

  test('of the deployment’s flag, when they have none of their own', async () => {
    await forOne(ids.bo, 'NOTIFY_UNDER_REVIEW', 'false')
    const ada = await connect(people.ada)
    await forAll('NOTIFY_UNDER_REVIEW', 'true')
    expect(await ada.next()).toMatchObject({ entity: 'user', property: 'features' })
    const messages = await database.db
      .selectFrom('live_message')
      .select('user_id')
      .orderBy('seq', 'desc')
      .limit(3)
      .execute()
    expect(messages.map(({ user_id }) => user_id)).toContain(ids.ada)
    expect(messages.slice(0, 2).map(({ user_id }) => user_id)).not.toContain(ids.bo)
  })
})
