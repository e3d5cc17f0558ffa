import { expect, test } from 'vitest'
import { untilAfter } from './unsubscribe.store.ts'

const at = new Date('2026-11-20T14:00:00.000Z')
const days = (count: number) => new Date(at.getTime() + count * 86_400_000)

test.each([
  ['nothing held, for 30 days', undefined, 30, false, days(30)],
  ['nothing held, for good', undefined, null, false, null],
  ['30 days held, then for good', { until: days(20) }, null, false, null],
  ['30 days held, then for good by the same link', { until: days(20) }, null, true, null],
  ['for good held, then 30 days', { until: null }, 30, false, null],
  ['for good held, then for good', { until: null }, null, true, null],
  ['the same link again', { until: days(20) }, 30, true, days(20)],
  ['another link, which is longer', { until: days(20) }, 30, false, days(30)],
  ['another link, which is shorter', { until: days(40) }, 30, false, days(40)],
  ['a used link after what it began was deleted', undefined, 30, true, days(30)],
])('e-mails stay away for the longer time: %s', (_what, held, wanted, isRepeat, until) => {
  expect(untilAfter(held, { days: wanted, isRepeat, at })).toEqual(until)
})
