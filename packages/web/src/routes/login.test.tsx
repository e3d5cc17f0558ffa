import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { rememberPath } from '../lib/remembered-path.ts'
import { signOut } from '../lib/session/session.ts'
import { LoginScreen } from './login.tsx'

const server = vi.fn<(path: string, body: unknown) => Response>()

beforeEach(() => {
  sessionStorage.clear()
  vi.stubGlobal(
    'fetch',
    vi.fn(async (address: string, init: RequestInit) => {
      const path = address.replace('/api', '')
      if (path === '/auth/config')
        return Response.json({ provider: 'local', product: 'Benchwatch', deployment: 'global', passwordRules: [] })
      return server(path, typeof init.body === 'string' ? JSON.parse(init.body) : null)
    }),
  )
})

afterEach(async () => {
  cleanup()
  // The session is the page's own, so a test that signs in signs out again.
  server.mockImplementation(() => new Response(null, { status: 204 }))
  await signOut()
  vi.unstubAllGlobals()
  server.mockReset()
})

async function openLogin() {
  const root = createRootRoute()
  const at = (path: string, text?: string) =>
    createRoute({ getParentRoute: () => root, path, component: text === undefined ? LoginScreen : () => text })
  const router = createRouter({
    routeTree: root.addChildren([at('/login'), at('/events/$eventId', 'the event')]),
    history: createMemoryHistory({ initialEntries: ['/login'] }),
  })
  render(
    <MantineProvider>
      <QueryClientProvider client={new QueryClient()}>
        {/* The type of the product's own router is registered; this one has other routes. */}
        <RouterProvider router={router as never} />
      </QueryClientProvider>
    </MantineProvider>,
  )
  await screen.findByLabelText('User ID')
  return userEvent.setup()
}

it('requires missing fields and sends nothing', async () => {
  const person = await openLogin()
  await person.click(screen.getByRole('button', { name: 'Login' }))
  expect(screen.getByText('Enter your user ID, usually your e-mail address.')).toBeTruthy()
  expect(screen.getByText('Enter your password.')).toBeTruthy()
  expect(server).not.toHaveBeenCalled()
})

it('reports a wrong user name or password, and then opens the remembered page', async () => {
  rememberPath('/events/104882')
  const person = await openLogin()
  server.mockImplementationOnce(() => Response.json({ ErrorBody: 'x', code: 'bad-credentials' }, { status: 401 }))
  await person.type(screen.getByLabelText('User ID'), ' anna@benchwatch.example ')
  await person.type(screen.getByLabelText('Password'), 'wrong{Enter}')
  expect((await screen.findByRole('alert')).textContent).toBe('Incorrect username or password')

  const user = { userId: '7', userName: 'Anna Lind', mail: 'anna@benchwatch.example' }
  server.mockImplementationOnce(() => Response.json({ accessToken: 'token', expiresIn: 900, user }))
  // The old text is selected, so typing replaces it.
  await person.keyboard('right{Enter}')
  expect(await screen.findByText('the event')).toBeTruthy()
  expect(server).toHaveBeenLastCalledWith('/auth/sign-in', { userId: 'anna@benchwatch.example', password: 'right' })
})

it('shows the password on request', async () => {
  const person = await openLogin()
  const box = screen.getByLabelText<HTMLInputElement>('Password')
  expect(box.type).toBe('password')
  await person.click(screen.getByRole('button', { name: 'Show password' }))
  expect(box.type).toBe('text')
  await person.click(screen.getByRole('button', { name: 'Hide password' }))
  expect(box.type).toBe('password')
})
