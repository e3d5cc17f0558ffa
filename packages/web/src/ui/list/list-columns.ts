import { type ReactNode, useState, useSyncExternalStore } from 'react'

/**
 * Declares a list: its columns, its cards on narrow screens, and how its rows are named. The server sorts, filters and
 * pages. No table library is used: docs/decisions/0026.
 */

export interface ListColumn<Key extends string, OrderBy extends string> {
  key: Key
  /** Read out for every column; visible unless the column has an icon. */
  label: string
  /** Shown in the head of a column that is too narrow for its name. */
  icon?: ReactNode
  /** Sort key of the server. */
  orderBy: OrderBy
  /** True if the shown value falls as the sorted value grows: an age and the time of creation. */
  isInverse?: boolean
  /** Width in pixels. For the elastic column the minimum; it takes the remaining width. */
  width: number
  /** Reduced width used before columns are hidden; for the elastic column only when none can be hidden any more. */
  narrow?: number
  /** If space runs out, columns with the lowest number are hidden first; the expanded row shows their values. */
  goes?: number
  /** The column in whose place it also stands on a card. */
  cardPlace?: Key
  /** Shown before the value on a card, where no head names it. */
  cardLabel?: string
  /** On a card only if the user chose the columns. */
  isExtra?: boolean
  /** In the colour of secondary text. */
  isQuiet?: boolean
}

/** `label` is visible; `name` begins with it and names the row. The press reaches `onAction` as `primary`. */
export interface PrimaryButton {
  label: string
  name: string
}

export interface ListModel<Key extends string, OrderBy extends string, Row = never, Look = never> {
  /** Every available column, in default order. */
  all: readonly ListColumn<Key, OrderBy>[]
  /** The content of each cell. `isOpen`: a panel that belongs to this row is open. */
  cells: Record<Key, (row: Row, look: Look, isOpen: boolean) => ReactNode>
  /** CSS classes of cells and heads, by column. */
  classes?: Record<string, string>
  /** The one action that a row offers while it is hovered or has the focus, over the cell of `column`. */
  primary?: { column: Key; of: (row: Row, look: Look) => PrimaryButton | null }
  /** The column that takes the remaining width; if it is hidden, the others share it. */
  elastic: Key
  /** The lines of a card on narrow screens. The last cell of a line is at its end. */
  card: readonly (readonly Key[])[]
  /** Content of the table, such as 'Service events'. */
  caption: string
  /** Plural noun of the rows, such as 'events'. */
  things: string
  idOf: (row: Row) => string
  /** Read out for the checkbox and the arrow of a row. */
  nameOf: (row: Row) => string
  /** True if the server has deleted the row since the page was loaded. */
  isGone?: (row: Row) => boolean
}

/** Widths in pixels of what precedes the chosen columns: checkbox and expand arrow. */
export const leadingWidths = { select: 32, expand: 28 } as const
const LEADING = leadingWidths.select + leadingWidths.expand

/** Returns the keys of the default columns in default order. */
export function usualKeys<K extends string>({ all }: { all: readonly { key: K }[] }): K[] {
  return all.map(({ key }) => key)
}

/** Reads column keys, dropping unknown ones and duplicates. Null if none is left or they are the default. */
export function readColumnKeys<K extends string>(usual: readonly K[], names: readonly string[]): K[] | null {
  const chosen = [...new Set(names.flatMap((name) => usual.find((key) => key === name) ?? []))]
  return chosen.length === 0 || chosen.join() === usual.join() ? null : chosen
}

interface Fitted {
  key: string
  width: number
  narrow?: number
  goes?: number
}

/**
 * Returns the chosen columns as they fit into a width in pixels: at full width, else narrower, else with columns
 * hidden one by one. Anything wider scrolls sideways. `chosen` null means the default columns.
 */
export function fitColumns<C extends Fitted>(
  { all, elastic }: { all: readonly C[]; elastic: string },
  chosen: readonly string[] | null,
  available: number,
): readonly C[] {
  const shown = chosen === null ? all : chosen.flatMap((name) => all.find(({ key }) => key === name) ?? [])
  if (widthOf(shown) <= available) return shown
  let fitting = shown.map((column) => (column.key === elastic ? column : narrowed(column)))
  while (widthOf(fitting) > available && fitting.length > 1) {
    const next = Math.min(...fitting.map(({ goes = Number.POSITIVE_INFINITY }) => goes))
    if (next === Number.POSITIVE_INFINITY) return fitting.map(narrowed)
    fitting = fitting.filter(({ goes }) => goes !== next)
  }
  return fitting
}

function narrowed<C extends Fitted>(column: C): C {
  return { ...column, width: column.narrow ?? column.width }
}

/** Returns the width of a table with these columns, in pixels. */
export function widthOf(shown: readonly { width: number }[]): number {
  return shown.reduce((sum, { width }) => sum + width, LEADING)
}

/** Pixels of the window that the side bar, margins and the card's border take. */
const AROUND_THE_TABLE = 56 + 2 * 18 + 2
/** In narrower windows rows become cards, which have room for every column. */
const CARDS_BELOW = 900

function subscribe(listener: () => void): () => void {
  window.addEventListener('resize', listener)
  return () => window.removeEventListener('resize', listener)
}

const windowWidth = () => document.documentElement.clientWidth

/** True while rows are cards. */
export function useCards(): boolean {
  return useSyncExternalStore(subscribe, () => windowWidth() < CARDS_BELOW)
}

/** Returns the chosen columns that fit into the window; the same array while nothing changes. */
export function useFittingColumns<C extends Fitted>(
  model: { all: readonly C[]; elastic: string },
  chosen: readonly string[] | null,
): readonly C[] {
  const width = useSyncExternalStore(subscribe, windowWidth)
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

/** Returns the direction as shown: sorted by age, the newest first is ascending. */
export function shownDirection(column: { isInverse?: boolean }, order: 'ASC' | 'DESC'): 'ascending' | 'descending' {
  return (order === 'ASC') === (column.isInverse ?? false) ? 'descending' : 'ascending'
}

/** Moves `key` up or down by one; returns the same list at the end. */
export function moveColumn<K extends string>(keys: readonly K[], key: K, step: 1 | -1): K[] {
  const moved = [...keys]
  const from = moved.indexOf(key)
  const to = from + step
  if (from < 0 || to < 0 || to >= moved.length) return moved
  moved.splice(to, 0, ...moved.splice(from, 1))
  return moved
}

/** Shows or hides `key`. A column that is shown again takes its default place. At least one column stays. */
export function showColumn<K extends string>(
  usual: readonly K[],
  { keys, key, isShown }: { keys: readonly K[]; key: K; isShown: boolean },
): K[] {
  const others = keys.filter((other) => other !== key)
  if (!isShown) return others.length > 0 ? others : [...keys]
  const place = usual.indexOf(key)
  const before = others.findLastIndex((other) => usual.indexOf(other) < place)
  return [...others.slice(0, before + 1), key, ...others.slice(before + 1)]
}

/**
 * Returns the CSS grid of a card that has the checkbox at the left of all lines and the arrow at the end of the first.
 * The first cell of a line takes the room that its line leaves.
 */
export function cardGrid<K extends string>(lines: readonly (readonly K[])[], shown: readonly K[]): string {
  const filled = lines.map((line) => line.filter((key) => shown.includes(key))).filter((line) => line.length > 0)
  const tracks = Math.max(...filled.map(({ length }) => length))
  const areas = filled.map((line, place) => {
    const cells = [...Array.from({ length: tracks - line.length }, () => line[0]), ...line]
    return `"select ${cells.join(' ')} ${place === 0 ? 'expand' : line.at(-1)}" auto`
  })
  const sizes = Array.from({ length: tracks }, (_, track) => (track === Math.max(0, tracks - 2) ? '1fr' : 'auto'))
  return `${areas.join(' ')} / 38px ${sizes.join(' ')} 44px`
}
