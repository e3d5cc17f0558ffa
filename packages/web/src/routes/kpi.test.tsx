import { MantineProvider } from '@mantine/core'
import { Notifications, notifications } from '@mantine/notifications'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { setCredentials } from '../lib/http.ts'
import { readQueryString, writeQueryString } from '../lib/list/list-address.ts'
import { KpiScreen } from './kpi.tsx'

beforeEach(() => {
  setCredentials({ token: () => 'token', renew: async () => 'token', expire: () => undefined })
  // No dashboard loads; its frame is another page.
  vi.stubGlobal('fetch', async () => Response.json([]))
})

afterEach(() => {
  cleanup()
  notifications.clean()
  vi.unstubAllGlobals()
  setCredentials(null)
})

function open(query: string) {
  const root = createRootRoute()
  const router = createRouter({
    routeTree: root.addChildren([
      createRoute({ getParentRoute: () => root, path: '/kpi', component: KpiScreen }),
      createRoute({ getParentRoute: () => root, path: '/events', component: () => null }),
    ]),
    history: createMemoryHistory({ initialEntries: [`/kpi?${query}`] }),
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
  return () => router.state.location.href
}

it('puts what is asked in the place of an address that says something else', async () => {
  const address = open('dashboard=service&days=13&customers=Helix')
  await waitFor(() => expect(address()).toBe('/kpi?dashboard=service'))
  expect(screen.queryByText('The date range in the address can’t be used')).toBeNull()
})

it('says that the last 30 days are shown in place of a reversed range', async () => {
  const address = open('from=2026-11-20&to=2026-11-10')
  expect(await screen.findByText('The date range in the address can’t be used')).toBeTruthy()
  expect(screen.getByText(/The last 30 days are shown instead\.$/)).toBeTruthy()
  await waitFor(() => expect(address()).toBe('/kpi'))
})

it.each(['days=30', 'days=90', 'from=2026-11-01&to=2026-11-10'])('leaves %s as it is', async (query) => {
  const address = open(query)
  await screen.findByRole('heading')
  expect(address()).toBe(`/kpi?${query}`)
})

it('says that it is loading until it is known which dashboards there are', async () => {
  vi.stubGlobal('fetch', () => new Promise(() => {}))
  open('days=90')
  expect(await screen.findByText('Loading key figures…')).toBeTruthy()
})
