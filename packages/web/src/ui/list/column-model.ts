/**
 * The columns of a list. A plain list instead of a table library: sorting, filtering and paging happen at the server, so
 * such a library would only be asked for header cells, at 15 kB. The column chooser reorders and narrows this same list.
 */

export interface ListColumn<Key extends string, OrderBy extends string> {
  key: Key
  /** Read out for every column; shown unless it has a sign. */
  label: string
  /** Where what is shown grows as the sorted value falls: the age of something and its time of creation. */
  isInverse?: boolean
  orderBy: OrderBy
  /** In pixels. The elastic column takes what the others leave, and this at least. */
  width: number
  /** The width it makes do with before columns have to go; the elastic one only when none can go any more. */
  narrow?: number
  /** Where there is too little room, the column with the lowest number goes first; the expanded row has what it held. */
  goes?: number
}

export interface ColumnModel<Key extends string, OrderBy extends string> {
  /** Every column that can be chosen, in the usual order. */
  all: readonly ListColumn<Key, OrderBy>[]
  /** The column that takes what is left; where it is hidden, the others share it. */
  elastic: Key
}

/** What stands before the chosen columns: the box, and the arrow that expands. In pixels. */
export const leadingWidths = { select: 32, expand: 28 } as const
const LEADING = leadingWidths.select + leadingWidths.expand

/** The keys of the usual columns in their usual order. */
export function usualKeys<K extends string>({ all }: ColumnModel<K, string>): K[] {
  return all.map(({ key }) => key)
}

/** Reads keys of columns, dropping unknown and repeated ones; null when none is left or they are the usual ones. */
export function readColumnKeys<K extends string>(model: ColumnModel<K, string>, names: readonly string[]): K[] | null {
  const usual = usualKeys(model)
  const chosen = [...new Set(names.flatMap((name) => usual.find((key) => key === name) ?? []))]
  return chosen.length === 0 || chosen.join() === usual.join() ? null : chosen
}

/**
 * The chosen columns as they fit into so many pixels: at their full widths; else narrower, and without those that can
 * go, one after the other. What still does not fit scrolls sideways. `chosen` null: the usual ones.
 */
export function fitColumns<K extends string, O extends string>(
  { all, elastic }: ColumnModel<K, O>,
  chosen: readonly K[] | null,
  available: number,
): readonly ListColumn<K, O>[] {
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

function narrowed<C extends { width: number; narrow?: number }>(column: C): C {
  return { ...column, width: column.narrow ?? column.width }
}

/** What the table needs for these columns, in pixels. */
export function widthOf(shown: readonly { width: number }[]): number {
  return shown.reduce((sum, { width }) => sum + width, LEADING)
}

/** How a sorted column reads: by age, the newest first is ascending. */
export function shownDirection(column: { isInverse?: boolean }, order: 'ASC' | 'DESC'): 'ascending' | 'descending' {
  return (order === 'ASC') === (column.isInverse ?? false) ? 'descending' : 'ascending'
}

/** `key` moved one place up or down; the same list where there is no such place. */
export function moveColumn<K extends string>(keys: readonly K[], key: K, step: 1 | -1): K[] {
  const moved = [...keys]
  const from = moved.indexOf(key)
  const to = from + step
  if (from < 0 || to < 0 || to >= moved.length) return moved
  moved.splice(to, 0, ...moved.splice(from, 1))
  return moved
}

/** `key` shown or hidden; a column that comes back takes its usual place among the others. One column always stays. */
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
