import { type RefObject, useEffect, useEffectEvent } from 'react'

/**
 * Escape closes a dialog, unless something that is open on top of it, or a search box with text in it, has its own use for
 * the key.
 */
export function useEscape(dialog: RefObject<HTMLElement | null>, onClose: () => void): void {
  const close = useEffectEvent(onClose)
  useEffect(() => {
    function handleKey(key: KeyboardEvent) {
      if (key.key !== 'Escape' || key.isComposing || isTaken(key.target, dialog.current)) return
      // Later: whoever else hears of this key must still find the dialog open, or the key would do two things.
      setTimeout(() => close())
    }
    // Before anybody else: the search box is not emptied yet, nor the calendar closed.
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
