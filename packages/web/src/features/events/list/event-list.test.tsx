import type { EventTotals } from '@benchwatch/contract/events/events'
import type { InstrumentStatus } from '@benchwatch/contract/vocabulary'
import { aListedServiceEvent } from '@benchwatch/samples/service-event'
import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import { act, cleanup, renderHook, waitFor } from '@testing-library/react'
import type { PropsWithChildren } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { setCredentials } from '../../../lib/http.ts'
import { IsLive } from '../../../lib/live-handler.ts'
import type { EventPage, ListedServiceEvent, LoadedPage } from '../event-cache.ts'
import { createdQuery, listQuery, serviceEventKeys } from '../events.api.ts'
import { defaultEventSearch } from '../events.search.ts'
import { LIST_POLL_MS, useInstrumentStatuses, useListPoll } from './event-list.tsx'
import { listRequest, narrowing } from './event-list-request.ts'

const noon = Date.parse('2026-11-20T12:00:00.000Z')
const listKey = serviceEventKeys.list(listRequest(defaultEventSearch, noon))
const asked: string[][] = []
let statuses: Record<string, InstrumentStatus>
let isFailing: boolean
let client: QueryClient

beforeEach(() => {
  vi.useFakeTimers({ now: noon })
  client = new QueryClient()
  asked.length = 0
  statuses = {}
  isFailing = false
  setCredentials({ token: () => 'token', renew: async () => 'token', expire: () => undefined })
  vi.stubGlobal('fetch', async (_address: string, init: RequestInit) => {
    const body = JSON.parse(String(init.body)) as { instrumentInstalledProductIds: string[] }
    asked.push(body.instrumentInstalledProductIds)
    return isFailing ? new Response('{}', { status: 503 }) : Response.json(statuses)
  })
})

afterEach(() => {
  cleanup()
  client.clear()
  setCredentials(null)
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const of = (instrumentInstalledProductId: string, rest = {}): ListedServiceEvent => ({
  alarm: aListedServiceEvent({ id: instrumentInstalledProductId, instrumentInstalledProductId, ...rest }),
})

const totals = (events: number): EventTotals => ({
  ...{ events, instruments: 1, components: 1, customers: 1, locations: 1 },
  ...{ noOwnerEvents: 0, noActionEvents: 0, fullSupportEvents: 0, olderOpenEvents: 0 },
})
const exact = { asOf: null, isDegraded: false }

function watch(rows: ListedServiceEvent[]) {
  client.setQueryData(listKey, { values: rows, total: {} } as EventPage)
  const wrapper = ({ children }: PropsWithChildren) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  )
  const hook = renderHook((now: number) => useInstrumentStatuses(rows, { readAt: noon, now }), {
    wrapper,
    initialProps: noon,
  })
  return {
    asOf: () => {
      hook.rerender(Date.now())
      return hook.result.current
    },
    statuses: () => client.getQueryData<EventPage>(listKey)?.values.map(({ alarm }) => alarm.instrumentStatus),
  }
}

function turn(milliseconds: number) {
  return act(async () => {
    await vi.advanceTimersByTimeAsync(milliseconds)
    // Answers are checked against their schema, which is loaded with the first one.
    await vi.dynamicImportSettled()
  })
}

it('asks every 10 s, in one call, for each instrument once; not for gateways and deleted events', async () => {
  watch([of('IP-2'), of('IP-1'), of('IP-2'), of('IP-9', { isEdgeIssue: true }), { ...of('IP-3'), removed: true }])
  await turn(9_900)
  // The rows already contained their statuses.
  expect(asked).toEqual([])
  await turn(200)
  expect(asked).toEqual([['IP-1', 'IP-2']])
  await turn(10_000)
  expect(asked).toHaveLength(2)
})

it('asks nothing while nothing is shown', async () => {
  watch([])
  await turn(60_000)
  expect(asked).toEqual([])
})

it('changes rows in place; an instrument that has moved to another customer stays without', async () => {
  statuses = { 'IP-1': 'wash', 'IP-2': 'running' }
  const list = watch([
    of('IP-1', { instrumentStatus: 'ready' }),
    of('IP-2', { instrumentStatus: null }),
    of('IP-4', { instrumentStatus: 'hold' }),
  ])
  await turn(10_100)
  expect(list.statuses()).toEqual(['wash', null, 'hold'])
})

it('a failure leaves the last known status, and after a minute says since when it could not be confirmed', async () => {
  statuses = { 'IP-1': 'wash' }
  const list = watch([of('IP-1', { instrumentStatus: 'ready' })])
  await turn(10_100)
  const confirmedAt = Date.now()
  isFailing = true
  await turn(50_000)
  expect(list.statuses()).toEqual(['wash'])
  expect(list.asOf()).toBeNull()
  await turn(20_000)
  expect(Math.abs((list.asOf() ?? 0) - confirmedAt)).toBeLessThan(200)
  isFailing = false
  await turn(10_000)
  expect(list.asOf()).toBeNull()
})

it('opened again, the list is read again, however soon: a changed row may no longer match', async () => {
  vi.useRealTimers()
  client = new QueryClient({ defaultOptions: { queries: { staleTime: 5000 } } })
  client.setQueryData(listKey, { values: [of('IP-1')], total: totals(1), ...exact, requestedAt: Date.now() })
  vi.stubGlobal('fetch', async () => Response.json({ values: [], total: totals(0), ...exact }))
  const query = listQuery(listRequest(defaultEventSearch, noon), narrowing(defaultEventSearch, noon))
  const { result } = renderHook(() => useQuery(query), {
    wrapper: ({ children }: PropsWithChildren) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
  })
  expect(result.current.data?.values).toHaveLength(1)
  await waitFor(() => expect(result.current.isFetching).toBe(false))
  expect(result.current.data?.values).toEqual([])
})

describe('use list poll', () => {
  const noon = Date.parse('2026-11-20T12:00:00.000Z')
  const request = listRequest(defaultEventSearch, noon)
  const narrowed = narrowing(defaultEventSearch, noon)
  const listKey = serviceEventKeys.list(request)
  const shown = {
    alarm: aListedServiceEvent({ id: '1', version: 1, claimedBy: null, createdAt: '2026-11-20T11:00:00.000Z' }),
  }
  let answer: EventPage
  let asked: number
  let isFailing: boolean
  let client: QueryClient

  beforeEach(() => {
    vi.useFakeTimers({ now: noon })
    client = new QueryClient()
    client.setQueryData(listKey, {
      values: [shown],
      total: totals(1),
      ...exact,
      requestedAt: noon,
    } satisfies LoadedPage)
    client.setQueryData(createdQuery().queryKey, [])
    asked = 0
    isFailing = false
    answer = { values: [shown], total: totals(1), ...exact }
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
  /** Waits for this many answers; each check advances the clock by 50 ms. */
  const answered = (times: number, polledAt: { current: number | null }) =>
    act(() => vi.waitFor(() => expect([asked, polledAt.current]).toEqual([times, expect.any(Number)])))

  it('asks nothing while changes are pushed', async () => {
    const polledAt = watch(true)
    await pass(3 * LIST_POLL_MS)
    expect([asked, polledAt.current]).toEqual([0, null])
  })

  it('changes rows in place, counts new events, and leaves the list as it is', async () => {
    const claimed = { alarm: { ...shown.alarm, version: 2, claimedBy: '7', claimedByName: 'Ines Berg' } }
    const later = { alarm: aListedServiceEvent({ id: '2', createdAt: '2026-11-20T12:00:05.000Z' }) }
    const earlier = { alarm: aListedServiceEvent({ id: '3', createdAt: '2026-11-19T12:00:00.000Z' }) }
    answer = { values: [later, claimed, earlier], total: totals(3), ...exact }
    const polledAt = watch(false)
    expect(asked).toBe(0)
    await pass(LIST_POLL_MS)
    await answered(1, polledAt)
    expect(client.getQueryData<LoadedPage>(listKey)?.values).toMatchObject([{ alarm: { id: '1', claimedBy: '7' } }])
    expect(client.getQueryData(createdQuery().queryKey)).toMatchObject([{ created: { id: '2' } }])
    expect(client.getQueryData(serviceEventKeys.totalsOf(narrowed))).toEqual({ ...totals(3), ...exact })
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
})
