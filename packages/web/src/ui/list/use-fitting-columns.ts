import { useState, useSyncExternalStore } from 'react'
import { type ColumnModel, fitColumns, type ListColumn } from './column-model.ts'

/** What the side bar, the margins and the border of the card take of the window, in pixels. */
const AROUND_THE_TABLE = 56 + 2 * 18 + 2
/** Below this, rows are cards, which have room for every column. */
const CARDS_BELOW = 720

function subscribe(listener: () => void): () => void {
  window.addEventListener('resize', listener)
  return () => window.removeEventListener('resize', listener)
}

/** The chosen columns that this window has room for; the same array while nothing about them changes. */
export function useFittingColumns<K extends string, O extends string>(
  model: ColumnModel<K, O>,
  chosen: readonly K[] | null,
): readonly ListColumn<K, O>[] {
  const width = useSyncExternalStore(subscribe, () => document.documentElement.clientWidth)
  const available = width < CARDS_BELOW ? Number.POSITIVE_INFINITY : width - AROUND_THE_TABLE
  const fitting = fitColumns(model, chosen, available)
  const [columns, setColumns] = useState(fitting)
  const isSame = nameOf(columns) === nameOf(fitting)
  if (!isSame) setColumns(fitting)
  return isSame ? columns : fitting
}

function nameOf(columns: readonly { key: string; width: number }[]): string {
  return columns.map(({ key, width }) => `${key} ${width}`).join()
}
