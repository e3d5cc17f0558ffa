import { useState } from 'react'
import { onSessionEnd } from '../lib/session/session.ts'
import { tabStore } from '../lib/storage.ts'

const KEY = 'unsent'

/**
 * Unsent input by form name, until the user signs out; another user gets a new page. It outlives a reload: an update of
 * the server and the sign-in at an identity provider reload the page.
 */
const unsent = new Map((tabStore.read(KEY) ?? []) as [string, unknown][])
tabStore.remove(KEY)
window.addEventListener('pagehide', () => {
  if (unsent.size > 0) tabStore.write(KEY, [...unsent])
})

/** Clears all forms, so that the next user finds nothing of the previous one. */
export function forgetUnsent(): void {
  unsent.clear()
}
onSessionEnd(({ kind }) => kind === 'signed-out' && forgetUnsent())

/** Returns the input that was kept under a name; undefined for none. */
export function keptInput(name: string): unknown {
  return unsent.get(name)
}

export function keepInput(name: string, input: unknown): void {
  unsent.set(name, input)
}

export function forgetInput(name: string): void {
  unsent.delete(name)
}

/**
 * Keeps the input of a dialog or popover that Escape, its cross or a click outside may close, and restores it the next
 * time. Call `forget` on Cancel and after sending. `name` identifies the subject and does not change while open.
 */
export function useUnsent<T>(name: string, initial: T | (() => T)): [T, (value: T) => void, () => void] {
  const [value, setValue] = useState<T>(unsent.has(name) ? () => keptInput(name) as T : initial)
  return [
    value,
    (next) => {
      keepInput(name, next)
      setValue(next)
    },
    () => forgetInput(name),
  ]
}
