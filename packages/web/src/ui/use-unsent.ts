import { useState } from 'react'
import { onSessionEnd } from '../lib/session/session.ts'

/** What was typed and not sent, by the name of its form; as long as the page lives and the person is signed in. */
const unsent = new Map<string, unknown>()

/** Empties all forms. The next person finds nothing of the one before. */
export function forgetUnsent(): void {
  unsent.clear()
}
onSessionEnd(forgetUnsent)

/**
 * Holds what is typed into a dialog or popover that Escape, a cross or a click beside it may close: the next time it opens, the
 * text is there again. `forget` is for Cancel, and for what has been sent. `name` says what the form is about and does not
 * change while it is open.
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
