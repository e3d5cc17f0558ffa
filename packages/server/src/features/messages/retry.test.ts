import { expect, it } from 'vitest'
import { retryTime } from './retry.ts'

const NOW = new Date('2026-11-20T14:00:00.000Z')
const giveUpAt = new Date('2026-11-21T14:00:00.000Z')
const minutes = (attempts: number) => {
  const next = retryTime({ failure: 'deferred', attempts, giveUpAt }, NOW)
  return next && (next.getTime() - NOW.getTime()) / 60_000
}

it('waits 1, 2, 4 … 60 minutes for a message that is wanted later', () => {
  expect([1, 2, 3, 4, 5, 6, 7, 8, 30].map(minutes)).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60])
})

it('asks a transport that can not be reached again soon, however often it failed', () => {
  expect(retryTime({ failure: 'unreachable', attempts: 500, giveUpAt }, NOW)).toEqual(
    new Date('2026-11-20T14:00:30.000Z'),
  )
})

it('gives up what is refused, and what would be tried after its time', () => {
  expect(retryTime({ failure: 'refused', attempts: 1, giveUpAt }, NOW)).toBeNull()
  const soon = new Date(NOW.getTime() + 60_000)
  expect(retryTime({ failure: 'deferred', attempts: 1, giveUpAt: soon }, NOW)).toEqual(soon)
  expect(retryTime({ failure: 'deferred', attempts: 2, giveUpAt: soon }, NOW)).toBeNull()
})
