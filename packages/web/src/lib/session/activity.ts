import { deviceStore } from '../storage.ts'

/**
 * When a person last clicked or pressed a key, in any tab. Polls and pushes are no activity. The server decides from
 * this when a session has been idle for too long; see the session's refresh.
 */

const KEY = 'lastActivityAt'
/** Every key press would write to the disk; the limit is hours, so five seconds of grain cost nothing. */
const WRITE_EVERY_MS = 5000

let lastActivityAt = Date.now()
let lastWriteAt = 0

/** Notes a sign of the person, now. */
export function noteActivity(): void {
  lastActivityAt = Date.now()
  if (lastActivityAt - lastWriteAt < WRITE_EVERY_MS) return
  lastWriteAt = lastActivityAt
  deviceStore.write(KEY, lastActivityAt)
}

/** Starts listening. After a reload the time before it counts on: the page opening by itself is no activity. */
export function watchActivity(target: Window = window): () => void {
  const stored = deviceStore.read(KEY)
  if (typeof stored === 'number' && stored <= Date.now()) lastActivityAt = stored
  const kinds = ['pointerdown', 'keydown'] as const
  for (const kind of kinds) target.addEventListener(kind, noteActivity, { capture: true, passive: true })
  return () => {
    for (const kind of kinds) target.removeEventListener(kind, noteActivity, { capture: true })
  }
}

/** Whole seconds since the last click or key press in any tab. */
export function idleSeconds(): number {
  const stored = deviceStore.read(KEY)
  // Kept here too: the tab that ends the session first removes what was stored, and the others tell why it ended.
  if (typeof stored === 'number') lastActivityAt = Math.max(stored, lastActivityAt)
  return Math.max(0, Math.floor((Date.now() - lastActivityAt) / 1000))
}
