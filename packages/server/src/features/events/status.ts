import type { ErrorCode } from '@benchwatch/contract/errors'
import type { ServiceEventChange } from '@benchwatch/contract/events/events'
import { isCaseUrl } from '@benchwatch/contract/field-rules'
import {
  type AlertStatus,
  type CloseReason,
  commentableCloseReasons,
  personCloseReasons,
  type RequestedAlertStatus,
  type Role,
} from '@benchwatch/contract/vocabulary'
import { ownerOnWire, SYSTEM_USER_ID } from './event-codes.ts'

/**
 * Decides what a requested change does to a service event, or why it is refused: claiming, moving, closing and
 * correcting (specification: events, PUT). Pure, so that every way of changing an event uses the same rule.
 *
 * The order is part of the rule: a request that changes nothing succeeds, whatever the version and the caller; then
 * permission (403), requests that are invalid for every event (400), a stale version (412), and what the status of
 * this event does not allow (409).
 */

/** The properties of an event that people can change. `claimedBy` is a user's database id, 0 the system user. */
export interface ServiceEventState {
  alertStatus: AlertStatus
  claimedBy: number | null
  reasonClosed: CloseReason | null
  reasonClosedComment: string | null
  serviceMaxCaseNumber: string | null
  serviceMaxUrl: string | null
}

/** The owner and status of an event before it was claimed. */
export type BeforeClaim = Pick<ServiceEventState, 'claimedBy' | 'alertStatus'>

export interface RequestedChange {
  event: ServiceEventState
  change: ServiceEventChange
  actor: { id: number; role: Role }
  /**
   * The user of `change.claimedBy`, if the actor may assign to them and their scope includes the event; otherwise null.
   */
  newOwner: number | null
  /** The owner and status before the claim that an undo takes back; null if there is none that it may. */
  beforeClaim?: BeforeClaim | null
  /** True if the caller saw another version than the current one. */
  isStale: boolean
  caseNumberPattern: RegExp
  caseUrlHosts: readonly string[]
}

export type Decision =
  | { kind: 'nothing' }
  | { kind: 'change'; state: ServiceEventState }
  | { kind: 'refusal'; code: Refusal; sentence: string }

type Refusal = Extract<ErrorCode, 'bad-change' | 'unknown-owner' | 'version-mismatch' | 'not-owner' | 'status-conflict'>

const nothing: Decision = { kind: 'nothing' }
const CASE_REASON: CloseReason = 'Service Case Created'

type Fields = Pick<ServiceEventState, 'reasonClosed' | 'reasonClosedComment' | 'serviceMaxCaseNumber' | 'serviceMaxUrl'>

export function decideChange(request: RequestedChange): Decision {
  const { event, change } = request
  const fields = givenFields(change)
  const owner = change.claimedBy
  const status = change.alertStatus
  if (change.undo) return undo(request)
  // A claim moves a New event on, so on a New event it is a change even for its present owner.
  if (
    owner !== undefined &&
    (owner !== ownerOnWire(event.claimedBy) || (owner !== null && event.alertStatus === '1_NEW'))
  ) {
    return claim(request, fields)
  }
  // In progress together with an owner belongs to the claim and is never a change of its own.
  if (status === undefined || (status === 'IN_PROGRESS' && owner !== undefined)) return correct(request, fields)
  if (status !== 'CLOSED') return move(request, { to: status, fields })
  if (event.alertStatus === '3_CLOSED' && Object.keys(fields).length === 0) return nothing
  return close(request, fields)
}

/** Takes back a claim: the only way in which an event loses its owner or becomes New again. */
function undo({ event, change, beforeClaim, isStale }: RequestedChange): Decision {
  if (Object.keys(change).length > 1) return refuse('bad-change', 'Send undo alone.')
  if (isStale) return stale()
  if (!beforeClaim) {
    return refuse(
      'status-conflict',
      'Only your own claim of the last minute can be undone, and only if the event has not changed since.',
    )
  }
  return { kind: 'change', state: { ...event, ...beforeClaim } }
}

function claim({ event, change, newOwner, isStale }: RequestedChange, fields: Partial<Fields>): Decision {
  if (change.claimedBy === null) {
    return refuse('bad-change', 'The owner of an event can be changed but not removed. Choose another user.')
  }
  if (change.alertStatus !== undefined && change.alertStatus !== 'IN_PROGRESS') {
    return refuse('bad-change', `Set the owner first, then request ${change.alertStatus} separately.`)
  }
  if (differs(event, fields)) {
    return refuse('bad-change', 'Set the owner separately. Send reason, comment and case in another request.')
  }
  if (newOwner === null) {
    return refuse('unknown-owner', 'This user can’t own the event. Choose a user who may see it.')
  }
  if (isStale) return stale()
  if (event.alertStatus === '3_CLOSED') {
    return refuse('status-conflict', 'The event is closed, so its owner can’t be changed.')
  }
  return { kind: 'change', state: { ...event, claimedBy: newOwner, alertStatus: '2_IN_PROGRESS' } }
}

function move(
  request: RequestedChange,
  { to, fields }: { to: Exclude<RequestedAlertStatus, 'CLOSED'>; fields: Partial<Fields> },
): Decision {
  const { event } = request
  const isThere = event.alertStatus === (to === 'NEW' ? '1_NEW' : '2_IN_PROGRESS')
  if (isThere && !differs(event, fields)) return nothing
  if (!isOwner(request)) return notOwner(event)
  if (differs(event, fields)) {
    return refuse('bad-change', `${to} takes no reason, comment or case. Leave them out, or ask for CLOSED.`)
  }
  if (request.isStale) return stale()
  if (to === 'NEW') return refuse('status-conflict', 'An event in progress can’t become New again.')
  if (event.alertStatus === '3_CLOSED') {
    return refuse('status-conflict', 'The event is closed and can’t be reopened. Its reason can still be corrected.')
  }
  return { kind: 'change', state: { ...event, alertStatus: '2_IN_PROGRESS' } }
}

function close(request: RequestedChange, fields: Partial<Fields>): Decision {
  const { event } = request
  const hasCase = fields.reasonClosed === CASE_REASON
  // A close replaces the reason and its fields as a whole: fields that are left out, or that do not belong to the
  // reason, are emptied.
  const state: ServiceEventState = {
    alertStatus: '3_CLOSED',
    claimedBy: event.claimedBy,
    reasonClosed: fields.reasonClosed ?? null,
    reasonClosedComment: hasCase ? null : (fields.reasonClosedComment ?? null),
    serviceMaxCaseNumber: hasCase ? (fields.serviceMaxCaseNumber ?? null) : null,
    serviceMaxUrl: hasCase ? (fields.serviceMaxUrl ?? null) : null,
  }
  if (event.alertStatus === '3_CLOSED' && !differs(event, state)) return nothing
  if (!isOwner(request)) return notOwner(event)
  const bad = badClose(request, state)
  if (bad) return bad
  if (request.isStale) return stale()
  return { kind: 'change', state }
}

function badClose(request: RequestedChange, state: ServiceEventState): Decision | null {
  const { reasonClosed, serviceMaxCaseNumber } = state
  if (reasonClosed === null) return refuse('bad-change', 'Choose a reason to close the event.')
  if (!personCloseReasons.includes(reasonClosed)) {
    return refuse('bad-change', `'${reasonClosed}' is reserved for the system. Choose another reason.`)
  }
  if (reasonClosed !== CASE_REASON) return null
  if (serviceMaxCaseNumber === null) return refuse('bad-change', 'Enter the number of the service case.')
  return badCase(request, state)
}

function badCase(
  { caseNumberPattern, caseUrlHosts }: RequestedChange,
  { serviceMaxCaseNumber, serviceMaxUrl }: Partial<Fields>,
): Decision | null {
  if (typeof serviceMaxCaseNumber === 'string' && !caseNumberPattern.test(serviceMaxCaseNumber)) {
    return refuse(
      'bad-change',
      'The case number is not valid. Enter it as shown in the case management system, for example 00012345.',
    )
  }
  if (typeof serviceMaxUrl === 'string' && !isCaseUrl(serviceMaxUrl, caseUrlHosts)) {
    return refuse('bad-change', `The case URL must be an https address at ${caseUrlHosts.join(' or ')}.`)
  }
  return null
}

/** Changes comment and case fields of a closed event, when the request has no status. */
function correct(request: RequestedChange, fields: Partial<Fields>): Decision {
  const { event } = request
  if (!differs(event, fields)) return nothing
  if (!isOwner(request) && !mayCorrectForSystem(request)) return notOwner(event)
  if (fields.reasonClosed !== undefined && fields.reasonClosed !== event.reasonClosed) {
    return refuse('bad-change', 'A reason can only be set together with the status CLOSED.')
  }
  if (fields.serviceMaxCaseNumber === null && event.serviceMaxCaseNumber !== null) {
    return refuse('bad-change', 'The number of a service case can’t be removed. Enter the correct number.')
  }
  const bad = badCase(request, fields)
  if (bad) return bad
  if (request.isStale) return stale()
  if (event.alertStatus !== '3_CLOSED') {
    return refuse(
      'status-conflict',
      'Only a closed event has a comment or a case. Close the event with a reason first.',
    )
  }
  const { reasonClosedComment, ...caseFields } = fields
  if (differs(event, { reasonClosedComment }) && !isCommentable(event.reasonClosed)) {
    return refuse('status-conflict', `An event closed with '${event.reasonClosed}' can’t have a comment.`)
  }
  if (differs(event, caseFields) && event.reasonClosed !== CASE_REASON) {
    return refuse('status-conflict', `Only an event closed with '${CASE_REASON}' can have a case.`)
  }
  return { kind: 'change', state: { ...event, ...fields } }
}

/** Returns the given fields, trimmed; an empty text becomes null. */
function givenFields(change: ServiceEventChange): Partial<Fields> {
  const { reasonClosed, reasonClosedComment, serviceMaxCaseNumber, serviceMaxUrl } = change
  return {
    ...(reasonClosed !== undefined && { reasonClosed }),
    ...(reasonClosedComment !== undefined && { reasonClosedComment: textOrNull(reasonClosedComment) }),
    ...(serviceMaxCaseNumber !== undefined && { serviceMaxCaseNumber: textOrNull(serviceMaxCaseNumber) }),
    ...(serviceMaxUrl !== undefined && { serviceMaxUrl: textOrNull(serviceMaxUrl) }),
  }
}

function textOrNull(text: string | null): string | null {
  const trimmed = text?.trim()
  return trimmed ? trimmed : null
}

/** True if any of the given fields has another value than the event. */
function differs(event: ServiceEventState, fields: { [K in keyof Fields]?: Fields[K] | undefined }): boolean {
  const keys = ['reasonClosed', 'reasonClosedComment', 'serviceMaxCaseNumber', 'serviceMaxUrl'] as const
  return keys.some((key) => fields[key] !== undefined && fields[key] !== event[key])
}

function isOwner({ event, actor }: RequestedChange): boolean {
  return event.claimedBy === actor.id
}

function mayCorrectForSystem({ event, actor }: RequestedChange): boolean {
  return event.alertStatus === '3_CLOSED' && event.claimedBy === SYSTEM_USER_ID && actor.role !== 'customer'
}

function isCommentable(reason: CloseReason | null): boolean {
  return reason !== null && commentableCloseReasons.includes(reason)
}

function refuse(code: Refusal, sentence: string): Decision {
  return { kind: 'refusal', code, sentence }
}

function stale(): Decision {
  return refuse('version-mismatch', 'The event was changed in the meantime. Check it, then repeat your change.')
}

function notOwner(event: ServiceEventState): Decision {
  return refuse(
    'not-owner',
    event.alertStatus === '3_CLOSED'
      ? 'Only the owner of a closed event may change it.'
      : 'Only the owner may do this. Assign the event to yourself first.',
  )
}
