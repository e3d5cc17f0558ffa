import type { ServiceEvent } from '@benchwatch/contract/service-events'
import { alertStatusLabels } from '@benchwatch/contract/vocabulary'
import { eventName } from '../../lib/event-name.ts'
import { ownerLabel, type Viewer } from './event-owner.ts'

/** The words after a change, exactly as document 1 section 8 has them; which event it was stands below. */

export interface ToastText {
  title: string
  message: string
}

/** 'Event updated.' with 'ORC-7 · Status: Closed - Duplicate event.' */
export function statusUpdated(event: ServiceEvent): ToastText {
  const reason = event.alertStatus === '3_CLOSED' && event.reasonClosed !== null ? ` - ${event.reasonClosed}.` : ''
  const status = `Status: ${alertStatusLabels[event.alertStatus]}${reason}`
  return { title: 'Event updated.', message: `${eventName(event)} · ${status}` }
}

export function ownerSet(name: string, event: ServiceEvent): ToastText {
  return { title: `${name} set as owner on event`, message: eventName(event) }
}

export function ownerNotSet(reason: string): ToastText {
  return { title: 'Could not update owner', message: reason }
}

export function eventNotUpdated(event: ServiceEvent, reason: string): ToastText {
  return { title: `Could not update event: ${eventName(event)}`, message: reason }
}

export function caseUpdated(event: ServiceEvent): ToastText {
  return { title: 'Service Max Case number / URL updated successfully', message: eventName(event) }
}

/** A failure on the way (`isNetwork`) reads differently from a refused value. */
export function caseNotUpdated(isNetwork: boolean, reason: string): ToastText {
  const title = isNetwork
    ? 'Error - Could not update ServiceMax Case number or URL'
    : 'Error - Invalid format of ServiceMax Case number or URL'
  return { title, message: reason }
}

export function commentUpdated(event: ServiceEvent): ToastText {
  return { title: 'Comment updated successfully', message: eventName(event) }
}

export function commentNotUpdated(reason: string): ToastText {
  return { title: 'Error - Could not update comment', message: reason }
}

/** Said when somebody else's change came first: how the event stands now, for the person to decide again. */
export function somebodyElseWon(current: ServiceEvent, viewer: Viewer): string {
  const owner = ownerLabel(current, viewer)
  return `Somebody else changed ${eventName(current)} first. It is now ${alertStatusLabels[current.alertStatus]}, owner: ${owner}. Look at it and try again if still needed.`
}

/** Said when no answer came: how the event stands now, or that nobody knows. `current` null: it could not be read. */
export function answerLost(event: ServiceEvent, current: ServiceEvent | null): string {
  if (current === null)
    return `No answer came, so it is not known whether ${eventName(event)} was changed. It is read again as soon as the server can be reached.`
  return `No answer came. ${eventName(event)} was read again and is not changed so far; try again.`
}
