import type { QueryClient } from '@tanstack/react-query'

/** Delay before a live message triggers a read, at most one per delay: a burst of a hundred changes costs one read. */
export const REFRESH_DELAY_MS = 1500

/** Pending reads by client. Weak, so that the timers of a test go away with its client. */
const waiting = new WeakMap<QueryClient, Set<string>>()

/** Invalidates a query key after the delay: queries on screen refetch at once, others when they are shown next. */
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
