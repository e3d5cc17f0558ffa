import { useEffect } from 'react'
import { createStore, useStore } from './store.ts'

const shown = createStore<string | undefined>(undefined)

/**
 * Sets the window title to the item that a screen shows, such as an event number or instrument id, while it is
 * mounted.
 */
export function useScreenName(name: string): void {
  useEffect(() => {
    shown.set(name)
    return () => shown.set(undefined)
  }, [name])
}

/** Returns the name of the item on screen, or undefined if there is none. */
export function useShownName(): string | undefined {
  return useStore(shown)
}

/** Formats an event id, e.g. `ORC-104882`. */
export function eventName({ eventId }: { eventId: string }): string {
  return `ORC-${eventId}`
}
