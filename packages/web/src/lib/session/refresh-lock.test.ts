import { afterEach, beforeEach, expect, it, vi } from 'vitest'

const tokens = {
  accessToken: 'access',
  expiresIn: 900,
  user: { userId: '7', userName: 'Anna Lind', mail: 'a@b.example' },
}
/** Requests in the order the server received them, and the bodies of the refreshes. */
const seen: string[] = []
const bodies: unknown[] = []

/** Fakes the browser's locks as far as the console uses them: one holder per name, the others queue. */
function oneLockPerName() {
  const lines = new Map<string, Promise<unknown>>()
  return {
    request: <T>(name: string, work: () => Promise<T>): Promise<T> => {
      const turn = (lines.get(name) ?? Promise.resolve()).then(work)
      lines.set(name, turn)
      return turn
    },
  }
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
  seen.length = 0
  bodies.length = 0
  localStorage.clear()
  document.cookie = 'benchwatch_session=1'
  vi.stubGlobal('navigator', { locks: oneLockPerName() })
  vi.stubGlobal('fetch', async (_address: string, init: RequestInit) => {
    seen.push('asked')
    bodies.push(JSON.parse(String(init.body)))
    await new Promise((resolve) => setImmediate(resolve))
    seen.push('answered')
    return Response.json(tokens)
  })
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** Opens a tab. The session is one per page, so the modules are loaded again. */
async function openTab() {
  vi.resetModules()
  return import('./session.ts')
}

it('two tabs refresh one after the other, under one lock', async () => {
  const [one, other] = [await openTab(), await openTab()]
  await Promise.all([one.startSession(), other.startSession()])
  expect(seen).toEqual(['asked', 'answered', 'asked', 'answered'])
  expect(bodies).toEqual([{ idleSeconds: 0 }, { idleSeconds: 0 }])
  expect([one.sessionState().status, other.sessionState().status]).toEqual(['signed-in', 'signed-in'])
})
