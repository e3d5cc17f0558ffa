import { useLayoutEffect, useSyncExternalStore } from 'react'

/** Ages are shown in minutes at the finest, so twice a minute is fresh enough; one timer serves every place. */
const TICK_MS = 30_000

let now = Date.now()
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

function renew(): void {
  now = Date.now()
  for (const tell of listeners) tell()
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    now = Date.now()
    timer = setInterval(renew, TICK_MS)
  }
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) clearInterval(timer)
  }
}

/** Milliseconds since the epoch, renewed every half minute, and for everybody as soon as one of `moments` has come. */
export function useNow(moments: readonly number[] = []): number {
  const shown = useSyncExternalStore(subscribe, () => now)
  const next = Math.min(...moments.filter((moment) => moment > shown))
  // Before it is painted: what came since the last tick, such as what was begun just now, is never seen as to come.
  useLayoutEffect(() => {
    const wait = next - Date.now()
    if (wait <= 0) return renew()
    // The tick before it looks again.
    if (wait > TICK_MS) return
    const wake = setTimeout(renew, wait)
    return () => clearTimeout(wake)
    // shown: at a tick, and where a timer was a little early by the clock, it is set once more.
  }, [next, shown])
  return shown
}
