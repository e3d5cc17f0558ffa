import { expect, it } from 'vitest'
import { retryDelay } from './retry-delay.ts'

it('doubles from half a second to half a minute', () => {
  const longest = [0, 1, 2, 3, 6, 7, 500].map((failed) => retryDelay(failed, () => 1))
  expect(longest).toEqual([500, 1_000, 2_000, 4_000, 30_000, 30_000, 30_000])
})

it('draws half of it by lot', () => {
  expect(retryDelay(2, () => 0)).toBe(1_000)
  expect(retryDelay(2, () => 0.5)).toBe(1_500)
})
