import { type FocusEvent, type RefObject, useState } from 'react'
import { useShortcuts } from '../overlay/use-shortcuts.ts'
import { useReturnToRow } from './list-frame.tsx'

/** What keys do about the current row, where there is one. */
export interface RowKeyActions {
  search: () => void
  open: (id: string) => void
  select: (id: string) => void
  /** Keys of this list alone. */
  others?: Readonly<Record<string, (id: string) => void>>
}

/**
 * Rows of a list that open and that keys move through: j, k, o, e, x, Escape and Enter, and `/` for the search. The shortcut
 * sheet of the list tells them to people.
 */
export function useListRows(list: {
  area: string
  /** In the order shown. */
  ids: readonly string[]
  isLoaded: boolean
  card: RefObject<HTMLElement | null>
  /** The row of what this tab looked at: `name` as `rememberOpened` was told. */
  idOf: (name: string) => string | undefined
  keys: RowKeyActions
}) {
  const { ids, card, keys } = list
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(new Set())
  const [current, setCurrent] = useState<string | null>(null)

  function toggle(id: string) {
    setExpanded((known) => {
      const next = new Set(known)
      if (!next.delete(id)) next.add(id)
      return next
    })
  }

  function goTo(id: string | undefined) {
    if (id === undefined) return
    setCurrent(id)
    focusRow(card.current, id)
  }

  function move(step: 1 | -1) {
    const place = current === null ? -1 : ids.indexOf(current)
    goTo(ids[place < 0 ? 0 : Math.min(Math.max(place + step, 0), ids.length - 1)])
  }

  function collapse(id: string) {
    if (!expanded.has(id)) return
    toggle(id)
    // What had the focus may be gone with the details.
    focusRow(card.current, id)
  }

  useReturnToRow(list.area, { isLoaded: list.isLoaded, goTo: (name) => goTo(list.idOf(name)) })

  const about = (act: (id: string) => void) => () => {
    if (current !== null && ids.includes(current)) act(current)
  }
  useShortcuts({
    '/': keys.search,
    j: () => move(1),
    k: () => move(-1),
    o: about(keys.open),
    Enter: about(keys.open),
    e: about(toggle),
    Escape: about(collapse),
    x: about(keys.select),
    ...Object.fromEntries(Object.entries(keys.others ?? {}).map(([key, act]) => [key, about(act)])),
  })

  return {
    expanded,
    current,
    toggle,
    setCurrent,
    /** Keys are about the row that has the focus, however it came there. */
    follow: ({ target }: FocusEvent<HTMLElement>) => {
      const id = target.closest('[data-row]')?.getAttribute('data-row')
      if (typeof id === 'string') setCurrent(id)
    },
  }
}

/** The cells of a row that take the focus, the best first: which of them there are depends on the columns shown. */
const focusable = ['[data-action="open"]', '[data-action="describe"]', '[data-action="expand"]']

/** Moves the focus to a row, so that it is read out, and the page with it; whatever sticks above covers nothing of it. */
function focusRow(list: HTMLElement | null, id: string): void {
  const row = list?.querySelector<HTMLElement>(`[data-row="${id}"]`)
  const target = focusable.flatMap((selector) => row?.querySelector<HTMLElement>(selector) ?? [])[0]
  target?.focus({ preventScroll: true })
  row?.scrollIntoView?.({ block: 'nearest' })
}
