import { cleanup, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { acceptSignIn, signOut, startSession, verifySession } from '../lib/session/session.ts'

const signIn = (userId = '7') =>
  acceptSignIn({
    accessToken: 'token',
    expiresIn: 900,
    user: { userId, userName: 'Anna', mail: 'a@benchwatch.example' },
  })

let useUnsent: (name: string, initial: string) => [string, (value: string) => void, () => void]

beforeEach(async () => {
  vi.stubGlobal('fetch', async () => Response.json({ ErrorBody: 'Expired', code: 'session-expired' }, { status: 401 }))
  await startSession()
  signIn()
  // As the console loads it: with the first screen that needs it.
  useUnsent = (await import('./use-unsent.ts')).useUnsent
  renderHook(() => useUnsent('comment 1', '')).result.current[1]('A long comment')
  cleanup()
})
afterEach(async () => {
  cleanup()
  await signOut().catch(() => undefined)
  vi.unstubAllGlobals()
})

const text = () => renderHook(() => useUnsent('comment 1', '')).result.current[0]

it('the text of a form is there again after an expired session, for the same user', async () => {
  await verifySession()
  signIn()
  expect(text()).toBe('A long comment')
})

it('and is not left to another user', async () => {
  const replace = vi.spyOn(window.location, 'replace').mockImplementation(() => undefined)
  await verifySession()
  signIn('8')
  window.dispatchEvent(new Event('pagehide'))
  expect(replace).toHaveBeenCalledExactlyOnceWith('/')
  expect(JSON.stringify({ ...sessionStorage })).not.toContain('A long comment')
  signIn()
  replace.mockRestore()
})

it('and is gone after signing out', async () => {
  await signOut().catch(() => undefined)
  signIn()
  expect(text()).toBe('')
})

it('the text of a form is there again after a reload of the page', async () => {
  await verifySession()
  window.dispatchEvent(new Event('pagehide'))
  vi.resetModules()
  ;({ useUnsent } = await import('./use-unsent.ts'))
  expect(text()).toBe('A long comment')
})
