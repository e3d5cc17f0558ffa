import type { Notification } from '@benchwatch/contract/messages/notifications'
import { aNotification } from '@benchwatch/samples/notification'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { setCredentials } from '../../lib/http.ts'
import { formatEventTime } from '../../lib/time/dates.ts'
import { EventNotificationsCard } from './event-notifications-card.tsx'

let answer: () => Response
let role: string

beforeEach(() => {
  role = 'customer'
  setCredentials({ token: () => 'token', renew: async () => 'token', expire: () => undefined })
  vi.stubGlobal('fetch', async (address: string) =>
    address === '/api/users/me'
      ? Response.json({
          id: '2',
          name: 'Anna Lind',
          email: 'anna.lind@benchwatch.example',
          msisdn: null,
          role,
          customers: null,
          inactivityLimitSeconds: 14_400,
        })
      : answer(),
  )
})

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  setCredentials(null)
})

function show(notifications: Notification[]) {
  answer = () => Response.json({ values: notifications })
  const root = createRootRoute({
    component: () => <EventNotificationsCard event={{ id: '104882', eventId: '104882' }} />,
  })
  const router = createRouter({ routeTree: root, history: createMemoryHistory({ initialEntries: ['/'] }) })
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>,
  )
  return userEvent.setup()
}

describe('the notifications of an event', () => {
  it('show channel, address, state, profile and time', async () => {
    show([
      aNotification(),
      aNotification({
        id: '2',
        kind: 'assign_me_notification',
        channel: 'sms',
        to: '+46705550120',
        state: 'failed',
        sentAt: null,
        reason: 'The SMS provider refused it.',
      }),
      aNotification({ id: '3', eventsInMessage: 14 }),
    ])
    const [mail, text, listed] = await screen.findAllByRole('listitem')
    const sentAt = formatEventTime('2026-11-20T13:58:26.000Z')
    expect(mail?.textContent).toBe(`E-mail to anna.lind@benchwatch.exampleSent · All Events${sentAt}`)
    expect(text?.textContent).toContain('SMS to +46705550120Failed · Assigned to meThe SMS provider refused it.')
    expect(listed?.textContent).toContain('Sent in a list of 14')
  })

  it('link to the reason, even if there are none', async () => {
    show([])
    expect(await screen.findByText('You were not notified about this event.')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Why did I (not) get this?' }).getAttribute('href')).toBe(
      '/events/104882/why',
    )
  })

  it('are everybody’s for support and administrators, with their names', async () => {
    role = 'support'
    show([aNotification({ userName: 'Mikkel Öberg' })])
    expect(await screen.findByText('Mikkel Öberg')).toBeTruthy()
    cleanup()
    show([])
    expect(await screen.findByText('No notifications were sent for this event.')).toBeTruthy()
  })

  it('are the newest five, and all of them on request', async () => {
    const user = show(Array.from({ length: 8 }, (_, index) => aNotification({ id: String(index + 1) })))
    expect(await screen.findAllByRole('listitem')).toHaveLength(5)
    await user.click(screen.getByRole('button', { name: 'Show all 8' }))
    expect(screen.getAllByRole('listitem')).toHaveLength(8)
  })

  it('are asked for again after a failure', async () => {
    const user = show([])
    const works = answer
    answer = () =>
      Response.json({ status: 503, code: 'unavailable', detail: 'Why.', ErrorBody: 'Why.' }, { status: 503 })
    expect(await screen.findByText(/Could not get the notifications/)).toBeTruthy()
    answer = works
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('You were not notified about this event.')).toBeTruthy()
  })
})
