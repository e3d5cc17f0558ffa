import type { ServiceEvent, ServiceEventChange } from '@benchwatch/contract/events/events'
import type { User } from '@benchwatch/contract/users/users'
import { alertStatusLabels } from '@benchwatch/contract/vocabulary'
import { ApiError, mayPass } from '../../lib/http.ts'
import { eventName } from '../../lib/screen-name.ts'
import { showFailure, showSending, showSuccess, showUndo, withdrawUndo } from '../../ui/overlay/toasts.ts'
import { useUpdateServiceEvent, winningEvent } from './events.api.ts'
import { assignment, type Viewer } from './owner/event-owner.ts'
import { changedMeanwhile, LostAnswer } from './use-changed-meanwhile.ts'

/** Text of the toast after a change, literally from document 1 section 8. Its second line names the event. */
interface ToastText {
  title: string
  message: string
}

/**
 * Returns the user's actions on an event, with their toasts. Every action returns whether it succeeded and never
 * throws: the caller only closes its dialog or keeps it open.
 */
export function useEventActions(viewer: Viewer) {
  const { mutateAsync, isPending, variables } = useUpdateServiceEvent()

  function reasonOf(error: unknown, event: ServiceEvent): string {
    const winner = winningEvent(error)
    if (winner !== null) return changedFirst(winner, viewer)
    if (error instanceof LostAnswer) return answerLost(event, error.current)
    if (error instanceof ApiError) return error.message
    return 'The console could not send the change. Reload the page and try again.'
  }

  async function attempt(
    update: { event: ServiceEvent; change: ServiceEventChange },
    toasts: { done: (event: ServiceEvent) => ToastText; failed: (error: unknown) => ToastText },
    undo?: (changed: ServiceEvent) => void,
  ): Promise<boolean> {
    try {
      const changed = await showSending(eventName(update.event), mutateAsync(update))
      withdrawUndo(changed.eventId)
      if (undo === undefined) showSuccess(toasts.done(changed))
      else showUndo(toasts.done(changed), () => undo(changed), changed.eventId)
      return true
    } catch (error) {
      showFailure(toasts.failed(error))
      return false
    }
  }

  function undoClaim(event: ServiceEvent): void {
    void attempt(
      { event, change: { undo: true } },
      { done: claimUndone, failed: (error) => claimNotUndone(event, reasonOf(error, event)) },
    )
  }

  return {
    isPending,
    /** The owner just chosen, shown at once; reverts on its own if the change fails. */
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
        // Only one's own claim can be undone: another user may have read the notification about theirs.
        user.id === viewer.id ? undoClaim : undefined,
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

/** True if the value is not at fault: there was no answer, or the server could not answer. */
function isNetworkError(error: unknown): boolean {
  return !(error instanceof ApiError) || mayPass(error)
}

/** Returns 'Event updated.' with 'ORC-7 · Status: Closed - Duplicate event.' */
export function statusUpdated(event: ServiceEvent): ToastText {
  const reason = event.alertStatus === '3_CLOSED' && event.reasonClosed !== null ? ` - ${event.reasonClosed}.` : ''
  const status = `Status: ${alertStatusLabels[event.alertStatus]}${reason}`
  return { title: 'Event updated.', message: `${eventName(event)} · ${status}` }
}

function ownerSet(name: string, event: ServiceEvent): ToastText {
  return { title: `${name} set as owner on event`, message: eventName(event) }
}

function claimUndone(event: ServiceEvent): ToastText {
  const owner = event.claimedBy === null ? 'has no owner again' : `belongs to ${event.claimedByName} again`
  return { title: 'Assignment undone', message: `${eventName(event)} ${owner}` }
}

function claimNotUndone(event: ServiceEvent, reason: string): ToastText {
  return { title: `Could not undo: ${eventName(event)}`, message: reason }
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

/** A network failure (`isNetwork`) reads differently from a rejected value. */
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

/** For a change that came second: the user can decide again. */
export function changedFirst(current: ServiceEvent, viewer: Viewer): string {
  return `${changedMeanwhile(current, viewer)} Check it and try again if needed.`
}

/**
 * For a change without an answer: shows the current state of the event, or says that it is unknown (`current` is
 * null).
 */
function answerLost(event: ServiceEvent, current: ServiceEvent | null): string {
  if (current === null)
    return `The server did not answer, so ${eventName(event)} may or may not have been changed. It reloads as soon as the server can be reached.`
  return `The server did not answer. ${eventName(event)} has not been changed yet; try again.`
}
