import { aServiceEvent } from '@benchwatch/samples/service-event'
import { describe, expect, it } from 'vitest'
import { caseNotUpdated, changedFirst, eventNotUpdated, statusUpdated } from './use-event-actions.ts'

describe('the words after a change', () => {
  it("say 'Event updated.' with the status, and the reason when closed", () => {
    expect(statusUpdated(aServiceEvent({ eventId: '7', alertStatus: '2_IN_PROGRESS' }))).toEqual({
      title: 'Event updated.',
      message: 'ORC-7 · Status: In progress',
    })
    const closed = aServiceEvent({ eventId: '7', alertStatus: '3_CLOSED', reasonClosed: 'No action required' })
    expect(statusUpdated(closed).message).toBe('ORC-7 · Status: Closed - No action required.')
  })

  it('name the event that could not be updated', () => {
    expect(eventNotUpdated(aServiceEvent({ eventId: '7' }), 'Why.')).toEqual({
      title: 'Could not update event: ORC-7',
      message: 'Why.',
    })
  })

  it('distinguish a failed call from a refused case number', () => {
    expect(caseNotUpdated(true, '').title).toBe('Error - Could not update ServiceMax Case number or URL')
    expect(caseNotUpdated(false, '').title).toBe('Error - Invalid format of ServiceMax Case number or URL')
  })

  it('show the current state of an event that has changed in the meantime', () => {
    const current = aServiceEvent({
      eventId: '7',
      alertStatus: '2_IN_PROGRESS',
      claimedBy: '2',
      claimedByName: 'Jonas',
    })
    const viewer = { id: '1', role: 'service' } as const
    expect(changedFirst(current, viewer)).toBe(
      'ORC-7 has changed in the meantime. It is now In progress, owner: Jonas. Check it and try again if needed.',
    )
    const closed = { ...current, alertStatus: '3_CLOSED', reasonClosed: 'Duplicate event' } as const
    expect(changedFirst(closed, viewer)).toContain('It is now Closed (Duplicate event), owner: Jonas.')
  })
})
