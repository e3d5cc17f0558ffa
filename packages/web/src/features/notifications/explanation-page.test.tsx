import type { Explanation } from '@benchwatch/contract/messages/notifications'
import { seededTypes } from '@benchwatch/samples/equipment/instrument-type'
import { anExplanation } from '@benchwatch/samples/notification'
import { aServiceEvent } from '@benchwatch/samples/service-event'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { cleanup, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { setCredentials } from '../../lib/http.ts'
import { ExplanationPage } from './explanation-page.tsx'

const person = (id: string, name: string) => ({ id, name, email: `${id}@benchwatch.example`, msisdn: null })
const problem = (status: number, code: string) =>
  Response.json({ status, code, detail: 'Why.', ErrorBody: 'Why.' }, { status })

let role: string
let explain: (userId: string | null) => Response
let event: () => Response
/** The users for whom the server was asked. */
let asked: (string | null)[]
const onPerson = vi.fn<(userId: string | null) => void>()

beforeEach(() => {
  role = 'customer'
  asked = []
  event = () => Response.json(aServiceEvent())
  setCredentials({ token: () => 'token', renew: async () => 'token', expire: () => undefined })
  vi.stubGlobal('fetch', async (address: string) => {
    if (address === '/api/users/me')
      return Response.json({ ...person('2', 'Anna Lind'), role, customers: null, inactivityLimitSeconds: 14_400 })
    if (address === '/api/instruments/types') return Response.json(seededTypes)
    if (address === '/api/users') return Response.json([person('2', 'Anna Lind'), person('7', 'Sören Berg')])
    if (address.startsWith('/api/alarms/event/')) return event()
    const userId = new URL(address, 'http://test').searchParams.get('userId')
    asked.push(userId)
    return explain(userId)
  })
  answer([anExplanation('new_event_notification'), anExplanation('assign_me_notification', notAssigned)])
})

afterEach(() => {
  cleanup()
  onPerson.mockReset()
  vi.unstubAllGlobals()
  setCredentials(null)
})

const notAssigned: Partial<Explanation> = {
  isNotified: false,
  decidedBy: 'not-assigned',
  sentence: 'This event was not assigned to you.',
  notifications: [],
}

function answer(explanations: Explanation[]) {
  explain = (userId) =>
    Response.json({ userId: userId ?? '2', userName: 'Sören Berg', eventId: '104882', explanations })
}

function show(userId: string | null = null) {
  const root = createRootRoute({
    component: () => <ExplanationPage eventId="104882" userId={userId} onPerson={onPerson} />,
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

describe('Why did I (not) get this?', () => {
  it('gives the verdict of both profiles with what decided it', async () => {
    show()
    const all = await screen.findByRole('region', { name: 'All Events' })
    expect(within(all).getByText('You were notified.')).toBeTruthy()
    expect(within(all).queryByText(/Decided by/)).toBeNull()
    const mine = screen.getByRole('region', { name: 'Assigned to me' })
    expect(within(mine).getByText('You were not notified.')).toBeTruthy()
    expect(within(mine).getByText(/Decided by/).textContent).toBe('Decided by Assignment')
    expect(within(mine).getByText('This event was not assigned to you.')).toBeTruthy()
  })

  it('names the category that decided, the values of the profile and of the event', async () => {
    answer([anExplanation('new_event_notification', { stoppedBy: 'severity' })])
    show()
    const row = await screen.findByRole('row', { name: /Severity/ })
    expect(row.textContent).toBe('SeverityDecidedLowHigh')
    expect(screen.getByText(/Decided by/).textContent).toBe('Decided by Severity')
    expect(screen.getByRole('row', { name: /^Customer/ }).textContent).toBe('CustomerPassesAnyHelix Biologics')
  })

  it('shows all of many values on request', async () => {
    const explanation = anExplanation('new_event_notification')
    const cities = ['Uppsala', 'Lund', 'Malmö', 'Oslo', 'Turku', 'Vejle']
    const checks = explanation.checks.map((check) =>
      check.category === 'siteCity' ? { ...check, wanted: cities } : check,
    )
    answer([{ ...explanation, checks }])
    const user = show()
    const row = await screen.findByRole('row', { name: /^City/ })
    expect(row.textContent).not.toContain('Vejle')
    await user.click(within(row).getByRole('button', { name: 'and 3 more' }))
    expect(row.textContent).toContain('Oslo, Turku, Vejle')
  })

  it('links to the event, to the settings and to the notification history', async () => {
    show()
    await screen.findByRole('region', { name: 'All Events' })
    const addresses = screen.getAllByRole('link').map((link) => link.getAttribute('href'))
    expect(addresses).toEqual(expect.arrayContaining(['/events/104882', '/settings', '/notifications']))
  })

  it('offers the choice only to support and administrators', async () => {
    show()
    await screen.findByRole('region', { name: 'All Events' })
    expect(screen.queryByRole('combobox', { name: 'Person' })).toBeNull()
    cleanup()
    role = 'support'
    const user = show()
    const choice = await screen.findByRole('combobox', { name: 'Person' })
    await user.click(choice)
    await user.keyboard('soren')
    await user.click(await screen.findByRole('option', { name: /Sören Berg/ }))
    expect(onPerson).toHaveBeenCalledWith('7')
  })

  it('names the other user whom support asks about', async () => {
    role = 'support'
    show('7')
    expect(await screen.findByText('Sören Berg was notified.')).toBeTruthy()
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Why did Sören Berg (not) get this?')
    expect(asked).toEqual(['7'])
    const user = userEvent.setup()
    await user.click(screen.getByRole('button', { name: 'Clear Person' }))
    expect(onPerson).toHaveBeenCalledWith(null)
  })

  it('does not even ask the server about others for anybody else', async () => {
    const user = show('7')
    expect(await screen.findByText('You can see only your own')).toBeTruthy()
    expect(asked).toEqual([])
    await user.click(screen.getByRole('button', { name: 'Show your own' }))
    expect(onPerson).toHaveBeenCalledWith(null)
  })

  it('takes a link to oneself as none', async () => {
    show('2')
    expect(await screen.findByText('You were notified.')).toBeTruthy()
    expect(asked.every((userId) => userId === null)).toBe(true)
  })

  it('says so when there is no such user', async () => {
    role = 'admin'
    explain = () => problem(404, 'not-found')
    show('99')
    expect(await screen.findByText('User not found')).toBeTruthy()
  })

  it('asks again after a failure', async () => {
    const works = explain
    explain = () => problem(503, 'unavailable')
    const user = show()
    expect(await screen.findByText('Could not get the explanation')).toBeTruthy()
    explain = works
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('You were notified.')).toBeTruthy()
  })

  it('does not keep loading an event that failed to load', async () => {
    event = () => problem(503, 'unavailable')
    const user = show()
    expect(await screen.findByText('Could not get event.')).toBeTruthy()
    event = () => Response.json(aServiceEvent())
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText(aServiceEvent().description)).toBeTruthy()
  })
})
