import type { ServiceEvent } from '@benchwatch/contract/events/events'
import { aServiceEvent } from '@benchwatch/samples/service-event'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { act, cleanup, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { setCredentials } from '../../../lib/http.ts'
import { changeServiceEvents } from '../events.api.ts'
import { PriorEvents } from './prior-events.tsx'

const event = aServiceEvent({ id: '9', eventId: '9' })
const prior = (id: string, changes: Partial<ServiceEvent> = {}) =>
  aServiceEvent({ id, eventId: id, description: `Words ${id}`, createdAt: '2026-11-19T10:00:00.000Z', ...changes })
const total = {
  events: 2,
  instruments: 1,
  components: 1,
  customers: 1,
  locations: 1,
  noOwnerEvents: 0,
  noActionEvents: 0,
  fullSupportEvents: 0,
  olderOpenEvents: 0,
}
const page =
  (...events: ServiceEvent[]) =>
  async () =>
    Response.json({ values: events.map((alarm) => ({ alarm })), total, asOf: null, isDegraded: false })

const answer = vi.fn<(address: string, sent: RequestInit) => Promise<Response>>()
let client: QueryClient

beforeEach(() => {
  setCredentials({ token: () => 'token', renew: async () => 'token', expire: () => undefined })
  vi.stubGlobal('fetch', answer)
})
afterEach(() => {
  cleanup()
  answer.mockReset()
  vi.unstubAllGlobals()
  setCredentials(null)
})

async function show(of = event) {
  const root = createRootRoute({ component: () => <PriorEvents event={of} /> })
  const router = createRouter({ routeTree: root, history: createMemoryHistory({ initialEntries: ['/'] }) })
  client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={client}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>,
  )
  return within(await screen.findByRole('region', { name: 'Prior Event Notification' }))
}

describe('Prior Event Notification', () => {
  it('asks with the installed product id as keyword, the creation time as stop and page size 26', async () => {
    answer.mockImplementation(page())
    const card = await show()
    await card.findByText(/^No events before this one/)
    const [address = '', sent] = answer.mock.calls[0] ?? []
    const url = new URL(address, 'http://x')
    expect([url.pathname, sent?.method]).toEqual(['/api/alarms', 'POST'])
    expect(Object.fromEntries(url.searchParams)).toEqual({
      keyword: 'IP-20431187',
      stop: event.createdAt,
      limit: '26',
    })
  })

  it('shows severity, age, id, description and status, newest first, without the event itself', async () => {
    answer.mockImplementation(page(prior('8', { alertStatus: '3_CLOSED' }), event, prior('7', { severity: 'low' })))
    const card = await show()
    const rows = await card.findAllByRole('listitem')
    expect(rows.map((row) => within(row).getByRole('link').getAttribute('href'))).toEqual(['/events/8', '/events/7'])
    const [first, second] = rows
    expect(first?.textContent).toMatch(/^HIGH.*ORC-8Words 8$/)
    expect(first && within(first).getByRole('img', { name: 'Closed' })).toBeTruthy()
    expect(second?.textContent).toMatch(/^LOW/)
  })

  it.each([
    [2, null],
    [6, '6 events'],
    [1271, 'Newest 6 of 1,271'],
  ])('says of %s events how many it lists', async (events, label) => {
    const values = Array.from({ length: Math.min(events, 6) }, (_, index) => ({ alarm: prior(String(index + 1)) }))
    answer.mockImplementation(async () =>
      Response.json({ values, total: { ...total, events }, asOf: null, isDegraded: false }),
    )
    const card = await show()
    await card.findByRole('link', { name: 'Show as list' })
    expect(card.queryByText(/^\d+ events$|^Newest/)?.textContent ?? null).toBe(label)
  })

  it('names the instrument where the keyword found another one', async () => {
    answer.mockImplementation(page(prior('8', { instrumentInstalledProductId: 'IP-204311871' })))
    const card = await show()
    expect((await card.findByRole('listitem')).textContent).toContain('IP-204311871 Words 8')
  })

  it('its rows change with live messages', async () => {
    answer.mockImplementation(page(prior('8')))
    const card = await show()
    await card.findByRole('img', { name: 'New' })
    act(() => changeServiceEvents(client, (known) => ({ ...known, alertStatus: '3_CLOSED' })))
    expect(await card.findByRole('img', { name: 'Closed' })).toBeTruthy()
  })

  it("reads 'Could not get related events' when the server fails, and tries again on request", async () => {
    answer.mockImplementation(async () => Response.json({ ErrorBody: 'Why.' }, { status: 503 }))
    const card = await show()
    expect((await card.findByRole('alert')).textContent).toBe('Could not get related events Try again')
    answer.mockImplementation(page(prior('8')))
    await userEvent.setup().click(card.getByRole('button', { name: 'Try again' }))
    expect(await card.findByRole('link', { name: 'ORC-8' })).toBeTruthy()
  })

  it('says that it is loading', async () => {
    answer.mockImplementation(() => new Promise(() => undefined))
    const card = await show()
    expect((await card.findByRole('status')).textContent).toBe('Loading prior events…')
  })
})
