import type { ServiceEvent, ServiceEventChange } from '@benchwatch/contract/events/events'
import { isCaseUrl } from '@benchwatch/contract/field-rules'
import { CASE_NUMBER } from '@benchwatch/contract/patterns'
import { type CloseReason, limits } from '@benchwatch/contract/vocabulary'
import { pageSettings } from '../../../lib/page-settings.ts'

/**
 * The rules of the close dialog: document 1 section 5, 3-decisions 4 (PUT, case number, case URL).
 *
 * These functions are pure except for the deployment's settings. The dialog shows their results; the server checks
 * everything again.
 */

export interface CloseEventForm {
  reason: CloseReason | null
  caseNumber: string
  caseUrl: string
  comment: string
  /** Who creates the service case: the case desk, or a person who enters its number. */
  caseBy: 'desk' | 'person'
}

export type FieldState = 'empty' | 'valid' | 'invalid'

export const CASE_REASON: CloseReason = 'Service Case Created'

/** The empty form of an event that is not closed yet. */
export const emptyCloseForm: CloseEventForm = {
  reason: null,
  caseNumber: '',
  caseUrl: '',
  comment: '',
  caseBy: 'person',
}

/**
 * Returns the form that matches the event: empty for an open event, filled with the reason and its fields for a closed
 * one.
 */
export function closeEventForm(event: ServiceEvent): CloseEventForm {
  return {
    reason: event.reasonClosed,
    caseNumber: event.serviceMaxCaseNumber ?? '',
    caseUrl: event.serviceMaxUrl ?? '',
    comment: event.reasonClosedComment ?? '',
    caseBy: caseDeskFor(event) === null ? 'person' : 'desk',
  }
}

/** Returns the name of the desk that can create a case for this event; null if there is none, or it does already. */
export function caseDeskFor(event: ServiceEvent): string | null {
  return event.alertStatus === '3_CLOSED' || event.serviceCase ? null : pageSettings().caseDesk
}

/** True if the form asks the desk for a case, which then closes the event. */
export function asksDesk(form: CloseEventForm, event: ServiceEvent): boolean {
  return form.reason === CASE_REASON && form.caseBy === 'desk' && caseDeskFor(event) !== null
}

export function caseNumberState(text: string): FieldState {
  const number = text.trim()
  if (number === '') return 'empty'
  return new RegExp(pageSettings().caseNumberPattern).test(number) ? 'valid' : 'invalid'
}

/** Describes a valid case number of this deployment, for the field and its error. */
export function caseNumberHint(): string {
  return pageSettings().caseNumberPattern === CASE_NUMBER.source ? '8 digits' : 'as shown in the case management system'
}

/** Describes a valid case URL of this deployment, for the field's error. */
export function caseUrlHint(): string {
  return `A case URL is an https address at ${pageSettings().caseUrlHosts.join(' or ')}`
}

/** Checks a link as the server does: https, one of the configured hosts, no credentials, at most 500 characters. */
export function caseUrlState(text: string): FieldState {
  const link = text.trim()
  if (link === '') return 'empty'
  return isCaseUrl(link, pageSettings().caseUrlHosts) ? 'valid' : 'invalid'
}

/** True once a valid case number is entered. */
export function showsCaseUrl(form: CloseEventForm): boolean {
  return form.reason === CASE_REASON && caseNumberState(form.caseNumber) === 'valid'
}

export function isCommentTooLong(comment: string): boolean {
  return comment.trim().length > limits.reasonClosedComment
}

export function isCloseFormValid(form: CloseEventForm): boolean {
  if (form.reason === null) return false
  if (form.reason === CASE_REASON) return showsCaseUrl(form) && caseUrlState(form.caseUrl) !== 'invalid'
  return !isCommentTooLong(form.comment)
}

/**
 * Returns the form's request, or null if the form is invalid. Service Case Created sends the case fields and no
 * comment; every other reason sends at most a comment. The server clears fields that are left out.
 */
export function closeChange(form: CloseEventForm): ServiceEventChange | null {
  if (form.reason === null || !isCloseFormValid(form)) return null
  const change: ServiceEventChange = { alertStatus: 'CLOSED', reasonClosed: form.reason }
  if (form.reason === CASE_REASON) {
    change.serviceMaxCaseNumber = form.caseNumber.trim()
    if (form.caseUrl.trim() !== '') change.serviceMaxUrl = form.caseUrl.trim()
  } else if (form.comment.trim() !== '') {
    change.reasonClosedComment = form.comment.trim()
  }
  return change
}

/** True if the form is valid and would change the event. */
export function canSaveClose(form: CloseEventForm, event: ServiceEvent): boolean {
  if (asksDesk(form, event)) return true
  const change = closeChange(form)
  if (change === null) return false
  if (event.alertStatus !== '3_CLOSED') return true
  return JSON.stringify(change) !== JSON.stringify(closeChange(closeEventForm(event)))
}

/** Returns the request that corrects case number and URL of a closed event, or null if invalid or unchanged. */
export function caseChange(caseNumber: string, caseUrl: string, event: ServiceEvent): ServiceEventChange | null {
  const number = caseNumber.trim()
  const url = caseUrl.trim()
  if (caseNumberState(number) !== 'valid' || caseUrlState(url) === 'invalid') return null
  const change: ServiceEventChange = {}
  if (number !== event.serviceMaxCaseNumber) change.serviceMaxCaseNumber = number
  if (url !== (event.serviceMaxUrl ?? '')) change.serviceMaxUrl = url === '' ? null : url
  return Object.keys(change).length > 0 ? change : null
}

/** Returns the request that corrects the comment of a closed event, or null if too long or unchanged. */
export function commentChange(comment: string, event: ServiceEvent): ServiceEventChange | null {
  const text = comment.trim()
  if (isCommentTooLong(text) || text === (event.reasonClosedComment ?? '')) return null
  return { reasonClosedComment: text === '' ? null : text }
}
