import type { ServiceEvent, ServiceEventChange } from '@benchwatch/contract/events'
import { type AlertStatus, alertStatusLabels, type RequestedAlertStatus } from '@benchwatch/contract/vocabulary'
import { useEffect, useState } from 'react'
import { ApiError } from '../../lib/http.ts'
import { eventName } from '../../lib/screen-name.ts'
import { ownerLabel, type Viewer } from './event-owner.ts'

/**
 * What became of a change whose answer got lost on its way: it may have been made or not, so the event is read again and
 * tells. Nothing is sent twice by itself.
 */

/** No answer to a change came, and the event does not show it. */
export class LostAnswer extends Error {
  /** The event as it stands; null where it could not be read either, so that nothing is known. */
  readonly current: ServiceEvent | null

  constructor(current: ServiceEvent | null) {
    super(current === null ? 'It is not known whether the event was changed.' : 'The event is not changed so far.')
    this.name = 'LostAnswer'
    this.current = current
  }
}

const statuses: Record<RequestedAlertStatus, AlertStatus> = {
  NEW: '1_NEW',
  IN_PROGRESS: '2_IN_PROGRESS',
  CLOSED: '3_CLOSED',
}

/** What people change of an event. What the instrument does to it (raised again, cleared) disturbs nobody's form. */
const decided = [
  'alertStatus',
  'claimedBy',
  'reasonClosed',
  'reasonClosedComment',
  'serviceMaxCaseNumber',
  'serviceMaxUrl',
] as const

/**
 * How long a sentence must have stood there before it counts as read. A save that was pressed as it appeared goes out with
 * the version that the form was about, so the server refuses it instead of silently replacing what a colleague did.
 */
const READING_MS = 1500

/** A form about an event that others may change while it is open. */
export interface ChangedMeanwhile {
  /** A sentence as soon as somebody changed the event since the form was opened; null while it is as it was. */
  notice: string | null
  /** The event as the person knows it: what a save is about, with its version. */
  asRead: ServiceEvent
}

/** The form keeps what was typed; who saves then knows what is replaced. */
export function useChangedMeanwhile(event: ServiceEvent, viewer: Viewer): ChangedMeanwhile {
  const [opened] = useState(event)
  const [read, setRead] = useState(event)
  const isRead = isSameDecision(event, read)
  useEffect(() => {
    if (isRead) return
    const timer = setTimeout(() => setRead(event), READING_MS)
    return () => clearTimeout(timer)
  }, [event, isRead])
  // What the instrument did since needs no reading, but its version does.
  const asRead = isRead ? event : read
  if (isSameDecision(event, opened)) return { notice: null, asRead }
  const reason = event.reasonClosed === null ? '' : ` (${event.reasonClosed})`
  const status = `${alertStatusLabels[event.alertStatus]}${reason}`
  const notice = `${eventName(event)} was changed meanwhile. It is now ${status}, owner: ${ownerLabel(event, viewer)}. What you entered is still here.`
  return { notice, asRead }
}

function isSameDecision(one: ServiceEvent, other: ServiceEvent): boolean {
  return decided.every((field) => one[field] === other[field])
}

/** Whether the server may have made the change although it answered nothing that can be read. */
export function isAnswerLost(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false
  return [0, 502, 504].includes(error.status) || error.code === 'unreadable-answer'
}

/** Whether the event is as the change asked for, whoever made it so. */
export function holdsChange(event: ServiceEvent, change: ServiceEventChange): boolean {
  const { alertStatus, claimedBy, ...fields } = change
  if (claimedBy !== undefined && event.claimedBy !== claimedBy) return false
  // In progress beside an owner is part of the claim; the event may have gone further since.
  if (alertStatus !== undefined && claimedBy === undefined && event.alertStatus !== statuses[alertStatus]) return false
  return Object.entries(fields).every(
    ([key, value]) => value === undefined || event[key as keyof typeof fields] === value,
  )
}
