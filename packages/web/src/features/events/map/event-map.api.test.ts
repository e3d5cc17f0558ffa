import { expect, test } from 'vitest'
import { findsOnlyOpen } from './event-map.api.ts'

test.each([
  [{ quick: null, filter: {} }, false],
  [{ quick: null, filter: { alertStatus: ['1_NEW', '2_IN_PROGRESS'] } }, true],
  [{ quick: null, filter: { alertStatus: ['2_IN_PROGRESS'] } }, true],
  [{ quick: null, filter: { alertStatus: ['1_NEW', '3_CLOSED'] } }, false],
  [{ quick: 'noOwner' as const, filter: {} }, true],
])('%j finds open events alone: %s', (search, only) => {
  expect(findsOnlyOpen(search)).toBe(only)
})
