import { expect, test } from 'vitest'
import { figure, heading, line, verdictOf } from './measure.ts'

test('a figure meets its goal up to the limit, and has no verdict without a goal', () => {
  expect(verdictOf({ value: 50, goal: { atMost: 50 } })).toBe('met')
  expect(verdictOf({ value: 50.1, goal: { atMost: 50 } })).toBe('missed')
  expect(verdictOf({ value: 5000, goal: { atLeast: 5000 } })).toBe('met')
  expect(verdictOf({ value: 4999, goal: { atLeast: 5000 } })).toBe('missed')
  expect(verdictOf({ value: 1 })).toBe('')
})

test('what was refused is missed, however fast, and says so', () => {
  const refused = {
    group: 'pages',
    name: 'list',
    unit: 'ms',
    value: 3,
    goal: { atMost: 50 },
    refusal: 'answered 503',
  } as const
  expect(verdictOf(refused)).toBe('missed')
  expect(line(refused)).toMatch(/^list \(answered 503\) +3\.00 ms +≤ 50 +missed$/)
})

test('figures show the digits that count', () => {
  expect([0, 0.834, 0.05, 7.251, 13.24, 999.6, 12_345.6].map(figure)).toEqual([
    ...['0', '0.83', '0.05', '7.25', '13.2', '1000', '12346'],
  ])
})

test('a line has its cells below the names of the columns', () => {
  const summary = { samples: 200, p50: 8.1, p95: 13.24, p99: 20, max: 31 }
  const text = line({
    ...{ group: 'lists', name: 'list, 7 days', unit: 'ms', value: 13.24, summary, goal: { atMost: 50 } },
    floor: { value: 5.5, how: 'SQL', summary: { ...summary, p50: 3.25 } },
  })
  expect(text).toMatch(/^list, 7 days +8\.10 +13\.2 ms +20\.0 +200 +3\.25 +5\.50 +≤ 50 +met$/)
  expect(text.length).toBe(heading.length)
})
