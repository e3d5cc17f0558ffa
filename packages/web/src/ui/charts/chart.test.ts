import { expect, it } from 'vitest'
import { roundTicks } from './chart.tsx'

it.each([
  [0, 1080, 0, [0, 500, 1000, 1500]],
  [0, 1000, 0, [0, 500, 1000]],
  [-20, 33, 0, [-20, 0, 20, 40]],
  [0, 0.35, 0, [0, 0.1, 0.2, 0.3, 0.4]],
  [0, 0, 0, [0, 0.5]],
  [0, 0, 1, [0, 1]],
  [0, 3, 1, [0, 1, 2, 3]],
  [0, 98, 1, [0, 50, 100]],
  [0, 204, 1, [0, 100, 200, 300]],
])('lines from %d to %d in steps of at least %d are %j', (low, high, least, ticks) => {
  expect(roundTicks(low, high, least)).toEqual(ticks)
})
