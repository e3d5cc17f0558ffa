import { aServiceEvent } from '@benchwatch/samples/service-event'
import { MantineProvider } from '@mantine/core'
import { Notifications, notifications } from '@mantine/notifications'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { cleanup, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { setCredentials } from '../../lib/http.ts'
import { ConfirmDialog } from '../../ui/overlay/confirm.tsx'
import { ChangeStatus } from './change-status.tsx'
import { CreateEvent } from './create-event.tsx'
import { DeleteUnsubscriptions } from './delete-unsubscriptions.tsx'

const ipid = 'IP-20431187'
const row = {
  contactEmail: 'maria@helixbio.example',
  instrumentIpid: ipid,
  componentName: 'UV (U9)',
  errorCode: '2011',
}
const known = { ipid, instrumentStatus: 'ready', orcStatus: 'Connected', createOfflineEvent: false }
/** The server's end: its answer to a change, and the body it received. */
let change: () => Response
let unsubscriptions: () => Response
const sent: { head: string; body: unknown }[] = []

const refused = () => Response.json({ ErrorBody: 'The gateway is away.', code: 'bad-request' }, { status: 400 })

// Text areas measure themselves again when fonts finish loading.
beforeAll(() => Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true }))

beforeEach(() => {
  change = refused
  unsubscriptions = () => Response.json([{ id: '7', ...row }])
  setCredentials({ token: () => 'token', renew: async () => 'token', expire: () => undefined })
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    const { pathname } = new URL(address, 'http://console')
    if (pathname === '/api/instruments') return Response.json({ values: [], total: { instruments: 0 } })
    if (pathname === '/api/users') return Response.json([{ id: '7', name: 'Anna Lind', email: null, msisdn: null }])
    if (pathname === '/api/backoffice/unsubscriptions') return unsubscriptions()
    if (init.method === 'GET') return Response.json(known)
    sent.push({ head: `${init.method} ${pathname}`, body: init.body && JSON.parse(String(init.body)) })
    return change()
  })
})

afterEach(() => {
  cleanup()
  notifications.clean()
  vi.unstubAllGlobals()
  setCredentials(null)
  sent.length = 0
})

async function open(Tool: (props: { onUnsaved: () => void }) => ReactNode) {
  const router = createRouter({
    routeTree: createRootRoute({ component: () => <Tool onUnsaved={() => undefined} /> }),
    history: createMemoryHistory({ initialEntries: ['/'] }),
  })
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <Notifications />
        <RouterProvider router={router as never} />
        <ConfirmDialog />
      </QueryClientProvider>
    </MantineProvider>,
  )
  await screen.findByRole('form')
  return userEvent.setup({ delay: null })
}

const field = (name: string) => screen.getByLabelText<HTMLInputElement>(new RegExp(`^${name}`))
const press = (name: string) => screen.getByRole('button', { name })

describe('Change instrument status', () => {
  it('says "Could not change instrument status: {error}", and "Instrument status changed" once it is', async () => {
    const person = await open(ChangeStatus)
    await person.type(screen.getByRole('combobox', { name: /^Installed product ID/ }), ipid)
    await waitFor(() => expect(field('Instrument status').disabled).toBe(false))
    await person.selectOptions(field('Instrument status'), 'wash')
    await person.click(press('Change status'))
    expect(await screen.findByText('Could not change instrument status: The gateway is away.')).toBeTruthy()
    change = () => Response.json({ ...known, instrumentStatus: 'wash' })
    await person.click(press('Change status'))
    expect(await screen.findByText('Instrument status changed')).toBeTruthy()
    const asked = { head: 'PUT /api/backoffice/instrument-status', body: { ...known, instrumentStatus: 'wash' } }
    expect(sent).toEqual([asked, asked])
  })

  it('keeps what was chosen when the page is loaded again', async () => {
    const person = await open(ChangeStatus)
    await person.type(screen.getByRole('combobox', { name: /^Installed product ID/ }), ipid)
    await waitFor(() => expect(field('Instrument status').disabled).toBe(false))
    await person.selectOptions(field('Instrument status'), 'wash')
    window.dispatchEvent(new Event('pagehide'))
    expect(JSON.stringify({ ...sessionStorage })).toMatch(/IP-20431187.*wash/)
  })
})

describe('Create event', () => {
  const shown = (names: string[]) => names.filter((name) => screen.queryByLabelText(new RegExp(`^${name}`)) !== null)

  it('has its reason fields disabled for New or In progress', async () => {
    const person = await open(CreateEvent)
    const disabled = () => ['Reason closed', 'Reason comment'].map((name) => field(name).disabled)
    expect([field('Alert status').value, ...disabled()]).toEqual(['1_NEW', true, true])
    await person.selectOptions(field('Alert status'), 'In progress')
    expect(disabled()).toEqual([true, true])
    await person.selectOptions(field('Alert status'), 'Closed')
    await person.selectOptions(field('Reason closed'), 'Duplicate event')
    expect(disabled()).toEqual([false, false])
  })

  it('shows the owner, the comment and the case only where status and reason need them, and keeps what was typed', async () => {
    const person = await open(CreateEvent)
    const further = ['Owner', 'Reason comment', 'ServiceMax case number', 'ServiceMax URL']
    expect(shown(further)).toEqual(['Reason comment'])
    await person.selectOptions(field('Alert status'), 'Closed')
    await person.selectOptions(field('Reason closed'), 'Duplicate event')
    await person.type(field('Reason comment'), 'twice')
    expect(shown(further)).toEqual(['Owner', 'Reason comment'])
    await person.selectOptions(field('Reason closed'), 'Service Case Created')
    expect(shown(further)).toEqual(['Owner', 'ServiceMax case number', 'ServiceMax URL'])
    await person.selectOptions(field('Reason closed'), 'Duplicate event')
    expect(field('Reason comment').value).toBe('twice')
  })

  it('shows a problem only at its field, and others in a toast', async () => {
    const person = await open(CreateEvent)
    await person.click(press('Create event'))
    await waitFor(() => expect(document.activeElement?.getAttribute('aria-invalid')).toBe('true'))
    expect(screen.queryByText(/^Could not create event/)).toBeNull()
    expect(sent).toEqual([])
  })

  it('says "Could not create event: {error}", and "Event created" once it is, with the way to it', async () => {
    const person = await open(CreateEvent)
    await person.type(screen.getByRole('combobox', { name: /^Installed product ID/ }), ipid)
    for (const [name, text] of [
      ['Template ID', 'P9B-1042'],
      ['Module name', 'Pump B'],
      ['Description', 'Pressure'],
      ['User message', 'Look'],
      ['Alert ID', 'a-1'],
    ] as const)
      await person.type(field(name), text)
    await person.selectOptions(field('Severity'), 'high')
    await person.click(press('Create event'))
    expect(await screen.findByText('Could not create event: The gateway is away.')).toBeTruthy()
    change = () => Response.json(aServiceEvent({ eventId: '104882' }), { status: 201 })
    await person.click(press('Create event'))
    expect(await screen.findByText('Event created')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'ORC-104882' }).getAttribute('href')).toBe('/events/104882')
    expect(sent.map(({ head }) => head)).toEqual(['POST /api/backoffice/event', 'POST /api/backoffice/event'])
  })
})

describe('Delete unsubscriptions', () => {
  it('says "Failed to fetch unsubscriptions", and "No unsubscriptions found" where there are none', async () => {
    unsubscriptions = refused
    const person = await open(DeleteUnsubscriptions)
    await person.click(press('Search'))
    expect(await screen.findByText('Failed to fetch unsubscriptions')).toBeTruthy()
    expect(screen.queryByText('No unsubscriptions found')).toBeNull()
    unsubscriptions = () => Response.json([])
    await person.click(press('Search'))
    expect(await screen.findByText('No unsubscriptions found')).toBeTruthy()
  })

  it('says "Could not delete unsubscription: {error}", and "Unsubscription successfully deleted" once it is', async () => {
    const person = await open(DeleteUnsubscriptions)
    await person.click(press('Search'))
    const remove = async () => {
      await person.click(await screen.findByRole('button', { name: /^Delete the unsubscription of maria/ }))
      await person.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }))
    }
    await remove()
    expect(await screen.findByText('Could not delete unsubscription: The gateway is away.')).toBeTruthy()
    change = () => new Response(null, { status: 204 })
    await remove()
    expect(await screen.findByText('Unsubscription successfully deleted')).toBeTruthy()
    const asked = { head: 'DELETE /api/backoffice/unsubscription/7', body: null }
    expect(sent).toEqual([asked, asked])
  })
})
