import type { Me } from '@benchwatch/contract/users/users'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { setCredentials } from '../../lib/http.ts'
import { applyToUsers } from './live.ts'
import { userKeys } from './users.api.ts'

const me: Me = {
  id: '7',
  name: 'Anna Lind',
  email: 'anna@benchwatch.example',
  msisdn: null,
  role: 'service',
  customers: ['Helix Biologics', 'Nordic Pharma'],
  inactivityLimitSeconds: 14_400,
}
const list = ['service-events', 'list']
const details = ['service-events', 'details', '17']
let answer: () => Response

beforeEach(() => {
  setCredentials({ token: () => 'token', renew: async () => 'token', expire: () => undefined })
  vi.stubGlobal('fetch', async () => answer())
  answer = () => Response.json(me)
})

afterEach(() => {
  vi.unstubAllGlobals()
  setCredentials(null)
})

/** The details are not on the screen. */
function clientWithData(): { client: QueryClient; isStale: (key: readonly string[]) => boolean } {
  const client = new QueryClient()
  client.setQueryData(userKeys.me, me)
  for (const key of [userKeys.features, list, details]) client.setQueryData(key, [])
  for (const queryKey of [userKeys.me, userKeys.features, list])
    new QueryObserver(client, { queryKey, enabled: false }).subscribe(() => undefined)
  return { client, isStale: (key) => client.getQueryState(key)?.isInvalidated ?? false }
}

const message = (property: 'features' | 'session') =>
  ({ seq: 1, entity: 'user', action: 'update', property, payload: {} }) as const

it('changed flags are read again, and nothing else', () => {
  const { client, isStale } = clientWithData()
  applyToUsers(message('features'), client)
  expect([userKeys.features, userKeys.me, list].map(isStale)).toEqual([true, false, false])
})

it.each([
  ['data scope', { ...me, customers: ['Helix Biologics'] }],
  ['role', { ...me, role: 'customer' }],
])('another %s takes everything that was read before off the screen', async (_what, changed) => {
  const { client } = clientWithData()
  answer = () => Response.json(changed)
  applyToUsers(message('session'), client)
  await vi.waitFor(() => expect(client.getQueryData(list)).toBeUndefined())
  expect(client.getQueryData(details)).toBeUndefined()
})

it.each([
  ['with the same rights', () => Response.json(me)],
  ['when the server cannot be asked', () => Response.json({ ErrorBody: 'No.' }, { status: 503 })],
])('%s, the screen stays until it is read again, and nothing is left for the back button', async (_when, given) => {
  const { client, isStale } = clientWithData()
  answer = given
  applyToUsers(message('session'), client)
  await vi.waitFor(() => expect([userKeys.features, list].map(isStale)).toEqual([true, true]))
  expect(client.getQueryData(list)).toEqual([])
  expect(client.getQueryData(details)).toBeUndefined()
})

it('messages about instruments and events are none of its business', () => {
  const { client, isStale } = clientWithData()
  applyToUsers(
    { seq: 1, entity: 'alarm', action: 'delete', property: null, payload: { id: '1', eventId: '1' } },
    client,
  )
  expect([userKeys.features, userKeys.me, list].map(isStale)).toEqual([false, false, false])
})
