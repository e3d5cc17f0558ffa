import type { ServiceEventChange } from '@benchwatch/contract/events/events'
import { aServiceEvent } from '@benchwatch/samples/service-event'
import { describe, expect, it } from 'vitest'
import { ApiError } from '../../lib/http.ts'
import { holdsChange, isAnswerLost } from './use-changed-meanwhile.ts'

const closed = aServiceEvent({
  alertStatus: '3_CLOSED',
  claimedBy: '1',
  reasonClosed: 'Duplicate event',
  reasonClosedComment: 'of ORC-1',
})

describe('a change whose answer got lost', () => {
  it.each([
    [{ claimedBy: '1' }, true],
    [{ claimedBy: '1', alertStatus: 'IN_PROGRESS' }, true],
    [{ claimedBy: '2', alertStatus: 'IN_PROGRESS' }, false],
    [{ alertStatus: 'IN_PROGRESS' }, false],
    [{ alertStatus: 'CLOSED', reasonClosed: 'Duplicate event' }, true],
    [{ alertStatus: 'CLOSED', reasonClosed: 'Duplicate event', reasonClosedComment: 'of ORC-1' }, true],
    [{ alertStatus: 'CLOSED', reasonClosed: 'Duplicate event', reasonClosedComment: 'of ORC-2' }, false],
    [{ alertStatus: 'CLOSED', reasonClosed: 'No action required' }, false],
    [{ reasonClosedComment: null }, false],
    [{ serviceMaxUrl: null }, true],
  ] as [ServiceEventChange, boolean][])('%o is found in the event: %s', (change, isHeld) => {
    expect(holdsChange(closed, change)).toBe(isHeld)
  })

  it.each([
    [0, 'network', true],
    [502, 'unknown', true],
    [504, 'unknown', true],
    [200, 'unreadable-answer', true],
    // The server itself says that it changed nothing.
    [503, 'unavailable', false],
    [412, 'version-mismatch', false],
    [403, 'not-owner', false],
  ])('is one after status %i (%s): %s', (status, code, isLost) => {
    expect(isAnswerLost(new ApiError('Why.', { status, code }))).toBe(isLost)
  })

  it('is none where nothing was sent', () => {
    expect(isAnswerLost(new Error('a fault of the console'))).toBe(false)
  })
})
