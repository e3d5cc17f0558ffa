import { deviceStore } from '../storage.ts'

/**
 * Tracks the last click or key press in any tab. Polls and live messages do not count. The server uses this to end
 * idle sessions; see the session's refresh.
 */

const KEY = 'lastActivityAt'
/** Writing on every key press would be wasteful; with a limit of hours, five seconds of precision suffice. */
const WRITE_EVERY_MS = 5000

let lastActivityAt = Date.now()
let lastWriteAt = 0

/** Records activity now. */
export function noteActivity(): void {
  lastActivityAt = Date.now()
  if (lastActivityAt - lastWriteAt < WRITE_EVERY_MS) return
  lastWriteAt = lastActivityAt
  deviceStore.write(KEY, lastActivityAt)
}

/** Starts listening. Opening or reloading the page is not activity: the earlier time still counts. */
export function watchActivity(target: Window = window): () => void {
  const stored = deviceStore.read(KEY)
  if (typeof stored === 'number' && stored <= Date.now()) lastActivityAt = stored
  const kinds = ['pointerdown', 'keydown'] as const
  for (const kind of kinds) target.addEventListener(kind, noteActivity, { capture: true, passive: true })
  return () => {
    for (const kind of kinds) target.removeEventListener(kind, noteActivity, { capture: true })
  }
}

/** Returns whole seconds since the last click or key press in any tab. */
export function idleSeconds(): number {
  const stored = deviceStore.read(KEY)
  // Also kept in memory: the first tab that ends the session clears the storage, and the others must still know the
  // reason.
  if (typeof stored === 'number') lastActivityAt = Math.max(stored, lastActivityAt)
  return Math.max(0, Math.floor((Date.now() - lastActivityAt) / 1000))
}
