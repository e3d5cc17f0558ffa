import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { setCredentials } from '../../lib/http.ts'
import { CalendarsCard, contentOf, filtersOf } from './calendars-card.tsx'

const saved = {
  id: '7',
  name: 'Laboratory',
  contents: ['maintenance', 'service'] as ('maintenance' | 'service')[],
  customers: null,
  viewName: null,
  createdAt: '2026-11-20T14:00:00.000Z',
  lastUsedAt: null,
}
const state = { filters: {}, keyword: null, range: null, order: null, orderBy: null, columns: null, pageSize: null }
const view = {
  id: '3',
  area: 'instruments',
  name: 'Uppsala',
  shared: false,
  isDefault: false,
  isOwn: true,
  ownerName: 'Sven',
  state: {
    ...state,
    filters: { instrumentCity: ['Uppsala'], instrumentFamily: ['WAVE 25'], gone: ['x'] },
    keyword: 'pilot',
    range: { kind: 'overdue' },
  },
}
const sent: unknown[] = []

beforeEach(() => {
  sent.length = 0
  setCredentials({ token: () => 'token', renew: async () => 'token', expire: () => undefined })
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    if (address === '/api/views') return Response.json([view])
    if (address === '/api/users/me/filters')
      return Response.json({
        eventFilter: [],
        instrumentSummaryFilter: [{ key: 'instrumentCustomer', values: ['Helix Biologics', 'Nordic Pharma'] }],
      })
    if (init.method !== 'POST') return Response.json({ values: sent.length > 0 ? [saved] : [] })
    sent.push(JSON.parse(String(init.body)))
    return Response.json({ ...saved, url: 'https://benchwatch.example/api/calendars/feeds/secret/calendar.ics' })
  })
})

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  setCredentials(null)
})

it('creates a calendar of a view for some customers, and shows its link this once', async () => {
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <CalendarsCard />
      </QueryClientProvider>
    </MantineProvider>,
  )
  const person = userEvent.setup()
  await person.click(screen.getByRole('button', { name: 'New calendar' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'New calendar' }))
  await person.click(dialog.getByRole('button', { name: 'Create calendar' }))
  expect(dialog.getByText('Enter a name.')).toBeTruthy()
  await person.type(dialog.getByLabelText(/^Name/), ' Laboratory ')
  await person.click(dialog.getByLabelText('Contract ends'))
  await person.selectOptions(await dialog.findByLabelText('Instruments'), 'Filters of “Uppsala”')
  await person.click(dialog.getByRole('button', { name: 'Create calendar' }))
  const shown = within(await screen.findByRole('dialog', { name: 'Link of “Laboratory”' }))
  expect(shown.getByText('https://benchwatch.example/api/calendars/feeds/secret/calendar.ics')).toBeTruthy()
  expect(sent).toEqual([
    {
      name: 'Laboratory',
      contents: ['maintenance', 'service'],
      customers: null,
      view: {
        name: 'Uppsala',
        keyword: 'pilot',
        instrumentFamily: 'WAVE 25',
        filter: { instrumentCity: ['Uppsala'] },
      },
    },
  ])
  await person.click(shown.getByLabelText(/I have saved it/))
  await person.click(shown.getByRole('button', { name: 'Done' }))
  expect(await screen.findByText('Maintenance, next services')).toBeTruthy()
  expect(screen.queryByText(/secret/)).toBeNull()
})

it('names what a calendar contains, and says that it is empty', () => {
  expect(contentOf({ ...saved, customers: ['Helix Biologics'], viewName: 'Uppsala' })).toBe(
    'Maintenance, next services · Helix Biologics · filters of “Uppsala”',
  )
  expect(contentOf({ ...saved, customers: [] })).toContain('empty: you no longer see its customers')
})

it('takes no filter from no view', () => {
  expect(filtersOf(undefined)).toBeNull()
})
