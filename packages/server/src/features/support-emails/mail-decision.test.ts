import { describe, expect, it } from 'vitest'
import { decideMail, type Situation } from './mail-decision.ts'

const usual: Situation = {
  isSwitchedOn: true,
  sendsUnderReview: false,
  template: { isUnderReview: false },
  isClosed: false,
  contactEmail: 'maria@helixbio.example',
  hasUnsubscribed: false,
  isInMaintenance: false,
}
const decide = (over: Partial<Situation> = {}) => decideMail({ ...usual, ...over })
const withdrawn = (reason: string, closesEvent = false) => ({
  kind: 'withdraw',
  reason: expect.stringContaining(reason),
  closesEvent,
})

describe('the contact of an instrument', () => {
  it('is mailed about an error with a template', () => {
    expect(decide()).toEqual({ kind: 'send' })
  })

  it('is mailed after the maintenance', () => {
    expect(decide({ isInMaintenance: true })).toEqual({ kind: 'hold' })
  })

  it('who has unsubscribed is not mailed, and the event is closed, in maintenance too', () => {
    expect(decide({ hasUnsubscribed: true })).toEqual(withdrawn('Customer unsubscribed', true))
    expect(decide({ hasUnsubscribed: true, isInMaintenance: true })).toEqual(withdrawn('Customer unsubscribed', true))
  })

  it('is not mailed while AUTO_EMAIL is off, and nothing is closed then', () => {
    expect(decide({ isSwitchedOn: false, hasUnsubscribed: true })).toEqual(withdrawn('switched off'))
  })

  it('is mailed by a template under review only under NOTIFY_UNDER_REVIEW', () => {
    const template = { isUnderReview: true }
    expect(decide({ template })).toEqual(withdrawn('under review'))
    expect(decide({ template, sendsUnderReview: true })).toEqual({ kind: 'send' })
  })

  it('is not mailed without a template, about a closed event, or without an address', () => {
    expect(decide({ template: null })).toEqual(withdrawn('template was deleted'))
    expect(decide({ isClosed: true })).toEqual(withdrawn('was closed'))
    expect(decide({ contactEmail: null })).toEqual(withdrawn('no contact'))
  })
})
