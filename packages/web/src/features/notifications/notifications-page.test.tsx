import type { Notification } from '@benchwatch/contract/messages/notifications'
import { aNotification } from '@benchwatch/samples/notification'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { cleanup, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { setCredentials } from '../../lib/http.ts'
import { readQueryString, writeQueryString } from '../../lib/list/list-address.ts'
import type { NotificationSearch } from './notifications.search.ts'
import { NotificationsPage } from './notifications-page.tsx'

const person = (id: string, name: string) => ({ id, name, email: `${id}@benchwatch.example`, msisdn: null })

let role: string
let list: () => Response
let asked: string[]
const onSearch = vi.fn<(search: NotificationSearch) => void>()

beforeEach(() => {
  role = 'customer'
  asked = []
  setCredentials({ token: () => 'token', renew: async () => 'token', expire: () => undefined })
  vi.stubGlobal('fetch', async (address: string) => {
    if (address === '/api/users/me')
      return Response.json({ ...person('2', 'Anna Lind'), role, customers: null, inactivityLimitSeconds: 14_400 })
    if (address === '/api/users') return Response.json([person('2', 'Anna Lind'), person('7', 'Sören Berg')])
    asked.push(address)
    return list()
  })
})

afterEach(() => {
  cleanup()
  onSearch.mockReset()
  vi.unstubAllGlobals()
  setCredentials(null)
})

const answer = (values: Notification[], notifications = values.length) => {
  list = () => Response.json({ values, total: { notifications } })
}

function show(search: Partial<NotificationSearch> = {}) {
  const whole: NotificationSearch = { userId: null, page: 1, pageSize: 12, ...search }
  const root = createRootRoute({ component: () => <NotificationsPage search={whole} onSearch={onSearch} /> })
  const router = createRouter({
    routeTree: root,
    history: createMemoryHistory({ initialEntries: ['/'] }),
    parseSearch: readQueryString,
    stringifySearch: writeQueryString,
  })
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>,
  )
  return userEvent.setup()
}

describe('Notification history', () => {
  it('lists event, profile, way, address, state and time, each leading to its reason', async () => {
    answer([
      aNotification({ state: 'held', sentAt: null, reason: 'Held until the maintenance of the instrument ends' }),
    ])
    show()
    const row = (await screen.findByText('ORC-104882')).closest<HTMLElement>('[role="row"]') as HTMLElement
    for (const words of ['HIGH', 'IP-20431187', 'All Events', 'E-mail', 'anna.lind@', 'Held until the maintenance'])
      expect(row.textContent).toContain(words)
    expect(within(row).getByRole('link', { name: 'ORC-104882' }).getAttribute('href')).toBe('/events/104882')
    expect(within(row).getByRole('link', { name: 'Why was ORC-104882 sent?' }).getAttribute('href')).toBe(
      '/events/104882/why',
    )
  })

  it('turns pages and sizes of pages', async () => {
    answer(
      Array.from({ length: 12 }, (_, index) => aNotification({ id: String(index + 1) })),
      41,
    )
    const user = show({ page: 2 })
    await screen.findAllByText('ORC-104882')
    expect(asked).toEqual(['/api/notifications?limit=12&offset=12'])
    await user.click(screen.getByRole('button', { name: 'Page 3' }))
    expect(onSearch).toHaveBeenLastCalledWith({ userId: null, page: 3, pageSize: 12 })
    await user.selectOptions(screen.getByRole('combobox', { name: 'Rows per page' }), '50')
    expect(onSearch).toHaveBeenLastCalledWith({ userId: null, page: 1, pageSize: 50 })
  })

  it('goes back from a page beyond the last one', async () => {
    answer([], 13)
    const user = show({ page: 9 })
    await user.click(await screen.findByRole('button', { name: 'Go to the last page' }))
    expect(onSearch).toHaveBeenCalledWith({ userId: null, page: 2, pageSize: 12 })
  })

  it('says where it is set while there is nothing', async () => {
    answer([])
    show()
    expect(await screen.findByText('You have no notifications yet')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'settings' }).getAttribute('href')).toBe('/settings')
  })

  it('is of another user for support, whose reasons keep the person', async () => {
    role = 'support'
    answer([aNotification({ userId: '7', userName: 'Sören Berg' })])
    show({ userId: '7' })
    const why = await screen.findByRole('link', { name: 'Why was ORC-104882 sent?' })
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Notification history of Sören Berg')
    expect(why.getAttribute('href')).toBe('/events/104882/why?user=7')
    expect(asked).toEqual(['/api/notifications?limit=12&offset=0&userId=7'])
  })

  it('is the caller’s own for other roles, without a request to the server', async () => {
    const user = show({ userId: '7' })
    await user.click(await screen.findByRole('button', { name: 'Show your own' }))
    expect(onSearch).toHaveBeenCalledWith({ userId: null, page: 1, pageSize: 12 })
    expect(asked).toEqual([])
  })

  it('is asked for again after a failure', async () => {
    list = () => Response.json({ status: 503, code: 'unavailable', detail: 'Why.', ErrorBody: 'Why.' }, { status: 503 })
    const user = show()
    expect(await screen.findByText('Could not get notifications')).toBeTruthy()
    answer([aNotification()])
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('ORC-104882')).toBeTruthy()
  })
})
