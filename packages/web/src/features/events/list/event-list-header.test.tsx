import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { setCredentials } from '../../../lib/http.ts'
import { userKeys } from '../../users/users.api.ts'
import type { SearchedTotals } from '../event-cache.ts'
import { defaultEventSearch, type EventSearch } from '../events.search.ts'
import { EventListHeader } from './event-list-header.tsx'

const now = new Date(2026, 10, 20, 12).getTime()
const total: SearchedTotals = {
  events: 1284,
  instruments: 211,
  components: 1,
  customers: 12,
  locations: 48,
  noOwnerEvents: 7,
  noActionEvents: 5,
  fullSupportEvents: 31,
  olderOpenEvents: 3,
  asOf: null,
  isDegraded: false,
}
const onSearch = vi.fn<(search: EventSearch) => void>()

afterEach(() => {
  cleanup()
  onSearch.mockReset()
})

function show(search: Partial<EventSearch> = {}, searched: Partial<SearchedTotals> = {}) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY, retry: false } } })
  client.setQueryData(userKeys.list, [{ id: 'u-berg', name: 'Jonas Berg', email: null, msisdn: null }])
  client.setQueryData(userKeys.me, { id: 'u-me', role: 'service' })
  client.setQueryData(userKeys.filters, {
    eventFilter: [{ key: 'siteCountry', values: ['Norway', 'Sweden'] }],
    instrumentSummaryFilter: [],
  })
  render(
    <QueryClientProvider client={client}>
      <MantineProvider env="test">
        <EventListHeader
          search={{ ...defaultEventSearch, ...search }}
          total={{ ...total, ...searched }}
          now={now}
          onSearch={onSearch}
        />
      </MantineProvider>
    </QueryClientProvider>,
  )
  return userEvent.setup()
}

const asked = () => onSearch.mock.lastCall?.[0]

describe('above the list', () => {
  it("are the title and the idle events, labelled 'New and In progress': no owner plus no action", () => {
    show()
    expect(screen.getByRole('heading', { name: 'Service Events' })).toBeTruthy()
    const idle = screen.getByText(/New and In progress/)
    expect(idle.textContent).toBe('12 New and In progress · idle: no owner for 2 h or no action for 24 h')
  })

  it('are three quick filters with their counts; one at a time, and a second press shows all again', async () => {
    const person = show({ page: 4 })
    for (const [label, count, quick] of [
      ['No owner 2 hrs +', '7', 'noOwner'],
      ['No action 24 hrs +', '5', 'noAction'],
      ['24 hour support', '31', 'fullSupport'],
    ] as const) {
      const counter = screen.getByRole('button', { name: (name) => name.includes(label) })
      expect(counter.textContent).toBe(`${count}${label}`)
      expect(counter.title.split('\n')[0]).toBe(label)
      await person.click(counter)
      expect(asked()).toMatchObject({ quick, page: 1 })
    }
    cleanup()
    const again = show({ quick: 'noAction' })
    const active = screen.getByRole('button', { pressed: true })
    expect(active.textContent).toBe('5No action 24 hrs +')
    await again.click(active)
    expect(asked()?.quick).toBeNull()
  })

  it('is the number of open events of all times; a press shows them, another one all events again', async () => {
    const answer = { values: [], total: { ...total, events: 4217 }, asOf: null, isDegraded: false }
    const fetched = vi.fn(async () => Response.json(answer))
    vi.stubGlobal('fetch', fetched)
    setCredentials({ token: () => 'token', renew: async () => 'token', expire: () => undefined })
    onTestFinished(() => {
      vi.unstubAllGlobals()
      setCredentials(null)
    })
    const tile = (isPressed: boolean) => screen.getByRole('button', { name: /Open, all times/, pressed: isPressed })
    const set: Partial<EventSearch> = { page: 3, pageSize: 50, columns: ['age'], filter: { siteCountry: ['Sweden'] } }
    const person = show({ ...set, quick: 'noOwner' })
    await waitFor(() => expect(tile(false).textContent).toBe('4,217Open, all times'))
    await person.click(tile(false))
    const open = asked()
    expect(open).toEqual({
      ...defaultEventSearch,
      pageSize: 50,
      columns: ['age'],
      filter: { alertStatus: ['1_NEW', '2_IN_PROGRESS'] },
      start: '1970-01-01T00:00:00.000Z',
      temporaryFilters: true,
    })
    cleanup()
    const again = show(open)
    expect(screen.getByRole('button', { name: 'Date range: All times' })).toBeTruthy()
    await again.click(tile(true))
    expect(asked()).toEqual({ ...defaultEventSearch, pageSize: 50, columns: ['age'] })
  })

  it('are the totals of the whole result: events, instruments, components, customers, locations', () => {
    show()
    const parts = [...screen.getByTestId('totals').querySelectorAll(':scope > span')].map(
      ({ textContent }) => textContent,
    )
    expect(parts).toEqual(['1,284 events', '211 instruments', '1 component', '12 customers', '48 locations'])
  })

  it('is the time of the answer, once it is more than 3 seconds old', () => {
    show({}, { asOf: new Date(now - 4000).toISOString() })
    expect(screen.getByRole('status').textContent).toBe('As of 11:59:56.')
    expect(screen.getByRole('status').getAttribute('aria-live')).toBe('polite')
    cleanup()
    show({}, { asOf: new Date(now - 2000).toISOString() })
    expect(screen.getByRole('status').textContent).toBe('')
  })

  it('is a note that searches take longer while the database answers in place of the cluster', () => {
    show({}, { isDegraded: true })
    expect(screen.getByRole('status').textContent).toBe(
      'Searches take longer than usual at the moment. Results are complete.',
    )
    cleanup()
    show()
    expect(screen.getByRole('status').textContent).toBe('')
  })

  it('open events older than the range are one click away, and replace no saved filters', async () => {
    const person = show({ filter: { severity: ['high'] } })
    await person.click(screen.getByRole('button', { name: '3 open events are older' }))
    expect(asked()).toMatchObject({
      filter: { severity: ['high'], alertStatus: ['1_NEW', '2_IN_PROGRESS'] },
      stop: new Date(2026, 10, 13).toISOString(),
      temporaryFilters: true,
    })
  })
})

describe('the filter dropdown', () => {
  it('counts the chosen values, shows a tick at once and updates the list after 500 ms', async () => {
    const person = show({ page: 3, filter: { severity: ['high'] } })
    const button = screen.getByRole('button', { name: 'Filter 1 chosen' })
    expect(button.getAttribute('aria-expanded')).toBe('false')
    await person.click(button)
    await person.click(await screen.findByRole('tab', { name: 'Country' }))
    await person.click(screen.getByRole('checkbox', { name: 'Sweden' }))
    expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Sweden' }).checked).toBe(true)
    expect(screen.getByRole('button', { name: 'Filter 2 chosen' })).toBeTruthy()
    expect(onSearch).not.toHaveBeenCalled()
    await waitFor(() => expect(onSearch).toHaveBeenCalledOnce())
    expect(asked()).toMatchObject({ page: 1, filter: { severity: ['high'], siteCountry: ['Sweden'] } })
  })

  it('excludes values by the button beside them or by Alt and a click, and wants them again by a tick', async () => {
    const person = show({ filter: { siteCountry: ['Norway'] } })
    await person.click(screen.getByRole('button', { name: 'Filter 1 chosen' }))
    const exclude = await screen.findByRole('button', { name: 'Exclude Sweden' })
    exclude.focus()
    await person.keyboard('{Enter}')
    expect(screen.getByRole('button', { name: 'Exclude Sweden', pressed: true })).toBeTruthy()
    await person.keyboard('{Alt>}')
    await person.click(screen.getByRole('checkbox', { name: 'Norway' }))
    await person.keyboard('{/Alt}')
    expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Norway' }).checked).toBe(false)
    await waitFor(() => expect(asked()?.filter).toEqual({ 'siteCountry!': ['Sweden', 'Norway'] }))
    await person.click(screen.getByRole('checkbox', { name: 'Sweden' }))
    await waitFor(() => expect(asked()?.filter).toEqual({ 'siteCountry!': ['Norway'], siteCountry: ['Sweden'] }))
  })

  it('closes by Escape and by a second press, and gives the focus back to its button', async () => {
    const person = show()
    const button = screen.getByRole('button', { name: 'Filter' })
    await person.click(button)
    expect(await screen.findByRole('dialog', { name: 'Filter' })).toBeTruthy()
    await person.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(document.activeElement).toBe(button)
    await person.click(button)
    await screen.findByRole('dialog', { name: 'Filter' })
    await person.click(button)
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(button.getAttribute('aria-expanded')).toBe('false')
  })
})

describe('the search over all values', () => {
  /** Answers requests for counts, in turn. */
  function answerCounts(...answers: (() => Response | Promise<Response>)[]) {
    vi.stubGlobal('fetch', async (url: string | URL) => {
      if (!String(url).includes('/filter-counts')) return Response.json({})
      return (answers.length > 1 ? answers.shift() : answers[0])?.()
    })
    setCredentials({ token: () => 'token', renew: async () => 'token', expire: () => undefined })
    onTestFinished(() => {
      vi.unstubAllGlobals()
      setCredentials(null)
    })
  }

  const counted = (events: number) => () =>
    Response.json({
      values: [{ key: 'siteCountry', counts: [{ value: 'Sweden', events }] }],
      asOf: null,
      isDegraded: false,
    })

  it('says how many events each value would find, and 0 where the server names none', async () => {
    answerCounts(counted(1204))
    const person = show()
    await person.click(screen.getByRole('button', { name: 'Filter' }))
    await person.type(await screen.findByRole('searchbox', { name: 'Search all values' }), 'we')
    const group = within(screen.getByRole('group', { name: 'Country' }))
    expect(await group.findByText('1,204')).toBeTruthy()
    expect(group.getByRole('checkbox', { name: 'Sweden', description: '1,204' })).toBeTruthy()
    await person.clear(screen.getByRole('searchbox', { name: 'Search all values' }))
    await person.type(screen.getByRole('searchbox', { name: 'Search all values' }), 'norw')
    expect(screen.getByRole('checkbox', { name: 'Norway', description: '0' })).toBeTruthy()
  })

  it('adds the first value by Enter, and excludes it by Alt+Enter', async () => {
    answerCounts(counted(1))
    const person = show()
    await person.click(screen.getByRole('button', { name: 'Filter' }))
    await person.type(await screen.findByRole('searchbox', { name: 'Search all values' }), 'swed{Enter}')
    expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Sweden' }).checked).toBe(true)
    await waitFor(() => expect(asked()?.filter).toEqual({ siteCountry: ['Sweden'] }))
    await person.keyboard('{Alt>}{Enter}{/Alt}')
    await waitFor(() => expect(asked()?.filter).toEqual({ 'siteCountry!': ['Sweden'] }))
    await person.keyboard('nowhere{Enter}')
    expect(screen.getByText('Nothing matches “nowhere”.')).toBeTruthy()
  })

  it('says when the events cannot be counted, and tries again', async () => {
    answerCounts(() => Response.json({ code: 'internal', message: 'No.' }, { status: 400 }), counted(77))
    const person = show()
    await person.click(screen.getByRole('button', { name: 'Filter' }))
    await person.click(await screen.findByRole('button', { name: 'Try again' }))
    await person.type(screen.getByRole('searchbox', { name: 'Search all values' }), 'swed')
    expect(await screen.findByText('77')).toBeTruthy()
    expect(screen.queryByText(/Could not count the events/)).toBeNull()
  })
})

describe('applied filters', () => {
  it("read 'No filters selected.' when there are none", () => {
    show()
    expect(screen.getByText('No filters selected.')).toBeTruthy()
  })

  it('are chips, each with its own way out', async () => {
    const person = show({ page: 3, filter: { severity: ['high', 'low'], alertStatus: ['1_NEW'], siteCity: ['Oslo'] } })
    const chips = screen.getByRole('list', { name: 'Applied filters' })
    expect(chips.textContent).toContain('Severity High, Low')
    expect(chips.textContent).toContain('Event status New')
    expect(chips.textContent).toContain('City Oslo')
    expect(screen.getByRole('button', { name: 'Filter 3 chosen' })).toBeTruthy()
    await person.click(screen.getByRole('button', { name: 'Remove filter Severity' }))
    expect(asked()).toMatchObject({ page: 1, filter: { alertStatus: ['1_NEW'], siteCity: ['Oslo'] } })
    expect(asked()?.filter).not.toHaveProperty('severity')
  })

  it('name the first two values and how many more there are, owners by their names', () => {
    show({ filter: { siteCountry: ['Sweden', 'Norway', 'Japan', 'Italy'], owner: ['u-me', 'u-berg'] } })
    const [owner, country] = screen.getByRole('list', { name: 'Applied filters' }).querySelectorAll('li')
    expect(country?.textContent).toContain('Sweden, Norway +2')
    expect(country?.title).toBe('Country: Sweden, Norway, Japan, Italy')
    expect(owner?.textContent).toContain('Owner Me, Jonas Berg')
  })

  it('that exclude say not, apart from the wanted values of the same category', async () => {
    const person = show({ filter: { siteCity: ['Oslo'], 'siteCity!': ['Lund'], 'owner!': ['u-berg', 'none'] } })
    const [owner, city, notCity] = screen.getByRole('list', { name: 'Applied filters' }).querySelectorAll('li')
    expect(owner?.title).toBe('Owner: not Jonas Berg, None')
    expect(city?.textContent).toContain('City Oslo')
    expect(notCity?.textContent).toContain('City not Lund')
    await person.click(screen.getByRole('button', { name: 'Remove filter City: not Lund' }))
    expect(asked()?.filter).toEqual({ siteCity: ['Oslo'], 'owner!': ['u-berg', 'none'] })
  })

  it('are all taken away by one press', async () => {
    const person = show({ filter: { severity: ['high'], siteCity: ['Oslo'] } })
    await person.click(screen.getByRole('button', { name: 'Clear all' }))
    expect(asked()?.filter).toEqual({})
  })
})

it('the search box takes 40 characters', () => {
  show()
  expect(screen.getByLabelText<HTMLInputElement>('Search events').maxLength).toBe(40)
})
