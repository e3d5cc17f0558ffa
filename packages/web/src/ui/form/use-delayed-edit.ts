import { useEffect, useEffectEvent, useState } from 'react'

/** Debounce for search and filter edits (document 1 section 9). */
export const EDIT_DELAY_MS = 500

export interface DelayedEdit {
  /** The edit, or the address's value once that has changed on its own. */
  text: string
  edit: (text: string) => void
  /** Sends a pending edit at once. */
  flush: () => void
}

/**
 * Debounces edits of a value in the address. The edit is shown at once and sent after a pause. A sent edit comes back
 * as `value` and must not overwrite what was typed since.
 */
export function useDelayedEdit(value: string, onChange: (value: string) => void): DelayedEdit {
  const [text, setText] = useState(value)
  const [known, setKnown] = useState(value)
  const [sent, setSent] = useState(value)
  if (known !== value) {
    setKnown(value)
    if (value !== sent) setText(value)
    setSent(value)
  }

  function send(next: string) {
    setSent(next)
    if (next !== value) onChange(next)
  }

  const sendLater = useEffectEvent(send)
  useEffect(() => {
    if (text === sent) return
    const timer = setTimeout(() => sendLater(text), EDIT_DELAY_MS)
    return () => clearTimeout(timer)
  }, [text, sent])

  return { text, edit: setText, flush: () => send(text) }
}
