import { describe, expect, it } from 'vitest'
import { openUntil, retryAt, verdictOf } from './webhooks.jobs.ts'

const NOW = new Date('2026-11-20T14:00:00.000Z')
const MINUTE = 60_000
const DAY = 86_400_000
const giveUpAt = new Date(NOW.getTime() + DAY)
const attempt = { isTest: false, tries: 0, giveUpAt, failures: 0, isMoved: false }
const failed = { status: 500, error: 'The receiver answered 500.' }

describe('an attempt that failed', () => {
  it('is repeated over a day with growing waits, and then no more', () => {
    let at = NOW
    const waits: number[] = []
    for (let tries = 1; ; tries += 1) {
      const next = retryAt({ tries, giveUpAt }, at)
      if (next === null) break
      waits.push((next.getTime() - at.getTime()) / MINUTE)
      at = next
    }
    expect(waits).toEqual(waits.toSorted((a, b) => a - b))
    expect(waits.length).toBe(9)
    expect(at.getTime() - NOW.getTime()).toBeGreaterThan(0.95 * DAY)
    expect(at.getTime() - NOW.getTime()).toBeLessThan(DAY)
  })

  it('is not repeated after the delivery is given up', () => {
    expect(retryAt({ tries: 1, giveUpAt: new Date(NOW.getTime() + 1000) }, NOW)).toBeNull()
  })

  it('parks a test at once and does not count against the receiver', () => {
    expect(verdictOf({ ...attempt, isTest: true, outcome: failed }, NOW)).toMatchObject({
      state: 'parked',
      receiver: { failures: 0 },
    })
  })

  it('says nothing about a receiver that was named since it began, which is tried at once', () => {
    const moved = { ...attempt, isMoved: true, failures: 4 }
    const gone = { status: 410, error: 'gone' }
    for (const outcome of [failed, gone])
      expect(verdictOf({ ...moved, outcome }, NOW)).toEqual({ state: 'waiting', nextAt: NOW, receiver: null })
    const taken = { status: 204, error: null }
    expect(verdictOf({ ...moved, outcome: taken }, NOW)).toEqual({ state: 'sent', nextAt: null, receiver: null })
    expect(verdictOf({ ...moved, isTest: true, outcome: gone }, NOW)).toEqual({
      state: 'parked',
      nextAt: null,
      receiver: null,
    })
  })

  it('ends the webhook if the receiver is gone', () => {
    const gone = { status: 410, error: 'gone' }
    expect(verdictOf({ ...attempt, outcome: gone }, NOW)).toMatchObject({ state: 'parked', receiver: { isGone: true } })
  })
})

describe('a receiver', () => {
  it('is left alone after five failures in a row, for one minute first and at most an hour', () => {
    expect([4, 5, 6, 12].map((failures) => openUntil(failures, NOW))).toEqual([
      null,
      new Date(NOW.getTime() + MINUTE),
      new Date(NOW.getTime() + 2 * MINUTE),
      new Date(NOW.getTime() + 60 * MINUTE),
    ])
  })

  it('is trusted again after one success', () => {
    expect(verdictOf({ ...attempt, failures: 9, outcome: { status: 200, error: null } }, NOW)).toEqual({
      state: 'sent',
      nextAt: null,
      receiver: { failures: 0, openUntil: null, isGone: false, hasSent: true },
    })
  })
})
