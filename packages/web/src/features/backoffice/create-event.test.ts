import { describe, expect, it } from 'vitest'
import { emptyEvent, eventBody, eventErrors, isLeftOut } from './create-event.tsx'

const now = new Date(2026, 10, 20, 14, 2, 23)
const filled = {
  ...emptyEvent(now),
  componentName: 'Pump B (P9-B)',
  description: 'Pressure above limit',
  userMessage: 'Check the tubing',
  severity: 'high',
  templateId: 'P9B-1042',
  instrumentInstalledProductId: 'IP-1',
  alertId: 'a-1',
}
const messages = (values: typeof filled) =>
  Object.fromEntries(eventErrors(eventBody(values), now).map(({ path, message }) => [path, message]))

describe('the form of an event', () => {
  it('names every field that is missing', () => {
    expect(messages(emptyEvent(now))).toEqual({
      componentName: 'Module name cannot be empty.',
      description: 'Description cannot be empty.',
      userMessage: 'User message cannot be empty.',
      severity: 'Severity cannot be empty.',
      templateId: 'Template ID cannot be empty.',
      instrumentInstalledProductId: 'Installed product ID cannot be empty.',
      alertId: 'Alert ID cannot be empty.',
    })
    expect(messages(filled)).toEqual({})
  })

  it('asks for a later or equal date where it was created before its log', () => {
    expect(messages({ ...filled, logGeneratedAt: '2026-11-20T14:02:24' })).toEqual({
      createdAt: 'Created at must be later than or equal to log generated at.',
    })
    expect(messages({ ...filled, logGeneratedAt: '2026-11-20T14:02:23' })).toEqual({})
  })

  it('does not send reason fields for New or In progress, nor an owner for New, and keeps what was typed', () => {
    const closed = { ...filled, alertStatus: '3_CLOSED', claimedBy: '7', reasonClosed: 'Duplicate event' }
    expect(isLeftOut('reasonClosed', closed)).toBe(false)
    expect(messages(closed)).toEqual({})
    const inProgress = { ...closed, reasonClosedComment: 'twice', alertStatus: '2_IN_PROGRESS' }
    expect(isLeftOut('reasonClosed', inProgress)).toBe(true)
    expect(messages(inProgress)).toEqual({})
    expect(eventBody(inProgress)).toMatchObject({ claimedBy: '7' })
    expect(Object.keys(eventBody(inProgress))).not.toContain('reasonClosedComment')
    expect(messages({ ...inProgress, alertStatus: '1_NEW' })).toEqual({})
    expect(eventBody({ ...inProgress, alertStatus: '3_CLOSED' })).toMatchObject({ reasonClosedComment: 'twice' })
  })

  it('takes an owner for In progress and Closed, and a reason for Closed', () => {
    expect(messages({ ...filled, alertStatus: '2_IN_PROGRESS' })).toEqual({ claimedBy: 'Owner cannot be empty.' })
    expect(messages({ ...filled, alertStatus: '3_CLOSED', claimedBy: '7' })).toEqual({
      reasonClosed: 'Reason closed cannot be empty.',
    })
  })

  it('Service Case Created takes a case number and no comment; other reasons take no case', () => {
    const closed = { ...filled, alertStatus: '3_CLOSED', claimedBy: '7', reasonClosedComment: 'done' }
    const withCase = { ...closed, reasonClosed: 'Service Case Created' }
    expect(Object.keys(messages(withCase))).toEqual(['serviceMaxCaseNumber'])
    const named = { ...withCase, serviceMaxCaseNumber: '00012345' }
    expect(messages(named)).toEqual({})
    expect(Object.keys(eventBody(named))).not.toContain('reasonClosedComment')
    const duplicate = { ...named, reasonClosed: 'Duplicate event' }
    expect(messages(duplicate)).toEqual({})
    expect(Object.keys(eventBody(duplicate))).not.toContain('serviceMaxCaseNumber')
  })
})
