import { type RefObject, useLayoutEffect, useRef } from 'react'

/**
 * Keeps the lines still that the person reads. Opened anew, what they came for stands in the middle: the line marked, else
 * the moment of the event, else the newest line. Lines that come in front push nothing down; those behind move nothing.
 *
 * `name` tells what is shown; `firstId` is the first line of it.
 */
export function useLogScroll(
  scroller: RefObject<HTMLDivElement | null>,
  { name, firstId, markedId }: { name: string | null; firstId: string | null; markedId: string | null },
): void {
  const shown = useRef<{ name: string | null; firstId: string | null }>({ name: null, firstId: null })
  // Read while drawing, when the screen still shows what was there before.
  const { current: before } = scroller
  const fromBottom = before === null ? 0 : before.scrollHeight - before.scrollTop

  useLayoutEffect(() => {
    const element = scroller.current
    if (element === null || name === null) return
    if (shown.current.name !== name) bringIntoView(element, markedId)
    else if (shown.current.firstId !== firstId) element.scrollTop = element.scrollHeight - fromBottom
    shown.current = { name, firstId }
    // Only what is shown moves the place; its distance from the bottom is that of the moment before.
    // oxlint-disable-next-line react/exhaustive-deps -- fromBottom changes with every drawing
  }, [scroller, name, firstId, markedId])
}

/** Puts the line that is looked at, or the moment of the event, into the middle. */
export function bringIntoView(element: HTMLElement, markedId: string | null): void {
  const marked = markedId === null ? null : element.querySelector<HTMLElement>(`[data-line="${CSS.escape(markedId)}"]`)
  const target = marked ?? element.querySelector<HTMLElement>('[data-moment]')
  element.scrollTop =
    target === null ? element.scrollHeight : target.offsetTop - (element.clientHeight - target.offsetHeight) / 2
}
