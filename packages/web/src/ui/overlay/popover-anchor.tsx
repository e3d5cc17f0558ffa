import { type Ref, useImperativeHandle } from 'react'

/**
 * For the `Target` of a popover or menu: stands for an element that is on the page already. A button drawn anew by the popover
 * would lose the focus, and a hundred rows need no popover of their own.
 */
export function PopoverAnchor({ element, ref }: { element: HTMLElement; ref?: Ref<HTMLElement> }) {
  useImperativeHandle(ref, () => element, [element])
  return null
}
