import { waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

/** Loads the page's modules again, because the session is one per page. */
async function freshSession() {
  vi.resetModules()
  return { session: await import('./session.ts'), http: await import('../http.ts') }
}

const user = { userId: '7', userName: 'Anna Lind', mail: 'anna@benchwatch.example' }
const tokens = { accessToken: 'access', expiresIn: 900, user }

function json(status: number, body: unknown): Response {
  return new Response(JSON.stringify(body), { status })
}
const expired = () => json(401, { ErrorBody: 'Session expired', code: 'session-expired' })

/** The readable cookie that the server sets next to the refresh cookie. */
const MARKED = 'benchwatch_session=1'
/** An age of 0 would keep the cookie until the end of this millisecond in happy-dom. */
const UNMARKED = 'benchwatch_session=; max-age=-1'

const server = vi.fn<(path: string) => Response>()

/** Channels to close, so that pages of earlier tests do not receive messages of later ones. */
const channels: BroadcastChannel[] = []
class NotedChannel extends BroadcastChannel {
  constructor(name: string) {
    super(name)
    channels.push(this)
  }
}

beforeEach(() => {
  document.cookie = MARKED
  localStorage.clear()
  sessionStorage.clear()
  vi.stubGlobal('BroadcastChannel', NotedChannel)
  vi.stubGlobal(
    'fetch',
    vi.fn(async (address: string) => server(address.replace('/api', ''))),
  )
})

afterEach(() => {
  for (const channel of channels.splice(0)) channel.close()
  vi.unstubAllGlobals()
  vi.useRealTimers()
  server.mockReset()
})

describe('at start-up', () => {
  it('the refresh cookie signs in again', async () => {
    server.mockImplementation(() => json(200, tokens))
    const { session } = await freshSession()
    const known = session.sessionKnown()
    await session.startSession()
    expect(await known).toEqual({ status: 'signed-in', user })
    expect(JSON.stringify({ ...localStorage, ...sessionStorage })).not.toContain('access')
  })

  it('without a session the person is anonymous', async () => {
    server.mockImplementation(() => expired())
    const { session } = await freshSession()
    await session.startSession()
    expect(server).toHaveBeenCalledExactlyOnceWith('/auth/refresh')
    expect(session.sessionState().status).toBe('anonymous')
  })

  it('a browser in which nobody has signed in is not asked about', async () => {
    document.cookie = UNMARKED
    const { session } = await freshSession()
    await session.startSession()
    expect(session.sessionState().status).toBe('anonymous')
    expect(server).not.toHaveBeenCalled()
  })

  it('a session of a release that set no mark is found by the tab that it noted', async () => {
    document.cookie = UNMARKED
    localStorage.setItem('benchwatch.tabOpenAt', String(Date.now()))
    server.mockImplementation(() => json(200, tokens))
    const { session } = await freshSession()
    await session.startSession()
    expect(session.sessionState().status).toBe('signed-in')
  })

  it('a tab without a session follows another one that signs in', async () => {
    document.cookie = UNMARKED
    server.mockImplementation(() => json(200, tokens))
    const { session } = await freshSession()
    await session.startSession()
    document.cookie = MARKED
    new BroadcastChannel('benchwatch.session').postMessage({ kind: 'signed-in', userId: '7' })
    await waitFor(() => expect(session.sessionState().status).toBe('signed-in'))
  })

  it('a session that is over leaves nothing of what was stored', async () => {
    server.mockImplementation(() => expired())
    localStorage.setItem('benchwatch.events.filters', '"enterpriseName=Novara"')
    sessionStorage.setItem('benchwatch.events.address', '{"keyword":"novara"}')
    const { session } = await freshSession()
    await session.startSession()
    expect([localStorage.length, sessionStorage.length]).toEqual([0, 0])
  })

  it('a server that does not answer signs nobody out', async () => {
    server.mockImplementation(() => json(503, { ErrorBody: 'Starting.', code: 'unavailable' }))
    const { session } = await freshSession()
    await session.startSession()
    expect(session.sessionState()).toMatchObject({ status: 'unreachable', error: { message: 'Starting.' } })
    server.mockImplementation(() => json(200, tokens))
    await session.startSession()
    expect(session.sessionState().status).toBe('signed-in')
  })
})

describe('a token that ran out', () => {
  it('is renewed once for all calls that wait for it', async () => {
    vi.useFakeTimers()
    server.mockImplementation((path) => json(200, path === '/auth/refresh' ? tokens : []))
    const { session, http } = await freshSession()
    await session.startSession()
    server.mockClear()
    vi.setSystemTime(Date.now() + 900_000)
    await Promise.all([http.call('listUsers'), http.call('listUsers'), http.call('listUsers')])
    expect(server.mock.calls.filter(([path]) => path === '/auth/refresh')).toHaveLength(1)
  })

  it('that cannot be renewed ends the session once and forgets what was stored', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    server.mockImplementation(() => json(200, tokens))
    const { session, http } = await freshSession()
    await session.startSession()
    localStorage.setItem('benchwatch.filters', '{}')
    localStorage.setItem('benchwatch.theme', 'dark')
    const ended = vi.fn()
    session.onSessionEnd(ended)
    server.mockImplementation(expired)
    await Promise.allSettled([http.call('listUsers'), http.call('getMe')])
    expect(ended).toHaveBeenCalledExactlyOnceWith({ kind: 'expired', idleSeconds: 0 })
    expect(session.sessionState().status).toBe('anonymous')
    expect(localStorage.getItem('benchwatch.filters')).toBeNull()
    expect(localStorage.getItem('benchwatch.theme')).toBe('dark')
  })

  it('is kept waiting, not signed out, while the server is away', async () => {
    server.mockImplementation(() => json(200, tokens))
    const { session } = await freshSession()
    await session.startSession()
    server.mockImplementation(() => json(503, { ErrorBody: 'Away.', code: 'unavailable' }))
    await session.verifySession()
    expect(session.sessionState().status).toBe('signed-in')
  })
})

describe('another user in the same tab', () => {
  const other = { ...tokens, user: { ...user, userId: '8' } }
  const replace = vi.spyOn(window.location, 'replace').mockImplementation(() => undefined)
  beforeEach(() => {
    replace.mockClear()
    server.mockImplementation(() => json(200, tokens))
  })

  it('starts with a new page after the session expired, the same user does not', async () => {
    const { session } = await freshSession()
    await session.startSession()
    server.mockImplementation(expired)
    await session.verifySession()
    session.acceptSignIn(tokens)
    expect(replace).not.toHaveBeenCalled()
    await session.verifySession()
    sessionStorage.setItem('benchwatch.rememberedPath', '"/events/7"')
    session.acceptSignIn(other)
    expect(replace).toHaveBeenCalledExactlyOnceWith('/')
    expect({ ...sessionStorage }).toEqual({ 'benchwatch.owner': '"8"' })
    expect(session.sessionState().user).toBeNull()
  })

  it('starts with a new page in a tab that was reloaded meanwhile', async () => {
    await (await freshSession()).session.startSession()
    sessionStorage.setItem('benchwatch.events.address', '{"keyword":"novara"}')
    server.mockImplementation(() => json(200, other))
    await (await freshSession()).session.startSession()
    expect(replace).toHaveBeenCalledExactlyOnceWith('/')
    expect({ ...sessionStorage }).toEqual({ 'benchwatch.owner': '"8"' })
  })

  it('opens the page that they asked for after the previous one has signed out', async () => {
    const { session } = await freshSession()
    await session.startSession()
    await session.signOut()
    sessionStorage.setItem('benchwatch.rememberedPath', '"/events/9"')
    ;(await freshSession()).session.acceptSignIn(other)
    expect(replace).not.toHaveBeenCalled()
    expect({ ...sessionStorage }).toEqual({ 'benchwatch.rememberedPath': '"/events/9"', 'benchwatch.owner': '"8"' })
  })

  it('sends nothing that the previous one asked for', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const { session, http } = await freshSession()
    await session.startSession()
    vi.setSystemTime(Date.now() + 900_000)
    server.mockReset()
    server.mockImplementation(() => json(200, other))
    await expect(http.call('listUsers')).rejects.toMatchObject({ code: 'session-expired' })
    expect(server).toHaveBeenCalledExactlyOnceWith('/auth/refresh')
    expect(replace).toHaveBeenCalledExactlyOnceWith('/')
    expect(session.sessionState().user).toBeNull()
  })
})

describe('signing out', () => {
  it('holds although the answer to a refresh comes after it', async () => {
    server.mockImplementation(() => json(200, tokens))
    const { session } = await freshSession()
    await session.startSession()
    let answer: (response: Response) => void = () => undefined
    const late = new Promise<Response>((resolve) => {
      answer = resolve
    })
    const refreshing = vi.fn(async (address: string) =>
      address.endsWith('/auth/refresh') ? late : new Response(null, { status: 204 }),
    )
    vi.stubGlobal('fetch', refreshing)
    const renewed = session.renewToken()
    await waitFor(() => expect(refreshing).toHaveBeenCalled())
    await session.signOut()
    answer(json(200, tokens))
    expect(await renewed).toBeNull()
    expect(session.sessionState()).toEqual({ status: 'anonymous', user: null })
  })

  it('ends the session at the server and informs the other tabs', async () => {
    server.mockImplementation((path) =>
      path === '/auth/sign-out' ? new Response(null, { status: 204 }) : json(200, tokens),
    )
    const { session } = await freshSession()
    await session.startSession()
    const news = new Promise((resolve) => {
      const otherTab = new BroadcastChannel('benchwatch.session')
      otherTab.addEventListener('message', ({ data }) => {
        otherTab.close()
        resolve(data)
      })
    })
    await session.signOut()
    expect(server).toHaveBeenLastCalledWith('/auth/sign-out')
    expect(session.sessionState().status).toBe('anonymous')
    expect(await news).toEqual({ kind: 'signed-out' })
  })

  it('that did not reach the server is reported at the next start, instead of signing in again', async () => {
    server.mockImplementation(() => json(200, tokens))
    const { session } = await freshSession()
    await session.startSession()
    server.mockImplementation(() => json(503, { ErrorBody: 'Away.', code: 'unavailable' }))
    await expect(session.signOut()).rejects.toThrow('Away.')
    const next = await freshSession()
    expect(next.session.isSignOutPending()).toBe(true)
    server.mockImplementation(() => new Response(null, { status: 204 }))
    await next.session.startAnonymous()
    expect(next.session.isSignOutPending()).toBe(false)
    expect(next.session.sessionState().status).toBe('anonymous')
  })

  it('everywhere is asked of the server', async () => {
    const bodies: unknown[] = []
    server.mockImplementation(() => json(200, tokens))
    const { session } = await freshSession()
    await session.startSession()
    vi.stubGlobal('fetch', async (_address: string, init: RequestInit) => {
      bodies.push(JSON.parse(String(init.body)))
      return new Response(null, { status: 204 })
    })
    await session.signOut({ everywhere: true })
    expect(bodies).toEqual([{ everywhere: true }])
  })
})

describe('inactivity', () => {
  it('ends the session when the server does, and says how long the user was inactive', async () => {
    vi.useFakeTimers()
    server.mockImplementation(() => json(200, tokens))
    const { session } = await freshSession()
    await session.startSession()
    const ended = vi.fn()
    session.onSessionEnd(ended)
    vi.setSystemTime(Date.now() + 14_400_000)
    server.mockImplementation(expired)
    await session.endIdleSession()
    expect(ended).toHaveBeenCalledExactlyOnceWith({ kind: 'expired', idleSeconds: 14_400 })
  })

  it('continues when the server saw somebody since', async () => {
    server.mockImplementation(() => json(200, tokens))
    const { session } = await freshSession()
    await session.startSession()
    await session.endIdleSession()
    expect(session.sessionState().status).toBe('signed-in')
  })

  it('ends only here while the server is down, and is reported at the next start', async () => {
    server.mockImplementation(() => json(200, tokens))
    const { session } = await freshSession()
    await session.startSession()
    server.mockImplementation(() => json(503, { ErrorBody: 'Away.', code: 'unavailable' }))
    await session.endIdleSession()
    expect(session.sessionState().status).toBe('anonymous')
    expect(session.isSignOutPending()).toBe(true)
  })
})
