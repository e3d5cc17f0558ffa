import type { View } from '@benchwatch/contract/events/views'
import { aListedServiceEvent } from '@benchwatch/samples/service-event'
import { MantineProvider } from '@mantine/core'
import { Notifications, notifications } from '@mantine/notifications'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { cleanup, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { setCredentials } from '../lib/http.ts'
import { readQueryString, writeQueryString } from '../lib/list/list-address.ts'
import { EventsScreen } from './events.tsx'

const SAVED = 'benchwatch.events.filters'
const total = {
  events: 30,
  instruments: 1,
  components: 1,
  customers: 1,
  locations: 1,
  noOwnerEvents: 0,
  noActionEvents: 0,
  fullSupportEvents: 0,
  olderOpenEvents: 0,
}
/** Requests for the list, and whether the fake server answers them. */
const requests: { offset: string | null; orderBy: string | null; order: string | null; filter: unknown }[] = []
let isAnswered: boolean
/** Answer to the request for views; a function for anything but a plain answer. */
let views: View[] | (() => Promise<Response>)
/** Keys of enabled flags. */
let flags: string[]

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
  requests.length = 0
  isAnswered = true
  views = []
  flags = ['AUTO_EMAIL']
  setCredentials({ token: () => 'token', renew: async () => 'token', expire: () => undefined })
  vi.stubGlobal('scrollTo', () => undefined)
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    const { pathname, searchParams } = new URL(address, 'http://console.example')
    if (pathname === '/api/views') return typeof views === 'function' ? views() : Response.json(views)
    if (pathname === '/api/users/me/features') return Response.json(flags.map((key) => ({ key, value: 'true' })))
    if (pathname !== '/api/alarms') return Response.json([])
    const { filter } = JSON.parse(String(init.body)) as { filter: unknown }
    const [offset, orderBy, order] = ['offset', 'orderBy', 'order'].map((name) => searchParams.get(name))
    // Counters ask for one event.
    const isList = searchParams.get('limit') !== '1'
    if (isList) requests.push({ offset: offset ?? null, orderBy: orderBy ?? null, order: order ?? null, filter })
    if (!isAnswered) return new Promise<never>(() => undefined)
    const alarm = { ...aListedServiceEvent(), automaticEmailSentAt: '2026-11-20T14:00:00.000Z' }
    const values = Number(offset) < total.events ? [{ alarm }] : []
    return Response.json({ values, total, asOf: null, isDegraded: false })
  })
})

afterEach(() => {
  cleanup()
  notifications.clean()
  vi.unstubAllGlobals()
  setCredentials(null)
})

const lowInOslo: View = {
  id: '7',
  area: 'events',
  name: 'Low in Oslo',
  shared: false,
  isDefault: true,
  isOwn: true,
  ownerName: 'Anna Lind',
  state: {
    filters: { severity: ['low'], siteCity: ['Oslo'] },
    keyword: '',
    range: null,
    order: 'DESC',
    orderBy: 'siteCity',
    columns: ['eventId', 'status'],
    pageSize: 25,
  },
}
const asLowInOslo =
  '/events?pageSize=25&filters=severity=low;siteCity=Oslo&orderBy=siteCity&order=DESC&columns=eventId,status'
const shownFilters = () => new Set(requests.map(({ filter }) => JSON.stringify(filter)))

function open(address: string) {
  const root = createRootRoute()
  const events = createRoute({ getParentRoute: () => root, path: '/events', component: EventsScreen })
  const router = createRouter({
    routeTree: root.addChildren([events]),
    history: createMemoryHistory({ initialEntries: [address] }),
    parseSearch: readQueryString,
    stringifySearch: writeQueryString,
  })
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient()}>
        <Notifications />
        {/* The type of the product's own router is registered; this one has other routes. */}
        <RouterProvider router={router as never} />
      </QueryClientProvider>
    </MantineProvider>,
  )
  return {
    person: userEvent.setup(),
    address: () => router.state.location.href,
    steps: () => router.history.length,
  }
}

const removeSeverity = () => screen.findByRole('button', { name: 'Remove filter Severity' })
const row = () => screen.findByRole('link', { name: 'ORC-104882' })

describe('the event list', () => {
  it('shows as many rows of skeleton as the page will have while it loads', async () => {
    isAnswered = false
    open('/events?pageSize=25')
    expect(await screen.findByText('Loading events…')).toBeTruthy()
    expect(document.querySelectorAll('tr[data-skeleton]')).toHaveLength(25)
  })

  it.each([
    ['page=abc', ''],
    ['page=2&pageSize=13', '?page=2'],
    ['orderBy=bogus&order=sideways', ''],
    ['keyword=motor&quick=nothing&view=globe', '?keyword=motor'],
    ['filters=severity=high,none;colour=red', '?filters=severity=high'],
    ['alertStatus=1_NEW,4_LOST', '?alertStatus=1_NEW'],
  ])('replaces an address that differs from the screen: %s', async (odd, corrected) => {
    const { address, steps } = open(`/events?${odd}`)
    await waitFor(() => expect(decodeURIComponent(address())).toBe(`/events${corrected}`))
    expect(steps()).toBe(1)
    expect(screen.queryByText('The date range in the address can’t be used')).toBeNull()
  })

  it.each([
    'page=1&pageSize=12&keyword=IP-20431187&alertStatus=1_NEW,2_IN_PROGRESS&temporaryFilters=true',
    'start=2026-11-10&stop=2026-11-12',
  ])('leaves an address that spells out what is shown as it is: %s', async (spelled) => {
    const { address } = open(`/events?${spelled}`)
    await row()
    expect(decodeURIComponent(address())).toBe(`/events?${spelled}`)
  })

  it.each(['start=2099-01-01', 'start=2026-11-12&stop=2026-11-10', 'start=soon'])(
    'says that the last 7 days are shown in place of a range that cannot be used: %s',
    async (range) => {
      const { address } = open(`/events?${range}&keyword=motor`)
      expect(await screen.findByText('The date range in the address can’t be used')).toBeTruthy()
      expect(screen.getByText(/The last 7 days are shown instead\.$/)).toBeTruthy()
      await waitFor(() => expect(address()).toBe('/events?keyword=motor'))
    },
  )

  it('shows new events in the selection bar while it covers their strip', async () => {
    const { person } = open('/events')
    await row()
    expect(screen.getByText(/^No new events since/)).toBeTruthy()
    await person.click(screen.getByRole('checkbox', { name: 'Select ORC-104882' }))
    const bar = within(screen.getByRole('region', { name: 'Selected events' }))
    expect(bar.getByText(/^No new events since/)).toBeTruthy()
    expect(screen.getAllByText(/^No new events since/)).toHaveLength(1)
    await person.click(bar.getByRole('button', { name: 'Clear' }))
    expect(screen.getByText(/^No new events since/)).toBeTruthy()
  })

  it('shows the page of the address as the current one before it is known how many there are', async () => {
    isAnswered = false
    open('/events?page=4')
    const current = await screen.findByRole('button', { name: 'Page 4' })
    expect(current.getAttribute('aria-current')).toBe('page')
  })

  it('asks for the page and the order of the address', async () => {
    open('/events?page=2&orderBy=siteCity')
    await row()
    expect(requests[0]).toEqual({ offset: '12', orderBy: 'siteCity', order: 'ASC', filter: {} })
  })

  it('goes to the first page when the address names one beyond the last', async () => {
    const { address } = open('/events?page=9&keyword=pump')
    await waitFor(() => expect(address()).toBe('/events?keyword=pump'))
    await row()
    expect(requests.map(({ offset }) => offset)).toEqual(['96', '0'])
  })
})

describe('the column of automatic e-mails', () => {
  const emailColumn = () => screen.queryByRole('columnheader', { name: /E-mail sent/ })
  const offered = async (person: ReturnType<typeof open>['person']) => {
    await person.click(screen.getByRole('button', { name: /^Columns/ }))
    await screen.findByRole('checkbox', { name: 'Severity' })
    return screen.queryByRole('checkbox', { name: 'E-mail sent' }) !== null
  }
  beforeEach(() => vi.spyOn(document.documentElement, 'clientWidth', 'get').mockReturnValue(1440))
  afterEach(() => vi.restoreAllMocks())

  it('is there with AUTO_EMAIL: with its sign, among the columns to choose and to sort by', async () => {
    const { person } = open('/events')
    await row()
    expect(emailColumn()).toBeTruthy()
    expect(screen.getByRole('img', { name: 'E-mail sent' })).toBeTruthy()
    expect(screen.getByRole('option', { name: 'E-mail sent' })).toBeTruthy()
    expect(await offered(person)).toBe(true)
  })

  it('is not there without it, nor to be chosen, nor to sort by', async () => {
    flags = []
    const { person } = open('/events')
    await row()
    await waitFor(() => expect(emailColumn()).toBeNull())
    expect(screen.queryByRole('img', { name: 'E-mail sent' })).toBeNull()
    expect(screen.queryByRole('option', { name: 'E-mail sent' })).toBeNull()
    expect(await offered(person)).toBe(false)
  })

  it('may be named by an address or a view of somebody without it: the rest of that choice is shown, newest first', async () => {
    flags = []
    const address = '/events?orderBy=automaticEmailSentAt&columns=eventId,email'
    const kept = open(address)
    await row()
    await waitFor(() => expect(emailColumn()).toBeNull())
    expect(screen.getAllByRole('columnheader', { name: /Event$|Severity/ })).toHaveLength(1)
    await waitFor(() => expect(requests.at(-1)).toMatchObject({ orderBy: 'createdAt', order: 'DESC' }))
    expect(decodeURIComponent(kept.address())).toBe(address)
    cleanup()
    open('/events?columns=email')
    await row()
    await waitFor(() => expect(emailColumn()).toBeNull())
    expect(screen.getByRole('columnheader', { name: /Severity/ })).toBeTruthy()
  })
})

describe('filters', () => {
  it('of the address come before saved ones, and an edit changes both', async () => {
    localStorage.setItem(SAVED, JSON.stringify('siteCity=Oslo'))
    const { person, address } = open('/events?filters=severity%3Dhigh%3BsiteCountry%3DSweden')
    await row()
    expect(requests[0]?.filter).toEqual({ severity: ['high'], siteCountry: ['Sweden'] })
    await person.click(await removeSeverity())
    await waitFor(() => expect(decodeURIComponent(address())).toBe('/events?filters=siteCountry=Sweden'))
    expect(localStorage.getItem(SAVED)).toBe(JSON.stringify('siteCountry=Sweden'))
  })

  it('of an address that is paged through replace no saved ones', async () => {
    const saved = JSON.stringify('siteCity=Oslo')
    localStorage.setItem(SAVED, saved)
    const { person, address } = open('/events?filters=severity%3Dhigh')
    await row()
    await person.click(await screen.findByRole('button', { name: 'Page 2' }))
    await waitFor(() => expect(address()).toContain('page=2'))
    expect(localStorage.getItem(SAVED)).toBe(saved)
  })

  it('that were saved go into an address that names none', async () => {
    localStorage.setItem(SAVED, JSON.stringify('siteCity=Oslo'))
    const { address } = open('/events')
    await waitFor(() => expect(decodeURIComponent(address())).toBe('/events?filters=siteCity=Oslo'))
    await row()
    // Never without the filters, not even between reading and writing the address.
    expect(requests.filter(({ filter }) => JSON.stringify(filter) !== '{"siteCity":["Oslo"]}')).toEqual([])
  })

  it('with temporaryFilters=true neither read nor write what was saved', async () => {
    const saved = JSON.stringify('siteCity=Oslo')
    localStorage.setItem(SAVED, saved)
    const silent = open('/events?temporaryFilters=true')
    await row()
    expect(silent.address()).toBe('/events?temporaryFilters=true')
    expect([...shownFilters()]).toEqual(['{}'])
    cleanup()
    requests.length = 0
    const { person, address } = open('/events?filters=severity%3Dhigh&temporaryFilters=true')
    await row()
    expect(requests[0]?.filter).toEqual({ severity: ['high'] })
    await person.click(await removeSeverity())
    await waitFor(() => expect(address()).toBe('/events?temporaryFilters=true'))
    await waitFor(() => expect(requests.at(-1)?.filter).toEqual({}))
    expect(localStorage.getItem(SAVED)).toBe(saved)
  })
})

describe('the default view', () => {
  const opened = async (address: () => string, expected: string) => {
    await waitFor(() => expect(decodeURIComponent(address())).toBe(expected))
    await row()
  }

  it('opens the list where the address says nothing, before saved filters, and no other list is asked for', async () => {
    views = [lowInOslo]
    localStorage.setItem(SAVED, JSON.stringify('siteCity=Basel'))
    const { address } = open('/events')
    await opened(address, asLowInOslo)
    expect([...shownFilters()]).toEqual(['{"severity":["low"],"siteCity":["Oslo"]}'])
    expect(requests[0]).toMatchObject({ orderBy: 'siteCity', order: 'DESC' })
  })

  it('gives way to an address that says anything about the list', async () => {
    views = [lowInOslo]
    const { address } = open('/events?keyword=pump')
    await opened(address, '/events?keyword=pump')
    expect([...shownFilters()]).toEqual(['{}'])
  })

  it('is neither read nor written with temporaryFilters=true', async () => {
    views = [lowInOslo]
    const { address } = open('/events?temporaryFilters=true')
    await opened(address, '/events?temporaryFilters=true')
    expect([...shownFilters()]).toEqual(['{}'])
  })

  it('is not waited for where this browser knows that there is none', async () => {
    open('/events')
    await row()
    cleanup()
    requests.length = 0
    sessionStorage.clear()
    views = () => new Promise(() => undefined)
    open('/events')
    await row()
  })

  it('of another area opens no list of events', async () => {
    views = [{ ...lowInOslo, area: 'instruments' }]
    const { address } = open('/events')
    await opened(address, '/events')
  })

  it.each<[string, () => Promise<Response>]>([
    ['that cannot be read', async () => new Response('{}', { status: 403 })],
    ['that takes too long', () => new Promise(() => undefined)],
  ])('%s does not keep the list with its saved filters away', async (_what, answer) => {
    views = answer
    localStorage.setItem(SAVED, JSON.stringify('siteCity=Basel'))
    const { address } = open('/events')
    await opened(address, '/events?filters=siteCity=Basel')
    expect([...shownFilters()]).toEqual(['{"siteCity":["Basel"]}'])
  })

  it('opens the list again after a failure, for the usual list was nobody’s wish', async () => {
    views = async () => new Response('{}', { status: 403 })
    open('/events')
    await row()
    cleanup()
    views = [lowInOslo]
    const { address } = open('/events')
    await opened(address, asLowInOslo)
  })

  it('stays away from a tab whose list was set back to the usual one, until another tab', async () => {
    views = [lowInOslo]
    const first = open('/events')
    await opened(first.address, asLowInOslo)
    await first.person.click(await screen.findByRole('button', { name: 'View: Low in Oslo' }))
    await first.person.click(await screen.findByRole('button', { name: 'Reset to default list' }))
    await opened(first.address, '/events')
    cleanup()
    const again = open('/events')
    await opened(again.address, '/events')
    cleanup()
    sessionStorage.clear()
    const tab = open('/events')
    await opened(tab.address, asLowInOslo)
  })
})
