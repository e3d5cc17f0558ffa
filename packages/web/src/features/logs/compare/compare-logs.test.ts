import type { LogHit } from '@benchwatch/contract/logs'
import { describe, expect, it } from 'vitest'
import { totalLabel } from '../log-pages.ts'
import { nextMatch, type PlacedLine } from './compare-lines.ts'

const match = (side: PlacedLine['side'], at: number, id: string): PlacedLine => ({
  side,
  at,
  hit: { _id: id } as unknown as LogHit,
})
const matches = [match('first', 10, 'a'), match('second', 20, 'a'), match('first', 20, 'b'), match('first', 30, 'c')]

describe('the next match', () => {
  it.each([
    [{ at: 0 }, 'newer', matches[0]],
    [{ at: 15 }, 'newer', matches[1]],
    [{ at: 15 }, 'older', matches[0]],
    [match('second', 20, 'a'), 'newer', matches[2]],
    [match('second', 20, 'a'), 'older', matches[0]],
    [match('first', 30, 'c'), 'newer', undefined],
    [{ at: 5 }, 'older', undefined],
    // A line of another log with the same id is a different line.
    [match('second', 25, 'c'), 'newer', matches[3]],
  ] as const)('from %j, %s', (place, direction, expected) => {
    expect(nextMatch(matches, place, direction)).toEqual(expected)
  })
})

it.each([
  [0, '0 matches'],
  [1, '1 match'],
  [1234, '1,234 matches'],
  [10_000, '10,000+ matches'],
])('counts %i as %s', (total, words) => {
  expect(totalLabel(total, ['match', 'matches'])).toBe(words)
})
