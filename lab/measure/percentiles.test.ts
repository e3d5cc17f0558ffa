import { expect, test } from 'vitest'
import { percentile, summarise } from './percentiles.ts'

test('a percentile is the smallest value that the share does not exceed, whatever the order of the values', () => {
  const values = Array.from({ length: 200 }, (_, index) => 200 - index)
  expect([0, 0.5, 0.95, 0.99, 1].map((share) => percentile(values, share))).toEqual([1, 100, 190, 198, 200])
  expect(percentile([7], 0.95)).toBe(7)
})

test('a summary counts every value, the slowest too, and takes them in any order', () => {
  const times = [9, 1, 1000, 5, 3]
  expect(summarise(times)).toEqual({ samples: 5, p50: 5, p95: 1000, p99: 1000, max: 1000 })
  expect(times).toEqual([9, 1, 1000, 5, 3])
})

test('nothing has no percentiles', () => {
  expect(percentile([], 0.95)).toBeNull()
  expect(() => summarise([])).toThrow('nothing')
})
