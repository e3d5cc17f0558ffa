import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { useNow } from './use-now.ts'

const START = Date.parse('2026-11-20T15:00:00Z')

beforeEach(() => void vi.useFakeTimers({ now: START }))

afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

/** Returns what a clock shows that is called for these moments, in seconds from the start. */
function shows(...moments: number[]) {
  const { result, rerender } = renderHook((moments: number[]) => useNow(moments.map((at) => START + at * 1000)), {
    initialProps: moments,
  })
  return { seconds: () => (result.current - START) / 1000, asksFor: (...others: number[]) => rerender(others) }
}
function passes(seconds: number): void {
  act(() => {
    vi.advanceTimersByTime(seconds * 1000)
  })
}

it('is renewed each half minute', () => {
  const { seconds } = shows()
  passes(29)
  expect(seconds()).toBe(0)
  passes(1)
  expect(seconds()).toBe(30)
  passes(45)
  expect(seconds()).toBe(60)
})

it('is renewed soon after the machine has slept', () => {
  const { seconds } = shows()
  passes(10)
  vi.setSystemTime(START + 3_600_000)
  passes(5)
  expect(seconds()).toBe(3605)
})

it('is refreshed for all users as soon as a moment has come, and then continues', () => {
  const other = shows()
  const { seconds } = shows(-5, 40, 70, 99 * 86_400)
  for (const [wait, shown] of [
    [39, 30],
    [1, 40],
    [19, 40],
    [1, 60],
    [10, 70],
    [20, 90],
  ] as const) {
    passes(wait)
    expect([seconds(), other.seconds()]).toEqual([shown, shown])
  }
})

it('does not show a moment that has passed as to come', () => {
  const { seconds, asksFor } = shows()
  passes(20)
  asksFor(18, 25)
  expect(seconds()).toBe(20)
  passes(5)
  expect(seconds()).toBe(25)
})
