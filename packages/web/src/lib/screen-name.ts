import { useEffect, useSyncExternalStore } from 'react'

let shown: string | undefined
const listeners = new Set<() => void>()

function show(name: string | undefined): void {
  shown = name
  for (const listener of listeners) listener()
}

/**
 * Sets the window title to the item that a screen shows, such as an event number or instrument id, while it is
 * mounted.
 */
export function useScreenName(name: string): void {
  useEffect(() => {
    show(name)
    return () => show(undefined)
  }, [name])
}

/** Returns the name of the item on screen, or undefined if there is none. */
export function useShownName(): string | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => shown,
  )
}

/** Formats an event id, e.g. `ORC-104882`. */
export function eventName({ eventId }: { eventId: string }): string {
  return `ORC-${eventId}`
}
