import type { ServiceEvent, ServiceEventChange } from '@benchwatch/contract/events'
import type { User } from '@benchwatch/contract/users'
import { alertStatusLabels } from '@benchwatch/contract/vocabulary'
import { ApiError, mayPass } from '../../lib/http.ts'
import { eventName } from '../../lib/screen-name.ts'
import { showFailure, showSuccess } from '../../ui/overlay/toasts.ts'
import { assignment, ownerLabel, type Viewer } from './event-owner.ts'
import { useUpdateServiceEvent, winningEvent } from './events.api.ts'
import { LostAnswer } from './use-changed-meanwhile.ts'

/** The words after a change, exactly as document 1 section 8 has them; which event it was stands below. */
interface ToastText {
  title: string
  message: string
}

/**
 * What a person can do to an event, each with its words. Every action answers whether it was done, and never throws:
 * the screen only has to close its dialog or keep it open.
 */
export function useEventActions(viewer: Viewer) {
  const { mutateAsync, isPending, variables } = useUpdateServiceEvent()

  function reasonOf(error: unknown, event: ServiceEvent): string {
    const winner = winningEvent(error)
    if (winner !== null) return somebodyElseWon(winner, viewer)
    if (error instanceof LostAnswer) return answerLost(event, error.current)
    if (error instanceof ApiError) return error.message
    return 'The console could not send the change. Reload the page and try again.'
  }

  async function attempt(
    update: { event: ServiceEvent; change: ServiceEventChange },
    words: { done: (event: ServiceEvent) => ToastText; failed: (error: unknown) => ToastText },
  ): Promise<boolean> {
    try {
      showSuccess(words.done(await mutateAsync(update)))
      return true
    } catch (error) {
      showFailure(words.failed(error))
      return false
    }
  }

  return {
    isPending,
    /** The owner just chosen, shown at once; it reverts by itself when the change fails. */
    pendingOwner: isPending ? (variables?.change.claimedBy ?? null) : null,
    start: (event: ServiceEvent) =>
      attempt(
        { event, change: { alertStatus: 'IN_PROGRESS' } },
        { done: statusUpdated, failed: (error) => eventNotUpdated(event, reasonOf(error, event)) },
      ),
    close: (event: ServiceEvent, change: ServiceEventChange) =>
      attempt(
        { event, change },
        { done: statusUpdated, failed: (error) => eventNotUpdated(event, reasonOf(error, event)) },
      ),
    assign: (event: ServiceEvent, user: Pick<User, 'id' | 'name'>) =>
      attempt(
        { event, change: assignment(event, user.id) },
        { done: (updated) => ownerSet(user.name, updated), failed: (error) => ownerNotSet(reasonOf(error, event)) },
      ),
    correctCase: (event: ServiceEvent, change: ServiceEventChange) =>
      attempt(
        { event, change },
        { done: caseUpdated, failed: (error) => caseNotUpdated(isNetworkError(error), reasonOf(error, event)) },
      ),
    correctComment: (event: ServiceEvent, change: ServiceEventChange) =>
      attempt(
        { event, change },
        { done: commentUpdated, failed: (error) => commentNotUpdated(reasonOf(error, event)) },
      ),
  }
}

/** Not the value's fault: no answer at all, or a server that could not answer. */
function isNetworkError(error: unknown): boolean {
  return !(error instanceof ApiError) || mayPass(error)
}

/** 'Event updated.' with 'ORC-7 · Status: Closed - Duplicate event.' */
export function statusUpdated(event: ServiceEvent): ToastText {
  const reason = event.alertStatus === '3_CLOSED' && event.reasonClosed !== null ? ` - ${event.reasonClosed}.` : ''
  const status = `Status: ${alertStatusLabels[event.alertStatus]}${reason}`
  return { title: 'Event updated.', message: `${eventName(event)} · ${status}` }
}

function ownerSet(name: string, event: ServiceEvent): ToastText {
  return { title: `${name} set as owner on event`, message: eventName(event) }
}

function ownerNotSet(reason: string): ToastText {
  return { title: 'Could not update owner', message: reason }
}

export function eventNotUpdated(event: ServiceEvent, reason: string): ToastText {
  return { title: `Could not update event: ${eventName(event)}`, message: reason }
}

function caseUpdated(event: ServiceEvent): ToastText {
  return { title: 'Service Max Case number / URL updated successfully', message: eventName(event) }
}

/** A failure on the way (`isNetwork`) reads differently from a refused value. */
export function caseNotUpdated(isNetwork: boolean, reason: string): ToastText {
  const title = isNetwork
    ? 'Error - Could not update ServiceMax Case number or URL'
    : 'Error - Invalid format of ServiceMax Case number or URL'
  return { title, message: reason }
}

function commentUpdated(event: ServiceEvent): ToastText {
  return { title: 'Comment updated successfully', message: eventName(event) }
}

function commentNotUpdated(reason: string): ToastText {
  return { title: 'Error - Could not update comment', message: reason }
}

/** Said when somebody else's change came first: how the event stands now, for the person to decide again. */
export function somebodyElseWon(current: ServiceEvent, viewer: Viewer): string {
  const owner = ownerLabel(current, viewer)
  return `Somebody else changed ${eventName(current)} first. It is now ${alertStatusLabels[current.alertStatus]}, owner: ${owner}. Look at it and try again if still needed.`
}

/** Said when no answer came: how the event stands now, or that nobody knows. `current` null: it could not be read. */
function answerLost(event: ServiceEvent, current: ServiceEvent | null): string {
  if (current === null)
    return `No answer came, so it is not known whether ${eventName(event)} was changed. It is read again as soon as the server can be reached.`
  return `No answer came. ${eventName(event)} was read again and is not changed so far; try again.`
}
