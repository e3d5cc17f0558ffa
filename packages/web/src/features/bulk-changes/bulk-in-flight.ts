import { useSyncExternalStore } from 'react'
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

let current: BulkInFlight | null = null
const listeners = new Set<() => void>()

function set(next: BulkInFlight | null): void {
  current = next
  for (const listener of listeners) listener()
}

export function useBulkInFlight(): BulkInFlight | null {
  return useSyncExternalStore(subscribe, () => current)
}

export function askForBulkChange(task: BulkTask, viewer: Viewer): void {
  set({ task, viewer, isBegun: false, isHidden: false })
}

/** Starts a change that needs no question. Its dialog appears only if there is something to report. */
export function beginBulkChange(task: BulkTask, viewer: Viewer): void {
  set({ task, viewer, isBegun: true, isHidden: true })
}

export function changeBulkInFlight(change: Partial<Pick<BulkInFlight, 'isBegun' | 'isHidden'>>): void {
  if (current !== null) set({ ...current, ...change })
}

export function forgetBulkChange(): void {
  if (current !== null) set(null)
}

/** Called when the user leaves the list: an unconfirmed change is dropped with its selection, a running one is not. */
export function forgetUnbegunBulkChange(): void {
  if (current?.isBegun === false) set(null)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
