import type { QueryClient } from '@tanstack/react-query'

/** What a live message only hints at follows with this delay, at most once per delay: a burst of a hundred changes costs one read. */
export const REFRESH_DELAY_MS = 1500

/** What waits for its time, by client; weak, so that a test's client takes its timers along. */
const waiting = new WeakMap<QueryClient, Set<string>>()

/** Reads again what is on the screen under this key, once the delay is over; the rest when it is looked at next. */
export function refreshSoon(client: QueryClient, queryKey: readonly unknown[], delay = REFRESH_DELAY_MS): void {
  const keys = waiting.get(client) ?? new Set()
  waiting.set(client, keys)
  const name = queryKey.join(' ')
  if (keys.has(name)) return
  keys.add(name)
  setTimeout(() => {
    keys.delete(name)
    void client.invalidateQueries({ queryKey })
  }, delay)
}
