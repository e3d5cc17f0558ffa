import type { EventTotals } from '@benchwatch/contract/service-events'
import { aListedServiceEvent } from '@benchwatch/samples/service-event'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, renderHook } from '@testing-library/react'
import type { PropsWithChildren } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { setCredentials } from '../../lib/http.ts'
import { IsLive } from '../../lib/is-live.ts'
import { listRequest, narrowing } from './event-list-request.ts'
import type { AskedPage, ListedServiceEvent } from './service-event-cache.ts'
import { createdQuery, serviceEventKeys } from './service-events.api.ts'
import { defaultEventSearch } from './service-events.search.ts'
import { LIST_POLL_MS, useListPoll } from './use-list-poll.ts'

const noon = Date.parse('2026-11-20T12:00:00.000Z')
const request = listRequest(defaultEventSearch, noon)
const narrowed = narrowing(defaultEventSearch, noon)
const listKey = serviceEventKeys.list(request)
const shown = {
  alarm: aListedServiceEvent({ id: '1', version: 1, claimedBy: null, createdAt: '2026-11-20T11:00:00.000Z' }),
}
const totals = (events: number): EventTotals => ({
  ...{ events, instruments: 1, components: 1, customers: 1, locations: 1 },
  ...{ noOwnerEvents: 0, noActionEvents: 0, fullSupportEvents: 0, olderOpenEvents: 0 },
})
let answer: { values: ListedServiceEvent[]; total: EventTotals }
let asked: number
let isFailing: boolean
let client: QueryClient

beforeEach(() => {
  vi.useFakeTimers({ now: noon })
  client = new QueryClient()
  client.setQueryData(listKey, { values: [shown], total: totals(1), askedAt: noon } satisfies AskedPage)
  client.setQueryData(createdQuery().queryKey, [])
  asked = 0
  isFailing = false
  answer = { values: [shown], total: totals(1) }
  setCredentials({ token: () => 'token', renew: async () => 'token', expire: () => undefined })
  vi.stubGlobal('fetch', async () => {
    asked += 1
    return isFailing ? new Response('{}', { status: 503 }) : Response.json(answer)
  })
})

afterEach(() => {
  cleanup()
  client.clear()
  setCredentials(null)
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

function watch(isLive: boolean) {
  const wrapper = ({ children }: PropsWithChildren) => (
    <QueryClientProvider client={client}>
      <IsLive value={isLive}>{children}</IsLive>
    </QueryClientProvider>
  )
  return renderHook(() => useListPoll({ request, narrowed, isLoaded: true }), { wrapper }).result
}

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
/** Until it was answered so often; the clock goes on by 50 ms with each look. */
const answered = (times: number, polledAt: { current: number | null }) =>
  act(() => vi.waitFor(() => expect([asked, polledAt.current]).toEqual([times, expect.any(Number)])))

it('asks nothing while changes are pushed', async () => {
  const polledAt = watch(true)
  await pass(3 * LIST_POLL_MS)
  expect([asked, polledAt.current]).toEqual([0, null])
})

it('changes rows in place, counts what is new, and leaves the list as it stands', async () => {
  const claimed = { alarm: { ...shown.alarm, version: 2, claimedBy: '7', claimedByName: 'Ines Berg' } }
  const later = { alarm: aListedServiceEvent({ id: '2', createdAt: '2026-11-20T12:00:05.000Z' }) }
  const earlier = { alarm: aListedServiceEvent({ id: '3', createdAt: '2026-11-19T12:00:00.000Z' }) }
  answer = { values: [later, claimed, earlier], total: totals(3) }
  const polledAt = watch(false)
  expect(asked).toBe(0)
  await pass(LIST_POLL_MS)
  await answered(1, polledAt)
  expect(client.getQueryData<AskedPage>(listKey)?.values).toMatchObject([{ alarm: { id: '1', claimedBy: '7' } }])
  expect(client.getQueryData(createdQuery().queryKey)).toMatchObject([{ created: { id: '2' } }])
  expect(client.getQueryData(serviceEventKeys.totalsOf(narrowed))).toEqual(totals(3))
})

it('says since when only while it is answered', async () => {
  const polledAt = watch(false)
  await pass(LIST_POLL_MS)
  await answered(1, polledAt)
  expect(polledAt.current).toBeGreaterThanOrEqual(noon + LIST_POLL_MS)
  isFailing = true
  await pass(LIST_POLL_MS)
  await act(() => vi.waitFor(() => expect([asked, polledAt.current]).toEqual([2, null])))
})
