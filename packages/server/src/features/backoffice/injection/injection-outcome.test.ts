import { expect, it } from 'vitest'
import { brokenStage, type Progress, resultOf } from './injection-outcome.ts'

const whole: Progress = { eventId: 7, isFound: true, isPublished: true, isNotified: true }

it.each<[string, Partial<Progress>, number]>([
  ['arrived', {}, 0],
  ['arrived', {}, 60_000],
  ['late', {}, 60_001],
  ['late', {}, 3_600_000],
  ['waiting', { isNotified: false }, 599_999],
  ['missing', { isNotified: false }, 600_000],
  ['missing', { isPublished: false }, 600_000],
  ['missing', { isFound: false }, 600_000],
  ['missing', { eventId: null, isFound: false, isPublished: false, isNotified: false }, 600_000],
])('is %s: %j after %i ms', (expected, change, tookMs) => {
  expect(resultOf({ ...whole, ...change }, tookMs)).toBe(expected)
})

it('names the first stage that was not passed', () => {
  expect(brokenStage(whole)).toBeNull()
  expect(brokenStage({ ...whole, isPublished: false, isNotified: false })).toBe('No live message was published')
})
