import { useEffect, useEffectEvent } from 'react'

/**
 * Escape closes what floats from the moment it is seen. A popover hears only keys that are struck inside it, and takes the
 * focus a little later, on a busy machine much later: an Escape in between would do nothing, for the shortcuts of the screen
 * rest while something is open. One that is struck inside a dialog or menu is theirs.
 */
export function useEarlyEscape(onClose: () => void): void {
  const close = useEffectEvent(onClose)
  useEffect(() => {
    function handleKey({ key, target, isComposing }: KeyboardEvent) {
      if (key !== 'Escape' || isComposing) return
      if (target instanceof Element && target.closest('[role="dialog"], [role="menu"]') !== null) return
      close()
    }
    // After everybody else: whoever asks whether something is open must still find it.
    window.addEventListener('keydown', handleKey)
    return () => window.removeEventListener('keydown', handleKey)
  }, [])
}
