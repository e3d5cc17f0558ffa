import type { ServiceResponse } from '@benchwatch/contract/event-details'
import type { ServiceEvent } from '@benchwatch/contract/service-events'
import { aServiceEvent } from '@benchwatch/samples/service-event'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { setCredentials } from '../../lib/http.ts'
import { ContractClockFact } from './contract-clock-fact.tsx'
import { ServiceResponseCard } from './service-response-card.tsx'

const NOW = Date.parse('2026-11-21T12:00:00.000Z')
const nothing: ServiceResponse = { alertToAcknowledgeTime: null, duration: null, eventReasonClosed: null }
let response = nothing
let reads = 0

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: false, now: NOW })
  setCredentials({ token: () => 'token', renew: async () => 'token', expire: () => undefined })
  vi.stubGlobal('fetch', async () => {
    reads += 1
    return Response.json(response)
  })
  response = nothing
  reads = 0
})

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.useRealTimers()
  setCredentials(null)
})

const client = () => new QueryClient({ defaultOptions: { queries: { retry: false } } })
const drawn = (event: ServiceEvent, queries: QueryClient) => (
  <QueryClientProvider client={queries}>
    <dl data-testid="clock">
      <ContractClockFact event={event} />
    </dl>
    <ServiceResponseCard event={event} />
  </QueryClientProvider>
)
const text = () => screen.getByTestId('clock').textContent
/** Lets answers arrive. */
const settle = () => act(() => vi.advanceTimersByTimeAsync(0))

async function show(changes: Partial<ServiceEvent>) {
  const event = aServiceEvent(changes)
  const queries = client()
  const { rerender } = render(drawn(event, queries))
  await settle()
  return async (later: Partial<ServiceEvent>) => {
    rerender(drawn({ ...event, ...later }, queries))
    await settle()
  }
}

/** An instant so many seconds before now. */
const ago = (seconds: number) => new Date(NOW - seconds * 1000).toISOString()

describe('the contract clock on the screen', () => {
  it('counts each half minute while there is much time', async () => {
    await show({ createdAt: ago(240) })
    expect(text()).toBe('24 h contract23 h 56 min left')
    await act(() => vi.advanceTimersByTimeAsync(60_000))
    expect(text()).toBe('24 h contract23 h 55 min left')
  })

  it('counts each second near the end, and on when it is overdue', async () => {
    await show({ createdAt: ago(24 * 3600 - 62) })
    expect(text()).toBe('24 h contract1 min 2 s left')
    await act(() => vi.advanceTimersByTimeAsync(3000))
    expect(text()).toBe('24 h contract59 s left')
    await act(() => vi.advanceTimersByTimeAsync(60_000))
    expect(text()).toBe('24 h contractoverdue by 1 s')
  })

  it("reads 'Acknowledged after' once somebody has taken it, whoever that was", async () => {
    const change = await show({ createdAt: ago(240), version: 1 })
    response = { ...nothing, alertToAcknowledgeTime: 108 }
    await change({ claimedBy: '2', alertStatus: '2_IN_PROGRESS', version: 2 })
    expect(text()).toBe('Acknowledged after1 min 48 s')
    expect(reads).toBe(2)
  })

  it('says when that was later than promised', async () => {
    response = { ...nothing, alertToAcknowledgeTime: 90_000 }
    await show({ claimedBy: '2', alertStatus: '2_IN_PROGRESS' })
    expect(text()).toBe('Acknowledged after1 day 1 h · later than 24 h')
  })

  it('is not there without a 24-hour contract', async () => {
    await show({ fullSupport: false, createdAt: ago(240) })
    expect(text()).toBe('')
  })
})

describe('the service response', () => {
  const values = () => screen.getAllByRole('definition').map(({ textContent }) => textContent)

  it("is shown as 'NNd / NNh / NNm', a dash for what has not happened yet", async () => {
    response = { alertToAcknowledgeTime: 11 * 86_400 + 3600 + 120, duration: null, eventReasonClosed: null }
    await show({ fullSupport: false, claimedBy: '2', alertStatus: '2_IN_PROGRESS' })
    expect(values().slice(1)).toEqual(['11d / 01h / 02m', '–', '–'])
  })
})
