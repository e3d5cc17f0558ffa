import type { ServiceEvent } from '@benchwatch/contract/events/events'
import { aServiceEvent } from '@benchwatch/samples/service-event'
import { MantineProvider } from '@mantine/core'
import { Notifications, notifications } from '@mantine/notifications'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { setCredentials } from '../../../lib/http.ts'
import { EventRowDetails } from './event-row-details.tsx'

const users = [
  { id: '1', name: 'Anna Lind', email: null, msisdn: null },
  { id: '2', name: 'Jonas Berg', email: null, msisdn: null },
  { id: '3', name: 'Maria Öberg', email: null, msisdn: null },
]
const puts: unknown[] = []
let answerPut: () => Response
let answerGateway: () => Response
const gateway = { name: 'GW-COP-03', location: 'Strandvejen 1, 2100 Copenhagen, Denmark', lastSeenAt: null }

beforeEach(() => {
  setCredentials({ token: () => 'token', renew: async () => 'token', expire: () => undefined })
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    if (address.startsWith('/api/instruments/edge-gateway/')) return answerGateway()
    if (init.method !== 'PUT') return new Response(JSON.stringify(users))
    puts.push(JSON.parse(String(init.body)))
    return answerPut()
  })
})

afterEach(() => {
  cleanup()
  notifications.clean()
  vi.unstubAllGlobals()
  setCredentials(null)
  puts.length = 0
})

/** Returns a function that tells the current address. */
async function show(event: ServiceEvent): Promise<() => string> {
  const root = createRootRoute()
  const list = createRoute({
    getParentRoute: () => root,
    path: '/events',
    component: () => <EventRowDetails event={event} viewer={{ id: '1', role: 'service' }} />,
  })
  const details = createRoute({ getParentRoute: () => root, path: '/events/$eventId', component: () => null })
  const router = createRouter({
    routeTree: root.addChildren([list, details]),
    history: createMemoryHistory({ initialEntries: ['/events'] }),
  })
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <Notifications />
        {/* TypeScript knows the routes of the product's router; this test router has others. */}
        <RouterProvider router={router as never} />
      </QueryClientProvider>
    </MantineProvider>,
  )
  await screen.findByText('Description')
  return () => router.state.location.pathname
}

const statusButton = () => screen.getByRole('button', { name: /^Status:/ })
const ownerButton = () => screen.getByRole('button', { name: /^Owner:/ })

describe('the expanded row', () => {
  it('shows description, component, location and customer', async () => {
    const event = aServiceEvent()
    await show(event)
    expect(screen.getByText(event.description)).toBeTruthy()
    expect(screen.getByText('Pump B (P9-B)')).toBeTruthy()
    expect(screen.getByText('753 23 Uppsala, Sweden')).toBeTruthy()
    expect(screen.getByText('Helix Biologics')).toBeTruthy()
    expect(screen.getByText('Platinum 24/7 · Tier 1')).toBeTruthy()
  })

  it('shows a dash where nothing is known', async () => {
    await show(
      aServiceEvent({ componentName: null, siteStreet: null, siteZip: null, siteCity: null, siteCountry: null }),
    )
    expect(screen.getAllByText('–')).toHaveLength(2)
  })

  it('of an edge issue names the gateway in place of a component', async () => {
    await show(aServiceEvent({ isEdgeIssue: true, componentName: null, gatewayName: 'GW-COP-03' }))
    expect(screen.getByText('Gateway').nextElementSibling?.textContent).toBe('GW-COP-03')
    expect(screen.queryByText('Module')).toBeNull()
  })

  it('of an edge issue counts the instruments behind the gateway, and says when they cannot be read', async () => {
    const person = userEvent.setup()
    answerGateway = () => new Response('{}', { status: 404 })
    await show(aServiceEvent({ isEdgeIssue: true, componentName: null, gatewayName: 'GW-COP-03' }))
    expect((await screen.findByRole('alert')).textContent).toContain('Could not get connected instruments.')
    answerGateway = () => Response.json({ ...gateway, instrumentIpids: ['IP-20431187', 'IP-20431188'] })
    await person.click(screen.getByRole('button', { name: 'Try again' }))
    const link = await screen.findByRole('link', { name: '2 connected instruments' })
    expect(link.getAttribute('href')).toContain('instruments=IP-20431187,IP-20431188')
  })

  it('has the e-mail dropdown', async () => {
    await show(aServiceEvent())
    expect(screen.getByRole('button', { name: /^E-mail/ })).toBeTruthy()
  })

  it('disables controls for all users but the owner, and says why', async () => {
    const person = userEvent.setup()
    await show(aServiceEvent({ claimedBy: '2', claimedByName: 'Jonas Berg' }))
    expect(statusButton().getAttribute('aria-disabled')).toBe('true')
    await person.click(statusButton())
    expect(screen.queryByRole('menu')).toBeNull()
    expect((await screen.findByRole('tooltip')).textContent).toBe(
      'Only the owner may change the status. Assign the event to yourself first.',
    )
  })

  it('moves the event to In progress for its owner', async () => {
    const person = userEvent.setup()
    const event = aServiceEvent({ claimedBy: '1' })
    answerPut = () => new Response(JSON.stringify({ ...event, alertStatus: '2_IN_PROGRESS', version: 9 }))
    await show(event)
    await person.click(statusButton())
    await person.click(await screen.findByRole('menuitem', { name: 'In progress' }))
    expect(puts).toEqual([{ alertStatus: 'IN_PROGRESS' }])
    expect(await screen.findByText(`ORC-${event.eventId} · Status: In progress`)).toBeTruthy()
  })

  it("does nothing when 'New' is clicked", async () => {
    const person = userEvent.setup()
    await show(aServiceEvent({ claimedBy: '1' }))
    await person.click(statusButton())
    await person.click(await screen.findByRole('menuitem', { name: 'New' }))
    expect(puts).toEqual([])
  })

  it("assigns to me and says '{name} set as owner on event'", async () => {
    const person = userEvent.setup()
    const event = aServiceEvent()
    answerPut = () => new Response(JSON.stringify({ ...event, claimedBy: '1', claimedByName: 'Anna Lind', version: 9 }))
    await show(event)
    await person.click(ownerButton())
    await person.click(await screen.findByRole('option', { name: 'Assign to me' }))
    expect(puts).toEqual([{ claimedBy: '1', alertStatus: 'IN_PROGRESS' }])
    expect(await screen.findByText('Anna Lind set as owner on event')).toBeTruthy()
  })

  it("says 'Could not update owner' when it fails, and the owner reverts", async () => {
    const person = userEvent.setup()
    const sentence = 'Jonas Berg can not see this customer.'
    answerPut = () =>
      new Response(JSON.stringify({ status: 400, code: 'unknown-owner', detail: sentence, ErrorBody: sentence }), {
        status: 400,
      })
    await show(aServiceEvent())
    await person.click(ownerButton())
    await person.click(await screen.findByRole('option', { name: 'Jonas Berg' }))
    expect(await screen.findByText('Could not update owner')).toBeTruthy()
    expect(screen.getByText(sentence)).toBeTruthy()
    expect(ownerButton().getAttribute('aria-label')).toBe('Owner: None')
  })

  it('explains the marks of the row in sentences, for users who have no tooltips', async () => {
    const sentences = [/^Still active: the instrument/, /^Delayed: stored/, 'Raised 1,235 times', /^During maintenance/]
    const createdAt = '2026-11-20T14:00:00.000Z'
    const plain = { clearedAt: null, alertStatus: '3_CLOSED', createdAt, logGeneratedAt: createdAt } as const
    await show(aServiceEvent({ ...plain, latchedCount: 0, duringMaintenance: false }))
    for (const sentence of sentences) expect(screen.queryByText(sentence)).toBeNull()
    cleanup()
    const marked = { alertStatus: '1_NEW', logGeneratedAt: '2026-11-20T12:00:00.000Z' } as const
    await show(aServiceEvent({ ...plain, ...marked, latchedCount: 1234, duringMaintenance: true }))
    for (const sentence of sentences) expect(screen.getByText(sentence)).toBeTruthy()
  })

  it('opens the details in place', async () => {
    const person = userEvent.setup()
    const event = aServiceEvent()
    const path = await show(event)
    await person.click(screen.getByRole('link', { name: 'Event details' }))
    await waitFor(() => expect(path()).toBe(`/events/${event.eventId}`))
  })
})
