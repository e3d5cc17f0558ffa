import type { ServiceEvent, ServiceEventChange } from '@benchwatch/contract/events/events'
import { type AlertStatus, alertStatusLabels, type RequestedAlertStatus } from '@benchwatch/contract/vocabulary'
import { useEffect, useState } from 'react'
import { ApiError } from '../../lib/http.ts'
import { eventName } from '../../lib/screen-name.ts'
import { ownerLabel, type Viewer } from './owner/event-owner.ts'

/**
 * Handles changes whose answer was lost: the server may or may not have applied them, so the event is read again to
 * find out. Nothing is sent twice automatically.
 */

/** No answer to a change arrived, and the event does not show the change. */
export class LostAnswer extends Error {
  /** The current event; null if it could not be read either. */
  readonly current: ServiceEvent | null

  constructor(current: ServiceEvent | null) {
    super(current === null ? 'The event may or may not have been changed.' : 'The event has not been changed yet.')
    this.name = 'LostAnswer'
    this.current = current
  }
}

const statuses: Record<RequestedAlertStatus, AlertStatus> = {
  NEW: '1_NEW',
  IN_PROGRESS: '2_IN_PROGRESS',
  CLOSED: '3_CLOSED',
}

/** Fields that users change. What the instrument changes (raised again, cleared) does not disturb a form. */
const userFields = [
  'alertStatus',
  'claimedBy',
  'reasonClosed',
  'reasonClosedComment',
  'serviceMaxCaseNumber',
  'serviceMaxUrl',
] as const

/**
 * A notice counts as read after this time. A save pressed just as it appears is sent with the version of the form, so
 * the server refuses it instead of replacing a colleague's change.
 */
const READING_MS = 1500

/** State of a form about an event that others may change while it is open. */
export interface ChangedMeanwhile {
  /** Says that another user changed the event since the form was opened; null if it is unchanged. */
  notice: string | null
  /** The event as the user knows it; its version goes with a save. */
  asRead: ServiceEvent
}

/** The form keeps its input; a user who then saves knows what is replaced. */
export function useChangedMeanwhile(event: ServiceEvent, viewer: Viewer): ChangedMeanwhile {
  const [opened] = useState(event)
  const [read, setRead] = useState(event)
  const isRead = isSameDecision(event, read)
  useEffect(() => {
    if (isRead) return
    const timer = setTimeout(() => setRead(event), READING_MS)
    return () => clearTimeout(timer)
  }, [event, isRead])
  // Changes by the instrument need no reading, but their version counts.
  const asRead = isRead ? event : read
  if (isSameDecision(event, opened)) return { notice: null, asRead }
  return { notice: `${changedMeanwhile(event, viewer)} Your input is kept.`, asRead }
}

/** Says that another change came first, possibly the user's own in another tab, and what the event is like now. */
export function changedMeanwhile(current: ServiceEvent, viewer: Viewer): string {
  const reason = current.reasonClosed === null ? '' : ` (${current.reasonClosed})`
  const status = `${alertStatusLabels[current.alertStatus]}${reason}`
  return `${eventName(current)} has changed in the meantime. It is now ${status}, owner: ${ownerLabel(current, viewer)}.`
}

function isSameDecision(one: ServiceEvent, other: ServiceEvent): boolean {
  return userFields.every((field) => one[field] === other[field])
}

/** True if the server may have applied the change although no readable answer arrived. */
export function isAnswerLost(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false
  return [0, 502, 504].includes(error.status) || error.code === 'unreadable-answer'
}

/** True if the event shows the change, regardless of who made it. */
export function holdsChange(event: ServiceEvent, change: ServiceEventChange): boolean {
  const { alertStatus, claimedBy, undo: _undo, ...fields } = change
  if (claimedBy !== undefined && event.claimedBy !== claimedBy) return false
  // Together with an owner, In progress is part of the assignment; the event may have moved on since.
  if (alertStatus !== undefined && claimedBy === undefined && event.alertStatus !== statuses[alertStatus]) return false
  return Object.entries(fields).every(
    ([key, value]) => value === undefined || event[key as keyof typeof fields] === value,
  )
}
