import type { EventOrderBy } from '@benchwatch/contract/vocabulary'

/**
 * The columns of the event list in their order. A plain list instead of a table library: sorting, filtering and paging
 * happen at the server, so such a library would only be asked for header cells, at 15 kB. A column chooser reorders and
 * narrows this same list.
 */

export interface EventColumn {
  key: string
  /** Read out for every column; shown unless `isLabelHidden`. */
  label: string
  isLabelHidden?: boolean
  /** Absent where the server can't sort by it. */
  orderBy?: EventOrderBy
  /** Narrower screens leave out columns of the higher numbers; 1 stays everywhere. */
  rank: 1 | 2 | 3
}

export const eventColumns: readonly EventColumn[] = [
  { key: 'expand', label: 'Expand', isLabelHidden: true, rank: 1 },
  { key: 'severity', label: 'Severity', orderBy: 'severity', rank: 1 },
  { key: 'age', label: 'Age', orderBy: 'createdAt', rank: 1 },
  { key: 'eventId', label: 'Event', orderBy: 'eventId', rank: 1 },
  { key: 'description', label: 'Description', orderBy: 'description', rank: 1 },
  {
    key: 'instrumentStatus',
    label: 'Instrument status',
    isLabelHidden: true,
    orderBy: 'instrumentStatus',
    rank: 1,
  },
  { key: 'instrument', label: 'Instrument', orderBy: 'instrumentProductDescription', rank: 1 },
  { key: 'productId', label: 'Product ID', orderBy: 'instrumentInstalledProductId', rank: 3 },
  { key: 'location', label: 'Location', orderBy: 'siteCity', rank: 2 },
  { key: 'customer', label: 'Customer', orderBy: 'enterpriseName', rank: 1 },
  { key: 'owner', label: 'Owner', orderBy: 'claimedBy', rank: 1 },
  { key: 'status', label: 'Status', orderBy: 'alertStatus', rank: 1 },
  { key: 'email', label: 'E-mail sent', isLabelHidden: true, orderBy: 'automaticEmailSentAt', rank: 3 },
]
