import type { ServiceEvent } from '@benchwatch/contract/events/events'
import { ApiError } from '../../../lib/http.ts'
import { eventName } from '../../../lib/screen-name.ts'
import { showFailure, showSuccess } from '../../../ui/overlay/toasts.ts'
import { useCancelCase, useRequestCase, winningEvent } from '../events.api.ts'
import type { Viewer } from '../owner/event-owner.ts'
import { changedFirst } from '../use-event-actions.ts'

/** Asks the case desk for the case of an event, or stops it, with toasts. Returns whether it succeeded; never throws. */
export function useServiceCase(viewer: Viewer) {
  const asking = useRequestCase()
  const cancelling = useCancelCase()

  async function attempt(work: Promise<ServiceEvent>, toast: { done: string; failed: string; message?: string }) {
    try {
      const event = await work
      showSuccess({ title: toast.done, message: toast.message ?? eventName(event) })
      return true
    } catch (error) {
      const winner = winningEvent(error)
      const reason = winner
        ? changedFirst(winner, viewer)
        : error instanceof ApiError
          ? error.message
          : 'The console could not send the request. Reload the page and try again.'
      showFailure({ title: toast.failed, message: reason })
      return false
    }
  }

  return {
    isPending: asking.isPending || cancelling.isPending,
    request: (event: ServiceEvent) =>
      attempt(asking.mutateAsync(event), {
        done: 'Case is being created',
        message: `${eventName(event)} is closed when the case exists.`,
        failed: `Could not request a case: ${eventName(event)}`,
      }),
    cancel: (event: ServiceEvent) =>
      attempt(cancelling.mutateAsync(event), {
        done: 'Case is no longer being created',
        failed: `Could not stop creating the case: ${eventName(event)}`,
      }),
  }
}
