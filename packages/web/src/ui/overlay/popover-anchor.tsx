import { type Ref, useImperativeHandle } from 'react'

/**
 * The `Target` of a popover or menu for an existing element. A button rendered by the popover itself would lose the
 * focus, and a hundred rows need no popover each.
 */
export function PopoverAnchor({ element, ref }: { element: HTMLElement; ref?: Ref<HTMLElement> }) {
  useImperativeHandle(ref, () => element, [element])
  return null
}
