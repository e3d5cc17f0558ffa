import type { Access } from '@benchwatch/contract/route'
import { routes } from '@benchwatch/contract/routes'
import { roles } from '@benchwatch/contract/vocabulary'
import type { FastifyRequest } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { registerSampleFleet, type SampleFleet } from '../../../testing/sample-fleet.ts'
import { addSamplePerson } from '../../../testing/sample-people.ts'
import { TEST_NOW, type TestApp, testApp } from '../../../testing/test-app.ts'
import { type TestDatabase, testDatabase } from '../../../testing/test-database.ts'
import { createGatewayAuthenticator } from '../../ingest/gateway-keys.ts'
import { createAuthorise } from './authorise.ts'
import { createSession } from './session.store.ts'

let database: TestDatabase
let app: TestApp
let fleet: SampleFleet
const tokens = {} as Record<(typeof roles)[number], string>
const ids = {} as Record<(typeof roles)[number], number>

beforeAll(async () => {
  database = await testDatabase()
  app = await testApp(database)
  fleet = await registerSampleFleet(database, TEST_NOW)
  for (const role of roles) {
    ids[role] = await addSamplePerson(database, { login: `${role}@benchwatch.example`, role })
    tokens[role] = (
      await createSession({ db: database.db, clock: app.clock, config: app.config }, { userId: ids[role] })
    ).accessToken
  }
})
afterAll(() => app.close())

function authorise(access: Access, authorization?: string, params = {}) {
  const decide = createAuthorise({
    db: database.db,
    clock: app.clock,
    config: app.config,
    authenticateGateway: createGatewayAuthenticator(database.db),
    kpiEmbedCaller: () => Promise.reject(new Error('has a test of its own')),
    outboxAccess: () => ({ isOpen: false, isLocal: false }),
  })
  return decide(
    access as never,
    { headers: { authorization }, params } as unknown as FastifyRequest,
  ) as Promise<unknown>
}
const signedIn = { kind: 'signed-in' } as const

test('a public route asks nobody', async () => {
  expect(await authorise({ kind: 'public' }, 'Bearer nonsense')).toBeUndefined()
})

test('a signed-in caller is told with role, scope and session', async () => {
  expect(await authorise(signedIn, `bearer ${tokens.support}`)).toEqual({
    type: 'user',
    id: ids.support,
    name: 'support',
    role: 'support',
    scope: 'all',
    sessionId: expect.any(String),
  })
})

test.each([
  undefined,
  '',
  'Bearer',
  'Bearer ',
  'Basic YTpi',
  'Bearer a b',
  `Bearer ${'a'.repeat(5000)}`,
  'Bearer a.b.c',
])('nobody is known by %.20s', async (authorization) => {
  await expect(authorise(signedIn, authorization)).rejects.toMatchObject({
    code: 'session-expired',
    message: 'Session expired',
  })
})

test('a token is no longer good when it expired, and from its sign-out on', async () => {
  const { accessToken } = await createSession(
    { db: database.db, clock: app.clock, config: app.config },
    { userId: ids.service },
  )
  expect(await authorise(signedIn, `Bearer ${accessToken}`)).toMatchObject({ id: ids.service })
  app.clock.advance(900_000)
  await expect(authorise(signedIn, `Bearer ${accessToken}`)).rejects.toMatchObject({ code: 'session-expired' })
  app.clock.set(TEST_NOW)
  await app.call('signOut', { headers: { authorization: `Bearer ${accessToken}` } })
  await expect(authorise(signedIn, `Bearer ${accessToken}`)).rejects.toMatchObject({ code: 'session-expired' })
})

test('roles that an access names are let in, and no others', async () => {
  const access = { ...signedIn, roles: ['support', 'admin'] } as const
  for (const role of ['support', 'admin'] as const)
    expect(await authorise(access, `Bearer ${tokens[role]}`)).toMatchObject({ role })
  for (const role of ['customer', 'service'] as const) {
    await expect(authorise(access, `Bearer ${tokens[role]}`)).rejects.toMatchObject({ code: 'wrong-role', status: 403 })
  }
})

test('a flag lets in whom it is on for, as soon as it changes', async () => {
  const access = { ...signedIn, flags: ['BACKOFFICE'] } as const
  const attempt = () => authorise(access, `Bearer ${tokens.support}`)
  const set = (userId: number | null, value: boolean) =>
    database.db.insertInto('feature_flag').values({ key: 'BACKOFFICE', user_id: userId, value }).execute()
  await expect(attempt()).rejects.toMatchObject({ code: 'feature-off', status: 403 })
  await set(null, true)
  expect(await attempt()).toMatchObject({ id: ids.support })
  await set(ids.support, false)
  await expect(attempt()).rejects.toMatchObject({ code: 'feature-off' })
})

test('the registry is for administrators', async () => {
  expect(await authorise({ kind: 'registry' }, `Bearer ${tokens.admin}`)).toMatchObject({ role: 'admin' })
  for (const role of ['customer', 'service', 'support'] as const) {
    await expect(authorise({ kind: 'registry' }, `Bearer ${tokens[role]}`)).rejects.toMatchObject({
      code: 'wrong-role',
    })
  }
})

test('a gateway is known by its own key under its own name, and a person by no key', async () => {
  const { helix, nordic } = fleet.gateways
  const access = { kind: 'gateway' } as const
  expect(await authorise(access, `Bearer ${helix.key}`, { gateway: helix.name })).toMatchObject({
    type: 'gateway',
    id: helix.id,
  })
  await expect(authorise(access, `Bearer ${nordic.key}`, { gateway: helix.name })).rejects.toMatchObject({
    code: 'other-gateway',
  })
  await expect(authorise(access, `Bearer ${tokens.admin}`, { gateway: helix.name })).rejects.toMatchObject({
    code: 'bad-gateway-key',
  })
  await expect(authorise(access, undefined, { gateway: helix.name })).rejects.toMatchObject({ code: 'bad-gateway-key' })
  await expect(authorise(signedIn, `Bearer ${helix.key}`)).rejects.toMatchObject({ code: 'session-expired' })
})

describe('every route that is not public refuses', () => {
  // The outbox has its own entry point, `outbox-door.ts`.
  const closed = Object.entries(routes).filter(([, { access }]) => !['public', 'outbox'].includes(access.kind))

  test.each(closed)(
    '%s: somebody without a token, before it reads anything',
    async (_name, { method, path, access }) => {
      const url = `/api${path.replace(/:\w+|\*/g, '%20')}?unknown=1`
      for (const authorization of [undefined, 'Bearer made-up']) {
        const headers = { 'content-type': 'application/json', ...(authorization && { authorization }) }
        const response = await app.app.http.inject({ method, url, headers, ...(method !== 'GET' && { payload: '{' }) })
        expect(response.json()).toMatchObject({
          status: 401,
          code: access.kind === 'gateway' ? 'bad-gateway-key' : 'session-expired',
        })
      }
    },
  )

  const forAdministrators = closed.filter(
    ([, { access }]) =>
      access.kind === 'registry' ||
      (access.kind === 'signed-in' && 'roles' in access && access.roles.join() === 'admin'),
  )

  test.each(forAdministrators)(
    '%s: everybody but administrators, before it reads anything',
    async (_name, { method, path }) => {
      const url = `/api${path.replace(/:\w+|\*/g, '%20')}?unknown=1`
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${tokens.support}` }
      const response = await app.app.http.inject({ method, url, headers, ...(method !== 'GET' && { payload: '{' }) })
      expect(response.json()).toMatchObject({ status: 403, code: 'wrong-role' })
    },
  )
})
