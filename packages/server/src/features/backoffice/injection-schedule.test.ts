import { expect, it } from 'vitest'
import { nextWeeklyTest } from './injection-schedule.ts'

it.each([
  ['on a Friday', '2026-11-20T14:00:00.000Z', 0, '2026-11-23T06:00:00.000Z'],
  ['on a Sunday', '2026-11-22T23:59:59.999Z', 0, '2026-11-23T06:00:00.000Z'],
  ['early on a Monday', '2026-11-23T05:59:59.999Z', 0, '2026-11-23T06:00:00.000Z'],
  ['at the hour itself', '2026-11-23T06:00:00.000Z', 0, '2026-11-30T06:00:00.000Z'],
  ['later on a Monday', '2026-11-23T06:20:00.000Z', 0, '2026-11-30T06:00:00.000Z'],
  ['with half the jitter', '2026-12-30T00:00:00.000Z', 0.5, '2027-01-04T06:15:00.000Z'],
])('the next weekly test, asked %s', (_when, now, jitter, expected) => {
  expect(nextWeeklyTest(new Date(now), jitter).toISOString()).toBe(expected)
})
