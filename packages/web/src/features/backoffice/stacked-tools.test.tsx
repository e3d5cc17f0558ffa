import { aListedInstrument } from '@benchwatch/samples/listed-instrument'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Link,
  Outlet,
  RouterProvider,
  useSearch,
} from '@tanstack/react-router'
import { cleanup, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { setCredentials } from '../../lib/http.ts'
import * as settings from '../../lib/page-settings.ts'
import { acceptSignIn, signOut } from '../../lib/session/session.ts'
import { ConfirmDialog } from '../../ui/overlay/confirm.tsx'
import { readBackofficePlace } from './backoffice-parts.ts'
import { StackedTools } from './stacked-tools.tsx'

const tokens = {
  accessToken: 'access',
  expiresIn: 900,
  user: { userId: '7', userName: 'Anna Lind', mail: 'a@b.example' },
}

// A text area that grows needs them.
beforeAll(() => Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true }))

beforeEach(() => {
  setCredentials({ token: () => 'token', renew: async () => 'token', expire: () => undefined })
  vi.stubGlobal('fetch', async (address: string, { body }: { body?: string } = {}) => {
    const { pathname } = new URL(address, 'http://console')
    if (pathname === '/api/auth/sign-out') return new Response(null, { status: 204 })
    if (pathname !== '/api/instruments') return Response.json([])
    const { filter } = JSON.parse(body ?? '') as { filter: { instruments?: string[] } }
    const ids = filter.instruments ?? ['IP-REAL-1', 'IP-TEST-1']
    const values = ids.map((instrumentInstalledProductId) => aListedInstrument({ instrumentInstalledProductId }))
    return Response.json({ values, total: { instruments: values.length } })
  })
})

afterEach(async () => {
  cleanup()
  await signOut()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  setCredentials(null)
})

/** The part of the back office that the address names: the tools, or just its name. */
function Part() {
  const { part, tool } = readBackofficePlace(useSearch({ strict: false }).tool)
  return part === 'tools' ? <StackedTools tool={tool} /> : <p>{part}</p>
}

async function open() {
  const root = createRootRoute({
    component: () => (
      <>
        <Link to="/backoffice" search={{ tool: 'feed' } as never}>
          Feed
        </Link>
        <Outlet />
      </>
    ),
  })
  const router = createRouter({
    routeTree: root.addChildren([createRoute({ getParentRoute: () => root, path: '/backoffice', component: Part })]),
    history: createMemoryHistory({ initialEntries: ['/backoffice'] }),
  })
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <RouterProvider router={router as never} />
        <ConfirmDialog />
      </QueryClientProvider>
    </MantineProvider>,
  )
  await screen.findByRole('form', { name: 'Insert log' })
  return userEvent.setup({ delay: null })
}

it('are four, one below the other: insert logs, create events, change instrument status, delete unsubscriptions', async () => {
  await open()
  expect(screen.getAllByRole('form').map((form) => form.getAttribute('aria-label'))).toEqual([
    ...['Insert log', 'Create event', 'Change instrument status', 'Delete unsubscriptions'],
  ])
  const jumps = within(screen.getByRole('navigation', { name: 'Tools' })).getAllByRole('link')
  expect(jumps.map(({ textContent }) => textContent)).toEqual([
    ...['Insert logs', 'Create events', 'Change instrument status', 'Delete unsubscriptions'],
  ])
})

describe.each(['Insert log', 'Create event', 'Change instrument status'])('%s', (name) => {
  const field = async (person: Awaited<ReturnType<typeof open>>) => {
    const box = within(screen.getByRole('form', { name })).getByRole('combobox', { name: 'Installed product ID' })
    await person.click(box)
    return box
  }
  const options = () => within(screen.getByRole('listbox', { name: 'Installed product ID' })).queryAllByRole('option')

  it('suggests test instruments of this environment first, marked as such', async () => {
    vi.spyOn(settings, 'pageSettings').mockReturnValue({ ...settings.pageSettings(), testInstruments: ['IP-TEST-1'] })
    const person = await open()
    const box = await field(person)
    const option = await screen.findByRole('option', { name: /^IP-TEST-1/ })
    expect(option.textContent).toContain('Test instrument')
    expect(options()).toHaveLength(1)
    await person.type(box, 'IP')
    await waitFor(() => expect(options()).toHaveLength(2))
    const names = options().map(({ textContent }) => textContent)
    expect([names[0]?.startsWith('IP-TEST-1'), names[1]?.startsWith('IP-REAL-1')]).toEqual([true, true])
    expect(names[1]).not.toContain('Test instrument')
    await person.click(option)
    expect(screen.queryByText(/^This instrument belongs to/)).toBeNull()
  })

  it('suggests nothing by itself where there is no test instrument, and says whose instrument was chosen', async () => {
    const person = await open()
    const box = await field(person)
    expect(await screen.findByText('Type to search')).toBeTruthy()
    expect(options()).toEqual([])
    await person.type(box, 'IP')
    await person.click(await screen.findByRole('option', { name: /^IP-REAL-1/ }))
    expect((await screen.findByText(/^This instrument belongs to/)).textContent).toContain('Helix Biologics. ')
  })
})

it('a half-filled tool is asked about before another part, not before another tool; a cleared one is not', async () => {
  const person = await open()
  acceptSignIn(tokens)
  const log = within(screen.getByRole('form', { name: 'Insert log' }))
  const message = () => log.getByLabelText<HTMLTextAreaElement>(/^Message/)
  await person.type(message(), 'Half')
  await person.click(within(screen.getByRole('navigation', { name: 'Tools' })).getByText('Create events'))
  await person.click(screen.getByRole('link', { name: 'Feed' }))
  await person.click(await screen.findByRole('button', { name: 'Stay' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(message().value).toBe('Half')
  await person.click(log.getByRole('button', { name: 'Clear' }))
  await person.click(screen.getByRole('link', { name: 'Feed' }))
  expect(await screen.findByText('feed')).toBeTruthy()
})
