import type { ServiceEvent } from '@benchwatch/contract/events/events'
import type { AvailableLog } from '@benchwatch/contract/instruments/logs'
import { aServiceEvent } from '@benchwatch/samples/service-event'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { setCredentials } from '../../../lib/http.ts'
import { PageLogs } from './view-logs.tsx'

const event = aServiceEvent()
const NEWEST = '2026-11-20T14:00:00.000Z'
const log = (logType: AvailableLog['logType'], computerName: string | null = null): AvailableLog => ({
  logType,
  computerName,
  newest: NEWEST,
})
const logs = [log('VID'), log('COMM'), log('UNICORNCLIENT', 'PC-012'), log('UNICORNCLIENT', 'PC-014')]
const settings = vi.hoisted(() => ({ logDashboardUrl: null as string | null }))
vi.mock('../../../lib/page-settings.ts', () => ({ pageSettings: () => settings }))
let answer: () => Response

// Loads what the button loads on demand, so that no test waits for it.
beforeAll(() =>
  Promise.all([
    import('./view-logs-panel.tsx'),
    import('./log-viewer.tsx'),
    import('../../../ui/overlay/dropdown-frame.tsx'),
  ]),
)

beforeEach(() => {
  settings.logDashboardUrl = null
  answer = () => Response.json({ values: logs, runs: [], completeFrom: null })
  setCredentials({ token: () => 'token', renew: async () => 'token', expire: () => undefined })
  vi.stubGlobal('fetch', async (address: string) =>
    address.startsWith('/api/instrument-logs/available')
      ? answer()
      : Response.json({ body: { hits: { total: { value: 0 }, hits: [] } }, completeFrom: null }),
  )
})

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  setCredentials(null)
})

async function show({ of = event, address = '/' }: { of?: ServiceEvent; address?: string }) {
  const root = createRootRoute({ component: () => <PageLogs event={of} /> })
  const router = createRouter({ routeTree: root, history: createMemoryHistory({ initialEntries: [address] }) })
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        {/* TypeScript knows the routes of the product's router; this test router has others. */}
        <RouterProvider router={router as never} />
      </QueryClientProvider>
    </MantineProvider>,
  )
  const person = userEvent.setup({ delay: null })
  const button = await screen.findByRole('button', { name: 'View Logs', hidden: true })
  return { person, button, router }
}

async function open(of?: ServiceEvent) {
  const shown = await show(of === undefined ? {} : { of })
  await shown.person.click(shown.button)
  await screen.findByRole('heading', { name: 'Select 2 logs to view side-by-side' })
  return shown
}

const box = (name: string) => screen.findByRole<HTMLInputElement>('checkbox', { name: new RegExp(`^${name}`) })
const viewButton = () => screen.getByRole<HTMLButtonElement>('button', { name: 'View' })

describe("the dropdown 'View Logs'", () => {
  it('has a box for each log of the instrument, of clients one for each PC, with the age of its newest line', async () => {
    answer = () =>
      Response.json({
        values: [...logs, { ...log('UNICORNCLIENT', 'PC-020'), newest: null }],
        runs: [],
        completeFrom: null,
      })
    await open()
    await box('VID Service')
    const boxes = screen.getAllByRole('checkbox').map((input) => input.closest('[data-log]')?.textContent)
    expect(boxes).toEqual([
      expect.stringMatching(/^VID Service\d+ (?:h|days?|weeks?) ago$/),
      expect.stringMatching(/^VID Com\d/),
      expect.stringMatching(/^Client Log – PC-012\d/),
      expect.stringMatching(/^Client Log – PC-014\d/),
      'Client Log – PC-020no lines yet',
    ])
    expect(screen.getByText('Logs can take up to 20 minutes after the event to sync.')).toBeTruthy()
  })

  it('disables View until a box is checked, and further boxes once two are', async () => {
    const { person } = await open()
    const vid = await box('VID Service')
    expect(viewButton().disabled).toBe(true)
    await person.click(vid)
    expect(viewButton().disabled).toBe(false)
    await person.click(await box('Client Log – PC-012'))
    expect((await box('VID Com')).disabled).toBe(true)
    expect((await box('Client Log – PC-014')).disabled).toBe(true)
    await person.click(vid)
    expect((await box('VID Com')).disabled).toBe(false)
  })

  it('refuses two client logs', async () => {
    const { person } = await open()
    await person.click(await box('Client Log – PC-012'))
    await person.click(await box('Client Log – PC-014'))
    expect(screen.getByRole('alert').textContent).toBe('Cannot view two separate client logs side by side')
    expect(viewButton().disabled).toBe(true)
  })

  it('opens one log in the viewer and in the address; closing it restores the address and the focus', async () => {
    const { person, button, router } = await open()
    await person.click(await box('Client Log – PC-012'))
    await person.click(viewButton())
    expect(await screen.findByRole('dialog', { name: /^Client Log – PC-012/ })).toBeTruthy()
    expect(router.state.location.search).toEqual({ log: 'UNICORNCLIENT:PC-012' })
    await person.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(router.state.location.search).toEqual({})
    expect(document.activeElement).toBe(button)
  })

  it('shows the log that an address names, and none that it does not understand', async () => {
    await show({ address: '/?log=COMM' })
    expect(await screen.findByRole('dialog', { name: /^VID Com/ })).toBeTruthy()
    cleanup()
    await show({ address: '/?log=NONSENSE' })
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('opens the page that compares two logs, in a new tab', async () => {
    const { person } = await open()
    await person.click(await box('Client Log – PC-012'))
    await person.click(await box('VID Service'))
    const link = screen.getByRole<HTMLAnchorElement>('link', { name: 'View' })
    expect(link.getAttribute('href')).toBe(
      `/logs/IP-20431187?first=UNICORNCLIENT:PC-012&second=VID&at=${event.logGeneratedAt}&event=104882`,
    )
    expect([link.target, link.rel]).toEqual(['_blank', 'noopener noreferrer'])
  })

  it('opens a configured dashboard instead', async () => {
    settings.logDashboardUrl = 'https://logs.example/?i={installedProductId}&a={firstLogType}&b={secondLogType}&at={at}'
    const { person } = await open()
    await person.click(await box('VID Service'))
    await person.click(await box('VID Com'))
    const link = screen.getByRole<HTMLAnchorElement>('link', { name: 'View' })
    expect(link.getAttribute('href')).toBe(
      `https://logs.example/?i=IP-20431187&a=VID&b=COMM&at=${encodeURIComponent(event.logGeneratedAt)}`,
    )
    expect([link.target, link.rel]).toEqual(['_blank', 'noopener noreferrer'])
  })

  it('tries again after a failure, and says where an instrument has sent nothing', async () => {
    answer = () => Response.json({ ErrorBody: 'No.' }, { status: 400 })
    const { person } = await open()
    expect(await screen.findByText('Could not get logs')).toBeTruthy()
    answer = () => Response.json({ values: [], runs: [], completeFrom: null })
    await person.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('This instrument has not sent any logs yet.')).toBeTruthy()
  })

  it('says that a gateway has no logs', async () => {
    await open(aServiceEvent({ isEdgeIssue: true, instrumentId: null }))
    expect(screen.getByText(/keeps no logs of its own/)).toBeTruthy()
    expect(screen.queryByRole('checkbox')).toBeNull()
  })
})
