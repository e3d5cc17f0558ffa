import type { LiveState } from '@benchwatch/client/live-connection'

/** State of the live connection, shown in the header. */

export interface LiveStore {
  get: () => LiveState
  set: (change: Partial<LiveState>) => void
  subscribe: (listener: () => void) => () => void
}

export function createLiveStore(): LiveStore {
  let current: LiveState = { state: 'connecting', lastMessageAt: null }
  const listeners = new Set<() => void>()
  return {
    get: () => current,
    set: (change) => {
      current = { ...current, ...change }
      for (const listener of listeners) listener()
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
