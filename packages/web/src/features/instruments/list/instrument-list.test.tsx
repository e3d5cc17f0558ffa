import { aListedInstrument } from '@benchwatch/samples/listed-instrument'
import { MantineProvider } from '@mantine/core'
import { Notifications, notifications } from '@mantine/notifications'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { setCredentials } from '../../../lib/http.ts'
import { defaultInstrumentSearch } from '../instruments.search.ts'
import { InstrumentList } from './instrument-list.tsx'

/** Answers the list request. Other requests get an answer only where a test needs one. */
let list: () => Response
const found = () => Response.json({ values: [aListedInstrument()], total: { instruments: 1 } })

beforeEach(() => {
  list = found
  setCredentials({ token: () => 'token', renew: async () => 'token', expire: () => undefined })
  vi.stubGlobal('fetch', async (address: string) =>
    new URL(address, 'http://console').pathname === '/api/instruments' ? list() : Response.json([]),
  )
})

afterEach(() => {
  cleanup()
  notifications.clean()
  vi.unstubAllGlobals()
  setCredentials(null)
})

function show(client = new QueryClient({ defaultOptions: { queries: { retry: false } } })) {
  const root = createRootRoute({
    component: () => (
      <InstrumentList search={defaultInstrumentSearch} isWaiting={false} onSearch={vi.fn()} onOpen={vi.fn()} />
    ),
  })
  const router = createRouter({ routeTree: root, history: createMemoryHistory({ initialEntries: ['/'] }) })
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={client}>
        <Notifications />
        <RouterProvider router={router as never} />
      </QueryClientProvider>
    </MantineProvider>,
  )
  return userEvent.setup()
}

it("says 'Could not get instruments' by a toast and in the place of the list, and tries again", async () => {
  list = () => Response.json({ ErrorBody: 'Down.' }, { status: 400 })
  const person = show()
  await waitFor(() => expect(screen.getAllByText('Could not get instruments')).toHaveLength(2))
  list = found
  await person.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText(aListedInstrument().instrumentInstalledProductId)).toBeTruthy()
})

it('opened again, it is read again, however soon: an instrument may no longer match', async () => {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: 5000 } } })
  show(client)
  const id = aListedInstrument().instrumentInstalledProductId
  await screen.findByText(id)
  cleanup()
  list = () => Response.json({ values: [], total: { instruments: 0 } })
  show(client)
  expect(await screen.findByText('No instrument(s) found')).toBeTruthy()
  expect(screen.queryByText(id)).toBeNull()
})

it('searches for 40 characters at most', async () => {
  const person = show()
  const box = await screen.findByRole<HTMLInputElement>('searchbox', { name: 'Search instruments' })
  await person.type(box, 'x'.repeat(41))
  expect(box.value).toBe('x'.repeat(40))
})
