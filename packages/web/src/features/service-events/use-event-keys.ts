import { useShortcuts } from '../../ui/use-shortcuts.ts'

/** What the keys of the event list do. The last six are about the current row, where there is one. */
export interface EventKeyActions {
  search: () => void
  move: (step: 1 | -1) => void
  open: () => void
  expand: () => void
  collapse: () => void
  select: () => void
  assignToMe: () => void
}

/** Keyboard of the event list; the sheet of `event-shortcuts.tsx` tells it to people. */
export function useEventKeys({ search, move, open, expand, collapse, select, assignToMe }: EventKeyActions): void {
  useShortcuts({
    '/': search,
    j: () => move(1),
    k: () => move(-1),
    o: open,
    Enter: open,
    e: expand,
    Escape: collapse,
    x: select,
    a: assignToMe,
  })
}

/** The cells of a row that take the focus, the best first: which of them there are depends on the columns shown. */
const focusable = ['[data-action="open"]', '[data-action="describe"]', '[data-action="expand"]']

/** Moves the focus to a row, so that it is read out, and the page with it; whatever sticks above covers nothing of it. */
export function focusRow(list: HTMLElement | null, id: string): void {
  const row = list?.querySelector<HTMLElement>(`[data-row="${id}"]`)
  const target = focusable.flatMap((selector) => row?.querySelector<HTMLElement>(selector) ?? [])[0]
  target?.focus({ preventScroll: true })
  row?.scrollIntoView?.({ block: 'nearest' })
}
