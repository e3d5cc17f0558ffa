import { afterEach, beforeEach, expect, it, vi } from 'vitest'

beforeEach(() => {
  localStorage.clear()
  vi.useFakeTimers()
  vi.resetModules()
})

afterEach(() => vi.useRealTimers())

it('counts from the last click or key press', async () => {
  const { idleSeconds, watchActivity } = await import('./activity.ts')
  const stop = watchActivity()
  vi.advanceTimersByTime(90_000)
  expect(idleSeconds()).toBe(90)
  window.dispatchEvent(new Event('keydown'))
  expect(idleSeconds()).toBe(0)
  vi.advanceTimersByTime(30_000)
  window.dispatchEvent(new Event('pointerdown'))
  expect(idleSeconds()).toBe(0)
  stop()
  vi.advanceTimersByTime(7000)
  window.dispatchEvent(new Event('keydown'))
  expect(idleSeconds()).toBe(7)
})

it('counts what happened in another tab, and continues after a reload', async () => {
  localStorage.setItem('benchwatch.lastActivityAt', String(Date.now() - 600_000))
  const { idleSeconds, watchActivity } = await import('./activity.ts')
  watchActivity()
  expect(idleSeconds()).toBe(600)
  localStorage.setItem('benchwatch.lastActivityAt', String(Date.now() - 5000))
  expect(idleSeconds()).toBe(5)
})
