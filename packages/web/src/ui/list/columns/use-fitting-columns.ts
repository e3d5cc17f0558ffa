import { useState, useSyncExternalStore } from 'react'
import { type ColumnModel, fitColumns, type ListColumn } from './column-model.ts'

/** Pixels of the window that the side bar, margins and the card's border take. */
const AROUND_THE_TABLE = 56 + 2 * 18 + 2
/** In narrower windows rows become cards, which have room for every column. */
const CARDS_BELOW = 720

function subscribe(listener: () => void): () => void {
  window.addEventListener('resize', listener)
  return () => window.removeEventListener('resize', listener)
}

/** Returns the chosen columns that fit into the window; the same array while nothing changes. */
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
