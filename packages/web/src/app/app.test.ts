import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { call, setCredentials } from '../lib/http.ts'
import { createQueryClient } from './app.tsx'

const fetched = vi.fn<typeof fetch>()

beforeEach(() => {
  vi.stubGlobal('fetch', fetched)
  setCredentials({ token: () => 'token', renew: async () => 'token', expire: () => undefined })
})

afterEach(() => {
  vi.unstubAllGlobals()
  fetched.mockReset()
  setCredentials(null)
})

it.each([
  [504, 2],
  [500, 3],
  [503, 3],
  [404, 1],
])('a query that is answered %i all the time is sent %i times', async (status, times) => {
  fetched.mockImplementation(async () => new Response(null, { status }))
  const query = { queryKey: ['me'], queryFn: () => call('getMe'), retryDelay: 1 }
  await expect(createQueryClient().fetchQuery(query)).rejects.toMatchObject({ status })
  expect(fetched).toHaveBeenCalledTimes(times)
})
