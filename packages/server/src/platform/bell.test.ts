import { getEventListeners } from 'node:events'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Bell } from './bell.ts'

const HOUR = 3_600_000

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

/** Whether a wait is over, without waiting for it. */
function watch(wait: Promise<void>): () => boolean {
  let over = false
  void wait.then(() => {
    over = true
  })
  return () => over
}

test('a wait ends after its time, and not before', async () => {
  const over = watch(new Bell().wait(HOUR, new AbortController().signal))
  await vi.advanceTimersByTimeAsync(HOUR - 1)
  expect(over()).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  expect(over()).toBe(true)
})

test('a ring ends the wait at once', async () => {
  const bell = new Bell()
  const wait = bell.wait(HOUR, new AbortController().signal)
  bell.ring()
  await expect(wait).resolves.toBeUndefined()
})

test('a ring during work ends the next wait, and only that', async () => {
  const bell = new Bell()
  const { signal } = new AbortController()
  bell.ring()
  bell.ring()
  await bell.wait(HOUR, signal)
  const over = watch(bell.wait(HOUR, signal))
  await vi.advanceTimersByTimeAsync(HOUR - 1)
  expect(over()).toBe(false)
})

test('the end ends a wait, and every later one', async () => {
  const bell = new Bell()
  const stopping = new AbortController()
  const wait = bell.wait(HOUR, stopping.signal)
  stopping.abort()
  await expect(wait).resolves.toBeUndefined()
  await expect(bell.wait(HOUR, stopping.signal)).resolves.toBeUndefined()
})

test('nothing stays behind after a wait', async () => {
  const bell = new Bell()
  const { signal } = new AbortController()
  for (let round = 0; round < 3; round += 1) {
    const wait = bell.wait(10, signal)
    await vi.advanceTimersByTimeAsync(10)
    await wait
  }
  expect(getEventListeners(signal, 'abort')).toHaveLength(0)
  expect(vi.getTimerCount()).toBe(0)
})
