import type { PlannedMaintenance } from '@benchwatch/contract/instruments/instruments'
import type { Maintenance } from '@benchwatch/contract/instruments/maintenance'
import { aListedInstrument } from '@benchwatch/samples/listed-instrument'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { setCredentials } from '../../lib/http.ts'
import { applyToInstruments } from './live.ts'
import { PlannedMaintenanceList, stateOf } from './planned-maintenance.tsx'

const NOW = new Date('2026-11-20T15:00:00.000Z')
const once: Maintenance = {
  id: '1',
  start: '2026-11-20T13:00:00.000Z',
  end: null,
  reason: 'Seals',
  rrule: null,
  timeZone: null,
}
const weekly: Maintenance = {
  id: '2',
  start: '2026-11-23T21:00:00.000Z',
  end: '2026-11-24T03:00:00.000Z',
  reason: null,
  rrule: 'FREQ=WEEKLY',
  timeZone: 'Europe/Stockholm',
}
const instrument = aListedInstrument({ maintenances: [once, weekly] })
const row = (maintenance: Maintenance, plannedBy: string | null): PlannedMaintenance => ({
  maintenance,
  plannedBy,
  plannedAt: '2026-11-19T08:00:00.000Z',
  instrument,
})
let answer: () => Response
let asked: URL[]

beforeEach(() => {
  vi.useFakeTimers({ now: NOW, toFake: ['Date'] })
  asked = []
  answer = () => Response.json({ values: [row(once, 'Sven Berg'), row(weekly, null)], total: 2 })
  setCredentials({ token: () => 'token', renew: async () => 'token', expire: () => undefined })
  vi.stubGlobal('fetch', async (address: string) => {
    const url = new URL(address, 'http://console')
    if (url.pathname !== '/api/maintenance') return Response.json({ ...instrument, events: [] })
    asked.push(url)
    return answer()
  })
})

afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  setCredentials(null)
})

function show(keyword = '') {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const root = createRootRoute({
    component: () => <PlannedMaintenanceList search={{ keyword, page: 1, pageSize: 25 }} onSearch={vi.fn()} />,
  })
  const router = createRouter({ routeTree: root, history: createMemoryHistory({ initialEntries: ['/'] }) })
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={client}>
        <RouterProvider router={router as never} />
      </QueryClientProvider>
    </MantineProvider>,
  )
  return { client, person: userEvent.setup() }
}

const rows = async () => (await screen.findAllByRole('row')).filter((one) => one.hasAttribute('data-row'))

it('says of each maintenance what it is about, whether it is on, when it recurs and who planned it', async () => {
  show('pilot')
  const [first, second] = await screen.findByText('Sven Berg').then(rows)
  for (const words of [
    'PILOT-UPP-02',
    'Helix Biologics',
    'Uppsala, Sweden',
    'On for 2 h',
    'turned off',
    'Once',
    'Seals',
  ])
    expect(first?.textContent).toContain(words)
  for (const words of ['In 3 days', 'Every week on Monday (Europe/Stockholm)', '–19-Nov-2026'])
    expect(second?.textContent).toContain(words)
  expect(within(second ?? document.body).getAllByTitle(/Stockholm/)).not.toHaveLength(0)
  expect(asked[0]?.search).toBe('?limit=25&offset=0&keyword=pilot')
})

it('changes that maintenance, not the current one, in the dialog of its instrument', async () => {
  const { person } = show()
  await screen.findByText('Sven Berg')
  await person.click(screen.getAllByRole('button', { name: /^Change maintenance of/ })[1] ?? document.body)
  const dialog = await screen.findByRole('dialog')
  // The maintenance in the form has no button to change it.
  expect(within(dialog).getByRole('button', { name: /^Change: Maintenance on/ })).toBeTruthy()
  expect(within(dialog).queryByRole('button', { name: /^Change: Maintenance scheduled/ })).toBeNull()
})

it('follows live: what another user ends is gone', async () => {
  const { client } = show()
  await screen.findByText('Sven Berg')
  const { id, instrumentInstalledProductId } = instrument
  const payload = { id, instrumentInstalledProductId, maintenances: [weekly] }
  act(() =>
    applyToInstruments({ seq: 1, entity: 'instrument', action: 'update', property: 'maintenances', payload }, client),
  )
  await waitFor(() => expect(screen.queryByText('Sven Berg')).toBeNull())
  expect(await rows()).toHaveLength(1)
})

it('says that nothing is planned, that nothing was found, and what failed', async () => {
  answer = () => Response.json({ values: [], total: 0 })
  show()
  expect(await screen.findByText('No maintenance planned')).toBeTruthy()
  cleanup()
  show('zzz')
  expect(await screen.findByText('No maintenance found')).toBeTruthy()
  cleanup()
  answer = () => Response.json({ ErrorBody: 'Down.' }, { status: 400 })
  const { person } = show()
  expect(await screen.findByText('Could not get maintenance')).toBeTruthy()
  answer = () => Response.json({ values: [row(once, 'Sven Berg')], total: 1 })
  await person.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('Sven Berg')).toBeTruthy()
})

it.each([
  [-120, 'On for 2 min'],
  [-30, 'On now'],
  [30, 'In less than a minute'],
  [120, 'In 2 min'],
])('a maintenance that starts in %d s reads: %s', (seconds, words) => {
  const now = Date.parse('2026-11-20T12:00:00Z')
  const maintenance = { id: '1', end: null, reason: null, rrule: null, timeZone: 'UTC' }
  expect(stateOf({ ...maintenance, start: new Date(now + seconds * 1000).toISOString() }, now)).toBe(words)
})
