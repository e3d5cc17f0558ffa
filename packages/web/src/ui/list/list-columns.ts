import { type ReactNode, useState, useSyncExternalStore } from 'react'
import { usePrinting } from '../use-printing.ts'
import { useDensity } from './use-density.ts'

/**
 * Declares a table: its columns, its cards on narrow screens, and how its rows are named. The server sorts, filters and
 * pages. No table library is used: docs/decisions/0026.
 */

/** A column of any table. `Look`: what cells show besides their row. */
export interface Column<Row, Look = void, Key extends string = string, OrderBy extends string = string> {
  key: Key
  /** Heads the column, and an exported file; read out if the column has an icon. */
  label: string
  /** The content of a cell. `isOpen`: a panel that belongs to this row is open. */
  cell: (row: Row, look: Look, isOpen: boolean) => ReactNode
  /** Shown in the head of a column that is too narrow for its name. */
  icon?: ReactNode
  /** Sort key of the server. */
  orderBy?: OrderBy
  /** True if the shown value falls as the sorted value grows: an age and the time of creation. */
  isInverse?: boolean
  /** Pixels; the minimum if the column grows. A column without a width grows. */
  width?: number
  /** Share of the remaining width: 1 for a column without a width. */
  grow?: number
  /** Least width in rows of one line; more columns are hidden for it. */
  compact?: number
  /** Reduced width used before columns are hidden; a growing column keeps its width until its turn in `goes`. */
  narrow?: number
  /** If space runs out, columns with the lowest number are hidden first; the expanded row shows their values. */
  goes?: number
  /** Line and place on a card; columns with the same place share it. The last place of a line is at its end. */
  card?: readonly [line: number, place: number]
  /** Shown before the value on a card, where no head names it. */
  cardLabel?: string
  /** On a card only if the user chose the columns. */
  isExtra?: boolean
  /** In the colour of secondary text. */
  isQuiet?: boolean
  /** In a `DataTable`: aligned to the right, head and values, so that numbers of different length compare at a glance. */
  isNumber?: boolean
  /** CSS class of head and cells. */
  className?: string | undefined
}

/** `label` is visible; `name` begins with it and names the row. The press reaches `onAction` as `primary`. */
export interface PrimaryButton {
  label: string
  name: string
}

export interface ListModel<Key extends string, OrderBy extends string, Row = never, Look = never> {
  /** Every available column, in default order. */
  all: readonly Column<Row, Look, Key, OrderBy>[]
  /** The one action that a row offers while it is hovered or has the focus, over the cell of `column`. */
  primary?: { column: Key; of: (row: Row, look: Look) => PrimaryButton | null }
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
const leading = [32, 28]

/** Returns the keys of the default columns in default order. */
export function usualKeys<K extends string>({ all }: { all: readonly { key: K }[] }): K[] {
  return all.map(({ key }) => key)
}

/** Reads column keys, dropping unknown ones and duplicates. Null if none is left or they are the default. */
export function readColumnKeys<K extends string>(usual: readonly K[], names: readonly string[]): K[] | null {
  const chosen = [...new Set(names.flatMap((name) => usual.find((key) => key === name) ?? []))]
  return chosen.length === 0 || chosen.join() === usual.join() ? null : chosen
}

type Sized = Pick<Column<never>, 'key' | 'width' | 'grow' | 'compact' | 'narrow' | 'goes'>

/**
 * Returns the chosen columns as they fit into a width in pixels: at full width, else narrower, else with columns
 * hidden one by one. Anything wider scrolls sideways. `chosen` null means the default columns.
 */
export function fitColumns<C extends Sized>(
  all: readonly C[],
  chosen: readonly string[] | null,
  { available, isCompact = false }: { available: number; isCompact?: boolean },
): readonly C[] {
  const chosenColumns = chosen === null ? all : chosen.flatMap((name) => all.find(({ key }) => key === name) ?? [])
  const shown = isCompact
    ? chosenColumns.map((column) => ({ ...column, width: column.compact ?? column.width }))
    : chosenColumns
  if (widthOf(shown) <= available) return shown
  // Without a growing column nothing gives way, so a `compact` width would hide columns.
  const keepsCompact = isCompact && shown.some(grows)
  const keeps = (column: C) => grows(column) || (keepsCompact && column.compact !== undefined)
  let fitting = shown.map((column) => (keeps(column) ? column : narrowed(column)))
  while (widthOf(fitting) > available && fitting.length > 1) {
    const next = Math.min(...fitting.map(({ goes = Number.POSITIVE_INFINITY }) => goes))
    if (next === Number.POSITIVE_INFINITY) return fitting.map(narrowed)
    fitting = fitting.some((column) => column.goes === next && grows(column))
      ? fitting.map((column) => ({
          ...narrowed(column),
          goes: column.goes === next && grows(column) ? undefined : column.goes,
        }))
      : fitting.filter(({ goes }) => goes !== next)
  }
  return fitting
}

function narrowed<C extends Sized>(column: C): C {
  return { ...column, width: column.narrow ?? column.width }
}

/** Returns true if the column takes a share of the width that the others leave. */
export function grows({ grow, width }: Sized): boolean {
  return grow !== undefined || width === undefined
}

/** Returns the width of a table with these columns, in pixels. */
export function widthOf(shown: readonly { width?: number | undefined }[]): number {
  return [...leading, ...shown.map(({ width = 0 }) => width)].reduce((sum, width) => sum + width)
}

/** Returns the CSS grid columns of a row. If no column grows, all of them share a wider window in proportion. */
export function tracksOf(shown: readonly Sized[]): string {
  const unit = shown.some(grows) ? 'px' : 'fr'
  const columns = shown.map((column) => (grows(column) ? '1fr' : `${column.width}${unit}`))
  return [...leading.map((width) => `${width}${unit}`), ...columns].map((most) => `minmax(0, ${most})`).join(' ')
}

/** Pixels of the window that the side bar, margins and the card's border take. */
const AROUND_THE_TABLE = 56 + 2 * 18 + 2
/** Pixels of a landscape A4 sheet between its margins. */
const SHEET = 1030
/** In narrower windows rows become cards, which have room for every column. */
const CARDS_BELOW = 900

/** Remembered until the next resize, because reading it after a change forces a layout of the whole table. */
let knownWidth: number | undefined
// Before any listener of `subscribe`.
window.addEventListener('resize', () => {
  knownWidth = undefined
})

function subscribe(listener: () => void): () => void {
  window.addEventListener('resize', listener)
  return () => window.removeEventListener('resize', listener)
}

function windowWidth(): number {
  knownWidth ??= document.documentElement.clientWidth
  return knownWidth
}

/** True while rows are cards. */
export function useCards(): boolean {
  return useSyncExternalStore(subscribe, () => windowWidth() < CARDS_BELOW)
}

/** Returns the chosen columns that fit into the window; the same array while nothing changes. */
export function useFittingColumns<C extends Sized>(all: readonly C[], chosen: readonly string[] | null): readonly C[] {
  const width = useSyncExternalStore(subscribe, windowWidth)
  const isCompact = useDensity() === 'compact'
  // Columns that are hidden only after the browser has counted the sheets leave empty sheets.
  const isPrinted = usePrinting() !== null
  const onScreen = width < CARDS_BELOW ? Number.POSITIVE_INFINITY : width - AROUND_THE_TABLE
  const available = isPrinted ? SHEET : onScreen
  const fitting = fitColumns(all, chosen, { available, isCompact })
  const [columns, setColumns] = useState(fitting)
  const isSame = nameOf(columns) === nameOf(fitting)
  if (!isSame) setColumns(fitting)
  return isSame ? columns : fitting
}

function nameOf(columns: readonly Sized[]): string {
  return columns.map(({ key, width }) => `${key} ${width}`).join()
}

/** Returns the direction as shown: sorted by age, the newest first is ascending. */
export function shownDirection(
  column: { isInverse?: boolean | undefined },
  order: 'ASC' | 'DESC',
): 'ascending' | 'descending' {
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

type Placed = Pick<Column<never>, 'card'>

/**
 * Returns the CSS grid of a card. The first cell of a line takes the room that its line leaves. `edges`: the tracks
 * before and after the cells, for a checkbox beside all lines and an arrow at the end of the first.
 */
export function cardGrid(shown: readonly Placed[], edges?: { select: string; expand: string }): string {
  const lines = [...Map.groupBy(placesOf(shown), ([line]) => line)].toSorted(([one], [other]) => one - other)
  const tracks = Math.max(...lines.map(([, places]) => places.length))
  const areas = lines.map(([, places], index) => {
    const cells = places.map(areaOf)
    const filled = [...Array.from({ length: tracks - cells.length }, () => cells[0]), ...cells].join(' ')
    return edges === undefined ? `"${filled}" auto` : `"select ${filled} ${index === 0 ? 'expand' : cells.at(-1)}" auto`
  })
  const sizes = Array.from({ length: tracks }, (_, track) =>
    track === Math.max(0, tracks - 2) ? 'minmax(0, 1fr)' : 'auto',
  ).join(' ')
  return `${areas.join(' ')} / ${edges === undefined ? sizes : `${edges.select} ${sizes} ${edges.expand}`}`
}

/** Returns the grid area of a place on a card. */
export function areaOf([line, place]: readonly [number, number]): string {
  return `line${line}-${place}`
}

/** Returns true if the column is at the end of a line that other columns share. */
export function isAtEnd(all: readonly Placed[], { card }: Placed): boolean {
  if (card === undefined) return false
  const places = placesOf(all).filter(([line]) => line === card[0])
  return places.length > 1 && places.at(-1)?.[1] === card[1]
}

/** Returns the places that columns take, each once, in order. */
function placesOf(columns: readonly Placed[]): (readonly [number, number])[] {
  const places = new Map(columns.flatMap(({ card }) => (card === undefined ? [] : [[areaOf(card), card]])))
  return [...places.values()].toSorted((one, other) => one[0] - other[0] || one[1] - other[1])
}
