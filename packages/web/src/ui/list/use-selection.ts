import { useState } from 'react'
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

interface State {
  of: string
  selection: Selection
  /** The row clicked last, from which a shift-click extends. */
  anchor: string | null
}

/**
 * Selection of a list. It survives paging and sorting, and is cleared when the filter `of` (as text) changes. `gone`
 * are rows of this page that no longer exist.
 */
export function useSelection(list: { of: string; total: number; shown: readonly string[]; gone: readonly string[] }) {
  const { of, total, shown, gone } = list
  const [state, setState] = useState<State>({ of, selection: nothingSelected, anchor: null })
  const isOutdated = state.of !== of
  // Reset while rendering, not in an effect: no row may be painted as selected under a filter that did not select it.
  if (isOutdated) setState({ of, selection: nothingSelected, anchor: null })
  const selection = withoutIds(isOutdated ? nothingSelected : state.selection, gone)
  const change = (next: Selection, anchor: string | null = null) => setState({ of, selection: next, anchor })

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
