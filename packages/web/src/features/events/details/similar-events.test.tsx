import type { ServiceEvent } from '@benchwatch/contract/events/events'
import { aServiceEvent } from '@benchwatch/samples/service-event'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { setCredentials } from '../../../lib/http.ts'
import { detailsQuery, serviceEventKeys } from '../events.api.ts'
import { applyToServiceEvents } from '../live.ts'
import { SimilarEvents } from './similar-events.tsx'

const looked = aServiceEvent({ claimedBy: '1', alertStatus: '2_IN_PROGRESS' })
const other = (id: string, changes: Partial<ServiceEvent> = {}) =>
  aServiceEvent({ id, eventId: id, createdAt: '2026-11-19T13:58:23.000Z', description: `Event ${id}`, ...changes })
const answer = vi.fn<(query: Record<string, string>) => Promise<Response>>()
const found =
  (...events: ServiceEvent[]) =>
  async () =>
    Response.json({ values: events.map((alarm) => ({ alarm })) })

beforeEach(() => {
  setCredentials({ token: () => 'token', renew: async () => 'token', expire: () => undefined })
  vi.stubGlobal('fetch', async (address: string) =>
    answer(Object.fromEntries(new URL(address, 'http://console').searchParams)),
  )
})

afterEach(() => {
  cleanup()
  answer.mockReset()
  vi.unstubAllGlobals()
  setCredentials(null)
})

async function show(event = looked) {
  const root = createRootRoute({
    component: () => <SimilarEvents event={event} viewer={{ id: '1', role: 'service' }} />,
  })
  const router = createRouter({ routeTree: root, history: createMemoryHistory({ initialEntries: ['/'] }) })
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  client.setQueryData(detailsQuery(event.eventId).queryKey, event)
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={client}>
        {/* TypeScript knows the routes of the product's router; this test router has others. */}
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>,
  )
  await screen.findByRole('tab', { name: 'Previous events' })
  return { client, person: userEvent.setup({ delay: null }) }
}

const row = async (id: string) => {
  const link = await screen.findByRole('link', { name: `ORC-${id}` })
  return link.closest('[role=row]') as HTMLElement
}

const date = looked.createdAt

describe("the similar-events table with tabs 'Previous events' and 'Recent similar events (All instruments)'", () => {
  it('asks for earlier events of this instrument; the box sends thisEventOnly with templateId', async () => {
    answer.mockImplementation(found(other('7')))
    const { person } = await show()
    await person.click(screen.getByRole('tab', { name: 'Previous events' }))
    await row('7')
    const instrument = { instrumentInstalledProductId: 'IP-20431187', date, maxResultsQuantity: '10' }
    expect(answer.mock.lastCall).toEqual([instrument])
    await person.click(screen.getByRole('checkbox', { name: 'This error only' }))
    await waitFor(() =>
      expect(answer.mock.lastCall).toEqual([{ ...instrument, templateId: 'P9B-1042', thisEventOnly: 'true' }]),
    )
  })

  it('asks for the error on all instruments, and shows whose they are', async () => {
    answer.mockImplementation(
      found(other('8', { enterpriseName: 'Nordic Pharma', instrumentProductDescription: 'UniFlux' })),
    )
    await show()
    const cells = within(await row('8'))
    expect(cells.getByText('Nordic Pharma')).toBeTruthy()
    expect(cells.getByText('UniFlux')).toBeTruthy()
    expect(answer.mock.lastCall).toEqual([{ templateId: 'P9B-1042', date, maxResultsQuantity: '10' }])
    expect(screen.queryByRole('checkbox', { name: 'This error only' })).toBeNull()
  })

  it('offers 10, 20, 30, 40 and 50, 10 first', async () => {
    answer.mockImplementation(found(other('7')))
    const { person } = await show()
    const choice = screen.getByRole('combobox', { name: 'Number of events' })
    expect(
      within(choice)
        .getAllByRole('option')
        .map(({ textContent }) => textContent),
    ).toEqual([10, 20, 30, 40, 50].map((count) => `Show ${count}`))
    expect(choice).toHaveProperty('value', '10')
    await person.selectOptions(choice, '30')
    await waitFor(() => expect(answer.mock.lastCall?.[0].maxResultsQuantity).toBe('30'))
  })

  it('a row has severity, age, event id, description, owner, status and, when closed, the reason', async () => {
    const closed = {
      alertStatus: '3_CLOSED',
      reasonClosed: 'Duplicate event',
      claimedBy: '1',
      latchedCount: 2,
    } as const
    answer.mockImplementation(found(other('7', closed)))
    await show()
    const cells = within(await row('7'))
    for (const text of ['HIGH', 'Event 7', 'Me', '×3']) expect(cells.getByText(text)).toBeTruthy()
    expect(cells.getByRole('link').getAttribute('href')).toBe('/events/7')
    expect(cells.getByRole('img', { name: 'Closed - Duplicate event' })).toBeTruthy()
  })

  it('rows follow live messages; the event being looked at does not', async () => {
    answer.mockImplementation(found(other('7', { version: 1 })))
    const { client } = await show()
    await row('7')
    const payload = { id: '7', eventId: '7', version: 2, instrumentInstalledProductId: 'IP-20431187' }
    await act(async () => {
      for (const message of [
        { property: 'claimedBy', payload: { ...payload, claimedBy: '2', claimedByName: 'Jonas Berg' } },
        { property: 'alertStatus', payload: { ...payload, alertStatus: '3_CLOSED', reasonClosed: 'Duplicate event' } },
      ]) {
        applyToServiceEvents({ seq: 1, entity: 'alarm', action: 'update', ...message } as never, client)
      }
    })
    const cells = within(await row('7'))
    expect(await cells.findByText('Jonas Berg')).toBeTruthy()
    expect(cells.getByRole('img', { name: 'Closed - Duplicate event' })).toBeTruthy()
    expect(client.getQueryData(serviceEventKeys.detailsOf(looked.eventId))).toBe(looked)
    const deleted = { seq: 2, entity: 'alarm', action: 'delete', property: null, payload: { id: '7', eventId: '7' } }
    await act(async () => applyToServiceEvents(deleted as never, client))
    expect(await cells.findByText('deleted')).toBeTruthy()
  })

  it('says that there are none, and tries again after a failure', async () => {
    answer.mockResolvedValueOnce(Response.json({ ErrorBody: 'No.' }, { status: 500 }))
    answer.mockImplementationOnce(found())
    const { person } = await show()
    expect((await screen.findByRole('alert')).textContent).toBe('Could not get events Try again')
    await person.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('No earlier events with this error on any instrument.')).toBeTruthy()
  })

  it('moves between its tabs by arrow keys', async () => {
    answer.mockImplementation(found(other('7')))
    const { person } = await show()
    await person.click(screen.getByRole('tab', { name: 'Previous events' }))
    await person.keyboard('{ArrowRight}')
    const recent = screen.getByRole('tab', { name: 'Recent similar events (All instruments)' })
    expect([recent.getAttribute('aria-selected'), document.activeElement]).toEqual(['true', recent])
  })
})
