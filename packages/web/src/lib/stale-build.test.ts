import { beforeEach, expect, it, vi } from 'vitest'
import { isMissingPart, reloadStaleBuild, watchMissingParts } from './stale-build.ts'

const reload = vi.fn()
let now = 1_000_000
let isThere = true
watchMissingParts({ now: () => now, reload, isServerThere: () => Promise.resolve(isThere) })

/** Fires the event of a part that could not be loaded ahead. */
function fail(): Error {
  const payload = new Error('Failed to fetch dynamically imported module: /assets/panel.js')
  window.dispatchEvent(Object.assign(new Event('vite:preloadError', { cancelable: true }), { payload }))
  return payload
}

beforeEach(() => {
  reload.mockClear()
  now += 3_600_000
  isThere = true
})

it('a part that is gone after an update reloads the page, but not again within a minute', async () => {
  await reloadStaleBuild()
  expect(reload).toHaveBeenCalledTimes(1)
  now += 59_000
  await reloadStaleBuild()
  expect(reload).toHaveBeenCalledTimes(1)
  now += 2000
  await reloadStaleBuild()
  expect(reload).toHaveBeenCalledTimes(2)
})

it('a part that can’t be loaded because the server can’t be reached leaves the page as it is', async () => {
  isThere = false
  await reloadStaleBuild()
  expect(reload).not.toHaveBeenCalled()
  isThere = true
  await reloadStaleBuild()
  expect(reload).toHaveBeenCalledTimes(1)
})

it('a part that was only loaded ahead leaves the page as it is, and says what to do once it is shown', async () => {
  const error = fail()
  await Promise.resolve()
  expect(reload).not.toHaveBeenCalled()
  expect(isMissingPart(error)).toBe(true)
  expect(error.message).toBe('A part of this page could not be loaded. Check your connection, then reload.')
})
