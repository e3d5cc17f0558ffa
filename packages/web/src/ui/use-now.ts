import { useSyncExternalStore } from 'react'

/** Ages are shown in minutes at the finest, so twice a minute is fresh enough; one timer serves every place. */
const TICK_MS = 30_000

let now = Date.now()
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    now = Date.now()
    timer = setInterval(() => {
      now = Date.now()
      for (const tell of listeners) tell()
    }, TICK_MS)
  }
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) clearInterval(timer)
  }
}

/** Milliseconds since the epoch, renewed every half minute. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now)
}
