import { useState } from 'react'
import { onSessionEnd } from '../lib/session/session.ts'

/** Unsent input by form name; lives as long as the page, until its user signs out. Another user gets a new page. */
const unsent = new Map<string, unknown>()

/** Clears all forms, so that the next user finds nothing of the previous one. */
export function forgetUnsent(): void {
  unsent.clear()
}
onSessionEnd(({ kind }) => kind === 'signed-out' && forgetUnsent())

/**
 * Keeps the input of a dialog or popover that Escape, its cross or a click outside may close, and restores it the next
 * time. Call `forget` on Cancel and after sending. `name` identifies the subject and does not change while open.
 */
export function useUnsent<T>(name: string, initial: T | (() => T)): [T, (value: T) => void, () => void] {
  const [value, setValue] = useState<T>(unsent.has(name) ? () => unsent.get(name) as T : initial)
  return [
    value,
    (next) => {
      unsent.set(name, next)
      setValue(next)
    },
    () => void unsent.delete(name),
  ]
}
