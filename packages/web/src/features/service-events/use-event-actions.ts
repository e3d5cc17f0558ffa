import type { ServiceEvent, ServiceEventChange } from '@benchwatch/contract/service-events'
import type { User } from '@benchwatch/contract/users'
import { ApiError, mayPass } from '../../lib/http.ts'
import { showFailure, showSuccess } from '../../ui/toasts.ts'
import { assignment, type Viewer } from './event-owner.ts'
import {
  answerLost,
  caseNotUpdated,
  caseUpdated,
  commentNotUpdated,
  commentUpdated,
  eventNotUpdated,
  ownerNotSet,
  ownerSet,
  somebodyElseWon,
  statusUpdated,
  type ToastText,
} from './event-toasts.ts'
import { useUpdateServiceEvent, winningEvent } from './service-events.api.ts'
import { LostAnswer } from './update-outcome.ts'

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
