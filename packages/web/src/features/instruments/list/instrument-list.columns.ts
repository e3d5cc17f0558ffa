import type { InstrumentOrderBy } from '@benchwatch/contract/vocabulary'
import type { ColumnModel, ListColumn } from '../../../ui/list/columns/column-model.ts'

/** The columns of the instrument list, in the order of document 2 section 2. */

export type InstrumentColumnKey =
  | 'instrument'
  | 'systemName'
  | 'productId'
  | 'region'
  | 'location'
  | 'customer'
  | 'lastService'
  | 'nextService'
  | 'orcStatus'
  | 'events'

export type InstrumentColumn = ListColumn<InstrumentColumnKey, InstrumentOrderBy>

/** Narrow screens drop first what the expanded row repeats. ORC status and events, the purpose of the list, stay. */
export const instrumentColumns: ColumnModel<InstrumentColumnKey, InstrumentOrderBy> = {
  elastic: 'instrument',
  all: [
    { key: 'instrument', label: 'Instrument', orderBy: 'instrumentProductDescription', width: 172, narrow: 148 },
    { key: 'systemName', label: 'System name', orderBy: 'instrumentDefinedSystemName', width: 140, narrow: 120 },
    {
      key: 'productId',
      label: 'Installed product ID',
      orderBy: 'instrumentInstalledProductId',
      width: 146,
      narrow: 130,
    },
    { key: 'region', label: 'Region', orderBy: 'instrumentRegion', width: 84, narrow: 80, goes: 2 },
    { key: 'location', label: 'Location', orderBy: 'instrumentCity', width: 128, narrow: 112, goes: 3 },
    { key: 'customer', label: 'Customer', orderBy: 'instrumentCustomer', width: 148, narrow: 124 },
    { key: 'lastService', label: 'Last service', orderBy: 'instrumentLastService', width: 104, narrow: 100, goes: 1 },
    { key: 'nextService', label: 'Next service', orderBy: 'instrumentNextService', width: 110, narrow: 106, goes: 4 },
    { key: 'orcStatus', label: 'ORC status', orderBy: 'orcStatus', width: 158, narrow: 152 },
    { key: 'events', label: 'Events', orderBy: 'eventCount', width: 72, narrow: 66 },
  ],
}
