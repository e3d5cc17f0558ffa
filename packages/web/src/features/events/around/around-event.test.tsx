import type { EventSurroundings } from '@benchwatch/contract/event-details'
import { aServiceEvent } from '@benchwatch/samples/service-event'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { cleanup, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { setCredentials } from '../../../lib/http.ts'
import { AroundEvent } from './around-event.tsx'

const iso = (hours: number, minutes = 0) => new Date(2026, 10, 20, hours, minutes).toISOString()
const event = aServiceEvent({ id: '1', eventId: '1', logGeneratedAt: iso(14), description: 'This one' })
const other = (id: string, hours: number, minutes = 0) => ({
  alarm: aServiceEvent({
    id,
    eventId: id,
    severity: 'low',
    logGeneratedAt: iso(hours, minutes),
    description: `Words ${id}`,
  }),
})
const answered = (changes: Partial<EventSurroundings> = {}): EventSurroundings => ({
  start: iso(8),
  stop: iso(20),
  statuses: [
    { from: iso(6), instrumentStatus: 'ready' },
    { from: iso(10), instrumentStatus: 'method run' },
    { from: iso(14), instrumentStatus: 'alarms and errors' },
  ],
  values: [other('2', 9), { alarm: event }, other('3', 17), other('4', 17, 5)],
  total: { events: 4 },
  ...changes,
})

const answer = vi.fn<() => Promise<Response>>()

beforeEach(() => {
  setCredentials({ token: () => 'token', renew: async () => 'token', expire: () => undefined })
  vi.stubGlobal('fetch', () => answer())
})
afterEach(() => {
  cleanup()
  answer.mockReset()
  vi.unstubAllGlobals()
  setCredentials(null)
})

async function show(surroundings: EventSurroundings | null = answered(), of = event) {
  if (surroundings !== null) answer.mockImplementation(async () => Response.json(surroundings))
  const root = createRootRoute({ component: () => <AroundEvent event={of} /> })
  const router = createRouter({ routeTree: root, history: createMemoryHistory({ initialEntries: ['/'] }) })
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={client}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>,
  )
  return within(await screen.findByRole('region', { name: 'Around the event' }))
}

describe('around the event', () => {
  it('the statuses are told with their time, one at a time by the arrow keys', async () => {
    const card = await show()
    const person = userEvent.setup()
    const run = await card.findByRole('button', { name: 'method run, 10:00 to 14:00 (4 h)' })
    expect(card.getByText('At the event: alarms and errors, since 14:00 (6 h until 20:00)')).toBeTruthy()
    await person.tab()
    expect(document.activeElement?.getAttribute('aria-label')).toBe('ready, 06:00 to 10:00 (4 h)')
    await person.keyboard('{ArrowRight}')
    expect(document.activeElement).toBe(run)
    expect(card.getByText('method run, 10:00 to 14:00 (4 h)')).toBeTruthy()
    await person.keyboard('{End}{ArrowRight}')
    expect(document.activeElement?.getAttribute('aria-label')).toMatch(/^alarms and errors/)
    await person.keyboard('{Home}')
    expect(document.activeElement?.getAttribute('aria-label')).toMatch(/^ready/)
    // One stop: the next one is the first event.
    await person.tab()
    expect(document.activeElement?.getAttribute('aria-label')).toBe('09:00 LOW ORC-2: Words 2')
  })

  it('other events are links, this one is none', async () => {
    const card = await show()
    const link = await card.findByRole('link', { name: '09:00 LOW ORC-2: Words 2' })
    expect(link.getAttribute('href')).toBe('/events/2')
    expect(card.getByRole('img', { name: '14:00 HIGH this event: This one' })).toBeTruthy()
    expect(card.queryByRole('link', { name: /ORC-1:/ })).toBeNull()
  })

  it('several at one time are counted, and a click names each', async () => {
    const card = await show()
    const person = userEvent.setup()
    const several = await card.findByRole('button', { name: '2 events from 17:00 to 17:05' })
    expect(card.queryByRole('list', { name: 'Events at this time' })).toBeNull()
    await person.click(several)
    const opened = within(card.getByRole('list', { name: 'Events at this time' }))
    expect(opened.getAllByRole('link').map((link) => link.textContent)).toEqual(['ORC-3', 'ORC-4'])
    await person.click(several)
    expect(card.queryByRole('list', { name: 'Events at this time' })).toBeNull()
  })

  it('the same stands there as a list, oldest first', async () => {
    const card = await show()
    await userEvent.setup().click(await card.findByText('Show as list'))
    const items = card.getAllByRole('listitem').map((item) => item.textContent)
    expect(items.slice(-7)).toEqual([
      '06:00ready for 4 h',
      '09:00ORC-2 Words 2',
      '10:00method run for 4 h',
      '14:00alarms and errors for 6 h',
      '14:00This event This one',
      '17:00ORC-3 Words 3',
      '17:05ORC-4 Words 4',
    ])
  })

  it('no known status is said', async () => {
    const card = await show(answered({ statuses: [] }))
    expect(await card.findByText('No status of the instrument is known for this time.')).toBeTruthy()
  })

  it('an edge issue has events alone', async () => {
    const edge = { ...event, isEdgeIssue: true }
    const card = await show(answered({ statuses: [], values: [{ alarm: edge }], total: { events: 1 } }), edge)
    expect(await card.findByText(/^An edge issue is about the gateway/)).toBeTruthy()
    expect(card.queryByRole('toolbar')).toBeNull()
    expect(card.getByText(/It had no other issue within six hours\.$/)).toBeTruthy()
  })

  it('more events than are shown are counted', async () => {
    const card = await show(answered({ total: { events: 240 } }))
    expect(await card.findByText('The 4 nearest of 240 events are shown.')).toBeTruthy()
  })

  it('a failure can be tried again', async () => {
    answer.mockImplementation(async () => Response.json({ ErrorBody: 'Why.' }, { status: 503 }))
    const card = await show(null)
    expect((await card.findByRole('alert')).textContent).toContain('Could not get what happened around the event.')
    answer.mockImplementation(async () => Response.json(answered()))
    await userEvent.setup().click(card.getByRole('button', { name: 'Try again' }))
    expect(await card.findByRole('toolbar', { name: 'Status' })).toBeTruthy()
  })

  it('says that it is loading', async () => {
    answer.mockImplementation(() => new Promise(() => undefined))
    const card = await show(null)
    expect(card.getByRole('status', { name: /^Loading/ })).toBeTruthy()
  })
})
