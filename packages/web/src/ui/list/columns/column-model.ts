/**
 * Columns of a list. No table library is used: the server sorts, filters and pages, so a library would only draw
 * header cells, at 15 kB. The column chooser reorders and narrows this list.
 */

export interface ListColumn<Key extends string, OrderBy extends string> {
  key: Key
  /** Read out for every column; visible unless the column has an icon. */
  label: string
  /** True if the shown value falls as the sorted value grows: an age and the time of creation. */
  isInverse?: boolean
  orderBy: OrderBy
  /** Width in pixels. For the elastic column the minimum; it takes the remaining width. */
  width: number
  /** Reduced width used before columns are hidden; for the elastic column only when none can be hidden any more. */
  narrow?: number
  /** If space runs out, columns with the lowest number are hidden first; the expanded row shows their values. */
  goes?: number
}

export interface ColumnModel<Key extends string, OrderBy extends string> {
  /** Every available column, in default order. */
  all: readonly ListColumn<Key, OrderBy>[]
  /** The column that takes the remaining width; if it is hidden, the others share it. */
  elastic: Key
}

/** Widths in pixels of what precedes the chosen columns: checkbox and expand arrow. */
export const leadingWidths = { select: 32, expand: 28 } as const
const LEADING = leadingWidths.select + leadingWidths.expand

/** Returns the keys of the default columns in default order. */
export function usualKeys<K extends string>({ all }: ColumnModel<K, string>): K[] {
  return all.map(({ key }) => key)
}

/** Reads column keys, dropping unknown ones and duplicates. Null if none is left or they are the default. */
export function readColumnKeys<K extends string>(model: ColumnModel<K, string>, names: readonly string[]): K[] | null {
  const usual = usualKeys(model)
  const chosen = [...new Set(names.flatMap((name) => usual.find((key) => key === name) ?? []))]
  return chosen.length === 0 || chosen.join() === usual.join() ? null : chosen
}

/**
 * Returns the chosen columns as they fit into a width in pixels: at full width, else narrower, else with columns
 * hidden one by one. Anything wider scrolls sideways. `chosen` null means the default columns.
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

/** Returns the width of a table with these columns, in pixels. */
export function widthOf(shown: readonly { width: number }[]): number {
  return shown.reduce((sum, { width }) => sum + width, LEADING)
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
