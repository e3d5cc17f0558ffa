import { PAGE_SETTINGS_META } from '@benchwatch/contract/page-settings'
import { notifications } from '@mantine/notifications'
import { QueryClient } from '@tanstack/react-query'
import { cleanup, render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { profilesQuery } from '../features/profiles/profiles.api.ts'
import { userKeys } from '../features/users/users.api.ts'

const answeredMe = {
  ...{ id: '7', name: 'Anna Lind', email: 'anna@benchwatch.example', msisdn: null },
  ...{ customers: null, inactivityLimitSeconds: 14_400 },
}
const user = { userId: '7', userName: 'Anna Lind', mail: 'anna@benchwatch.example' }
/** True if the fake server accepts the refresh cookie. */
let isKnown: boolean
/** True if it can't answer. */
let isAway: boolean
/**
 * Lifetime of the access token in seconds. With an expired token each call requests a new one first and may outlive
 * the test.
 */
let lifetime: number
/** Product name reported by the server. */
let product: string
/** Dashboards that the user may see. */
/** Answer of `GET /users/me`, if a test sets it. */
let me: object | null
let features: object[] | null
let dashboards: { id: string; name: string }[]
/** Query client of the console opened last. */
let client: QueryClient | undefined

beforeEach(() => {
  isKnown = isAway = false
  lifetime = 900
  product = 'Benchwatch'
  dashboards = []
  me = features = null
  sessionStorage.clear()
  document.cookie = 'benchwatch_session=1'
  vi.stubGlobal('scrollTo', () => undefined)
  vi.stubGlobal('fetch', async (address: string) => {
    if (isAway) return Response.json({ ErrorBody: 'Starting.', code: 'unavailable' }, { status: 503 })
    if (address === '/api/auth/refresh')
      return isKnown
        ? Response.json({ accessToken: 'access', expiresIn: lifetime, user })
        : Response.json({ ErrorBody: 'Session expired', code: 'session-expired' }, { status: 401 })
    if (address === '/api/auth/sign-out') return new Response(null, { status: 204 })
    if (address === '/api/auth/config')
      return Response.json({ provider: 'local', product, deployment: 'global', passwordRules: [] })
    if (address === '/api/kpi/urls') return Response.json(dashboards)
    if (address === '/api/users/me' && me) return Response.json(me)
    if (address === '/api/users/me/features' && features) return Response.json(features)
    return Response.json({ ErrorBody: 'Not asked for here.', code: 'not-found' }, { status: 404 })
  })
})

afterEach(async () => {
  // Requests still in flight would have no server left.
  await waitFor(() => expect(client?.isFetching() ?? 0).toBe(0))
  cleanup()
  document.head.querySelector('meta[name=benchwatch-settings]')?.remove()
  notifications.clean()
  vi.unstubAllGlobals()
})

/** Opens the whole console at an address. Router and session are one per page, so each test loads the modules again. */
async function open(address: string) {
  vi.resetModules()
  window.history.replaceState(null, '', address)
  const { App } = await import('./app.tsx')
  const session = await import('../lib/session/session.ts')
  client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  render(<App client={client} liveHandlers={[]} />)
  await session.startSession()
  return { client, session }
}

const path = () => window.location.pathname

describe('nobody signed in', () => {
  it('/ leads to /login', async () => {
    await open('/')
    expect(await screen.findByLabelText('User ID')).toBeTruthy()
    expect(path()).toBe('/login')
  })

  it.each([
    '/events?keyword=helix',
    '/events/104882',
    '/instruments?page=2',
    '/instruments/IP-20431187',
    '/report/IP-20431187',
    '/logs/IP-20431187',
    '/notifications',
    '/kpi',
    '/backoffice?tool=feed',
    '/help',
    '/settings',
    '/settings/account',
    '/administration/users',
  ])('%s redirects to /login, and back after signing in', async (address) => {
    await open(address)
    expect(await screen.findByLabelText('User ID')).toBeTruthy()
    expect(path()).toBe('/login')
    const { takeRememberedPath } = await import('../lib/remembered-path.ts')
    expect(takeRememberedPath()).toBe(address)
  })

  it('an unknown path is not found, with the footer and a Login link', async () => {
    await open('/nowhere')
    expect(await screen.findByRole('heading', { name: 'Page not found' })).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Login' }).getAttribute('href')).toBe('/login')
    expect(screen.getByRole('contentinfo').textContent).toMatch(/© \d{4}/)
    expect(screen.queryByRole('navigation', { name: 'Areas' })).toBeNull()
  })
})

describe('signed in', () => {
  beforeEach(() => {
    isKnown = true
  })

  it('/ leads to /events', async () => {
    await open('/')
    expect(await screen.findByRole('heading', { name: 'Service Events' })).toBeTruthy()
    expect(path()).toBe('/events')
  })

  it('whoever comes by a link that is gone goes on from the new screen, whose title tells which event', async () => {
    await open('/help')
    const { router } = await import('./router.tsx')
    await screen.findByRole('heading', { name: /^Help/ })
    expect(document.activeElement).toBe(document.body)
    await router.navigate({ to: '/events/$eventId', params: { eventId: '104882' } })
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('main')))
    expect(document.title).toBe('ORC-104882 · Benchwatch')
  })

  it('/login is forbidden and shows the way to /events', async () => {
    await open('/login')
    expect(await screen.findByRole('heading', { name: 'You can’t open this page' })).toBeTruthy()
    expect(screen.getByText('You are already signed in, and this page is only for signing in.')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Go to Service Events' }).getAttribute('href')).toBe('/events')
    expect(screen.queryByLabelText('User ID')).toBeNull()
  })

  it.each([
    ['/kpi', 'customer', [], 'Your role does not allow you to see this page.'],
    ['/administration/users', 'service', [], 'Your role does not allow you to see this page.'],
    ['/backoffice', 'customer', ['BACKOFFICE'], 'Your role does not allow you to see this page.'],
    ['/backoffice', 'support', [], 'This page needs a feature flag that is off for you.'],
  ])('%s is forbidden to a %s with the flags %j, and says why', async (address, role, flags, reason) => {
    me = { ...answeredMe, role }
    features = flags.map((key) => ({ key, value: 'true' }))
    await open(address)
    expect((await screen.findByText(/ask your administrator/)).textContent).toContain(reason)
  })

  it('the header has the logo that leads to /events, the product’s name and the person; the side bar the events', async () => {
    await open('/settings')
    const logo = await screen.findByRole('link', { name: 'Benchwatch: service events' })
    expect(logo.getAttribute('href')).toBe('/events')
    expect(logo.textContent).toBe('Benchwatch')
    expect(await screen.findByRole('button', { name: /Anna Lind.*user menu/ })).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Service events' }).getAttribute('href')).toBe('/events')
    expect(screen.queryByRole('link', { name: 'Login' })).toBeNull()
  })

  it('name, logo and copyright line are those of the deployment', async () => {
    product = 'Lab Console'
    const logo = 'data:image/svg+xml;base64,PHN2Zy8+'
    const meta = document.createElement('meta')
    meta.name = 'benchwatch-settings'
    meta.content = JSON.stringify({ logo, copyright: '© Lab AB' })
    document.head.append(meta)
    await open('/settings')
    const brand = await screen.findByRole('link', { name: 'Lab Console: service events' })
    expect(brand.textContent).toBe('Lab Console')
    expect(brand.querySelector('img')?.getAttribute('src')).toBe(logo)
    expect(brand.querySelector('svg')).toBeNull()
    expect(document.title).toMatch(/ · Lab Console$/)
    expect(screen.getByRole('contentinfo').textContent).toContain('© Lab AB')
  })

  it('the side bar has events, instruments, help and, for whom there is a dashboard, KPI', async () => {
    const areas = () =>
      within(screen.getByRole('navigation', { name: 'Areas' }))
        .getAllByRole('link')
        .map((link) => [link.getAttribute('href'), link.getAttribute('title')])
    const usual = [
      ['/events', 'Service events'],
      ['/instruments', 'Instruments'],
      ['/help', 'Help'],
    ]
    await open('/settings')
    await screen.findByRole('link', { name: 'Instruments' })
    expect(areas()).toEqual(usual)
    cleanup()
    dashboards = [{ id: 'service', name: 'Service' }]
    await open('/settings')
    await screen.findByRole('link', { name: 'KPI' })
    expect(areas()).toEqual([...usual, ['/kpi', 'KPI']])
  })

  it('an unknown path is not found, with the footer', async () => {
    await open('/nowhere')
    expect(await screen.findByRole('heading', { name: 'Page not found' })).toBeTruthy()
    expect(screen.getByRole('contentinfo')).toBeTruthy()
  })

  it.each(['/report/IP-20431187', '/report/IP-20431187?reportType=xx', '/administration/registry/xx'])(
    '%s is not found, and the window is called as at every unknown path',
    async (address) => {
      await open(address)
      expect(await screen.findByRole('heading', { name: 'Page not found' })).toBeTruthy()
      await waitFor(() => expect(document.title).toBe('Benchwatch'))
    },
  )

  it('the footer has the copyright line that was configured', async () => {
    const meta = document.head.appendChild(document.createElement('meta'))
    meta.name = PAGE_SETTINGS_META
    meta.content = JSON.stringify({ copyright: '© 2026 Lab AB' })
    await open('/settings')
    await screen.findByRole('heading', { name: 'Settings' })
    expect(screen.getByRole('contentinfo').textContent).toMatch(/^© 2026 Lab AB/)
    meta.remove()
  })

  it('a part that cannot be loaded at start-up is reported, and the rest works', async () => {
    await open('/settings')
    for (const text of [
      'Could not get user',
      'Could not get user profiles',
      'Could not get users',
      'Could not get filter data',
      'Could not get feature flags',
    ])
      expect((await screen.findAllByText(text)).some((place) => place.closest('[role=alert]'))).toBe(true)
    expect(path()).toBe('/settings')
  })
})

describe('a server that is away when the page is opened', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  it('is asked again until it answers, without a click', async () => {
    isKnown = isAway = true
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    await open('/settings')
    expect(await screen.findByText('Benchwatch could not be reached')).toBeTruthy()
    isAway = false
    vi.advanceTimersByTime(10_000)
    expect(await screen.findByRole('button', { name: /user menu/ })).toBeTruthy()
    expect(path()).toBe('/settings')
  })
})

describe('the end of a session', () => {
  beforeEach(() => {
    isKnown = true
  })

  it('by Logout forgets everything that was read and leads to /login', async () => {
    const { client, session } = await open('/settings')
    await screen.findByRole('button', { name: /user menu/ })
    const read = [
      userKeys.me,
      userKeys.list,
      userKeys.filters,
      userKeys.features,
      profilesQuery().queryKey,
      ['service-events'],
    ]
    for (const key of read) client.setQueryData(key, [])
    localStorage.setItem('benchwatch.events.filters', '"severity=high"')
    await session.signOut()
    expect(await screen.findByLabelText('User ID')).toBeTruthy()
    expect(path()).toBe('/login')
    expect(session.sessionState()).toMatchObject({ status: 'anonymous', user: null })
    for (const key of read) expect([key, client.getQueryData(key)]).toEqual([key, undefined])
    expect(localStorage.getItem('benchwatch.events.filters')).toBeNull()
  })

  it('without a token says Session expired and redirects by / to /login', async () => {
    lifetime = 0
    await open('/settings')
    await screen.findByRole('button', { name: /user menu/ })
    // At most five messages are shown at once, and the startup ones are already there.
    notifications.clean()
    isKnown = false
    const { call } = await import('../lib/http.ts')
    await expect(call('listUsers')).rejects.toThrow('Session expired')
    expect(await screen.findByText('Session expired')).toBeTruthy()
    expect(await screen.findByLabelText('User ID')).toBeTruthy()
    expect(path()).toBe('/login')
  })
})
