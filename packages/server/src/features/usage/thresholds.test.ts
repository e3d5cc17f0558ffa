import { describe, expect, it } from 'vitest'
import { judge, limitOf } from './thresholds.ts'

describe('MAXIMUM_USAGE', () => {
  it.each([
    [0, 0, 'normal'],
    [79.9, 79.9, 'normal'],
    [80, 80, 'high'],
    [99.99, 100, 'high'],
    [100, 100, 'maximum'],
    [112.34, 112.3, 'maximum'],
  ] as const)('of 100: %d is %d %%, %s', (value, percentage, color) => {
    expect(judge(value, { rule: 'MAXIMUM_USAGE', values: [100] })).toEqual({ percentage, color })
  })
})

it.each([
  [2.4, 3, 80],
  [0.56, 0.7, 80],
  [2.39, 3, 79.7],
] as const)('80 %% of the maximum is high, despite binary fractions of %d of %d', (value, max, percentage) => {
  const color = percentage === 80 ? 'high' : 'normal'
  expect(judge(value, { rule: 'MAXIMUM_USAGE', values: [max] })).toEqual({ percentage, color })
})

describe('HIGH_SAFE_USAGE', () => {
  it.each([
    [99, 49.5, 'normal'],
    [100, 50, 'safety'],
    [179, 89.5, 'safety'],
    [180, 90, 'high'],
    [200, 100, 'maximum'],
  ] as const)('safe to 100, at most 200: %d is %d %%, %s', (value, percentage, color) => {
    expect(judge(value, { rule: 'HIGH_SAFE_USAGE', values: [100, 200] })).toEqual({ percentage, color })
  })
})

describe('COUNT_DOWN', () => {
  it.each([
    [31, 'normal'],
    [30, 'high'],
    [8, 'high'],
    [7, 'maximum'],
    [-3, 'maximum'],
  ] as const)('soon at 30, now at 7: %d is %s and has no percentage', (value, color) => {
    expect(judge(value, { rule: 'COUNT_DOWN', values: [30, 7] })).toEqual({ percentage: null, color })
  })
})

it.each([
  ['no value', null, 'MAXIMUM_USAGE', [100]],
  ['no thresholds', 5, 'MAXIMUM_USAGE', []],
  ['a maximum of nothing', 5, 'MAXIMUM_USAGE', [0]],
  ['half of the thresholds', 5, 'HIGH_SAFE_USAGE', [100]],
  ['half of the thresholds', 5, 'COUNT_DOWN', [100]],
  ['an unknown rule', 5, 'UNKNOWN_THRESHOLD', [100]],
] as const)('%s is unknown', (_name, value, rule, values) => {
  expect(judge(value, { rule, values })).toEqual({ percentage: null, color: 'unknown' })
})

it('a part is due at its maximum, and where it counts down at the second value', () => {
  expect(limitOf({ rule: 'MAXIMUM_USAGE', values: [100] })).toEqual({ value: 100, climbs: true })
  expect(limitOf({ rule: 'HIGH_SAFE_USAGE', values: [50, 90] })).toEqual({ value: 90, climbs: true })
  expect(limitOf({ rule: 'COUNT_DOWN', values: [30, 7] })).toEqual({ value: 7, climbs: false })
  expect(limitOf({ rule: 'UNKNOWN_THRESHOLD', values: [30, 7] })).toBeUndefined()
})
