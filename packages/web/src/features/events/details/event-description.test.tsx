import type { ServiceEvent } from '@benchwatch/contract/events/events'
import { aListedServiceEvent, aServiceEvent } from '@benchwatch/samples/service-event'
import { MantineProvider } from '@mantine/core'
import { Notifications, notifications } from '@mantine/notifications'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { cleanup, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { setCredentials } from '../../../lib/http.ts'
import { formatEventTime, formatTooltipTime } from '../../../lib/time/dates.ts'
import { EventDescription } from './event-description.tsx'

const gateway = {
  name: 'GW-COP-03',
  location: 'Strandvejen 1, 2100 Copenhagen, Denmark',
  instrumentIpids: ['IP-20431187', 'IP-20431188'],
  lastSeenAt: null,
}
const edgeIssue = { isEdgeIssue: true, instrumentInstalledProductId: 'GW-0003', componentName: null } as const
let answerGateway: () => Response

beforeEach(() => {
  answerGateway = () => Response.json(gateway)
  setCredentials({ token: () => 'token', renew: async () => 'token', expire: () => undefined })
  vi.stubGlobal('fetch', async (address: string) =>
    address === '/api/instruments/edge-gateway/GW-0003' ? answerGateway() : Response.json(aServiceEvent()),
  )
})

afterEach(() => {
  cleanup()
  document.body.replaceChildren()
  notifications.clean()
  vi.unstubAllGlobals()
  setCredentials(null)
})

/** Opens the description of an event as lists return it. */
async function open(changes: Partial<ServiceEvent> = {}) {
  const anchor = document.body.appendChild(document.createElement('button'))
  const root = createRootRoute({
    component: () => (
      <EventDescription event={aListedServiceEvent(changes)} anchor={anchor} onClose={() => undefined} />
    ),
  })
  const router = createRouter({ routeTree: root, history: createMemoryHistory({ initialEntries: ['/'] }) })
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={client}>
        <Notifications />
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>,
  )
  return within(await screen.findByRole('dialog', { name: 'Description of ORC-104882' }))
}

/** Names and values from top to bottom. */
const facts = () =>
  [...document.querySelectorAll('dt')].map((name) => [name.textContent, name.nextElementSibling?.textContent])

describe('the event description dropdown', () => {
  it('has date generated, module, product id, instrument, error id, severity and SLA/Tier', async () => {
    await open({ cpSLATerm: '24/7 Nordics' })
    expect(facts()).toEqual([
      ['Date generated', formatEventTime('2026-11-20T13:58:21.000Z')],
      ['Module', 'Pump B (P9-B)'],
      ['Installed product ID', expect.stringMatching(/^IP-20431187/)],
      ['Instrument', 'ÄKTA pilot 600 · PILOT-UPP-02'],
      ['Error id', 'P9B-1042'],
      ['Severity', expect.stringMatching(/HIGH$/)],
      ['SLA/Tier', '24/7 Nordics · Tier 1'],
    ])
  })

  it('leads to the instrument and to the details, and has description and troubleshooting', async () => {
    const panel = await open({ description: 'Pressure above limit' })
    expect(panel.getByRole('link', { name: 'IP-20431187' }).getAttribute('href')).toBe('/instruments/IP-20431187')
    expect(panel.getByRole('link', { name: 'View Event Details' }).getAttribute('href')).toBe('/events/104882')
    expect(panel.getByRole('region', { name: 'Description' }).textContent).toContain('Pressure above limit')
    const advice = within(panel.getByRole('region', { name: 'Troubleshooting' }))
    expect(await advice.findByText(/Check for kinked tubing/)).toBeTruthy()
    expect(panel.queryByRole('link', { name: /connected instruments/ })).toBeNull()
  })

  it("says 'delayed' where the event was stored an hour or more after it was generated", async () => {
    await open({ logGeneratedAt: '2026-11-20T12:58:23.000Z' })
    expect(facts()[0]).toEqual(['Date generated', `${formatEventTime('2026-11-20T12:58:23.000Z')}delayed`])
    expect(screen.getByText('delayed').title).toBe(`Received ${formatTooltipTime('2026-11-20T13:58:23.000Z')}`)
  })

  it("of an edge issue has the gateway's name and location for the module, and leads to its instruments", async () => {
    const panel = await open(edgeIssue)
    const link = await panel.findByRole('link', { name: 'View connected instruments (2)' })
    expect(link.getAttribute('href')).toBe(
      '/instruments?temporaryFilters=true&instrumentFamily=All&instruments=IP-20431187,IP-20431188&keyword=&page=1&pageSize=12',
    )
    expect(facts().slice(1, 3)).toEqual([
      ['Gateway', gateway.name],
      ['Location', gateway.location],
    ])
    expect(panel.queryByText('Module')).toBeNull()
  })

  it("of a gateway that cannot be read says 'Failed to load', and loads it again on request", async () => {
    answerGateway = () => Response.json({ ErrorBody: 'No.' }, { status: 404 })
    const panel = await open(edgeIssue)
    expect(await panel.findByText('Failed to load')).toBeTruthy()
    expect(await screen.findByText('Could not load connected instruments and gateway name')).toBeTruthy()
    answerGateway = () => Response.json(gateway)
    await userEvent.setup({ delay: null }).click(panel.getByRole('button', { name: 'Reload gateway' }))
    expect(await panel.findByText(gateway.name)).toBeTruthy()
    expect(panel.queryByText('Failed to load')).toBeNull()
  })
})
