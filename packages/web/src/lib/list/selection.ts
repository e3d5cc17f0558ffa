import type { SelectionMode } from '@benchwatch/contract/vocabulary'

/**
 * Selection in a paged list: document 1 section 4. `include` lists the selected ids; `exclude` means all results
 * except these ids, so that selecting ten million rows takes no more space than ten.
 */
export interface Selection {
  mode: SelectionMode
  ids: ReadonlySet<string>
}

export const nothingSelected: Selection = { mode: 'include', ids: new Set() }
export const everythingSelected: Selection = { mode: 'exclude', ids: new Set() }

export function isSelected({ mode, ids }: Selection, id: string): boolean {
  return ids.has(id) === (mode === 'include')
}

/** Selects or deselects these ids, by adding or removing them as the mode demands. */
export function setSelected(selection: Selection, ids: readonly string[], selected: boolean): Selection {
  const next = new Set(selection.ids)
  for (const id of ids) {
    if (selected === (selection.mode === 'include')) next.add(id)
    else next.delete(id)
  }
  return { mode: selection.mode, ids: next }
}

/** Removes ids that no longer exist, selected or excluded. Returns the same selection if it contains none of them. */
export function withoutIds(selection: Selection, gone: readonly string[]): Selection {
  if (!gone.some((id) => selection.ids.has(id))) return selection
  const ids = new Set(selection.ids)
  for (const id of gone) ids.delete(id)
  return { mode: selection.mode, ids }
}

/** In exclude mode the total minus the excluded ids. Never negative, because excluded rows may have left the list. */
export function selectedCount({ mode, ids }: Selection, total: number): number {
  return mode === 'include' ? ids.size : Math.max(0, total - ids.size)
}

/** State of the header checkbox. */
export function headState(selection: Selection, total: number): 'all' | 'some' | 'none' {
  const count = selectedCount(selection, total)
  if (count === 0) return 'none'
  return count >= total ? 'all' : 'some'
}

/** Handles a click on the header checkbox: switches the mode and clears the selection. */
export function pressHead(selection: Selection, total: number): Selection {
  return headState(selection, total) === 'all' ? nothingSelected : everythingSelected
}

/**
 * Returns the ids from one row to another, both inclusive, in display order. Only the second if the first is on
 * another page.
 */
export function idsBetween(shown: readonly string[], first: string | null, second: string): readonly string[] {
  const from = first === null ? -1 : shown.indexOf(first)
  const to = shown.indexOf(second)
  if (from < 0 || to < 0) return [second]
  return shown.slice(Math.min(from, to), Math.max(from, to) + 1)
}
