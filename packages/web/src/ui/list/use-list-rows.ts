import { type FocusEvent, type RefObject, useState } from 'react'
import { useShortcuts } from '../overlay/use-shortcuts.ts'
import { useReturnToRow } from './list-frame.tsx'

/** Actions of keys on the current row. */
export interface RowKeyActions {
  search: () => void
  open: (id: string) => void
  select: (id: string) => void
  /** Further keys of this list. */
  others?: Readonly<Record<string, (id: string) => void>>
}

/**
 * Expandable rows with keyboard control: j, k, o, e, x, Escape and Enter, and `/` for the search. The list's shortcut
 * sheet documents them.
 */
export function useListRows(list: {
  area: string
  /** In display order. */
  ids: readonly string[]
  isLoaded: boolean
  card: RefObject<HTMLElement | null>
  /** Returns the row of the item with the `name` that `rememberOpened` stored. */
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
    // The focused element may have gone with the details.
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
    /** Keys act on the row that has the focus, however it got it. */
    follow: ({ target }: FocusEvent<HTMLElement>) => {
      const id = target.closest('[data-row]')?.getAttribute('data-row')
      if (typeof id === 'string') setCurrent(id)
    },
  }
}

/** Focusable cells of a row, best first; which of them exist depends on the columns shown. */
const focusable = ['[data-action="open"]', '[data-action="describe"]', '[data-action="expand"]']

/** Focuses a row, so that it is read out, and scrolls it into view below sticky elements. */
function focusRow(list: HTMLElement | null, id: string): void {
  const row = list?.querySelector<HTMLElement>(`[data-row="${id}"]`)
  const target = focusable.flatMap((selector) => row?.querySelector<HTMLElement>(selector) ?? [])[0]
  target?.focus({ preventScroll: true })
  row?.scrollIntoView?.({ block: 'nearest' })
}
