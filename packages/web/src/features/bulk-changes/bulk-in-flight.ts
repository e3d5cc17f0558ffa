import { createStore, useStore } from '../../lib/store.ts'
import type { Viewer } from '../events/owner/event-owner.ts'
import type { BulkTask } from './bulk-request.ts'

/**
 * The bulk change that is being prepared or is running. It belongs to no screen: the result, with the failed events,
 * is shown wherever the user is by then. Only one at a time, because two results could not be distinguished.
 */
export interface BulkInFlight {
  task: BulkTask
  viewer: Viewer
  /** Sent: it continues on any screen. */
  isBegun: boolean
  /** Continues while hidden. */
  isHidden: boolean
}

const inFlight = createStore<BulkInFlight | null>(null)

export function useBulkInFlight(): BulkInFlight | null {
  return useStore(inFlight)
}

export function askForBulkChange(task: BulkTask, viewer: Viewer): void {
  inFlight.set({ task, viewer, isBegun: false, isHidden: false })
}

/** Starts a change that needs no question. Its dialog appears only if there is something to report. */
export function beginBulkChange(task: BulkTask, viewer: Viewer): void {
  inFlight.set({ task, viewer, isBegun: true, isHidden: true })
}

export function changeBulkInFlight(change: Partial<Pick<BulkInFlight, 'isBegun' | 'isHidden'>>): void {
  const current = inFlight.get()
  if (current !== null) inFlight.set({ ...current, ...change })
}

export function forgetBulkChange(): void {
  inFlight.set(null)
}

/** Called when the user leaves the list: an unconfirmed change is dropped with its selection, a running one is not. */
export function forgetUnbegunBulkChange(): void {
  if (inFlight.get()?.isBegun === false) inFlight.set(null)
}
