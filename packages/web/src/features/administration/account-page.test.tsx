import type { Account } from '@benchwatch/contract/administration/administration'
import { featureKeys } from '@benchwatch/contract/vocabulary'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { setCredentials } from '../../lib/http.ts'
import { ConfirmDialog } from '../../ui/overlay/confirm.tsx'
import { userKeys } from '../users/users.api.ts'
import { AccountActions, AccountFeatures, InviteUser } from './account-page.tsx'

const account: Account = {
  id: '12',
  userId: 'sofia@benchwatch.example',
  name: 'Sofia Lindqvist',
  msisdn: null,
  role: 'service',
  customers: null,
  smsMfa: false,
  totp: false,
  state: 'active',
  lockedUntil: null,
  isProvisioned: false,
  createdAt: '2026-01-01T00:00:00.000Z',
  lastSignedInAt: null,
  features: [{ key: 'AUTO_EMAIL', value: 'false' }],
}

let sent: { path: string; body: unknown }[]

beforeEach(() => {
  sent = []
  setCredentials({ token: () => 'token', renew: async () => 'token', expire: () => undefined })
  vi.stubGlobal('fetch', async (address: string, { method, body }: { method: string; body?: string }) => {
    if (method === 'GET')
      return Response.json({ values: featureKeys.map((key) => ({ key, value: 'false', users: [] })) })
    sent.push({ path: address, body: JSON.parse(body ?? '') })
    return Response.json({ key: 'AUTO_EMAIL', value: 'true' })
  })
})

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  setCredentials(null)
})

async function open({ isProvisioned = false } = {}) {
  const root = createRootRoute({
    component: () => (
      <MantineProvider env="test">
        <AccountFeatures account={account} />
        <AccountActions account={{ ...account, isProvisioned }} isOwn={false} />
        <ConfirmDialog />
      </MantineProvider>
    ),
  })
  const page = createRoute({ getParentRoute: () => root, path: '/' })
  const router = createRouter({ routeTree: root.addChildren([page]), history: createMemoryHistory() })
  render(
    <QueryClientProvider client={new QueryClient()}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  )
  await screen.findByRole('heading', { name: 'Feature flags' })
  return userEvent.setup({ delay: null })
}

it('an account that the identity provider keeps is not disabled here', async () => {
  await open()
  expect(screen.getByRole('button', { name: 'Disable' })).toBeTruthy()
  cleanup()
  await open({ isProvisioned: true })
  expect(screen.queryByRole('button', { name: 'Disable' })).toBeNull()
  expect(screen.getByRole('button', { name: 'Send a new temporary password' })).toBeTruthy()
})

it.each([
  [null, true],
  [['Helix Biologics'], false],
])('an administrator who sees the customers %j may grant all of them: %s', async (customers, isOffered) => {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } })
  client.setQueryData(userKeys.me, { customers })
  const root = createRootRoute({
    component: () => (
      <MantineProvider env="test">
        <InviteUser onInvited={vi.fn()} onCancel={vi.fn()} />
      </MantineProvider>
    ),
  })
  render(
    <QueryClientProvider client={client}>
      <RouterProvider router={createRouter({ routeTree: root, history: createMemoryHistory() }) as never} />
    </QueryClientProvider>,
  )
  await userEvent.selectOptions(await screen.findByLabelText(/^Role/), 'Service')
  expect(screen.getByLabelText<HTMLInputElement>('All customers').disabled).toBe(!isOffered)
})

describe('flags of one user', () => {
  it('are those that act for one user; flags that count for the deployment alone are not offered', async () => {
    await open()
    expect(screen.getAllByRole('combobox')).toHaveLength(11)
    expect(screen.getByLabelText('Notify under review')).toBeTruthy()
    for (const name of [
      'Events under a contract only',
      'Edge issue events',
      'Instrument offline events',
      'Template for lost connections',
      'Weekly test event',
    ])
      expect(screen.queryByLabelText(name)).toBeNull()
  })

  it('ask before support e-mails are shown to a user, and do not say that e-mails are sent', async () => {
    const person = await open()
    await person.selectOptions(screen.getByLabelText('Automatic support e-mails'), 'On')
    const question = await screen.findByRole('dialog')
    expect(question.textContent).toContain('for Sofia Lindqvist? This user will see support e-mails')
    expect(question.textContent).toContain('Sending e-mails is not affected.')
    expect(question.textContent).not.toContain('go out')
    await person.click(screen.getByRole('button', { name: 'Turn on' }))
    await waitFor(() =>
      expect(sent).toEqual([{ path: '/api/administration/users/12/features/AUTO_EMAIL', body: { value: 'true' } }]),
    )
  })
})
