import { aServiceEvent } from '@benchwatch/samples/service-event'
import { describe, expect, it } from 'vitest'
import { contractClock } from './contract-clock.ts'

const HOUR = 3600
const nobody = { alertToAcknowledgeTime: null, duration: null, eventReasonClosed: null }
const createdAt = '2026-11-20T12:00:00.000Z'
const event = (changes = {}) => aServiceEvent({ createdAt, fullSupport: true, ...changes })
/** The clock this many seconds after the creation. */
const after = (seconds: number, changes = {}, response: typeof nobody | undefined = nobody) =>
  contractClock(event(changes), { response, now: Date.parse(createdAt) + seconds * 1000 })

describe('the contract clock', () => {
  it.each([
    [0, 24 * HOUR, 'calm'],
    [240, 24 * HOUR - 240, 'calm'],
    [20 * HOUR, 4 * HOUR, 'calm'],
    [20 * HOUR + 1, 4 * HOUR - 1, 'soon'],
    [23 * HOUR + 1, HOUR - 1, 'urgent'],
    [24 * HOUR, 0, 'urgent'],
    [24 * HOUR + 1, -1, 'overdue'],
    [30 * HOUR, -6 * HOUR, 'overdue'],
  ])('%d s after the creation has %d s left of 24 hours: %s', (seconds, left, tone) => {
    expect(after(seconds)).toEqual({ state: 'running', left, tone })
  })

  it('runs although the answer about the service is not there yet', () => {
    expect(after(60, {}, undefined)).toMatchObject({ state: 'running', left: 24 * HOUR - 60 })
  })

  it('stops with the first claim and tells after how long', () => {
    const claimed = { claimedBy: '1', alertStatus: '2_IN_PROGRESS' }
    expect(after(9 * HOUR, claimed, { ...nobody, alertToAcknowledgeTime: 108 } as never)).toEqual({
      state: 'acknowledged',
      after: 108,
      isLate: false,
    })
  })

  it('stands still while it is not known when the event was taken', () => {
    expect(after(60, { claimedBy: '1', alertStatus: '2_IN_PROGRESS' }, undefined)).toEqual({ state: 'taken' })
    expect(after(60, { claimedBy: '1', alertStatus: '3_CLOSED' })).toEqual({ state: 'taken' })
  })

  it('says when the claim came later than promised', () => {
    const late = (seconds: number, fullSupport = true) =>
      after(99 * HOUR, { claimedBy: '1', fullSupport }, { ...nobody, alertToAcknowledgeTime: seconds } as never)
    expect(late(24 * HOUR)).toMatchObject({ isLate: false })
    expect(late(24 * HOUR + 1)).toMatchObject({ isLate: true })
    expect(late(48 * HOUR, false)).toMatchObject({ isLate: false })
  })

  it('never runs without a 24-hour contract or for a closed event', () => {
    expect(after(60, { fullSupport: false })).toBeNull()
    expect(after(60, { alertStatus: '3_CLOSED' })).toBeNull()
  })
})
