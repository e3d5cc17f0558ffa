import type { ExportType } from '@benchwatch/contract/vocabulary'
import { useSyncExternalStore } from 'react'

/**
 * The export under way. It belongs to no screen: whoever leaves the list gets the file all the same. One at a time, because
 * a second file would arrive without anybody knowing which is which.
 */
export type ExportRun =
  | { kind: 'none' }
  /** `rows` is what the server announced; before that, what the list counts. */
  | { kind: 'running'; type: ExportType; written: number; rows: number; isOutOfReach: boolean; stop: () => void }
  | { kind: 'failed'; reason: string; retry: () => void }

let current: ExportRun = { kind: 'none' }
const listeners = new Set<() => void>()

export function setExportRun(run: ExportRun): void {
  current = run
  for (const listener of listeners) listener()
}

export function useExportRun(): ExportRun {
  return useSyncExternalStore(subscribe, () => current)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Of all rows; 0 while nothing is known. */
export function percentOf({ written, rows }: { written: number; rows: number }): number {
  return rows === 0 ? 0 : Math.floor((100 * written) / rows)
}
