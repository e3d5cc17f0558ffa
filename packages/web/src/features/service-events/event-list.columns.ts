import type { EventOrderBy } from '@benchwatch/contract/vocabulary'

/**
 * The columns of the event list in their order. A plain list instead of a table library: sorting, filtering and paging
 * happen at the server, so such a library would only be asked for header cells, at 15 kB. A column chooser reorders and
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
  key: string
  /** Read out for every column; shown unless a `sign` stands in its place. */
  label: string
  sign?: string
  /** Where what is shown grows as the sorted value falls: the age of an event and its time of creation. */
  isInverse?: boolean
  /** Absent where the server can't sort by it. */
  orderBy?: EventOrderBy
}

export const eventColumns: readonly EventColumn[] = [
  { key: 'expand', label: 'Expand', sign: '' },
  { key: 'severity', label: 'Severity', orderBy: 'severity' },
  { key: 'age', label: 'Age', orderBy: 'createdAt', isInverse: true },
  { key: 'eventId', label: 'Event', orderBy: 'eventId' },
  { key: 'description', label: 'Description', orderBy: 'description' },
  {
    key: 'instrumentStatus',
    label: 'Instrument status',
    sign: '●',
    orderBy: 'instrumentStatus',
  },
  { key: 'instrument', label: 'Instrument', orderBy: 'instrumentProductDescription' },
  { key: 'productId', label: 'Product ID', orderBy: 'instrumentInstalledProductId' },
  { key: 'location', label: 'Location', orderBy: 'siteCity' },
  { key: 'customer', label: 'Customer', orderBy: 'enterpriseName' },
  { key: 'owner', label: 'Owner', orderBy: 'claimedBy' },
  { key: 'status', label: 'Status', orderBy: 'alertStatus' },
  { key: 'email', label: 'E-mail sent', sign: '✉', orderBy: 'automaticEmailSentAt' },
]

/** How a sorted column reads: by age, the newest first is ascending. */
export function shownDirection(column: EventColumn, order: 'ASC' | 'DESC'): 'ascending' | 'descending' {
  return (order === 'ASC') === (column.isInverse ?? false) ? 'descending' : 'ascending'
}
