import { afterAll, beforeAll, expect, test } from 'vitest'
import { addSamplePerson } from '../../testing/sample-people.ts'
import { TEST_NOW, type TestApp, testApp } from '../../testing/test-app.ts'
import { type TestDatabase, testDatabase } from '../../testing/test-database.ts'

let database: TestDatabase
let app: TestApp

beforeAll(async () => {
  database = await testDatabase()
  app = await testApp(database)
})
afterAll(() => app.close())

test('every user has three profiles: no notifications, no filters, their own address', async () => {
  const id = await addSamplePerson(database, { login: 'first@benchwatch.example' })
  const { status, body } = await (await app.as(id)).call('listProfiles')
  expect(status).toBe(200)
  expect(body.map(({ profileType }) => profileType)).toEqual([
    'assign_me_notification',
    'new_event_notification',
    'email',
  ])
  const head = {
    id: expect.stringMatching(/^\d+$/),
    userId: String(id),
    createdAt: TEST_NOW.toISOString(),
    updatedAt: TEST_NOW.toISOString(),
  }
  const lists = [
    'alertType',
    'severity',
    'customer',
    'instrumentType',
    'region',
    'country',
    'siteCity',
    'componentName',
    'instrumentStatus',
    'contractSLA',
    'qualifiedSystem',
  ]
  expect(body[0]).toEqual({
    ...head,
    profileType: 'assign_me_notification',
    notifyEmail: false,
    notifySms: false,
    ...Object.fromEntries(lists.map((key) => [key, []])),
  })
  expect(body[2]).toEqual({
    ...head,
    profileType: 'email',
    notificationEmail: null,
    useDefaultEmail: true,
    useNotificationEmail: false,
  })
})

test('they are made once, also when two tabs ask at the same time', async () => {
  const [id, other] = [
    await addSamplePerson(database, { login: 'second@benchwatch.example' }),
    await addSamplePerson(database, { login: 'third@benchwatch.example' }),
  ]
  const caller = await app.as(id)
  const answers = await Promise.all([
    caller.call('listProfiles'),
    caller.call('listProfiles'),
    caller.call('listProfiles'),
  ])
  app.clock.advance(60_000)
  answers.push(await caller.call('listProfiles'))
  for (const { body } of answers) expect(body).toEqual(answers[0]?.body)
  const { body: foreign } = await (await app.as(other)).call('listProfiles')
  expect(foreign.map((profile) => profile.userId)).toEqual([String(other), String(other), String(other)])
})
