import { expect, test } from 'vitest'
import { UnderWay } from './under-way.ts'

test('knows how much is under way and how long the oldest of it waits', () => {
  let now = 1000
  const underWay = new UnderWay(() => now)
  expect([underWay.count, underWay.longestWait]).toEqual([0, 0])
  const endFirst = underWay.begin()
  now = 1500
  const endSecond = underWay.begin()
  now = 1700
  expect([underWay.count, underWay.longestWait]).toEqual([2, 700])
  endFirst()
  endFirst()
  expect([underWay.count, underWay.longestWait]).toEqual([1, 200])
  endSecond()
  expect([underWay.count, underWay.longestWait]).toEqual([0, 0])
})
