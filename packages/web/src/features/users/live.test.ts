import { QueryClient } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { applyToUsers } from './live.ts'
import { userKeys } from './users.api.ts'

function clientWithData(): { client: QueryClient; isStale: (key: readonly string[]) => boolean } {
  const client = new QueryClient()
  for (const key of [userKeys.me, userKeys.features, ['service-events', 'list']]) client.setQueryData(key, [])
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

it('messages about instruments and events are none of its business', () => {
  const { client, isStale } = clientWithData()
  applyToUsers(
    { seq: 1, entity: 'alarm', action: 'delete', property: null, payload: { id: '1', eventId: '1' } },
    client,
  )
  expect([userKeys.features, userKeys.me, ['service-events', 'list']].map(isStale)).toEqual([false, false, false])
})
