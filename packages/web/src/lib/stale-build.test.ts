import { expect, it, vi } from 'vitest'
import { reloadWhenBuildIsStale } from './stale-build.ts'

it('a part that is gone after an update reloads the page, but not again within a minute', () => {
  const reload = vi.fn()
  let now = 1_000_000
  reloadWhenBuildIsStale({ now: () => now, reload })
  const fail = () => {
    const event = new Event('vite:preloadError', { cancelable: true })
    window.dispatchEvent(event)
    return event.defaultPrevented
  }
  expect(fail()).toBe(true)
  expect(reload).toHaveBeenCalledTimes(1)
  now += 59_000
  expect(fail()).toBe(false)
  expect(reload).toHaveBeenCalledTimes(1)
  now += 2000
  expect(fail()).toBe(true)
  expect(reload).toHaveBeenCalledTimes(2)
})
