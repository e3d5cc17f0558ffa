import type { RouteName } from '@benchwatch/contract/paths'
import type { Route } from '@benchwatch/contract/route'
import { routes } from '@benchwatch/contract/routes'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../test-app.ts'
import { testDatabase } from '../test-database.ts'
import { type AccessRequest, ask, type CallerName, newCaller } from './access-callers.ts'
import { type AccessFixture, buildAccessFixture } from './access-fixture.ts'
import { requestOf } from './access-requests.ts'

/**
 * The order of checks on every call: 401, 403, 400 syntax, 404, 400 content, 412, 409 (3-decisions 3).
 * authorise.test.ts tests that 401 and 403 come first on every route.
 */

let app: TestApp
let fixture: AccessFixture

beforeAll(async () => {
  app = await testApp(await testDatabase(), { environment: { DEMO: 'on' } })
  fixture = await buildAccessFixture(app)
  // A disabled flag is reported before anything else about the request.
  const flags = Object.values(routes).flatMap(({ access }: Route) => ('flags' in access ? (access.flags ?? []) : []))
  await app.database.db
    .insertInto('feature_flag')
    .values([...new Set(flags)].map((key) => ({ key, user_id: null, value: true })))
    .execute()
})
afterAll(() => app.close())

const table = Object.entries(routes) as [RouteName, Route][]
/** Accepts any field that an OpenID provider adds. */
const strict = table.map(([name]) => name).filter((name) => name !== 'finishOidc')

/** Returns a caller with access to the route. */
function allowed(name: RouteName): CallerName {
  const { access } = routes[name] as Route
  if (access.kind === 'gateway') return 'gateway of A'
  return access.kind === 'public' ? 'anonymous' : 'admin'
}

test.each(strict)('%s is 400 for a parameter that it does not know, also about what is not there', async (name) => {
  const caller = await newCaller(app, fixture, allowed(name))
  const request = await requestOf(name, { app, fixture, caller })
  const { status, body } = await ask(app, name, {
    ...request,
    params: nowhere(request.params) as never,
    query: { ...(request.query as object | undefined), nonsense: '1' } as never,
    headers: { ...caller.headers, ...request.headers },
  })
  expect([status, (body as { code: string }).code]).toEqual([400, 'validation-failed'])
})

/** Returns the same parameters with ids that don't exist. */
function nowhere(params: object = {}): object {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, name === 'id' ? idLike(value) : value]),
  )
}

function idLike(value: unknown): string {
  return /^\d+$/.test(String(value)) ? '987654321' : '11111111-1111-4111-8111-111111111111'
}

describe('a change of an event', () => {
  const put = async (caller: CallerName, id: string, sent: AccessRequest<'updateServiceEvent'>) => {
    const { headers } = await newCaller(app, fixture, caller)
    const answer = await ask(app, 'updateServiceEvent', {
      params: { id },
      body: sent.body,
      headers: { ...headers, ...sent.headers },
    })
    return answer.status
  }
  const stale = { 'if-match': '"99"' }
  const badContent = { alertStatus: 'CLOSED' } as const

  test('is 400 for its syntax before 404', async () => {
    const id = await fixture.a.raise()
    expect(await put('customer B', id, { body: { alertStatus: 'OPEN' } as never })).toBe(400)
    expect(await put('customer B', id, { body: badContent })).toBe(404)
  })

  test('is 404 before 412', async () => {
    const id = await fixture.a.raise()
    expect(await put('customer B', id, { body: { claimedBy: String(fixture.b.user.id) }, headers: stale })).toBe(404)
  })

  test('is 400 for its content before 412', async () => {
    const id = await fixture.a.raise()
    const { headers, userId } = await newCaller(app, fixture, 'customer A')
    const as = app.withHeaders(headers)
    await as.call('updateServiceEvent', { params: { id }, body: { claimedBy: String(userId) } })
    const { status } = await as.call('updateServiceEvent', { params: { id }, body: badContent, headers: stale })
    expect(status).toBe(400)
  })

  test('is 412 before 409', async () => {
    const id = await fixture.a.raise()
    const { headers, userId } = await newCaller(app, fixture, 'customer A')
    const as = app.withHeaders(headers)
    await as.call('updateServiceEvent', { params: { id }, body: { claimedBy: String(userId) } })
    const closed = { alertStatus: 'CLOSED', reasonClosed: 'No action required' } as const
    expect((await as.call('updateServiceEvent', { params: { id }, body: closed })).status).toBe(200)
    const back = { alertStatus: 'IN_PROGRESS' } as const
    const { status } = await as.call('updateServiceEvent', { params: { id }, body: back, headers: stale })
    expect(status).toBe(412)
    expect((await as.call('updateServiceEvent', { params: { id }, body: back })).status).toBe(409)
  })
})

describe('is 404 for what is another customer’s, before 400 for its content:', () => {
  const at = '2030-01-01T10:00:00.000Z'
  const wrong: [RouteName, () => object | Promise<object>][] = [
    [
      'setMaintenance',
      () => ({ query: { instrumentId: fixture.a.registered.instrument.key }, body: { start: at, end: at } }),
    ],
    [
      'shareServiceEvent',
      async () => ({ body: { eventId: await fixture.a.raise(), receiverIds: ['987654321'], message: null } }),
    ],
    [
      'updateProfile',
      async () => {
        const caller = await newCaller(app, fixture, 'customer A')
        const { body } = await app.withHeaders(caller.headers).call('listProfiles')
        const address = { useDefaultEmail: false, useNotificationEmail: false, notificationEmail: null }
        return { params: { id: body.find(({ profileType }) => profileType === 'email')?.id }, body: address }
      },
    ],
  ]

  test.each(wrong)('a wrong content of %s', async (name, make) => {
    const request = await make()
    const { headers } = await newCaller(app, fixture, 'customer B')
    expect((await ask(app, name, { ...request, headers })).status).toBe(404)
    const { headers: own } = await newCaller(app, fixture, 'customer A')
    const { status } = await ask(app, name, { ...request, headers: own })
    // A profile is only visible to its owner.
    expect(status).toBe(name === 'updateProfile' ? 404 : 400)
  })
})

describe('a change of an account', () => {
  test('is 404 before 400 for its content, and that before 409', async () => {
    const { headers, userId } = await newCaller(app, fixture, 'admin')
    const put = async (id: string, over: object) => {
      const body = {
        name: 'X',
        role: 'support' as const,
        customers: null,
        msisdn: null,
        smsMfa: false,
        disabled: false,
      }
      const answer = await ask(app, 'updateAccount', { params: { id }, body: { ...body, ...over }, headers })
      return answer.status
    }
    expect(await put('987654321', { customers: [] })).toBe(404)
    expect(await put(String(userId), { customers: [] })).toBe(400)
    expect(await put(String(userId), {})).toBe(409)
  })
})
