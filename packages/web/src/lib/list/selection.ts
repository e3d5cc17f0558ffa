import type { SelectionMode } from '@benchwatch/contract/vocabulary'

/**
 * What is selected in a list of pages: document 1 section 4. `include` names the selected ids; `exclude` means everything
 * that the list finds but for these ids, so that a box of ten million rows is as small as one of ten.
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

/** Selects or leaves out these ids: adds them or takes them away, as the mode demands. */
export function setSelected(selection: Selection, ids: readonly string[], selected: boolean): Selection {
  const next = new Set(selection.ids)
  for (const id of ids) {
    if (selected === (selection.mode === 'include')) next.add(id)
    else next.delete(id)
  }
  return { mode: selection.mode, ids: next }
}

/** Without ids that no longer exist, whether they were selected or excluded; the same selection where it names none. */
export function withoutIds(selection: Selection, gone: readonly string[]): Selection {
  if (!gone.some((id) => selection.ids.has(id))) return selection
  const ids = new Set(selection.ids)
  for (const id of gone) ids.delete(id)
  return { mode: selection.mode, ids }
}

/** In exclude mode the total minus the excluded; never below zero, should excluded rows have left the list meanwhile. */
export function selectedCount({ mode, ids }: Selection, total: number): number {
  return mode === 'include' ? ids.size : Math.max(0, total - ids.size)
}

/** The box in the head: everything, nothing, or something between. */
export function headState(selection: Selection, total: number): 'all' | 'some' | 'none' {
  const count = selectedCount(selection, total)
  if (count === 0) return 'none'
  return count >= total ? 'all' : 'some'
}

/** A press of the box in the head: the other mode, and what was selected before is forgotten. */
export function pressHead(selection: Selection, total: number): Selection {
  return headState(selection, total) === 'all' ? nothingSelected : everythingSelected
}

/** From one row to another, both included, in the order shown; the second alone when the first is on another page. */
export function idsBetween(shown: readonly string[], first: string | null, second: string): readonly string[] {
  const from = first === null ? -1 : shown.indexOf(first)
  const to = shown.indexOf(second)
  if (from < 0 || to < 0) return [second]
  return shown.slice(Math.min(from, to), Math.max(from, to) + 1)
}
