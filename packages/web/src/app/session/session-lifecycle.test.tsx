import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { userKeys } from '../../features/users/users.api.ts'
import { rememberedPath } from '../../lib/remembered-path.ts'
import { sessionState, signOut, startSession } from '../../lib/session/session.ts'
import { signOutNotice } from '../../lib/session/sign-out-notice.ts'
import { signOutReason, useSessionLifecycle } from './session-lifecycle.tsx'

const HOUR_MS = 3_600_000
const tokens = {
  accessToken: 'access',
  expiresIn: 900,
  user: { userId: '7', userName: 'Anna Lind', mail: 'anna@benchwatch.example' },
}
let isKnown: boolean
let refreshes: number

beforeEach(async () => {
  isKnown = true
  localStorage.clear()
  document.cookie = 'benchwatch_session=1'
  sessionStorage.clear()
  vi.useFakeTimers({ shouldAdvanceTime: true })
  vi.stubGlobal('scrollTo', () => undefined)
  vi.stubGlobal('fetch', async (address: string) => {
    if (address !== '/api/auth/refresh') return new Response(null, { status: 204 })
    refreshes += 1
    return isKnown
      ? Response.json(tokens)
      : Response.json({ ErrorBody: 'Session expired', code: 'session-expired' }, { status: 401 })
  })
  await startSession()
  refreshes = 0
})

afterEach(async () => {
  cleanup()
  await signOut()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** A screen without requests of its own, so every request comes from the lifecycle. */
function QuietScreen() {
  useSessionLifecycle()
  return 'a quiet screen'
}

async function openQuietScreen(address = '/settings?tab=1') {
  const client = new QueryClient()
  client.setQueryData(userKeys.me, { inactivityLimitSeconds: 4 * 3600 })
  client.setQueryData(['service-events'], ['read before'])
  const root = createRootRoute({ component: QuietScreen })
  const at = (path: string, isPublic = false) =>
    createRoute({ getParentRoute: () => root, path, staticData: { isPublic } })
  const router = createRouter({
    routeTree: root.addChildren([at('/'), at('/settings'), at('/for-anybody', true)]),
    history: createMemoryHistory({ initialEntries: [address] }),
  })
  render(
    <QueryClientProvider client={client}>
      {/* The type of the product's own router is registered; this one has other routes. */}
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  )
  await screen.findByText('a quiet screen')
  return { client, router }
}

it('four hours without a click end the session, say why, forget what was read and remember the path', async () => {
  const { client, router } = await openQuietScreen()
  isKnown = false
  vi.setSystemTime(Date.now() + 4 * HOUR_MS)
  await vi.advanceTimersByTimeAsync(30_000)
  await waitFor(() => expect(sessionState().status).toBe('anonymous'))
  expect(signOutNotice()?.title).toBe('You were signed out after 4 hours without activity.')
  expect(rememberedPath()).toBe('/settings?tab=1')
  await waitFor(() => expect(router.state.location.pathname).toBe('/'))
  await waitFor(() => expect(client.getQueryCache().getAll()).toEqual([]))
})

it('an open screen that nobody left alone for long asks nothing', async () => {
  await openQuietScreen()
  await vi.advanceTimersByTimeAsync(150_000)
  expect(refreshes).toBe(0)
})

it('after sleep a token is asked for as soon as the screen is looked at, and the session goes on', async () => {
  await openQuietScreen()
  vi.setSystemTime(Date.now() + HOUR_MS)
  document.dispatchEvent(new Event('visibilitychange'))
  await waitFor(() => expect(refreshes).toBe(1))
  expect(sessionState().status).toBe('signed-in')
})

it('a page for anybody stays when the session has expired: what was read is forgotten, its address is not kept', async () => {
  const { client, router } = await openQuietScreen('/for-anybody?token=secret')
  isKnown = false
  vi.setSystemTime(Date.now() + 4 * HOUR_MS)
  await vi.advanceTimersByTimeAsync(30_000)
  await waitFor(() => expect(sessionState().status).toBe('anonymous'))
  await waitFor(() => expect(client.getQueryData(['service-events'])).toBeUndefined())
  expect(client.getQueryData(userKeys.me)).toBeUndefined()
  expect(router.state.location.href).toBe('/for-anybody?token=secret')
  expect(JSON.stringify([{ ...sessionStorage }, { ...localStorage }])).not.toContain('secret')
})

describe('sign out reason', () => {
  const end = (idleSeconds: number) => ({ kind: 'expired' as const, idleSeconds })

  it.each([
    [14_400, '4 hours'],
    [3600, '1 hour'],
    [5400, '90 minutes'],
    [45, '45 seconds'],
  ])('a limit of %i s reads %s', (limit, words) => {
    expect(signOutReason(end(limit), limit).title).toBe(`You were signed out after ${words} without activity.`)
  })

  it('a session that the server ended earlier has expired', () => {
    expect(signOutReason(end(14_399), 14_400).title).toBe('Session expired')
    expect(signOutReason(end(99_999), undefined).title).toBe('Session expired')
  })
})
