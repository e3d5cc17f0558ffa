import type { ServiceEvent } from '@benchwatch/contract/service-events'
import { alertStatusLabels } from '@benchwatch/contract/vocabulary'
import { useState } from 'react'
import { ownerLabel, type Viewer } from './event-owner.ts'
import { eventName } from './event-toasts.ts'

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
 * A sentence as soon as somebody changed the event since the form around this was opened; null while it is as it was. The
 * form keeps what was typed; who saves then knows what is replaced.
 */
export function useChangedMeanwhile(event: ServiceEvent, viewer: Viewer): string | null {
  const [opened] = useState(event)
  if (decided.every((field) => event[field] === opened[field])) return null
  const reason = event.reasonClosed === null ? '' : ` (${event.reasonClosed})`
  const status = `${alertStatusLabels[event.alertStatus]}${reason}`
  return `${eventName(event)} was changed meanwhile. It is now ${status}, owner: ${ownerLabel(event, viewer)}. What you entered is still here.`
}
