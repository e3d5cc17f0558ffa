import { useEffect, useEffectEvent, useState } from 'react'

/** Edits of search and filters reach the address after this pause (document 1 section 9). */
export const EDIT_DELAY_MS = 500

export interface DelayedEdit {
  /** What the person sees: the edit at once, the address's value when that changed by itself. */
  text: string
  edit: (text: string) => void
  /** Sends at once what still waits. */
  flush: () => void
}

/**
 * A value of the address that a person edits. The edit is shown at once and sent after a pause. What was sent comes back
 * as `value`, and must not overwrite what was typed since.
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
