import { vi } from 'vitest'

/** Jobs are found by a notification at once, or by the queue's next look after five seconds when it listened too late. */
const PATIENCE_MS = 20_000

/** Waits until the check no longer throws, and gives what it returns; a machine that is busy besides fails no test. */
export function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: PATIENCE_MS, interval: 20 })
}
