import { useEffect, useSyncExternalStore } from 'react'

let shown: string | undefined
const listeners = new Set<() => void>()

function show(name: string | undefined): void {
  shown = name
  for (const listener of listeners) listener()
}

/** Calls the window by the one thing that a screen shows, for as long as it does: an event's number, an instrument's id. */
export function useScreenName(name: string): void {
  useEffect(() => {
    show(name)
    return () => show(undefined)
  }, [name])
}

/** What the screen shows that is open, undefined where that is not one thing. */
export function useShownName(): string | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => shown,
  )
}

/** `ORC-104882`, as people read an event id. */
export function eventName({ eventId }: { eventId: string }): string {
  return `ORC-${eventId}`
}
