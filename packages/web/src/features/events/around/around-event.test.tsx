import type { EventSurroundings } from '@benchwatch/contract/events/event-details'
import { aServiceEvent } from '@benchwatch/samples/service-event'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { cleanup, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { setCredentials } from '../../../lib/http.ts'
import { AroundEvent, clockBeside, isStillGrowing, lasted, stretchLabel } from './around-event.tsx'

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
  it('the statuses are read out with their time, one at a time by the arrow keys', async () => {
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
    // The band is one tab stop; the next stop is the first event.
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

  it('the same is available as a list, oldest first', async () => {
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
    expect(await card.findByText('No instrument status is known for this period.')).toBeTruthy()
  })

  it('an edge issue has events alone', async () => {
    const edge = { ...event, isEdgeIssue: true }
    const card = await show(answered({ statuses: [], values: [{ alarm: edge }], total: { events: 1 } }), edge)
    expect(await card.findByText(/^An edge issue concerns the gateway/)).toBeTruthy()
    expect(card.queryByRole('toolbar')).toBeNull()
    expect(card.getByText(/It had no other issues within six hours\.$/)).toBeTruthy()
  })

  it('more events than are shown are counted', async () => {
    const card = await show(answered({ total: { events: 240 } }))
    expect(await card.findByText('Showing the nearest 4 of 240 events.')).toBeTruthy()
  })

  it('a failure can be tried again', async () => {
    answer.mockImplementation(async () => Response.json({ ErrorBody: 'Why.' }, { status: 503 }))
    const card = await show(null)
    expect((await card.findByRole('alert')).textContent).toContain('Could not get the activity around this event.')
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

describe('the axis', () => {
  const at = (hours: number, minutes = 0) => Date.parse(iso(hours, minutes))

  it('grows until the six hours after the event are over', () => {
    expect(isStillGrowing({ start: iso(8), stop: iso(19, 59) })).toBe(true)
    expect(isStillGrowing({ start: iso(8), stop: iso(20) })).toBe(false)
  })

  it('tells statuses with their time and length', () => {
    const around = { stop: at(20), eventAt: at(14) }
    expect(stretchLabel({ value: 'ready', from: at(5), to: at(11) }, around)).toBe('ready, 05:00 to 11:00 (6 h)')
    const wash = { value: 'wash', from: at(11), to: null }
    expect(stretchLabel(wash, around)).toBe('wash, since 11:00 (9 h until 20:00)')
  })

  it('names another day', () => {
    expect(clockBeside(at(8), at(14))).toBe('08:00')
    expect(clockBeside(at(-2), at(14))).toBe('19-Nov 22:00')
  })

  it.each([
    [400, '0 s'],
    [40_000, '40 s'],
    [12 * 60_000, '12 min'],
    [59.6 * 60_000, '1 h'],
    [238 * 60_000, '3 h 58 min'],
  ])('says how long %i ms are: %s', (milliseconds, words) => {
    expect(lasted(milliseconds)).toBe(words)
  })
})

describe('the severity of a mark', () => {
  const colour = async (name: RegExp | string) => (await screen.findByRole('button', { name })).style.color

  it('is the worst of its events, but the own one where this event is among them', async () => {
    const values = [
      other('2', 10),
      { alarm: { ...other('3', 10, 1).alarm, severity: 'medium' as const } },
      { alarm: { ...event, severity: 'low' as const } },
      { alarm: { ...other('4', 14, 1).alarm, severity: 'high' as const } },
    ]
    await show(answered({ values }), { ...event, severity: 'low' })
    expect(await colour('2 events from 10:00 to 10:01')).toBe('var(--bw-medium)')
    expect(await colour('This event and 1 more from 14:00 to 14:01')).toBe('var(--bw-low)')
  })
})
