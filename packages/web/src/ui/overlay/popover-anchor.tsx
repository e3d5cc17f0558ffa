import { type Ref, useEffect, useEffectEvent, useImperativeHandle } from 'react'

/**
 * The `Target` of a popover or menu for an existing element. A button rendered by the popover itself would lose the
 * focus, and a hundred rows need no popover each.
 */
export function PopoverAnchor({ element, ref }: { element: HTMLElement; ref?: Ref<HTMLElement> }) {
  useImperativeHandle(ref, () => element, [element])
  return null
}

/**
 * Makes Escape close a floating panel from its first frame. A popover only receives keys pressed inside it and takes
 * the focus a little later, on a busy machine much later; until then Escape would do nothing, because the screen's
 * shortcuts are off while something is open. An Escape inside another dialog or menu belongs to that.
 */
export function useEarlyEscape(onClose: () => void): void {
  const close = useEffectEvent(onClose)
  useEffect(() => {
    function handleKey({ key, target, isComposing }: KeyboardEvent) {
      if (key !== 'Escape' || isComposing) return
      if (target instanceof Element && target.closest('[role="dialog"], [role="menu"]') !== null) return
      close()
    }
    // Runs last: other listeners must still find the panel open.
    window.addEventListener('keydown', handleKey)
    return () => window.removeEventListener('keydown', handleKey)
  }, [])
}
