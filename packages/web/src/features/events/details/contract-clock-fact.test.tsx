import type { ServiceResponse } from '@benchwatch/contract/events/event-details'
import type { ServiceEvent } from '@benchwatch/contract/events/events'
import { aServiceEvent } from '@benchwatch/samples/service-event'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { setCredentials } from '../../../lib/http.ts'
import { ContractClockFact, contractClock } from './contract-clock-fact.tsx'
import { ServiceResponseCard } from './event-details.tsx'

const NOW = Date.parse('2026-11-21T12:00:00.000Z')
const nothing: ServiceResponse = { alertToAcknowledgeTime: null, duration: null, eventReasonClosed: null }
let response = nothing
let reads = 0

// Answers are checked against the contract, which is loaded with the first one.
beforeAll(() => import('@benchwatch/contract/routes'))

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
  <MantineProvider env="test">
    <QueryClientProvider client={queries}>
      <dl data-testid="clock">
        <ContractClockFact event={event} />
      </dl>
      <ServiceResponseCard event={event} />
    </QueryClientProvider>
  </MantineProvider>
)
const text = () => screen.getByTestId('clock').textContent
/** Waits for pending answers. */
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

/** Returns the instant this many seconds before now. */
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

  it('ends once somebody has taken it, whoever that was; the service response says after how long', async () => {
    const change = await show({ createdAt: ago(240), version: 1 })
    response = { ...nothing, alertToAcknowledgeTime: 108 }
    await change({ claimedBy: '2', alertStatus: '2_IN_PROGRESS', version: 2 })
    expect(text()).toBe('')
    expect(reads).toBe(2)
  })

  it('says when that was later than promised', async () => {
    response = { ...nothing, alertToAcknowledgeTime: 90_000 }
    await show({ claimedBy: '2', alertStatus: '2_IN_PROGRESS' })
    expect(text()).toBe('24 h contractacknowledged later than 24 h')
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
    expect(values()).toEqual(['11d / 01h / 02m', '–', '–'])
  })
})

describe('contract clock', () => {
  const HOUR = 3600
  const nobody = { alertToAcknowledgeTime: null, duration: null, eventReasonClosed: null }
  const createdAt = '2026-11-20T12:00:00.000Z'
  const event = (changes = {}) => aServiceEvent({ createdAt, fullSupport: true, ...changes })
  /** Returns the clock this many seconds after the event was created. */
  const after = (seconds: number, changes = {}, response: typeof nobody | undefined = nobody) =>
    contractClock(event(changes), { response, now: Date.parse(createdAt) + seconds * 1000 })

  describe('the contract clock', () => {
    it.each([
      [0, 24 * HOUR, 'calm'],
      [240, 24 * HOUR - 240, 'calm'],
      [20 * HOUR, 4 * HOUR, 'calm'],
      [20 * HOUR + 1, 4 * HOUR - 1, 'soon'],
      [23 * HOUR + 1, HOUR - 1, 'urgent'],
      [24 * HOUR, 0, 'urgent'],
      [24 * HOUR + 1, -1, 'overdue'],
      [30 * HOUR, -6 * HOUR, 'overdue'],
    ])('%d s after the creation has %d s left of 24 hours: %s', (seconds, left, tone) => {
      expect(after(seconds)).toEqual({ state: 'running', left, tone })
    })

    it('runs although the answer about the service is not there yet', () => {
      expect(after(60, {}, undefined)).toMatchObject({ state: 'running', left: 24 * HOUR - 60 })
    })

    it('stops with the first claim and shows after how long', () => {
      const claimed = { claimedBy: '1', alertStatus: '2_IN_PROGRESS' }
      expect(after(9 * HOUR, claimed, { ...nobody, alertToAcknowledgeTime: 108 } as never)).toEqual({
        state: 'acknowledged',
        after: 108,
        isLate: false,
      })
    })

    it('stands still while the time of the claim is unknown', () => {
      expect(after(60, { claimedBy: '1', alertStatus: '2_IN_PROGRESS' }, undefined)).toEqual({ state: 'taken' })
      expect(after(60, { claimedBy: '1', alertStatus: '3_CLOSED' })).toEqual({ state: 'taken' })
    })

    it('says if the claim was later than promised', () => {
      const late = (seconds: number, fullSupport = true) =>
        after(99 * HOUR, { claimedBy: '1', fullSupport }, { ...nobody, alertToAcknowledgeTime: seconds } as never)
      expect(late(24 * HOUR)).toMatchObject({ isLate: false })
      expect(late(24 * HOUR + 1)).toMatchObject({ isLate: true })
      expect(late(48 * HOUR, false)).toMatchObject({ isLate: false })
    })

    it('never runs without a 24-hour contract or for a closed event', () => {
      expect(after(60, { fullSupport: false })).toBeNull()
      expect(after(60, { alertStatus: '3_CLOSED' })).toBeNull()
    })
  })
})
