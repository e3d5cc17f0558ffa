import { beforeEach, expect, it, vi } from 'vitest'
import { reloadWhenBuildIsStale } from './stale-build.ts'

const reload = vi.fn()
let now = 1_000_000
let isThere = true
reloadWhenBuildIsStale({ now: () => now, reload, isServerThere: () => Promise.resolve(isThere) })

/** Fires the event and waits for the server check that follows. */
async function fail(): Promise<Error> {
  const payload = new Error('Failed to fetch dynamically imported module: /assets/panel.js')
  window.dispatchEvent(Object.assign(new Event('vite:preloadError', { cancelable: true }), { payload }))
  await Promise.resolve()
  return payload
}

beforeEach(() => {
  reload.mockClear()
  now += 3_600_000
  isThere = true
})

it('a part that is gone after an update reloads the page, but not again within a minute', async () => {
  await fail()
  expect(reload).toHaveBeenCalledTimes(1)
  now += 59_000
  await fail()
  expect(reload).toHaveBeenCalledTimes(1)
  now += 2000
  await fail()
  expect(reload).toHaveBeenCalledTimes(2)
})

it('a part that can’t be loaded because the server can’t be reached leaves the page as it is, and says what to do', async () => {
  isThere = false
  const error = await fail()
  expect(reload).not.toHaveBeenCalled()
  expect(error.message).toBe('A part of this page could not be loaded. Check your connection, then reload.')
  isThere = true
  await fail()
  expect(reload).toHaveBeenCalledTimes(1)
})
