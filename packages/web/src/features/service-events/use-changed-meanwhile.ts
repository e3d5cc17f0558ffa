import type { ServiceEvent } from '@benchwatch/contract/service-events'
import { alertStatusLabels } from '@benchwatch/contract/vocabulary'
import { useEffect, useState } from 'react'
import { eventName } from '../../lib/event-name.ts'
import { ownerLabel, type Viewer } from './event-owner.ts'

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
