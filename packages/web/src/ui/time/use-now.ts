import { useLayoutEffect, useSyncExternalStore } from 'react'

/** Ages are shown in minutes at the finest, so two ticks a minute suffice. One timer serves all components. */
const TICK_MS = 30_000
/** Timers stand still while a machine sleeps: soon afterwards nothing is called recent that is not. */
const CHECK_MS = 5000

let now = Date.now()
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

function renew(): void {
  now = Date.now()
  for (const notify of listeners) notify()
}

function renewIfDue(): void {
  if (Math.floor(Date.now() / TICK_MS) !== Math.floor(now / TICK_MS)) renew()
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    now = Date.now()
    timer = setInterval(renewIfDue, CHECK_MS)
  }
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) clearInterval(timer)
  }
}

/**
 * Returns the time in milliseconds since the epoch, updated every half minute, and everywhere as soon as one of
 * `moments` is reached.
 */
export function useNow(moments: readonly number[] = []): number {
  const shown = useSyncExternalStore(subscribe, () => now)
  const next = Math.min(...moments.filter((moment) => moment > shown))
  // Runs before painting: something newer than the last tick, such as an item just created, must not appear to be in
  // the future.
  useLayoutEffect(() => {
    const wait = next - Date.now()
    if (wait <= 0) return renew()
    // The next tick checks again.
    if (wait > TICK_MS) return
    const wake = setTimeout(renew, wait)
    return () => clearTimeout(wake)
    // shown: updated by a tick, and if a timer fired slightly early it is set again.
  }, [next, shown])
  return shown
}
