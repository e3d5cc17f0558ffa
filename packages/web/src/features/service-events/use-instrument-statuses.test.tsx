import type { InstrumentStatus } from '@benchwatch/contract/vocabulary'
import { aListedServiceEvent } from '@benchwatch/samples/service-event'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, renderHook } from '@testing-library/react'
import type { PropsWithChildren } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { setCredentials } from '../../lib/http.ts'
import { listRequest } from './event-list-request.ts'
import type { EventPage, ListedServiceEvent } from './service-event-cache.ts'
import { serviceEventKeys } from './service-events.api.ts'
import { defaultEventSearch } from './service-events.search.ts'
import { useInstrumentStatuses } from './use-instrument-statuses.ts'

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
    // Answers are held against their schema, which is loaded with the first.
    await vi.dynamicImportSettled()
  })
}

it('asks every 10 s, in one call, for each instrument once; not for gateways and deleted events', async () => {
  watch([of('IP-2'), of('IP-1'), of('IP-2'), of('IP-9', { isEdgeIssue: true }), { ...of('IP-3'), removed: true }])
  await turn(9_900)
  // The rows brought their statuses along.
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
