import type { EventOrderBy } from '@benchwatch/contract/vocabulary'

/**
 * The columns of the event list in their order. A plain list instead of a table library: sorting, filtering and paging
 * happen at the server, so such a library would only be asked for header cells, at 15 kB. The column chooser reorders and
 * narrows this same list.
 */

/** Columns that a person may show, hide and put in another order; the usual ones in their usual order. */
export const eventColumnKeys = [
  'severity',
  'age',
  'eventId',
  'description',
  'instrumentStatus',
  'instrument',
  'productId',
  'location',
  'customer',
  'owner',
  'status',
  'email',
] as const
export type EventColumnKey = (typeof eventColumnKeys)[number]

/** Reads keys of columns, dropping unknown and repeated ones; null when none is left or they are the usual ones. */
export function readColumnKeys(names: readonly string[]): EventColumnKey[] | null {
  const keys = names.flatMap((name) => eventColumnKeys.find((key) => key === name) ?? [])
  const chosen = [...new Set(keys)]
  return chosen.length === 0 || sameAsUsual(chosen) ? null : chosen
}

export function sameAsUsual(keys: readonly EventColumnKey[]): boolean {
  return keys.join() === eventColumnKeys.join()
}

export interface EventColumn {
  key: EventColumnKey
  /** Read out for every column; shown unless it has a sign. */
  label: string
  /** Where what is shown grows as the sorted value falls: the age of an event and its time of creation. */
  isInverse?: boolean
  orderBy: EventOrderBy
  /** In pixels. The description takes what the others leave, and this at least. */
  width: number
  /** The width it makes do with before columns have to go; the description only when none can go any more. */
  narrow?: number
  /** Where there is too little room, the column with the lowest number goes first; the expanded row has what it held. */
  goes?: number
}

const columns: Record<EventColumnKey, Omit<EventColumn, 'key'>> = {
  severity: { label: 'Severity', orderBy: 'severity', width: 80 },
  age: { label: 'Age', orderBy: 'createdAt', isInverse: true, width: 76 },
  eventId: { label: 'Event', orderBy: 'eventId', width: 100 },
  description: { label: 'Description', orderBy: 'description', width: 188, narrow: 152 },
  instrumentStatus: { label: 'Instrument status', orderBy: 'instrumentStatus', width: 26 },
  instrument: { label: 'Instrument', orderBy: 'instrumentProductDescription', width: 124, narrow: 116 },
  productId: { label: 'Product ID', orderBy: 'instrumentInstalledProductId', width: 104, goes: 2 },
  location: { label: 'Location', orderBy: 'siteCity', width: 124, goes: 3 },
  customer: { label: 'Customer', orderBy: 'enterpriseName', width: 156, narrow: 140 },
  owner: { label: 'Owner', orderBy: 'claimedBy', width: 98, narrow: 84 },
  status: { label: 'Status', orderBy: 'alertStatus', width: 62 },
  email: { label: 'E-mail sent', orderBy: 'automaticEmailSentAt', width: 38, goes: 1 },
}

/** Every column that can be chosen, the usual order. */
export const eventColumns: readonly EventColumn[] = eventColumnKeys.map((key) => ({ key, ...columns[key] }))

/** What stands before the chosen columns: the box, and the arrow that expands. In pixels. */
export const leadingWidths = { select: 32, expand: 28 } as const
const LEADING = leadingWidths.select + leadingWidths.expand

/**
 * The chosen columns as they fit into so many pixels: at their full widths; else narrower, and without those that can
 * go, one after the other. What still does not fit scrolls sideways.
 */
export function fitColumns(chosen: readonly EventColumnKey[] | null, available: number): readonly EventColumn[] {
  const shown = (chosen ?? eventColumnKeys).map((key) => ({ key, ...columns[key] }))
  if (widthOf(shown) <= available) return shown
  let fitting = shown.map((column) => (column.key === 'description' ? column : narrowed(column)))
  while (widthOf(fitting) > available && fitting.length > 1) {
    const next = Math.min(...fitting.map(({ goes = Number.POSITIVE_INFINITY }) => goes))
    if (next === Number.POSITIVE_INFINITY) return fitting.map(narrowed)
    fitting = fitting.filter(({ goes }) => goes !== next)
  }
  return fitting
}

function narrowed(column: EventColumn): EventColumn {
  return { ...column, width: column.narrow ?? column.width }
}

/** What the table needs for these columns, in pixels. */
export function widthOf(shown: readonly EventColumn[]): number {
  return shown.reduce((sum, { width }) => sum + width, LEADING)
}

/** How a sorted column reads: by age, the newest first is ascending. */
export function shownDirection(column: EventColumn, order: 'ASC' | 'DESC'): 'ascending' | 'descending' {
  return (order === 'ASC') === (column.isInverse ?? false) ? 'descending' : 'ascending'
}

/** `key` moved one place up or down; the same list where there is no such place. */
export function moveColumn(keys: readonly EventColumnKey[], key: EventColumnKey, step: 1 | -1): EventColumnKey[] {
  const moved = [...keys]
  const from = moved.indexOf(key)
  const to = from + step
  if (from < 0 || to < 0 || to >= moved.length) return moved
  moved.splice(to, 0, ...moved.splice(from, 1))
  return moved
}

/** `key` shown or hidden; a column that comes back takes its usual place among the others. One column always stays. */
export function showColumn(keys: readonly EventColumnKey[], key: EventColumnKey, isShown: boolean): EventColumnKey[] {
  const others = keys.filter((other) => other !== key)
  if (!isShown) return others.length > 0 ? others : [...keys]
  const usual = eventColumnKeys.indexOf(key)
  const before = others.findLastIndex((other) => eventColumnKeys.indexOf(other) < usual)
  return [...others.slice(0, before + 1), key, ...others.slice(before + 1)]
}
