import { eventTotals, type ServiceEvent } from '@benchwatch/contract/events/events'
import { aServiceEvent } from '@benchwatch/samples/service-event'
import { MantineProvider } from '@mantine/core'
import { notifications, notificationsStore } from '@mantine/notifications'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { lazy } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { setCredentials } from '../../../lib/http.ts'
import { formatEventTime } from '../../../lib/time/dates.ts'
import { rememberWalk } from '../list-walk.ts'
import { EventDetails } from './event-details.tsx'

const dialog = vi.hoisted(() => ({ isLoading: false }))
vi.mock(import('../close/close-event-dialog.tsx'), async (original) => {
  const { CloseEventDialog } = await original()
  const Loading = lazy(() => new Promise<never>(() => undefined))
  return { CloseEventDialog: (props) => (dialog.isLoading ? <Loading /> : <CloseEventDialog {...props} />) }
})

/** The server's answers for the event and for the list; every other request of the screen returns nothing. */
const answerEvent = vi.fn<(path: string) => Promise<Response>>()
const answerList = vi.fn<() => Promise<Response>>()
const found =
  (changes: Partial<ServiceEvent> = {}) =>
  async () =>
    Response.json(aServiceEvent(changes))
const users = [
  { id: '1', name: 'Anna Lind', email: null, msisdn: null },
  { id: '2', name: 'Jonas Berg', email: null, msisdn: null },
]
const outcomes = { inScope: { start: '2023-11-20T14:00:00.000Z', values: [] }, everywhere: null }
const problem = (status: number, code: string) => async () =>
  Response.json({ status, code, detail: 'Why.', ErrorBody: 'Why.' }, { status })

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  setCredentials({ token: () => 'token', renew: async () => 'token', expire: () => undefined })
  vi.stubGlobal('fetch', async (address: string) => {
    if (address.startsWith('/api/alarms/event/')) return answerEvent(address)
    if (address.startsWith('/api/alarms?')) return answerList()
    if (address.startsWith('/api/users')) return Response.json(users)
    if (address.startsWith('/api/alarms/104882/outcomes')) return Response.json(outcomes)
    return Response.json(address.endsWith('/history') ? { values: [] } : [])
  })
})

afterEach(() => {
  cleanup()
  sessionStorage.clear()
  dialog.isLoading = false
  answerEvent.mockReset()
  answerList.mockReset()
  vi.unstubAllGlobals()
  vi.useRealTimers()
  setCredentials(null)
})

function show(eventId = '104882') {
  const root = createRootRoute({
    component: () => (
      <EventDetails
        eventId={eventId}
        viewer={{ id: '1', role: 'service' }}
        listAddress={{ page: '3' }}
        sideCard={({ eventId }) => <p>What else is known of {eventId}</p>}
      />
    ),
  })
  const router = createRouter({ routeTree: root, history: createMemoryHistory({ initialEntries: ['/'] }) })
  const client = new QueryClient({ defaultOptions: { queries: { retryDelay: 1 } } })
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={client}>
        {/* TypeScript knows the routes of the product's router; this test router has others. */}
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>,
  )
  return router
}

/** Returns the value beside a name in the details grid. */
const fact = async (name: string) => (await screen.findByText(name, { selector: 'dt' })).nextElementSibling?.textContent

describe('the details of an event', () => {
  it('show a loader while loading', async () => {
    answerEvent.mockImplementation(() => new Promise(() => undefined))
    show()
    expect((await screen.findByRole('status')).textContent).toBe('Loading event…')
  })

  it.each(['104882', 'ORC-104882', 'orc-104882'])('are asked for by the event id without ORC-: %s', async (eventId) => {
    answerEvent.mockImplementation(found())
    show(eventId)
    await screen.findByRole('heading', { level: 1 })
    expect(answerEvent).toHaveBeenCalledWith('/api/alarms/event/104882')
  })

  it.each([
    [404, 'not-found'],
    [400, 'validation-failed'],
  ])("read 'Event could not be found.' after %i", async (status, code) => {
    answerEvent.mockImplementation(problem(status, code))
    show()
    expect(await screen.findByText('Event could not be found.')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Close' })).toBeTruthy()
  })

  it('say so when a key is pressed while they are loading', async () => {
    answerEvent.mockImplementation(() => new Promise(() => undefined))
    show()
    await screen.findByText('Loading event…')
    await userEvent.setup({ advanceTimers: vi.advanceTimersByTime }).keyboard('c')
    expect(notificationsStore.getState().notifications).toMatchObject([
      { title: 'ORC-104882 is still loading', message: 'Press c again when it is shown.' },
    ])
    notifications.clean()
  })

  it("read 'Could not get event' when the server fails, and try again on request", async () => {
    answerEvent.mockImplementation(problem(503, 'unavailable'))
    show()
    expect(await screen.findByText('Could not get event')).toBeTruthy()
    answerEvent.mockImplementation(found())
    await userEvent.setup({ delay: null }).click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('What happened')).toBeTruthy()
  })

  it('are read again every 10 seconds', async () => {
    answerEvent.mockImplementation(found({ instrumentStatus: 'method run' }))
    show()
    await screen.findByText('What happened')
    expect(answerEvent).toHaveBeenCalledTimes(1)
    answerEvent.mockImplementation(found({ instrumentStatus: 'wash' }))
    await act(() => vi.advanceTimersByTimeAsync(10_000))
    expect(answerEvent).toHaveBeenCalledTimes(2)
    expect(await screen.findByRole('img', { name: 'Instrument status: wash' })).toBeTruthy()
  })

  it('stay as they were when a refresh fails, and say how old they are', async () => {
    answerEvent.mockImplementation(found())
    show()
    await screen.findByText('What happened')
    answerEvent.mockImplementation(problem(503, 'unavailable'))
    await act(() => vi.advanceTimersByTimeAsync(12_000))
    expect(await screen.findByText(/Could not get event; showing data from \d\d:\d\d/)).toBeTruthy()
    expect(screen.getByText('What happened')).toBeTruthy()
    answerEvent.mockImplementation(found())
    await act(() => vi.advanceTimersByTimeAsync(10_000))
    expect(screen.queryByText(/this is how it was/)).toBeNull()
  })

  it('say so when the event is deleted while somebody looks at it', async () => {
    answerEvent.mockImplementation(found())
    show()
    await screen.findByText('What happened')
    answerEvent.mockImplementation(problem(404, 'not-found'))
    await act(() => vi.advanceTimersByTimeAsync(10_000))
    expect(await screen.findByText('Event could not be found.')).toBeTruthy()
    expect(screen.getByText(/It was deleted, .* while it was open here/)).toBeTruthy()
  })

  it('lead back to the list as it was left', async () => {
    answerEvent.mockImplementation(found())
    show()
    expect((await screen.findByRole('link', { name: 'Close' })).getAttribute('href')).toMatch(/^\/events\?page=.*3/)
  })
})

describe('what they show', () => {
  it('error id, module, dates and advice', async () => {
    answerEvent.mockImplementation(found({ logGeneratedAt: '2026-11-20T12:00:00.000Z' }))
    show()
    expect(await fact('Error id')).toBe('P9B-1042')
    expect(await fact('Module')).toBe('Pump B (P9-B)')
    expect(await fact('Event type')).toBe('Alarm')
    expect(await fact('Date generated')).toBe(`${formatEventTime('2026-11-20T12:00:00.000Z')}delayed`)
    expect(screen.getByText('Troubleshooting')).toBeTruthy()
    // The template's HTML is sanitized here.
    expect((await screen.findByText(/Check for kinked tubing/)).tagName).toBe('LI')
    expect(screen.getByText(/Replace the inline filter and rinse/)).toBeTruthy()
    expect(screen.getByText('Remedy')).toBeTruthy()
  })

  it('a bar with status, owner and what can be done, and what was raised before', async () => {
    answerEvent.mockImplementation(found())
    show()
    const bar = within(await screen.findByRole('region', { name: 'Status and owner' }))
    await bar.findByRole('button', { name: 'Assign to me' })
    const buttons = bar.getAllByRole('button').map((button) => button.getAttribute('aria-label') ?? button.textContent)
    expect(buttons).toEqual([
      'Status: New',
      'Owner: None',
      'View Logs',
      'E-mail',
      'Share',
      'Close event…',
      'Assign to me',
    ])
    expect(screen.getByRole('heading', { level: 1 }).textContent).toContain('Pressure above limit, pump B')
    for (const name of ['Prior Event Notification', 'Similar events'])
      expect(await screen.findByRole('region', { name })).toBeTruthy()
  })

  it('closing for the owner; others see that it is not allowed, and why', async () => {
    const person = userEvent.setup({ delay: null })
    const button = async () => screen.findByRole('button', { name: 'Close event…' })
    answerEvent.mockImplementation(found({ alertStatus: '2_IN_PROGRESS', claimedBy: '2', claimedByName: 'Jonas Berg' }))
    show()
    expect((await button()).getAttribute('aria-disabled')).toBe('true')
    await person.click(await button())
    expect((await screen.findByRole('tooltip')).textContent).toBe(
      'Only the owner may close the event. Assign the event to yourself first.',
    )
    expect(screen.queryByRole('dialog')).toBeNull()
    cleanup()
    answerEvent.mockImplementation(found({ alertStatus: '2_IN_PROGRESS', claimedBy: '1', claimedByName: 'Anna Lind' }))
    show()
    await person.click(await button())
    expect(await screen.findByRole('dialog', { name: 'Close event ORC-104882' })).toBeTruthy()
  })

  it.each([
    [{}, 'Assign to me'],
    [{ alertStatus: '2_IN_PROGRESS', claimedBy: '1', claimedByName: 'Anna Lind' } as const, 'Close event…'],
    [{ alertStatus: '2_IN_PROGRESS', claimedBy: '2', claimedByName: 'Jonas Berg' } as const, 'Take over'],
  ])('the next thing to do as the button of its key: %o', async (changes, name) => {
    answerEvent.mockImplementation(found(changes))
    show()
    const button = await screen.findByRole('button', { name })
    expect([button.getAttribute('aria-keyshortcuts'), button.getAttribute('aria-disabled')]).toEqual([
      name === 'Close event…' ? 'c' : 'a',
      null,
    ])
    if (name === 'Take over') expect(screen.getByRole('button', { name: 'Owner: Jonas Berg' })).toBeTruthy()
  })

  it('what comes after the claim as the same button, which a double click does not press', async () => {
    answerEvent.mockImplementation(found())
    const others = fetch
    const unanswered = new Promise<never>(() => undefined)
    vi.stubGlobal('fetch', async (address: string, init?: RequestInit) =>
      init?.method === 'PUT' ? unanswered : others(address, init),
    )
    show()
    const button = await screen.findByRole('button', { name: 'Assign to me' })
    fireEvent.click(button, { detail: 1 })
    await waitFor(() => expect(button.textContent).toBe('Close event…'))
    expect(button.getAttribute('aria-busy')).toBe('true')
    fireEvent.click(button, { detail: 2 })
    expect(button.getAttribute('aria-expanded')).toBe('false')
  })

  it('no description beside the title that shows it, and no fact without a value', async () => {
    answerEvent.mockImplementation(found({ qualifiedSystem: false, instrumentDefinedSystemName: null }))
    show()
    await screen.findByText('What happened')
    for (const name of ['Description', 'Qualified system', 'System name'])
      expect(screen.queryByText(name, { selector: 'dt' })).toBeNull()
  })

  it('what to do before the facts', async () => {
    answerEvent.mockImplementation(found())
    show()
    await screen.findByRole('heading', { name: 'What happened' })
    const titles = screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)
    expect(titles.indexOf('Troubleshooting')).toBeLessThan(titles.indexOf('What happened'))
    expect(titles.indexOf('Remedy')).toBeLessThan(titles.indexOf('What happened'))
  })

  it('its place in the list it was opened from, with links to its neighbours', async () => {
    rememberWalk({ address: {}, offset: 12, total: 382, names: ['104890', '104882', '104871'] })
    answerEvent.mockImplementation(found())
    show()
    const pager = within(await screen.findByRole('navigation', { name: 'Events of the list' }))
    expect(pager.getByText('14 of 382')).toBeTruthy()
    const target = (name: string) => pager.getByRole('link', { name }).getAttribute('href')
    expect([target('Previous event'), target('Next event')]).toEqual(['/events/104890', '/events/104871'])
  })

  it.each([
    { seconds: 1, opensPanel: false, leadsTo: '/events/104871' },
    { seconds: 3, opensPanel: false, leadsTo: '/' },
    { seconds: 1, opensPanel: true, leadsTo: '/' },
  ])(
    'the neighbour that was asked for before it was known, if that is soon: $seconds s, panel $opensPanel',
    async ({ seconds, opensPanel, leadsTo }) => {
      vi.useRealTimers()
      vi.useFakeTimers({ toFake: ['Date'] })
      answerEvent.mockImplementation(
        found({ claimedBy: '1', claimedByName: 'Anna Lind', alertStatus: '2_IN_PROGRESS' }),
      )
      // The dialog is still loading when the neighbour becomes known.
      dialog.isLoading = true
      const { promise: known, resolve: answer } = Promise.withResolvers<void>()
      answerList.mockImplementation(async () => {
        await known
        const values = ['104890', '104882', '104871'].map((eventId) => ({ alarm: aServiceEvent({ eventId }) }))
        const total = Object.fromEntries(Object.keys(eventTotals.shape).map((key) => [key, 382]))
        return Response.json({ values, total, asOf: null, isDegraded: false })
      })
      rememberWalk({ address: {}, offset: 12, total: 382, names: ['104890', '104882'] })
      const router = show()
      await screen.findByRole('button', { name: 'Close event…' })
      await userEvent.keyboard('j')
      if (opensPanel) await userEvent.keyboard('c')
      vi.setSystemTime(Date.now() + seconds * 1000)
      answer()
      await waitFor(() =>
        expect(screen.getByLabelText('Next event', { selector: 'a' }).getAttribute('href')).toBe('/events/104871'),
      )
      expect(router.state.location.pathname).toBe(leadsTo)
    },
  )

  it('no place in a list for an event that was opened by another link', async () => {
    answerEvent.mockImplementation(found())
    show()
    await screen.findByText('What happened')
    expect(screen.queryByRole('navigation', { name: 'Events of the list' })).toBeNull()
  })

  it('shows the data of another feature about the event', async () => {
    answerEvent.mockImplementation(found())
    show()
    expect(await screen.findByText('What else is known of 104882')).toBeTruthy()
  })

  it('that it happened during maintenance', async () => {
    answerEvent.mockImplementation(found({ duringMaintenance: true }))
    show()
    expect(await fact('Date generated')).toMatch(/During maintenance$/)
  })

  it('the gateway instead of the module for an edge issue', async () => {
    answerEvent.mockImplementation(found({ isEdgeIssue: true, componentName: null }))
    show()
    expect(await fact('Gateway')).toBe('GW-UPP-01')
    expect(screen.queryByText('Module', { selector: 'dt' })).toBeNull()
  })

  it('the customer with contract, services and contacts', async () => {
    answerEvent.mockImplementation(found({ itContactName: 'Ivo IT', itContactEmail: 'not an address' }))
    show()
    const block = (await screen.findByText('Contract type')).closest('section') as HTMLElement
    expect([...block.querySelectorAll('dt')].map((name) => name.textContent)).toEqual([
      ...['Customer', 'Address', 'Contract type', 'Contract SLA', 'Contract expiry', 'Last service'],
      ...['Last maintenance', 'Contact', 'Phone', 'Mobile', 'E-mail', 'IT contact', 'IT e-mail'],
    ])
    expect(within(block).getByText('Helix Biologics')).toBeTruthy()
    expect(within(block).getByText('Address').nextElementSibling?.textContent).toBe(
      'Björkgatan 30753 23 Uppsala, Sweden',
    )
    expect(await fact('IT contact')).toBe('Ivo IT')
    expect(await fact('Contract type')).toBe('Complete Care')
    expect(await fact('Contract SLA')).toBe('Platinum 24/7 · Tier 1 24 h')
    expect(await fact('Contract expiry')).toBe('30-Jun-2027')
    expect(await fact('Last service')).toBe('12-Sep-2026')
    expect(await fact('Last maintenance')).toBe('14-Mar-2026')
    expect(await fact('Contact')).toBe('Maria Öberg')
    expect(await fact('Phone')).toBe('+46 18 555 01 20')
    expect(screen.getByRole('link', { name: '+46 70 555 01 20' }).getAttribute('href')).toBe('tel:+46705550120')
    const mail = screen.getByRole('link', { name: 'maria.oberg@helixbio.example' })
    expect(mail.getAttribute('href')).toBe('mailto:maria.oberg@helixbio.example')
    // A malformed address is shown as text, not as a link.
    expect(await fact('IT e-mail')).toBe('not an address')
    expect(screen.queryByRole('link', { name: 'not an address' })).toBeNull()
    cleanup()
    answerEvent.mockImplementation(found({ itContactEmail: 'it@helixbio.example' }))
    show()
    const itMail = await screen.findByRole('link', { name: 'it@helixbio.example' })
    expect(itMail.getAttribute('href')).toBe('mailto:it@helixbio.example')
  })

  it('that a contract is past its expiry, from the day after', async () => {
    vi.setSystemTime('2026-11-20T14:00:00.000Z')
    answerEvent.mockImplementation(found({ cpEndDate: '2026-11-19' }))
    show()
    expect(await fact('Contract expiry')).toBe('19-Nov-2026expired')
    cleanup()
    answerEvent.mockImplementation(found({ cpEndDate: '2026-11-20' }))
    show()
    expect(await fact('Contract expiry')).toBe('20-Nov-2026')
  })

  it('very long texts cut, and whole on request', async () => {
    answerEvent.mockImplementation(found({ description: 'Pressure '.repeat(1100) }))
    show()
    const more = await screen.findByRole('button', { name: 'Show all' })
    await userEvent.setup({ delay: null }).click(more)
    expect(screen.getByRole('button', { name: 'Show less' }).getAttribute('aria-expanded')).toBe('true')
  })

  it('a dash where there is nothing', async () => {
    const nothing = { cpType: null, cpSLATerm: null, cpEndDate: null, tierOne: false, fullSupport: false }
    answerEvent.mockImplementation(found({ ...nothing, contactName: null, contactEmail: null, contactPhone: null }))
    show()
    for (const name of ['Contract type', 'Contract expiry', 'Contact', 'E-mail', 'Phone', 'IT contact'])
      expect([name, await fact(name)]).toEqual([name, '–'])
  })
})
