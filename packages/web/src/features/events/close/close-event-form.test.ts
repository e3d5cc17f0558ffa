import { aServiceEvent } from '@benchwatch/samples/service-event'
import { describe, expect, it } from 'vitest'
import {
  type CloseEventForm,
  canSaveClose,
  caseChange,
  caseNumberState,
  caseUrlState,
  closeChange,
  closeEventForm,
  commentChange,
  showsCaseUrl,
} from './close-event-form.ts'

const open = aServiceEvent({ alertStatus: '2_IN_PROGRESS', claimedBy: '1' })
const form = (changes: Partial<CloseEventForm>): CloseEventForm => ({ ...closeEventForm(open), ...changes })
const caseUrl = 'https://benchwatch.my.salesforce.com/500A1'

describe('the close dialog', () => {
  it('cannot be saved before a reason is chosen', () => {
    expect(canSaveClose(form({}), open)).toBe(false)
    expect(canSaveClose(form({ comment: 'done' }), open)).toBe(false)
  })

  it('needs a case number that matches for Service Case Created', () => {
    const withNumber = (caseNumber: string) => form({ reason: 'Service Case Created', caseNumber })
    expect(canSaveClose(withNumber(''), open)).toBe(false)
    expect(canSaveClose(withNumber('1234567'), open)).toBe(false)
    expect(canSaveClose(withNumber('123456789'), open)).toBe(false)
    expect(canSaveClose(withNumber('1234567a'), open)).toBe(false)
    expect(canSaveClose(withNumber('12345678'), open)).toBe(true)
  })

  it('tells an empty case number from an invalid one, which is highlighted', () => {
    expect(caseNumberState('')).toBe('empty')
    expect(caseNumberState('12')).toBe('invalid')
    expect(caseNumberState(' 12345678 ')).toBe('valid')
  })

  it('shows the URL field only once a valid case number is entered', () => {
    expect(showsCaseUrl(form({ reason: 'Service Case Created', caseNumber: '1234' }))).toBe(false)
    expect(showsCaseUrl(form({ reason: 'Service Case Created', caseNumber: '12345678' }))).toBe(true)
    expect(showsCaseUrl(form({ reason: 'Duplicate event', caseNumber: '12345678' }))).toBe(false)
  })

  it.each([
    ['', 'empty'],
    [caseUrl, 'valid'],
    ['http://benchwatch.my.salesforce.com/1', 'invalid'],
    ['https://user:secret@benchwatch.my.salesforce.com/1', 'invalid'],
    ['https://localhost/1', 'invalid'],
    ['https://cases.elsewhere.example/1', 'invalid'],
    ['javascript:alert(1)', 'invalid'],
    ['not a link', 'invalid'],
    [`${caseUrl}/${'x'.repeat(500)}`, 'invalid'],
  ] as const)('takes the case URL %s as %s', (url, state) => {
    expect(caseUrlState(url)).toBe(state)
  })

  it('cannot be saved with an invalid URL; the URL itself is optional', () => {
    const filled = { reason: 'Service Case Created', caseNumber: '12345678' } as const
    expect(canSaveClose(form({ ...filled, caseUrl: 'nonsense' }), open)).toBe(false)
    expect(canSaveClose(form({ ...filled, caseUrl }), open)).toBe(true)
  })

  it('sends case fields and no comment for Service Case Created', () => {
    const filled = form({ reason: 'Service Case Created', caseNumber: '12345678', caseUrl, comment: 'left over' })
    expect(closeChange(filled)).toEqual({
      alertStatus: 'CLOSED',
      reasonClosed: 'Service Case Created',
      serviceMaxCaseNumber: '12345678',
      serviceMaxUrl: caseUrl,
    })
  })

  it('sends only an optional comment for other reasons', () => {
    const filled = form({ reason: 'Duplicate event', caseNumber: '12345678', caseUrl })
    expect(closeChange(filled)).toEqual({ alertStatus: 'CLOSED', reasonClosed: 'Duplicate event' })
    expect(closeChange({ ...filled, comment: ' of ORC-1 ' })).toEqual({
      alertStatus: 'CLOSED',
      reasonClosed: 'Duplicate event',
      reasonClosedComment: 'of ORC-1',
    })
  })

  it('refuses a comment longer than 2000 characters', () => {
    expect(canSaveClose(form({ reason: 'Duplicate event', comment: 'x'.repeat(2000) }), open)).toBe(true)
    expect(canSaveClose(form({ reason: 'Duplicate event', comment: 'x'.repeat(2001) }), open)).toBe(false)
  })

  it('on a closed event can be saved only when changed', () => {
    const closed = aServiceEvent({ alertStatus: '3_CLOSED', reasonClosed: 'Duplicate event', reasonClosedComment: 'a' })
    expect(canSaveClose(closeEventForm(closed), closed)).toBe(false)
    expect(canSaveClose({ ...closeEventForm(closed), comment: 'b' }, closed)).toBe(true)
    expect(canSaveClose({ ...closeEventForm(closed), reason: 'No action required' }, closed)).toBe(true)
  })
})

describe('corrections of a closed event', () => {
  const withCase = aServiceEvent({
    alertStatus: '3_CLOSED',
    reasonClosed: 'Service Case Created',
    serviceMaxCaseNumber: '12345678',
    serviceMaxUrl: caseUrl,
  })

  it('sends only the case fields that changed', () => {
    expect(caseChange('12345678', caseUrl, withCase)).toBeNull()
    expect(caseChange('87654321', caseUrl, withCase)).toEqual({ serviceMaxCaseNumber: '87654321' })
    expect(caseChange('12345678', '', withCase)).toEqual({ serviceMaxUrl: null })
    expect(caseChange('123', caseUrl, withCase)).toBeNull()
    expect(caseChange('12345678', 'nonsense', withCase)).toBeNull()
  })

  it('saves a comment only when changed', () => {
    const closed = aServiceEvent({ alertStatus: '3_CLOSED', reasonClosedComment: 'seen' })
    expect(commentChange('seen ', closed)).toBeNull()
    expect(commentChange('seen twice', closed)).toEqual({ reasonClosedComment: 'seen twice' })
    expect(commentChange('', closed)).toEqual({ reasonClosedComment: null })
  })
})
