import { expect, it } from 'vitest'
import { brokenStage, type Progress, resultOf } from './injection-course.ts'

const whole: Progress = { eventId: 7, isFound: true, isPublished: true, isTold: true }

it.each<[string, Partial<Progress>, number]>([
  ['arrived', {}, 0],
  ['arrived', {}, 60_000],
  ['late', {}, 60_001],
  ['late', {}, 3_600_000],
  ['waiting', { isTold: false }, 599_999],
  ['missing', { isTold: false }, 600_000],
  ['missing', { isPublished: false }, 600_000],
  ['missing', { isFound: false }, 600_000],
  ['missing', { eventId: null, isFound: false, isPublished: false, isTold: false }, 600_000],
])('is %s: %j after %i ms', (expected, change, tookMs) => {
  expect(resultOf({ ...whole, ...change }, tookMs)).toBe(expected)
})

it('names the first stage that was not passed', () => {
  expect(brokenStage(whole)).toBeNull()
  expect(brokenStage({ ...whole, isPublished: false, isTold: false })).toBe('No live message was published')
})
