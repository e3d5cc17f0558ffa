import { aListedInstrument } from '@benchwatch/samples/listed-instrument'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { cleanup, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { setCredentials } from '../../lib/http.ts'
import { StackedTools } from './stacked-tools.tsx'

vi.setConfig({ testTimeout: 20_000 })

// A text area that grows asks for them.
beforeAll(() => Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true }))

beforeEach(() => {
  setCredentials({ token: () => 'token', renew: async () => 'token', expire: () => undefined })
  vi.stubGlobal('fetch', async (address: string) => {
    const { pathname } = new URL(address, 'http://console')
    if (pathname !== '/api/instruments') return Response.json([])
    const values = [aListedInstrument({ instrumentInstalledProductId: 'IP-TEST-1' })]
    return Response.json({ values, total: { instruments: 1 } })
  })
})

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  setCredentials(null)
})

async function open() {
  const router = createRouter({
    routeTree: createRootRoute({ component: () => <StackedTools tool={null} /> }),
    history: createMemoryHistory({ initialEntries: ['/'] }),
  })
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <RouterProvider router={router as never} />
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

it.each(['Insert log', 'Create event', 'Change instrument status'])(
  '%s suggests installed product ids of this environment',
  async (name) => {
    const person = await open()
    const form = within(screen.getByRole('form', { name }))
    await person.click(form.getByRole('combobox', { name: 'Installed product id' }))
    expect((await screen.findByRole('option', { name: /^IP-TEST-1/ })).textContent).toContain('ÄKTA pilot 600')
  },
)
