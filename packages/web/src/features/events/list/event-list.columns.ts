import type { EventOrderBy } from '@benchwatch/contract/vocabulary'
import type { ColumnModel, ListColumn } from '../../../ui/list/columns/column-model.ts'

/** The columns of the event list, in the order of the specification. */

export type EventColumnKey =
  | 'severity'
  | 'age'
  | 'eventId'
  | 'description'
  | 'instrumentStatus'
  | 'instrument'
  | 'productId'
  | 'location'
  | 'customer'
  | 'owner'
  | 'status'
  | 'email'

export type EventColumn = ListColumn<EventColumnKey, EventOrderBy>

export const eventColumns: ColumnModel<EventColumnKey, EventOrderBy> = {
  elastic: 'description',
  all: [
    { key: 'severity', label: 'Severity', orderBy: 'severity', width: 80 },
    { key: 'age', label: 'Age', orderBy: 'createdAt', isInverse: true, width: 76 },
    { key: 'eventId', label: 'Event', orderBy: 'eventId', width: 100 },
    { key: 'description', label: 'Description', orderBy: 'description', width: 188, narrow: 152 },
    { key: 'instrumentStatus', label: 'Instrument status', orderBy: 'instrumentStatus', width: 26 },
    { key: 'instrument', label: 'Instrument', orderBy: 'instrumentProductDescription', width: 124, narrow: 116 },
    {
      key: 'productId',
      label: 'Installed product ID',
      orderBy: 'instrumentInstalledProductId',
      width: 148,
      narrow: 134,
      goes: 2,
    },
    { key: 'location', label: 'Location', orderBy: 'siteCity', width: 124, narrow: 108, goes: 3 },
    { key: 'customer', label: 'Customer', orderBy: 'enterpriseName', width: 156, narrow: 140 },
    { key: 'owner', label: 'Owner', orderBy: 'claimedBy', width: 98, narrow: 84 },
    { key: 'status', label: 'Status', orderBy: 'alertStatus', width: 62 },
    { key: 'email', label: 'E-mail sent', orderBy: 'automaticEmailSentAt', width: 38, goes: 1 },
  ],
}
