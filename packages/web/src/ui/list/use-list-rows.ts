import type { SelectionMode } from '@benchwatch/contract/vocabulary'
import { type FocusEvent, type RefObject, useEffect, useState } from 'react'
import {
  everythingSelected,
  headState,
  idsBetween,
  isSelected,
  nothingSelected,
  pressHead,
  type Selection,
  selectedCount,
  setSelected,
  withoutIds,
} from '../../lib/list/selection.ts'
import { tabStore } from '../../lib/storage.ts'
import { useShortcuts } from '../overlay/use-shortcuts.ts'
import { isReturning, useReturnToRow } from './list-frame.tsx'

/** Actions of keys on the current row. */
export interface RowKeyActions {
  open: (id: string) => void
  select: (id: string) => void
  /** Escape, where no row is there to collapse. */
  escape: () => void
  /** Further keys of this list. */
  others: Readonly<Record<string, (id: string) => void>>
}

/**
 * Expandable rows with keyboard control: j, k, o, v, e, x, Escape and Enter. The list's shortcut sheet documents them. A
 * list may give e another meaning.
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

  function escape() {
    if (current === null || !expanded.has(current)) {
      keys.escape()
      return
    }
    toggle(current)
    // The focused element may have gone with the details.
    focusRow(card.current, current)
  }

  useReturnToRow(list.area, { isLoaded: list.isLoaded, goTo: (name) => goTo(list.idOf(name)) })

  const about = (act: (id: string) => void) => () => {
    if (current !== null && ids.includes(current)) act(current)
  }
  useShortcuts({
    j: () => move(1),
    k: () => move(-1),
    o: about(keys.open),
    Enter: about(keys.open),
    v: about(toggle),
    e: about(toggle),
    Escape: escape,
    x: about(keys.select),
    ...Object.fromEntries(Object.entries(keys.others).map(([key, act]) => [key, about(act)])),
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
  const target = list && rowTarget(list, id)
  target?.focus({ preventScroll: true })
  target?.closest('[data-row]')?.scrollIntoView?.({ block: 'nearest' })
}

/** Returns the control that represents a row: it has the focus while keys act on the row. */
export function rowTarget(list: ParentNode, id: string): HTMLElement | undefined {
  const row = list.querySelector<HTMLElement>(`[data-row="${id}"]`)
  return focusable.flatMap((selector) => row?.querySelector<HTMLElement>(selector) ?? [])[0]
}

interface SelectionState {
  of: string
  selection: Selection
  /** The row clicked last, from which a shift-click extends. */
  anchor: string | null
}

/**
 * Selection of a list. It survives paging, sorting and a look at the page of a row, and is cleared when the filter `of`
 * (as text) changes. `gone` are rows of this page that no longer exist.
 */
export function useSelection(list: {
  area: string
  of: string
  total: number
  shown: readonly string[]
  gone: readonly string[]
}) {
  const { area, of, total, shown, gone } = list
  const [state, setState] = useState<SelectionState>(() => ({
    of,
    selection: (isReturning(area) ? keptSelection(area, of) : null) ?? nothingSelected,
    anchor: null,
  }))
  const isOutdated = state.of !== of
  // Reset while rendering, not in an effect: no row may be painted as selected under a filter that did not select it.
  if (isOutdated) setState({ of, selection: nothingSelected, anchor: null })
  const selection = withoutIds(isOutdated ? nothingSelected : state.selection, gone)
  const change = (next: Selection, anchor: string | null = null) => setState({ of, selection: next, anchor })
  useEffect(() => {
    const { mode, ids } = state.selection
    tabStore.write(`${area}.selection`, { of: state.of, mode, ids: [...ids] })
  }, [area, state])

  return {
    selection,
    count: selectedCount(selection, total),
    head: headState(selection, total),
    /** Toggles one row; with `range` all rows from the last clicked one to this one take this row's new state. */
    toggle: (id: string, { range }: { range: boolean } = { range: false }) => {
      const ids = range ? idsBetween(shown, state.anchor, id) : [id]
      change(setSelected(selection, ids, !isSelected(selection, id)), id)
    },
    pressHead: () => change(pressHead(selection, total)),
    selectAll: () => change(everythingSelected),
    clear: () => change(nothingSelected),
  }
}

/** Returns what was selected last in the list `area` under the filter `of`; null if it was another filter. */
function keptSelection(area: string, of: string): Selection | null {
  const kept = tabStore.read(`${area}.selection`) as { of: string; mode: SelectionMode; ids: string[] } | null
  return kept?.of === of ? { mode: kept.mode, ids: new Set(kept.ids) } : null
}

/**
 * Assigns React keys to the rows of a list by their place on the screen. A row that stays keeps its slot; a new one
 * takes a free slot. So turning a page updates the texts of existing rows instead of creating a hundred new ones (next
 * page of 100 events painted 78 ms after its answer instead of 115).
 *
 * State of a row must therefore be keyed by the row's id.
 */
export function useRowSlots(ids: readonly string[]): ReadonlyMap<string, number> {
  const [last, setLast] = useState(() => ({ ids, slots: nextSlots(new Map(), ids) }))
  if (isSame(last.ids, ids)) return last.slots
  const slots = nextSlots(last.slots, ids)
  setLast({ ids, slots })
  return slots
}

/** Returns the slots of these rows, given the previous ones. */
export function nextSlots(before: ReadonlyMap<string, number>, ids: readonly string[]): Map<string, number> {
  const kept = new Set(ids.map((id) => before.get(id)))
  let free = 0
  function take(): number {
    while (kept.has(free)) free += 1
    free += 1
    return free - 1
  }
  return new Map(ids.map((id) => [id, before.get(id) ?? take()]))
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((id, place) => id === other[place])
}
