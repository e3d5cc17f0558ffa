import { aServiceEvent } from '@benchwatch/samples/service-event'
import { expect, it } from 'vitest'
import { contractTimeLeft, timeLeftLabel } from './contract-clock.ts'

const createdAt = '2026-11-20T12:00:00.000Z'
const HOUR = 3600
const DAY = 24 * HOUR
const after = (seconds: number, changes = {}) =>
  contractTimeLeft(
    aServiceEvent({ createdAt, fullSupport: true, claimedBy: null, alertStatus: '1_NEW', ...changes }),
    Date.parse(createdAt) + seconds * 1000,
  )

it.each([
  [240, '23 h 56 min', 'calm'],
  [20 * HOUR, '4 h', 'calm'],
  [20 * HOUR + 1, '3 h 59 min', 'soon'],
  [DAY - 125, '2 min', 'urgent'],
  [DAY - 59, 'under 1 min', 'urgent'],
  [DAY + 1, 'overdue', 'overdue'],
  [DAY + 60, 'overdue by 1 min', 'overdue'],
  [DAY + 3 * HOUR, 'overdue by 3 h', 'overdue'],
  [3 * DAY, 'overdue by 2 days', 'overdue'],
])('%d s after its creation an event has its time left in minutes: %s', (seconds, label, tone) => {
  const running = after(seconds)
  expect(running && [timeLeftLabel(running), running.tone]).toEqual([label, tone])
})

it('no clock runs under another contract, for a taken or a closed event', () => {
  for (const changes of [{ fullSupport: false }, { claimedBy: '7' }, { alertStatus: '3_CLOSED' }]) {
    expect(after(60, changes)).toBeNull()
  }
})
