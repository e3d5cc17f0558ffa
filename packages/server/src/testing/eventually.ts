import { vi } from 'vitest'

/** Jobs are found at once by a notification, or by the queue's next poll after five seconds if it listened too late. */
const PATIENCE_MS = 60_000

/** Waits until the check no longer throws, and returns its result; the timeout allows for a busy machine. */
export function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: PATIENCE_MS, interval: 20 })
}
