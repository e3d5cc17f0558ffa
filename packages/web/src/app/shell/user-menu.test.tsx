import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { cleanup, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { setCredentials } from '../../lib/http.ts'
import { acceptSignIn, sessionState, signOut } from '../../lib/session/session.ts'
import { ConfirmDialog } from '../../ui/overlay/confirm.tsx'
import { initials, UserMenu } from './user-menu.tsx'

const user = { userId: '7', userName: 'Anna Lind', mail: 'anna@benchwatch.example' }
const me = {
  id: '7',
  name: 'Anna Lind',
  email: user.mail,
  msisdn: null,
  customers: null,
  inactivityLimitSeconds: 14_400,
}
let role: string
const signOuts = vi.fn<() => void>()

beforeEach(() => {
  role = 'service'
  vi.stubGlobal('fetch', async (address: string) => {
    if (address === '/api/users/me') return Response.json({ ...me, role })
    if (address === '/api/health') return Response.json({ status: 'ok', version: '2.12.2', environment: 'prod' })
    if (address === '/api/users/me/features') return Response.json([])
    signOuts()
    return new Response(null, { status: 204 })
  })
  setCredentials({ token: () => 'access', renew: async () => 'access', expire: () => undefined })
  acceptSignIn({ accessToken: 'access', expiresIn: 900, user })
})

afterEach(async () => {
  cleanup()
  await signOut()
  setCredentials(null)
  signOuts.mockReset()
  vi.unstubAllGlobals()
})

async function open() {
  const root = createRootRoute({
    component: () => (
      <>
        <UserMenu user={user} />
        <ConfirmDialog />
      </>
    ),
  })
  const router = createRouter({ routeTree: root, history: createMemoryHistory({ initialEntries: ['/'] }) })
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient()}>
        {/* The type of the product's own router is registered; this one has other routes. */}
        <RouterProvider router={router as never} />
      </QueryClientProvider>
    </MantineProvider>,
  )
  const person = userEvent.setup({ delay: null })
  const press = async () => person.click(await screen.findByRole('button', { name: /Anna Lind.*user menu/ }))
  await press()
  return { person, press }
}

const items = () => screen.getAllByRole('menuitem').map(({ textContent }) => textContent)

it('has Settings and Logout, and what is running', async () => {
  await open()
  expect(await screen.findByText('Version 2.12.2 · prod')).toBeTruthy()
  expect(items()).toEqual(['Settings', 'Notifications', 'Logout'])
  expect(screen.getByRole('menuitem', { name: 'Settings' }).getAttribute('href')).toBe('/settings')
})

it('has Administration for administrators', async () => {
  role = 'admin'
  await open()
  const item = await screen.findByRole('menuitem', { name: 'Administration' })
  expect(item.getAttribute('href')).toBe('/administration')
})

it("asks 'Are you sure you want to log out?' with Cancel and Logout, and logs out by the second alone", async () => {
  const { person, press } = await open()
  const ask = async () => {
    await person.click(await screen.findByRole('menuitem', { name: 'Logout' }))
    return within(await screen.findByRole('dialog', { name: 'Are you sure you want to log out?' }))
  }
  const question = await ask()
  expect(question.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Cancel', 'Logout'])
  await person.click(question.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(signOuts).not.toHaveBeenCalled()
  expect(sessionState().status).toBe('signed-in')
  await press()
  await person.click((await ask()).getByRole('button', { name: 'Logout' }))
  await waitFor(() => expect(sessionState().status).toBe('anonymous'))
  expect(signOuts).toHaveBeenCalledOnce()
})

describe('initials', () => {
  it.each([
    ['Anna Lind', 'AL'],
    ['Jan van der Berg', 'JB'],
    ['Øyvind', 'Ø'],
    ['service@benchwatch.example', 'SE'],
    ['(No name configured)', 'NC'],
    ['', '?'],
  ])('%s gives %s', (name, letters) => {
    expect(initials(name)).toBe(letters)
  })
})
