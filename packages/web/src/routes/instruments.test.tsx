import type { Instrument } from '@benchwatch/contract/instruments/instruments'
import type { LiveMessage } from '@benchwatch/contract/live'
import { seededTypes } from '@benchwatch/samples/equipment/instrument-type'
import { aListedInstrument } from '@benchwatch/samples/listed-instrument'
import { MantineProvider } from '@mantine/core'
import { Notifications, notifications } from '@mantine/notifications'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { applyToInstruments } from '../features/instruments/live.ts'
import { userKeys } from '../features/users/users.api.ts'
import { setCredentials } from '../lib/http.ts'
import { readQueryString, writeQueryString } from '../lib/list/list-address.ts'
import { InstrumentsScreen } from './instruments.tsx'

/** A request for the list. */
interface ListRequest {
  query: Record<string, string>
  filter: Record<string, unknown>
}
let requests: ListRequest[]
let rows: Instrument[]
let families: () => Response
let features: string[]
/** Statuses reported by the fake server, and the instruments of the requests for them. */
let statuses: Record<string, string>
let statusRequests: string[][]
let client: QueryClient

const lists = () => requests.filter(({ query }) => query.offset !== undefined)

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
  requests = []
  rows = [
    aListedInstrument({
      id: '1',
      instrumentInstalledProductId: 'IP-1',
      eventCount: 3,
      openEventsBySeverity: { high: 0, medium: 1, low: 2 },
      instrumentNextService: null,
    }),
    aListedInstrument({ id: '2', instrumentInstalledProductId: 'IP-2', eventCount: 0 }),
  ]
  families = () => Response.json(['WAVE 25', 'ÄKTA pilot', 'UniFlux'])
  features = []
  statuses = {}
  statusRequests = []
  client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  setCredentials({ token: () => 'token', renew: async () => 'token', expire: () => undefined })
  vi.stubGlobal('scrollTo', () => undefined)
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    const { pathname, searchParams } = new URL(address, 'http://console.example')
    if (pathname === '/api/instruments/families') return families()
    if (pathname === '/api/instruments/types') return Response.json(seededTypes)
    if (pathname === '/api/users/me/features') return Response.json(features.map((key) => ({ key, value: 'true' })))
    if (pathname === '/api/instruments/instrument-statuses') {
      const body = JSON.parse(String(init.body)) as { instrumentInstalledProductIds: string[] }
      statusRequests.push(body.instrumentInstalledProductIds)
      return Response.json(statuses)
    }
    if (pathname === '/api/instruments/counts') {
      const { searches } = JSON.parse(String(init.body)) as { searches: unknown[] }
      return Response.json(searches.map((_, place) => 1200 + place))
    }
    if (pathname !== '/api/instruments') return Response.json([])
    const { filter } = JSON.parse(String(init.body)) as { filter: Record<string, unknown> }
    requests.push({ query: Object.fromEntries(searchParams), filter })
    const named = filter.instruments as string[] | undefined
    const values = rows.filter((row) => named?.includes(row.instrumentInstalledProductId) ?? true)
    const [offset, limit] = [Number(searchParams.get('offset')), Number(searchParams.get('limit'))]
    return Response.json({ values: values.slice(offset, offset + limit), total: { instruments: values.length } })
  })
})

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  cleanup()
  notifications.clean()
  client.clear()
  vi.unstubAllGlobals()
  setCredentials(null)
})

function open(address: string) {
  const root = createRootRoute()
  const list = createRoute({ getParentRoute: () => root, path: '/instruments', component: InstrumentsScreen })
  const details = createRoute({
    getParentRoute: () => root,
    path: '/instruments/$instrumentId',
    component: () => <p>Details</p>,
  })
  const router = createRouter({
    routeTree: root.addChildren([list, details]),
    history: createMemoryHistory({ initialEntries: [address] }),
    parseSearch: readQueryString,
    stringifySearch: writeQueryString,
  })
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={client}>
        <Notifications />
        {/* The type of the product's own router is registered; this one has other routes. */}
        <RouterProvider router={router as never} />
      </QueryClientProvider>
    </MantineProvider>,
  )
  return { person: userEvent.setup(), address: () => decodeURIComponent(router.state.location.href) }
}

const row = async (id: string): Promise<HTMLElement> => {
  await screen.findByText(id)
  return document.querySelector<HTMLElement>(`tr[data-row="${id.slice(3)}"]`) as HTMLElement
}

describe('the screen of the list', () => {
  it('has title, filter box and the toggle of a date range at its head, and the pages below the table', async () => {
    open('/instruments')
    await row('IP-1')
    const head = within(screen.getByRole('banner'))
    expect(head.getByRole('heading', { level: 1 }).textContent).toBe('Instrument Summary')
    expect(head.getByRole('searchbox', { name: 'Search instruments' })).toBeTruthy()
    expect(head.getByRole('button', { name: 'Filter' })).toBeTruthy()
    expect(head.getByRole('button', { name: 'Next service date filter' }).getAttribute('aria-pressed')).toBe('false')
    const table = screen.getByRole('table', { name: 'Instruments' })
    const pages = screen.getByRole('navigation', { name: /page/i })
    expect(table.compareDocumentPosition(pages)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
  })

  it('puts what is shown in the place of an address that says something else, and says so of a reversed range', async () => {
    const { address } = open(
      '/instruments?page=abc&instrumentFamily=Kettle&start=2026-12-02&stop=2026-12-01&keyword=avant',
    )
    expect(await screen.findByText('The date range in the address can’t be used')).toBeTruthy()
    expect(screen.getByText(/The list is not limited by next service\.$/)).toBeTruthy()
    await waitFor(() => expect(address()).toBe('/instruments?keyword=avant'))
    // The server would refuse a family that it lacks, and a message would flash.
    await waitFor(() => expect(requests.length).toBeGreaterThan(0))
    expect(requests.filter(({ query }) => query['instrumentFamily'] === 'Kettle')).toEqual([])
    cleanup()
    const spelled = '/instruments?temporaryFilters=true&instrumentFamily=All&instruments=IP-20400001&page=1&pageSize=12'
    const left = open(spelled)
    await screen.findByRole('heading', { level: 1 })
    expect(left.address()).toBe(spelled)
  })

  it('counts what needs attention; a press on a counter shows it, another one all', async () => {
    features = ['ASSET_USAGE', 'FETCH_INSTRUMENT_COMPONENTS']
    const { person, address } = open('/instruments?keyword=avant&pageSize=25&columns=events,instrument')
    const counters = within(await screen.findByRole('group', { name: 'Instruments that need attention' }))
    await waitFor(() =>
      expect(counters.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
        '1,200Lost connection',
        '1,201Service overdue',
        '1,202In maintenance',
        '1,203Limit reached',
      ]),
    )
    await person.click(counters.getByRole('button', { name: /Lost connection/ }))
    const kept = 'pageSize=25&columns=events,instrument'
    await waitFor(() => expect(address()).toContain('filters=orcStatus=Edge Issue,Disconnected'))
    expect(address()).not.toContain('keyword')
    expect(counters.getByRole('button', { pressed: true }).textContent).toBe('1,200Lost connection')
    await person.click(counters.getByRole('button', { pressed: true }))
    await waitFor(() => expect(address()).toBe(`/instruments?${kept}`))
  })

  it('has a box for all, an arrow and the columns in their order, each of which sorts; the name comes first', async () => {
    const { person, address } = open('/instruments')
    await row('IP-1')
    const heads = within(screen.getByRole('table', { name: 'Instruments' })).getAllByRole('columnheader')
    expect(heads.map(({ textContent }) => textContent)).toEqual([
      '',
      'Expand',
      'System name',
      'Instrument',
      'Status',
      'Installed product ID',
      'Region',
      'Location',
      'Customer',
      'Last service',
      'Next service',
      'ORC status',
      'Events',
    ])
    expect(within(heads[0] as HTMLElement).getByRole('checkbox', { name: /^Select all/ })).toBeTruthy()
    const cells = (await row('IP-1')).querySelectorAll('td')
    expect(within(cells[0] as HTMLElement).getByRole('checkbox')).toBeTruthy()
    expect(within(cells[1] as HTMLElement).getByRole('button', { name: /^Expand/ })).toBeTruthy()
    const sorted = []
    for (const head of heads.slice(2)) {
      await person.click(within(head).getByRole('button'))
      sorted.push(new URLSearchParams(address().split('?')[1]).get('orderBy'))
    }
    expect(sorted).toEqual([
      'instrumentDefinedSystemName',
      // The default order is left out.
      null,
      'trouble',
      'instrumentInstalledProductId',
      'instrumentRegion',
      'instrumentCity',
      'instrumentCustomer',
      'instrumentLastService',
      'instrumentNextService',
      'orcStatus',
      'eventCount',
    ])
    for (const head of heads.slice(0, 2)) expect(within(head).queryByRole('button')).toBeNull()
  })

  it('searches 500 ms after the last key, from the first page on', async () => {
    rows = Array.from({ length: 30 }, (_, place) =>
      aListedInstrument({ id: `${place + 1}`, instrumentInstalledProductId: `IP-${place + 1}` }),
    )
    const { address } = open('/instruments?page=2')
    await screen.findByText('IP-13')
    vi.useFakeTimers({ shouldAdvanceTime: false })
    fireEvent.change(screen.getByRole('searchbox', { name: 'Search instruments' }), { target: { value: 'pump' } })
    await act(() => vi.advanceTimersByTimeAsync(499))
    expect(address()).toBe('/instruments?page=2')
    await act(() => vi.advanceTimersByTimeAsync(1))
    expect(address()).toBe('/instruments?keyword=pump')
  })

  it('asks every 10 seconds what the listed instruments do now, by installed product id', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    open('/instruments')
    await row('IP-1')
    statuses = { 'IP-2': 'wash' }
    statusRequests.length = 0
    await act(() => vi.advanceTimersByTimeAsync(10_000))
    expect(statusRequests).toEqual([['IP-1', 'IP-2']])
    expect(await within(await row('IP-2')).findByRole('img', { name: 'Instrument status: wash' })).toBeTruthy()
    await act(() => vi.advanceTimersByTimeAsync(10_000))
    expect(statusRequests).toHaveLength(2)
  })
})

describe('the list of instruments', () => {
  it('asks for the page, the family, the order and the days of the address', async () => {
    open(
      '/instruments?page=1&pageSize=25&instrumentFamily=ÄKTA pilot&orderBy=eventCount&start=2026-11-20&stop=2027-01-01',
    )
    await row('IP-1')
    expect(lists()[0]).toEqual({
      query: {
        limit: '25',
        offset: '0',
        instrumentFamily: 'ÄKTA pilot',
        orderBy: 'eventCount',
        order: 'ASC',
        start: '2026-11-20',
        stop: '2027-01-01',
      },
      filter: {},
    })
  })

  it('goes to the first page when the address names one beyond the last', async () => {
    const { address } = open('/instruments?page=9&keyword=pump')
    await waitFor(() => expect(address()).toBe('/instruments?keyword=pump'))
    await row('IP-1')
    expect(lists().map(({ query }) => query.offset)).toEqual(['96', '0'])
  })

  it('links the events of an instrument that has some, in a new tab, and those of none not at all', async () => {
    open('/instruments')
    const events = within(await row('IP-1')).getByRole('link', {
      name: /^3 open events of .+, 1 medium, 2 low, in a new /,
    })
    expect(events.title).toBe('3 open events: 1 medium, 2 low\nOpens in a new tab')
    expect(events.querySelector('[data-worst]')?.getAttribute('data-worst')).toBe('medium')
    expect(events.getAttribute('href')).toBe(
      '/events?keyword=IP-1&alertStatus=1_NEW,2_IN_PROGRESS&start=2024-03-03T09:12:00.000Z&temporaryFilters=true&page=1&pageSize=12',
    )
    expect(events.getAttribute('target')).toBe('_blank')
    expect(within(await row('IP-2')).queryByRole('link', { name: /open event/ })).toBeNull()
  })

  it('marks an overdue service by a word', async () => {
    rows = [aListedInstrument({ id: '1', instrumentInstalledProductId: 'IP-1', instrumentNextService: '2020-02-03' })]
    open('/instruments')
    expect((await row('IP-1')).textContent).toContain('03-Feb-2020overdue')
  })

  it('that finds nothing says "No instrument(s) found" and leads out of what narrows it', async () => {
    rows = []
    const { person, address } = open('/instruments?keyword=zzz&instrumentFamily=UniFlux&filters=orcStatus%3DConnected')
    expect(await screen.findByText('No instrument(s) found')).toBeTruthy()
    rows = [aListedInstrument({ id: '1', instrumentInstalledProductId: 'IP-1' })]
    await person.click(screen.getByRole('button', { name: 'Show all instruments' }))
    await row('IP-1')
    expect(address()).toBe('/instruments')
  })

  it('expands to the instrument in short, two columns of details and the link More Detail', async () => {
    const { person, address } = open('/instruments')
    await row('IP-1')
    await person.click(screen.getByRole('button', { name: 'Expand ÄKTA pilot 600 IP-1' }))
    await screen.findByRole('link', { name: 'More Detail' })
    const names = [...document.querySelectorAll('tbody dl')].map((list) =>
      [...list.querySelectorAll('dt')].map(({ textContent }) => textContent),
    )
    expect(names).toEqual([
      ['System name', 'Installed product ID', 'ORC status', 'Location', 'Customer', 'Added to ORC'],
      ['Instrument type', 'Installation date', 'Building / room', 'Region'],
      ['Contract type', 'Contract SLA', 'Contract end', 'Last service', 'Next service', 'UNICORN version'],
    ])
    expect(screen.queryByRole('region', { name: 'Component usage' })).toBeNull()
    await person.click(await screen.findByRole('link', { name: 'More Detail' }))
    await waitFor(() => expect(address()).toBe('/instruments/1'))
  })
})

it.each([
  [['ASSET_USAGE', 'FETCH_INSTRUMENT_COMPONENTS'], true],
  [['ASSET_USAGE'], false],
  [['FETCH_INSTRUMENT_COMPONENTS'], false],
])('an expanded row has the usage card with both flags alone: %j', async (given, isShown) => {
  features = given
  const { person } = open('/instruments')
  await row('IP-1')
  await person.click(screen.getByRole('button', { name: 'Expand ÄKTA pilot 600 IP-1' }))
  await screen.findByRole('link', { name: 'More Detail' })
  if (isShown) expect(await screen.findByRole('region', { name: 'Component usage' })).toBeTruthy()
  else {
    await waitFor(() => expect(client.getQueryData(userKeys.features)).toBeTruthy())
    expect(screen.queryByRole('region', { name: 'Component usage' })).toBeNull()
  }
})

describe('a list that an address limits', () => {
  it('requests these instruments, shows their number, and shows all with one click', async () => {
    const { person, address } = open(
      '/instruments?temporaryFilters=true&instrumentFamily=All&instruments=IP-1,IP-7,IP-9&keyword=&page=1&pageSize=12',
    )
    await row('IP-1')
    expect(lists()[0]?.filter).toEqual({ instruments: ['IP-1', 'IP-7', 'IP-9'] })
    expect(screen.queryByText('IP-2')).toBeNull()
    expect(screen.getByText('Limited to 3 instruments')).toBeTruthy()
    await person.click(screen.getByRole('button', { name: 'Show all' }))
    await row('IP-2')
    expect(address()).toBe('/instruments')
  })
})

describe('the tabs of families', () => {
  it('walk by the arrow keys and choose by Enter, back on the first page', async () => {
    const { person, address } = open('/instruments?keyword=pump')
    const all = await screen.findByRole('tab', { name: 'All', selected: true })
    await screen.findByRole('tab', { name: 'WAVE 25/Xuri' })
    all.focus()
    await person.keyboard('{ArrowRight}')
    expect(document.activeElement?.textContent).toBe('WAVE 25/Xuri')
    // Hovering sends no request.
    expect(address()).toBe('/instruments?keyword=pump')
    await person.keyboard('{End}{ArrowRight}{ArrowLeft}{Enter}')
    await waitFor(() => expect(address()).toBe('/instruments?keyword=pump&instrumentFamily=UniFlux'))
    expect(screen.getByRole('tab', { selected: true }).textContent).toBe('UniFlux')
  })

  it('that are out of sight are scrolled to by arrows, 400 px a press', async () => {
    const size = { scrollWidth: 1200, clientWidth: 500 }
    for (const [name, value] of Object.entries(size))
      vi.spyOn(HTMLElement.prototype, name as 'clientWidth', 'get').mockReturnValue(value)
    const { person } = open('/instruments')
    const strip = await screen.findByRole('tablist', { name: 'Instrument families' })
    const moved = vi.spyOn(strip, 'scrollBy').mockImplementation(() => undefined)
    await person.click(await screen.findByRole('button', { name: 'More families' }))
    expect(screen.queryByRole('button', { name: 'Earlier families' })).toBeNull()
    strip.scrollLeft = 400
    fireEvent.scroll(strip)
    await person.click(await screen.findByRole('button', { name: 'Earlier families' }))
    expect(moved.mock.calls).toEqual([[{ left: 400 }], [{ left: -400 }]])
  })

  it('that could not be read can be asked for again, while the list is there', async () => {
    families = () => Response.json({ ErrorBody: 'No.' }, { status: 500 })
    const { person } = open('/instruments')
    await row('IP-1')
    expect(await screen.findByText(/Could not get instrument families\./)).toBeTruthy()
    families = () => Response.json(['UniFlux'])
    await person.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByRole('tab', { name: 'UniFlux' })).toBeTruthy()
  })
})

describe('live messages', () => {
  const shownIds = () => [...document.querySelectorAll('tr[data-row]')].map((one) => one.getAttribute('data-row'))

  it('change a row in place', async () => {
    open('/instruments')
    await row('IP-1')
    const update = (payload: object, property: string) => {
      const head = { id: '2', instrumentInstalledProductId: 'IP-2' }
      const message: unknown = {
        seq: 1,
        entity: 'instrument',
        action: 'update',
        property,
        payload: { ...head, ...payload },
      }
      applyToInstruments(message as LiveMessage, client)
    }
    const dot = async (name: string) => within(await row('IP-2')).findByRole('img', { name })
    update({ instrumentStatus: 'alarms and errors' }, 'instrumentStatus')
    expect(await dot('Instrument status: alarms and errors')).toBeTruthy()
    update({ orcStatus: 'Edge Issue' }, 'orcStatus')
    expect(await dot('Monitoring unavailable, last status: alarms and errors')).toBeTruthy()
    expect(await within(await row('IP-2')).findByText('Edge Issue')).toBeTruthy()
    expect(within(await row('IP-1')).queryByText('Edge Issue')).toBeNull()
  })

  it('about events have the shown rows read again, which keep their places although their order would be another one', async () => {
    open('/instruments?orderBy=eventCount')
    await row('IP-1')
    rows = [
      aListedInstrument({ id: '2', instrumentInstalledProductId: 'IP-2', eventCount: 9 }),
      aListedInstrument({ id: '1', instrumentInstalledProductId: 'IP-1', eventCount: 2 }),
    ]
    const payload = {
      id: '77',
      eventId: '77',
      createdAt: '2026-11-20T14:00:00.000Z',
      severity: 'high',
      alertStatus: '1_NEW',
      instrumentInstalledProductId: 'IP-2',
    } as const
    applyToInstruments({ seq: 2, entity: 'alarm', action: 'create', property: null, payload }, client)
    expect(await within(await row('IP-2')).findByRole('link', { name: /^9 open events/ })).toBeTruthy()
    expect(shownIds()).toEqual(['1', '2'])
    expect(lists()).toHaveLength(1)
  })
})

describe('the selection', () => {
  it('takes the place of the tabs, counts, and continues over all that the list finds', async () => {
    const { person } = open('/instruments')
    await row('IP-1')
    await person.click(screen.getByRole('checkbox', { name: 'Select ÄKTA pilot 600 IP-1' }))
    const bar = screen.getByRole('region', { name: 'Selected instruments' })
    expect(within(bar).getByText('1 selected')).toBeTruthy()
    await person.click(within(bar).getByRole('button', { name: 'Select all 2' }))
    expect(within(bar).getByText('2 selected')).toBeTruthy()
    await person.click(within(bar).getByRole('button', { name: 'Clear' }))
    expect(screen.queryByRole('region', { name: 'Selected instruments' })).toBeNull()
  })

  it('of all by the box in the head, less those that are taken out again', async () => {
    const { person } = open('/instruments')
    await row('IP-1')
    await person.click(screen.getByRole('checkbox', { name: /^Select all/ }))
    const bar = screen.getByRole('region', { name: 'Selected instruments' })
    expect(within(bar).getByText('2 selected')).toBeTruthy()
    for (const name of ['Select ÄKTA pilot 600 IP-1', 'Select ÄKTA pilot 600 IP-2'])
      expect(screen.getByRole<HTMLInputElement>('checkbox', { name }).checked).toBe(true)
    await person.click(screen.getByRole('checkbox', { name: 'Select ÄKTA pilot 600 IP-2' }))
    expect(within(bar).getByText('1 selected')).toBeTruthy()
  })
})
