import type { NotificationSettings, Profile } from '@benchwatch/contract/messages/profiles'
import { seededTypes } from '@benchwatch/samples/equipment/instrument-type'
import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { cleanup, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { setCredentials } from '../../lib/http.ts'
import { withoutFilters } from './notification-form.ts'
import { NotificationSettings as Settings } from './notification-settings.tsx'

const none = withoutFilters({ notifyEmail: false, notifySms: false } as NotificationSettings)
const head = { createdAt: '2026-11-01T00:00:00.000Z', updatedAt: '2026-11-01T00:00:00.000Z', userId: '7' }
const person = {
  id: '7',
  name: 'Anna Lind',
  email: 'anna@benchwatch.example',
  role: 'service',
  customers: null,
  inactivityLimitSeconds: 14_400,
}

let profiles: Profile[]
let deployment: 'global' | 'china'
let msisdn: string | null
/** IDs of profiles that the server fails to store. */
let failing: string[]
/** The server answers a save after this promise resolves. */
let isAnswered: Promise<void>
const put: [id: string, body: unknown][] = []
const answered: string[] = []

beforeEach(() => {
  put.length = 0
  answered.length = 0
  failing = []
  isAnswered = Promise.resolve()
  deployment = 'global'
  msisdn = '+46705550101'
  profiles = [
    { ...head, id: '1', profileType: 'assign_me_notification', ...none },
    { ...head, id: '2', profileType: 'new_event_notification', ...none },
    {
      ...head,
      id: '3',
      profileType: 'email',
      notificationEmail: null,
      useDefaultEmail: true,
      useNotificationEmail: false,
    },
  ]
  setCredentials({ token: () => 'token', renew: async () => 'token', expire: () => undefined })
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    const path = new URL(address, 'http://localhost').pathname.replace('/api', '')
    answered.push(path)
    if (path === '/auth/config')
      return Response.json({ product: 'Benchwatch', deployment, provider: 'local', passwordRules: [] })
    if (path === '/users/me') return Response.json({ ...person, msisdn })
    if (path === '/users/me/filters')
      return Response.json({
        eventFilter: [{ key: 'severity', values: ['high', 'medium', 'low'] }],
        instrumentSummaryFilter: [],
      })
    if (path === '/instruments/types') return Response.json(seededTypes)
    if (path === '/profiles') return Response.json(profiles)
    const id = path.replace('/profiles/', '')
    if (failing.includes(id)) return Response.json({ ErrorBody: 'The server is busy.' }, { status: 503 })
    const body = JSON.parse(String(init.body)) as NotificationSettings
    await isAnswered
    put.push([id, body])
    save(id, body)
    return Response.json(profiles.find((profile) => profile.id === id))
  })
})

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  setCredentials(null)
})

function save(id: string, change: Partial<NotificationSettings>) {
  profiles = profiles.map((profile) => (profile.id === id ? ({ ...profile, ...change } as Profile) : profile))
}

async function open() {
  const router = createRouter({
    routeTree: createRootRoute({ component: Settings }),
    history: createMemoryHistory({ initialEntries: ['/'] }),
  })
  render(
    <MantineProvider env="test">
      <Notifications />
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <RouterProvider router={router as never} />
      </QueryClientProvider>
    </MantineProvider>,
  )
  await screen.findByRole('region', { name: 'All Events' })
  return userEvent.setup()
}

const card = (name: string) => within(screen.getByRole('region', { name }))
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })

it('SMS options are shown only outside the China deployment', async () => {
  await open()
  expect(await card('All Events').findByRole('switch', { name: 'Text message' })).toBeTruthy()
  cleanup()
  deployment = 'china'
  answered.length = 0
  await open()
  await waitFor(() => expect(answered).toContain('/auth/config'))
  await card('All Events').findByText('To anna@benchwatch.example')
  expect(card('All Events').getAllByRole('switch')).toHaveLength(1)
  expect(screen.queryByText('Text message')).toBeNull()
  expect(card('All Events').getByText(/Turn on e-mail to choose/)).toBeTruthy()
})

it('without a mobile number the switch can only be switched off, and says who can add one', async () => {
  msisdn = null
  save('1', { notifySms: true })
  await open()
  const words = 'No mobile number yet. An administrator can add it to your account.'
  const ofAll = await card('All Events').findByRole<HTMLButtonElement>('switch', { name: 'Text message' })
  expect(ofAll.disabled).toBe(true)
  expect(card('All Events').getByText(words)).toBeTruthy()
  const ofMine = card('Assigned to me').getByRole<HTMLButtonElement>('switch', { name: 'Text message' })
  expect(ofMine.disabled).toBe(false)
})

it('filters cannot be edited when neither email nor SMS is on; Save and Cancel are enabled only when something differs', async () => {
  const user = await open()
  const fieldset = () => card('All Events').getByRole('button', { name: 'Add filter' }).closest('fieldset')
  expect(card('All Events').getByText(/No filters selected\./)).toBeTruthy()
  expect(fieldset()?.disabled).toBe(true)
  expect([button('Save').disabled, button('Cancel').disabled]).toEqual([true, true])
  await user.click(card('All Events').getByRole('switch', { name: 'E-mail' }))
  expect(fieldset()?.disabled).toBe(false)
  expect([button('Save').disabled, button('Cancel').disabled]).toEqual([false, false])
  await user.click(button('Cancel'))
  expect(fieldset()?.disabled).toBe(true)
  expect([button('Save').disabled, button('Cancel').disabled]).toEqual([true, true])
})

it('filters cannot be edited while saving', async () => {
  const user = await open()
  await user.click(card('All Events').getByRole('switch', { name: 'E-mail' }))
  const fieldset = card('All Events').getByRole('button', { name: 'Add filter' }).closest('fieldset')
  let answer: () => void = () => undefined
  isAnswered = new Promise<void>((resolve) => (answer = resolve))
  await user.click(button('Save'))
  await waitFor(() => expect(fieldset?.disabled).toBe(true))
  expect(card('All Events').getByRole<HTMLButtonElement>('switch', { name: 'E-mail' }).disabled).toBe(true)
  answer()
  await waitFor(() => expect(fieldset?.disabled).toBe(false))
  expect(put).toEqual([['2', { ...none, notifyEmail: true }]])
})

it('what could not be saved stays a draft and is saved by the next press', async () => {
  failing = ['1']
  const user = await open()
  await user.click(card('All Events').getByRole('switch', { name: 'E-mail' }))
  await user.click(card('Assigned to me').getByRole('switch', { name: 'E-mail' }))
  await user.click(button('Save'))
  expect(await screen.findByText('Could not update profile')).toBeTruthy()
  expect(screen.getByText('Assigned to me: The server is busy.')).toBeTruthy()
  expect(screen.getByText('Profile update successful')).toBeTruthy()
  expect(put).toEqual([['2', { ...none, notifyEmail: true }]])
  expect(card('Assigned to me').getByRole('switch', { name: 'E-mail', checked: true })).toBeTruthy()

  failing = []
  await user.click(button('Save'))
  await waitFor(() => expect(button('Save').disabled).toBe(true))
  expect(put.slice(1)).toEqual([['1', { ...none, notifyEmail: true }]])
})

it('what another window saved meanwhile is shown before it is replaced', async () => {
  const user = await open()
  await user.click(card('All Events').getByRole('switch', { name: 'E-mail' }))
  save('2', { severity: ['high'] })
  await user.click(button('Save'))
  expect(await screen.findByText(/Changed in another window as well: All Events/)).toBeTruthy()
  expect(put).toEqual([])
  await waitFor(() => expect(button('Save').disabled).toBe(false))
  await user.click(button('Save'))
  await waitFor(() => expect(put).toEqual([['2', { ...none, notifyEmail: true }]]))
  await waitFor(() => expect(screen.queryByText(/Changed in another window/)).toBeNull())
})

it('an address that is not of the company is named, and nothing is sent', async () => {
  const user = await open()
  const where = card('Where messages go')
  await user.click(where.getByRole('checkbox', { name: 'Other' }))
  await user.type(where.getByLabelText('Other e-mail address'), 'anna@elsewhere.example{Enter}')
  expect(where.getByText('Valid Benchwatch email address required!')).toBeTruthy()
  await user.click(where.getByRole('checkbox', { name: 'Default' }))
  await user.click(where.getByRole('checkbox', { name: 'Other' }))
  expect(where.queryByLabelText('Other e-mail address')).toBeNull()
  expect(where.getByRole<HTMLInputElement>('checkbox', { name: 'Default' }).checked).toBe(true)
  expect(button('Save').disabled).toBe(true)
  await user.click(where.getByRole('checkbox', { name: 'Default' }))
  expect(where.getByRole('alert').textContent).toBe('Select at least one address.')
  expect(put).toEqual([])
})

it('shows only the filters that are chosen, and adds one by name or from the list of all eleven', async () => {
  save('2', { notifyEmail: true, severity: ['high'] })
  const user = await open()
  const rows = () => [...document.querySelectorAll('[data-category]')].map((row) => row.getAttribute('data-category'))
  expect(rows()).toEqual(['severity'])
  const add = card('All Events').getByRole('button', { name: 'Add filter' })
  await user.click(add)
  const panel = within(await screen.findByRole('dialog', { name: 'Add filter' }))
  expect(panel.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
    ...['Event type', 'Severity1 selected', 'Customer', 'Instrument type', 'Region', 'Country', 'City'],
    ...['Component', 'Instrument status', 'Contract SLA', 'Qualified system'],
  ])
  await user.type(panel.getByLabelText('Search filters'), 'event{Enter}')
  await user.click(await panel.findByRole('checkbox', { name: 'Alarm' }))
  await user.click(panel.getByRole('button', { name: 'Done' }))
  expect(rows()).toEqual(['alertType', 'severity'])
  await waitFor(() => expect(document.activeElement).toBe(add))
  await user.click(card('All Events').getByRole('button', { name: 'Remove High from severity' }))
  expect(rows()).toEqual(['alertType'])
  expect(document.activeElement).toBe(add)
  await user.click(button('Save'))
  await waitFor(() => expect(put).toEqual([['2', { ...none, notifyEmail: true, alertType: ['1'] }]]))
})

it('keeps a filter in sight until its list is closed, even without a value', async () => {
  save('2', { notifyEmail: true, severity: ['high'] })
  const user = await open()
  await user.click(card('All Events').getByRole('button', { name: 'Choose severity' }))
  const panel = within(await screen.findByRole('dialog', { name: 'Severity' }))
  await user.click(panel.getByRole('checkbox', { name: 'High' }))
  expect(panel.getByRole('checkbox', { name: 'Low' })).toBeTruthy()
  await user.click(panel.getByRole('button', { name: 'Done' }))
  await waitFor(() => expect(card('All Events').queryByRole('button', { name: 'Choose severity' })).toBeNull())
  expect(document.activeElement).toBe(card('All Events').getByRole('button', { name: 'Add filter' }))
})
