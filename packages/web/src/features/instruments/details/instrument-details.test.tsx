import type { InstrumentWithEvents } from '@benchwatch/contract/instruments/instruments'
import { aListedInstrument } from '@benchwatch/samples/listed-instrument'
import { aServiceEvent } from '@benchwatch/samples/service-event'
import { MantineProvider } from '@mantine/core'
import { Notifications, notifications } from '@mantine/notifications'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { setCredentials } from '../../../lib/http.ts'
import { readQueryString, writeQueryString } from '../../../lib/list/list-address.ts'
import { InstrumentDetails } from './instrument-details.tsx'
import type { InstrumentTab } from './instrument-details-tabs.tsx'

/** Answers the request for the instrument. Other requests get an answer only where a test needs one. */
const answerInstrument = vi.fn<(path: string) => Promise<Response>>()
let others: Record<string, unknown>
const found =
  (changes: Partial<InstrumentWithEvents> = {}) =>
  async () =>
    Response.json({ ...aListedInstrument(), events: [{ alarm: aServiceEvent() }], ...changes })
const problem = (status: number, code: string) => async () =>
  Response.json({ status, code, detail: 'Why.', ErrorBody: 'Why.' }, { status })
const gateway = {
  name: 'GW-UPP-01',
  instrumentIpids: ['IP-20431187', 'IP-20431188'],
  location: 'Server room',
  lastSeenAt: new Date().toISOString(),
}

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  setCredentials({ token: () => 'token', renew: async () => 'token', expire: () => undefined })
  others = {
    '/api/instruments/edge-gateway/IP-20431187': gateway,
    '/api/instruments/linked-clients': { clientPcNames: ['PC-012', 'PC-013'], instrumentServerPcName: 'IS-01' },
    '/api/instruments/unsubscriptions': [],
    '/api/users/me/features': [],
  }
  vi.stubGlobal('fetch', async (address: string) => {
    const { pathname } = new URL(address, 'http://console')
    if (pathname in others) return Response.json(others[pathname])
    if (/^\/api\/instruments\/[^/]+$/.test(pathname)) return answerInstrument(pathname)
    return problem(404, 'not-found')()
  })
})

afterEach(() => {
  cleanup()
  notifications.clean()
  answerInstrument.mockReset()
  vi.unstubAllGlobals()
  vi.useRealTimers()
  setCredentials(null)
})

const onTab = vi.fn<(tab: InstrumentTab) => void>()

function show({ instrumentId = '187', tab = 'events' as InstrumentTab } = {}) {
  const root = createRootRoute({
    component: () => (
      <InstrumentDetails instrumentId={instrumentId} listAddress={{ page: '3' }} tab={tab} onTab={onTab} />
    ),
  })
  const router = createRouter({
    routeTree: root,
    history: createMemoryHistory({ initialEntries: ['/'] }),
    parseSearch: readQueryString,
    stringifySearch: writeQueryString,
  })
  const client = new QueryClient({ defaultOptions: { queries: { retryDelay: 1 } } })
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={client}>
        <Notifications />
        {/* The type of the product's own router is registered; this router has other routes. */}
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>,
  )
}

const title = () => screen.findByRole('heading', { level: 1 })
const card = (name: string) => screen.findByRole('region', { name })
/** Returns the value beside a name on a card. */
const fact = async (of: string, name: string) =>
  within(await card(of)).getByText(name, { selector: 'dt' }).nextElementSibling?.textContent

describe('the details of an instrument', () => {
  it('show a loader while loading', async () => {
    answerInstrument.mockImplementation(() => new Promise(() => undefined))
    show()
    expect((await screen.findByRole('status')).textContent).toBe('Loading instrument…')
  })

  it.each(['187', 'IP-20431187'])('are asked for by whatever id the address holds: %s', async (instrumentId) => {
    answerInstrument.mockImplementation(found())
    show({ instrumentId })
    await card('Instrument')
    expect(answerInstrument).toHaveBeenCalledWith(`/api/instruments/${instrumentId}`)
  })

  it.each([
    [404, 'not-found'],
    [400, 'validation-failed'],
  ])("read 'Instrument could not be found.' after %i", async (status, code) => {
    answerInstrument.mockImplementation(problem(status, code))
    show()
    expect(await screen.findByText('Instrument could not be found.')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Close' })).toBeTruthy()
    expect(screen.queryByText('Could not get instrument')).toBeNull()
  })

  it("say 'Could not get instrument' by a toast and in their place when the server fails, and try again on request", async () => {
    answerInstrument.mockImplementation(problem(503, 'unavailable'))
    show()
    await waitFor(() => expect(screen.getAllByText('Could not get instrument')).toHaveLength(2))
    answerInstrument.mockImplementation(found())
    await userEvent.setup({ delay: null }).click(screen.getByRole('button', { name: 'Try again' }))
    expect(await card('Instrument')).toBeTruthy()
  })

  it('refresh the status every 10 seconds', async () => {
    answerInstrument.mockImplementation(found({ instrumentStatus: 'method run' }))
    show()
    expect(await screen.findByRole('img', { name: 'Instrument status: method run' })).toBeTruthy()
    answerInstrument.mockImplementation(found({ instrumentStatus: 'wash' }))
    await act(() => vi.advanceTimersByTimeAsync(10_000))
    expect(await screen.findByRole('img', { name: 'Instrument status: wash' })).toBeTruthy()
  })

  it('stay as they were when a refresh fails, and say how old they are', async () => {
    answerInstrument.mockImplementation(found())
    show()
    await card('Instrument')
    answerInstrument.mockImplementation(problem(503, 'unavailable'))
    await act(() => vi.advanceTimersByTimeAsync(12_000))
    expect(await screen.findByText(/Could not get instrument; showing data from \d\d:\d\d/)).toBeTruthy()
    expect(screen.getByRole('img', { name: /^Instrument status: method run, as of \d\d:\d\d$/ })).toBeTruthy()
    expect(screen.queryByText('Could not get instrument')).toBeNull()
  })

  it('say so when the instrument leaves the scope while somebody looks at it', async () => {
    answerInstrument.mockImplementation(found())
    show()
    await card('Instrument')
    answerInstrument.mockImplementation(problem(404, 'not-found'))
    await act(() => vi.advanceTimersByTimeAsync(10_000))
    expect(await screen.findByText('Instrument could not be found.')).toBeTruthy()
    expect(screen.getByText(/while this page was open/)).toBeTruthy()
  })

  it('lead back to the list as it was left', async () => {
    answerInstrument.mockImplementation(found())
    show()
    expect((await screen.findByRole('link', { name: 'Close' })).getAttribute('href')).toBe('/instruments?page=3')
  })
})

describe('what they show', () => {
  it('status, description and a badge for a qualified instrument', async () => {
    answerInstrument.mockImplementation(found())
    show()
    await card('Instrument')
    expect((await title()).textContent).toBe('method runÄKTA pilot 600Qualified')
  })

  it('open events and contacts before the time line', async () => {
    answerInstrument.mockImplementation(found())
    show()
    const line = await card('Time line')
    for (const name of ['Events and e-mails', 'Customer']) {
      expect((await card(name)).compareDocumentPosition(line)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
    }
  })

  it('no badge for one that is not qualified', async () => {
    answerInstrument.mockImplementation(found({ qualifiedSystem: false }))
    show()
    await card('Instrument')
    expect((await title()).textContent).toBe('method runÄKTA pilot 600')
    expect(await fact('Instrument', 'Qualified system')).toBe('No')
  })

  it('in short what it is called, where and whose it is, and its ORC status', async () => {
    answerInstrument.mockImplementation(found({ orcStatus: 'Disconnected' }))
    show()
    const short = within(await card('Short info'))
    expect(short.getByRole('button', { name: 'ORC status: Disconnected' })).toBeTruthy()
    const names = ['System name', 'Installed product ID', 'Location', 'Customer', 'Added to ORC']
    const told = names.map((name) => short.getByText(name).nextElementSibling?.textContent?.trim())
    expect(told).toEqual(['PILOT-UPP-02', 'IP-20431187', 'Uppsala, Sweden', 'Helix Biologics', '04-Mar-2024'])
  })

  it('two columns of details with customer info; usage of components with both of its flags alone', async () => {
    answerInstrument.mockImplementation(found())
    others['/api/instruments/components/187'] = []
    others['/api/users/me/features'] = [{ key: 'FETCH_INSTRUMENT_COMPONENTS', value: 'true' }]
    show()
    for (const name of ['Instrument', 'Location', 'Customer']) await card(name)
    expect(screen.queryByRole('region', { name: 'Component usage' })).toBeNull()
    cleanup()
    others['/api/users/me/features'] = ['ASSET_USAGE', 'FETCH_INSTRUMENT_COMPONENTS'].map((key) => ({
      key,
      value: 'true',
    }))
    show()
    expect(await card('Component usage')).toBeTruthy()
  })

  it('dates of the instrument, and that its service is overdue', async () => {
    vi.setSystemTime('2027-04-01T12:00:00.000Z')
    answerInstrument.mockImplementation(found())
    show()
    expect(await fact('Instrument', 'Installation date')).toBe('18-May-2021')
    expect(await fact('Instrument', 'Added to ORC')).toBe('04-Mar-2024')
    expect(await fact('Instrument', 'Last service')).toBe('12-Sep-2026')
    expect(await fact('Instrument', 'Next service')).toBe('12-Mar-2027overdue')
  })

  it('where it is, and what time it is there', async () => {
    vi.setSystemTime('2026-11-20T13:30:00.000Z')
    answerInstrument.mockImplementation(found({ instrumentTimeZone: 'America/New_York' }))
    show()
    expect(await fact('Location', 'Address')).toBe('Björkgatan 30753 23 Uppsala, Sweden')
    expect(await fact('Location', 'Room')).toBe('Room 214')
    expect(await fact('Location', 'Region')).toBe('EMEA · Nordics')
    expect(await fact('Location', 'Local time')).toBe('Fri 08:30 America/New_York')
  })

  it('the contract and whom to call', async () => {
    answerInstrument.mockImplementation(found({ itContactName: 'Ivo IT', itContactEmail: 'not an address' }))
    show()
    expect(await fact('Customer', 'Contract end')).toBe('30-Jun-2027')
    expect(await fact('Customer', 'Contact')).toBe('Maria Öberg')
    expect(screen.getByRole('link', { name: '+46 70 555 01 20' }).getAttribute('href')).toBe('tel:+46705550120')
    expect(await fact('Customer', 'IT contact')).toBe('Ivo IT')
    expect(await fact('Customer', 'IT e-mail')).toBe('not an address')
  })

  it('a dash where there is nothing', async () => {
    answerInstrument.mockImplementation(
      found({
        instrumentContractType: null,
        instrumentContractEndDate: null,
        instrumentContactName: null,
        instrumentContactEmail: null,
        instrumentCity: null,
        instrumentCountry: null,
        instrumentStreetAddress: null,
        instrumentZipCode: null,
        unicornVersion: null,
        gatewayName: null,
      }),
    )
    show()
    const names = [
      ['Customer', 'Contract type'],
      ['Customer', 'Contract end'],
      ['Customer', 'Contact'],
      ['Customer', 'E-mail'],
      ['Location', 'Address'],
      ['Software', 'UNICORN version'],
      ['Connection', 'Gateway'],
    ] as const
    for (const [of, name] of names) expect([name, await fact(of, name)]).toEqual([name, '–'])
  })

  it('the gateway, when it was heard last, and the instruments behind it', async () => {
    answerInstrument.mockImplementation(found())
    show()
    const link = await screen.findByRole('link', { name: 'View connected instruments (2)' })
    expect(link.getAttribute('href')).toBe(
      '/instruments?temporaryFilters=true&instrumentFamily=All&instruments=IP-20431187,IP-20431188&keyword=&page=1&pageSize=12',
    )
    expect(await fact('Connection', 'Last seen')).toBe('Now')
  })

  it('since when the connection is lost', async () => {
    answerInstrument.mockImplementation(found({ orcStatus: 'Edge Issue', unknownAt: '2026-11-20T12:00:00.000Z' }))
    show()
    expect(await fact('Connection', 'Lost since')).toMatch(/^20-Nov-2026 \d\d:\d\d .+ ago$/)
  })

  it('the network configurations as a table', async () => {
    answerInstrument.mockImplementation(found())
    show()
    const table = await screen.findByRole('region', { name: 'Network configurations' })
    expect(within(table).getByRole('row', { name: 'Ethernet 10.20.4.12 On' })).toBeTruthy()
  })

  it('network configurations that can’t be read as they came, to be copied', async () => {
    const text = '[{"name":"Ethernet","ip":"10.2'
    answerInstrument.mockImplementation(found({ unicornNetworkConfigurations: text }))
    show()
    expect((await screen.findByText(text)).tagName).toBe('PRE')
    expect(screen.getByRole('button', { name: 'Copy network configurations' })).toBeTruthy()
  })

  it('the computers beside it', async () => {
    answerInstrument.mockImplementation(found())
    show()
    expect(await screen.findByText('PC-012, PC-013')).toBeTruthy()
    expect(await fact('Software', 'Instrument server')).toBe('IS-01')
  })
})

describe('where they lead', () => {
  it('to the list of its open events, its logs, and a report of either type in a new tab', async () => {
    answerInstrument.mockImplementation(found())
    show()
    const events = await screen.findByRole('link', { name: 'Events (1)' })
    expect(events.getAttribute('href')).toBe(
      '/events?keyword=IP-20431187&alertStatus=1_NEW,2_IN_PROGRESS&start=2024-03-03T09:12:00.000Z&temporaryFilters=true&page=1&pageSize=12',
    )
    expect(screen.getByRole('link', { name: 'View Logs' }).getAttribute('href')).toBe('/logs/IP-20431187')
    await userEvent.setup({ delay: null }).click(screen.getByRole('button', { name: 'View report' }))
    const menu = await screen.findByRole('menu', { name: 'View report' })
    expect(menu.textContent).toMatch(/^Select report type/)
    const reports = await screen.findAllByRole('menuitem')
    const told = reports.map((item) => [item.textContent, item.getAttribute('href'), item.getAttribute('target')])
    expect(told).toEqual([
      ['Field Engineer (FE)', '/report/187?reportType=fe', '_blank'],
      ['Qualification Services (QS)', '/report/187?reportType=qs', '_blank'],
    ])
  })
})

describe('its tabs', () => {
  it('list the open events, eight at first, and lead to all of them', async () => {
    const events = Array.from({ length: 11 }, (_, index) => ({
      alarm: aServiceEvent({ id: String(index), eventId: String(1000 + index) }),
    }))
    answerInstrument.mockImplementation(found({ events, eventCount: 134 }))
    show()
    expect(await screen.findAllByRole('link', { name: /^ORC-/ })).toHaveLength(8)
    expect(screen.getByRole('link', { name: 'Show all 134 in event list' })).toBeTruthy()
    await userEvent.setup({ delay: null }).click(screen.getByRole('button', { name: 'Show 3 more' }))
    expect(screen.getAllByRole('link', { name: /^ORC-/ })).toHaveLength(11)
  })

  it('say that nothing is open', async () => {
    answerInstrument.mockImplementation(found({ events: [], eventCount: 0 }))
    show()
    expect(await screen.findByText('No open events on this instrument.')).toBeTruthy()
  })

  it('hold the automated support emails with the flag AUTO_EMAIL alone', async () => {
    answerInstrument.mockImplementation(found())
    show({ tab: 'emails' })
    await card('Instrument')
    expect(await screen.findByRole('tab', { name: /Open Service Events/, selected: true })).toBeTruthy()
    expect(screen.queryByRole('tab', { name: 'Automated support emails' })).toBeNull()
    cleanup()
    others['/api/users/me/features'] = [{ key: 'AUTO_EMAIL', value: 'true' }]
    show({ tab: 'emails' })
    expect(await screen.findByText(/No automated support emails exist/)).toBeTruthy()
  })

  it('tell the address which of them is open', async () => {
    others['/api/users/me/features'] = [{ key: 'AUTO_EMAIL', value: 'true' }]
    answerInstrument.mockImplementation(found())
    show()
    await userEvent.setup({ delay: null }).click(await screen.findByRole('tab', { name: 'Automated support emails' }))
    expect(onTab).toHaveBeenLastCalledWith('emails')
  })
})
