import { useSyncExternalStore } from 'react'
import type { Viewer } from '../events/event-owner.ts'
import type { BulkTask } from './bulk-request.ts'

/**
 * The bulk change that somebody is asked about or has begun. It belongs to no screen: what became of thousands of events, and
 * which of them failed, is told wherever the person is by then. One at a time, because the outcome of two could not be told apart.
 */
export interface BulkInFlight {
  task: BulkTask
  viewer: Viewer
  /** Sent: it goes on whatever the screen. */
  isBegun: boolean
  /** Goes on out of sight. */
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

export function changeBulkInFlight(change: Partial<Pick<BulkInFlight, 'isBegun' | 'isHidden'>>): void {
  if (current !== null) set({ ...current, ...change })
}

export function forgetBulkChange(): void {
  if (current !== null) set(null)
}

/** The list is left: a question about its selection goes with it, what was begun does not. */
export function forgetUnbegunBulkChange(): void {
  if (current?.isBegun === false) set(null)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
