import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { applyToUsers } from './live.ts'
import { userKeys } from './users.api.ts'

function clientWithData(): { client: QueryClient; isStale: (key: readonly string[]) => boolean } {
  const client = new QueryClient()
  for (const queryKey of [userKeys.me, userKeys.features, ['service-events', 'list']]) {
    client.setQueryData(queryKey, [])
    // On a screen.
    new QueryObserver(client, { queryKey, enabled: false }).subscribe(() => undefined)
  }
  return { client, isStale: (key) => client.getQueryState(key)?.isInvalidated ?? false }
}

const message = (property: 'features' | 'session') =>
  ({ seq: 1, entity: 'user', action: 'update', property, payload: {} }) as const

it('changed flags are read again, and nothing else', () => {
  const { client, isStale } = clientWithData()
  applyToUsers(message('features'), client)
  expect([userKeys.features, userKeys.me, ['service-events', 'list']].map(isStale)).toEqual([true, false, false])
})

it('a changed data scope makes every list be read again', () => {
  const { client, isStale } = clientWithData()
  applyToUsers(message('session'), client)
  expect([userKeys.features, userKeys.me, ['service-events', 'list']].map(isStale)).toEqual([true, true, true])
})

it('with a changed data scope, nothing is left that the back button could show', () => {
  const { client } = clientWithData()
  client.setQueryData(['service-events', 'details', '17'], {})
  applyToUsers(message('session'), client)
  expect(client.getQueryData(['service-events', 'details', '17'])).toBeUndefined()
})

it('messages about instruments and events are none of its business', () => {
  const { client, isStale } = clientWithData()
  applyToUsers(
    { seq: 1, entity: 'alarm', action: 'delete', property: null, payload: { id: '1', eventId: '1' } },
    client,
  )
  expect([userKeys.features, userKeys.me, ['service-events', 'list']].map(isStale)).toEqual([false, false, false])
})
