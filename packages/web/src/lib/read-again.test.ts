import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { readAgain } from './read-again.ts'

/** A record on the server that one screen shows, and its requests, which are answered by hand. */
async function shown() {
  const client = new QueryClient()
  const requests: PromiseWithResolvers<string>[] = []
  const query = {
    queryKey: ['record'],
    async queryFn({ signal }: { signal: AbortSignal }) {
      const request = Promise.withResolvers<string>()
      requests.push(request)
      signal.addEventListener('abort', () => request.reject(new Error('aborted')))
      return request.promise
    },
  }
  const observer = new QueryObserver(client, query)
  const leave = observer.subscribe(() => undefined)
  requests[0]?.resolve('as opened')
  await expect.poll(() => observer.getCurrentResult().data).toBe('as opened')
  return { client, query, requests, observer, leave }
}

it('gives the present record although its screen was left before the answer', async () => {
  const { client, query, requests, leave } = await shown()
  const read = readAgain(client, query)
  leave()
  requests[1]?.resolve('as changed by another user')
  expect(await read).toBe('as changed by another user')
})

it('does not take the answer of a request that was in flight before', async () => {
  const { client, query, requests, observer, leave } = await shown()
  void observer.refetch()
  const read = readAgain(client, query)
  requests[1]?.resolve('before the change')
  requests[2]?.resolve('after the change')
  expect(await read).toBe('after the change')
  leave()
})

it('fails with the request', async () => {
  const { client, query, requests, leave } = await shown()
  const read = readAgain(client, query)
  requests[1]?.reject(new Error('gone'))
  await expect(read).rejects.toThrow('gone')
  leave()
})
