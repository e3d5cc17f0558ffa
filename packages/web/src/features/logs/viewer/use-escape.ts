import { type RefObject, useEffect, useEffectEvent } from 'react'

/** Closes a dialog on Escape, unless something open on top of it, or a search box with text, uses the key itself. */
export function useEscape(dialog: RefObject<HTMLElement | null>, onClose: () => void): void {
  const close = useEffectEvent(onClose)
  useEffect(() => {
    function handleKey(key: KeyboardEvent) {
      if (key.key !== 'Escape' || key.isComposing || isTaken(key.target, dialog.current)) return
      // Delayed: other handlers of this key must still find the dialog open, or the key would do two things.
      setTimeout(() => close())
    }
    // Before all other handlers: the search box is not cleared yet, and the calendar is not closed.
    window.addEventListener('keydown', handleKey, { capture: true })
    return () => window.removeEventListener('keydown', handleKey, { capture: true })
  }, [dialog])
}

function isTaken(target: EventTarget | null, dialog: HTMLElement | null): boolean {
  if (!(target instanceof HTMLElement) || dialog === null) return false
  if (target instanceof HTMLInputElement && target.type === 'search' && target.value !== '') return true
  const innermost = target.closest('[role="dialog"]')
  return innermost !== null && !innermost.contains(dialog)
}
