import { expect, test } from 'vitest'
import { percentile, summarise } from './percentiles.ts'

test('a percentile is the smallest value that so many percent don’t exceed', () => {
  const values = Array.from({ length: 200 }, (_, index) => index + 1)
  expect(percentile(values, 50)).toBe(100)
  expect(percentile(values, 95)).toBe(190)
  expect(percentile(values, 99)).toBe(198)
  expect(percentile(values, 100)).toBe(200)
  expect(percentile([7], 95)).toBe(7)
})

test('a summary counts every value, the slowest too, and takes them in any order', () => {
  const times = [9, 1, 1000, 5, 3]
  expect(summarise(times)).toEqual({ samples: 5, p50: 5, p95: 1000, p99: 1000, max: 1000 })
  expect(times).toEqual([9, 1, 1000, 5, 3])
})

test('nothing has no percentiles', () => {
  expect(() => summarise([])).toThrow('nothing')
})
