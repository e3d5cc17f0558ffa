import { expect, test } from 'vitest'
import { isReached, ReplicaLag } from './long-reads.ts'

test('positions are compared as numbers of 64 bits', () => {
  expect(isReached('10/0', 'F/FFFFFFFF')).toBe(true)
  expect(isReached('0/9', '0/10')).toBe(false)
  expect(isReached('16/B374D848', '16/B374D848')).toBe(true)
})

/** Positions at a number of seconds. */
function lagOver(steps: [second: number, written: number, replayed: number, age?: number | null][]): number[] {
  const lag = new ReplicaLag()
  const position = (at: number) => `0/${at.toString(16).toUpperCase()}`
  return steps.map(([second, written, replayed, age]) =>
    lag.measure({
      written: position(written),
      replayed: position(replayed),
      at: second * 1000,
      lastReplayedAgeMs: age ?? null,
    }),
  )
}

test('a replica that has everything has no lag, however long the primary has been quiet', () => {
  expect(
    lagOver([
      [0, 100, 100, 9_000_000],
      [7200, 100, 100, 9_000_000],
    ]),
  ).toEqual([0, 0])
})

test('the first change after a quiet hour is no hour of lag', () => {
  expect(
    lagOver([
      [0, 100, 100],
      [3600, 200, 100, 3_600_000],
      [3602, 200, 200],
    ]),
  ).toEqual([0, 0, 0])
})

test('the lag is the age of the oldest position that the replica lacks', () => {
  expect(
    lagOver([
      [0, 100, 100],
      [2, 200, 100],
      [4, 300, 150],
      [6, 400, 200],
      [8, 500, 200],
      [10, 500, 500],
    ]),
  ).toEqual([0, 0, 2000, 2000, 4000, 0])
})

test('for a replica that was behind before the first measurement, the last transaction shows by how much', () => {
  expect(
    lagOver([
      [0, 900, 100, 3_600_000],
      [2, 950, 500, 1_800_000],
      [4, 960, 940, 1000],
    ]),
  ).toEqual([3_600_000, 3_602_000, 2000])
})

test('a replica that replays nothing for a day is a day behind', () => {
  const lag = new ReplicaLag()
  let last = 0
  for (let second = 0; second <= 86_400; second += 2) {
    last = lag.measure({
      written: `1/${second.toString(16)}`,
      replayed: '0/1',
      at: second * 1000,
      lastReplayedAgeMs: 0,
    })
  }
  expect(last).toBe(86_400_000)
})
