import type { Instrument } from '@benchwatch/contract/instruments'
import type { Maintenance } from '@benchwatch/contract/maintenance'
import type { InstrumentOrderBy } from '@benchwatch/contract/vocabulary'
import { cityAndCountry } from '../../../lib/address.ts'
import { counted } from '../../../lib/folded.ts'
import { formatInstrumentDate } from '../../../lib/time/dates.ts'
import type { ListModel } from '../../../ui/list/list-columns.ts'
import { CellText } from '../../../ui/list/list-table.tsx'
import { Deadline } from '../../../ui/time/zoned-time.tsx'
import { InstrumentStatusDot } from '../../connections/instrument-status-dot.tsx'
import { OrcStatusMenu } from '../../maintenance/orc-status-menu.tsx'
import { instrumentEventsAddress } from '../details/instrument-events-address.ts'
import { InstrumentValue } from '../instrument-value.ts'
import type { InstrumentColumnKey } from '../instruments.search.ts'
import styles from './instrument-list.module.css'

/** Values and actions of cells besides their instrument. */
export interface InstrumentLook {
  /** Time of the last confirmed status if statuses are outdated, else null. */
  statusesAsOf: number | null
  onMaintained: (id: string, maintenances: Maintenance[]) => void
}

/** Narrow screens drop first what the expanded row repeats. ORC status and events, the purpose of the list, stay. */
export const instrumentColumns: ListModel<InstrumentColumnKey, InstrumentOrderBy, Instrument, InstrumentLook> = {
  caption: 'Instruments',
  things: 'instruments',
  idOf: ({ id }) => id,
  nameOf: (instrument) => `${instrument.instrumentProductDescription} ${instrument.instrumentInstalledProductId}`,
  classes: styles,
  elastic: 'instrument',
  card: [
    ['instrument', 'events'],
    ['systemName', 'productId'],
    ['customer', 'nextService'],
    ['orcStatus'],
    ['location', 'region'],
    ['lastService'],
  ],
  all: [
    { key: 'instrument', label: 'Instrument', orderBy: 'instrumentProductDescription', width: 172, narrow: 148 },
    { key: 'systemName', label: 'System name', orderBy: 'instrumentDefinedSystemName', width: 140, narrow: 120 },
    {
      key: 'productId',
      label: 'Installed product ID',
      orderBy: 'instrumentInstalledProductId',
      width: 146,
      narrow: 130,
      isQuiet: true,
    },
    {
      key: 'region',
      label: 'Region',
      orderBy: 'instrumentRegion',
      width: 84,
      narrow: 80,
      goes: 2,
      isExtra: true,
      isQuiet: true,
    },
    {
      key: 'location',
      label: 'Location',
      orderBy: 'instrumentCity',
      width: 128,
      narrow: 112,
      goes: 3,
      isExtra: true,
      isQuiet: true,
    },
    { key: 'customer', label: 'Customer', orderBy: 'instrumentCustomer', width: 148, narrow: 124 },
    {
      key: 'lastService',
      label: 'Last service',
      orderBy: 'instrumentLastService',
      width: 104,
      narrow: 100,
      goes: 1,
      cardLabel: 'Last service',
      isExtra: true,
      isQuiet: true,
    },
    {
      key: 'nextService',
      label: 'Next service',
      orderBy: 'instrumentNextService',
      width: 110,
      narrow: 106,
      goes: 4,
      cardLabel: 'Service',
    },
    { key: 'orcStatus', label: 'ORC status', orderBy: 'orcStatus', width: 158, narrow: 152 },
    { key: 'events', label: 'Events', orderBy: 'eventCount', width: 72, narrow: 66 },
  ],
  cells: {
    instrument: (instrument, { statusesAsOf }) => (
      <span className={styles.named}>
        <InstrumentStatusDot
          status={instrument.instrumentStatus}
          asOf={statusesAsOf}
          orcStatus={instrument.orcStatus}
        />
        <a href={`/instruments/${instrument.id}`} data-action="open">
          <CellText>{instrument.instrumentProductDescription}</CellText>
        </a>
      </span>
    ),
    systemName: (instrument) => <CellText>{instrument.instrumentDefinedSystemName}</CellText>,
    productId: (instrument) => <CellText>{instrument.instrumentInstalledProductId}</CellText>,
    region: ({ instrumentRegion }) => (
      <InstrumentValue category="instrumentRegion" value={instrumentRegion}>
        <CellText>{instrumentRegion}</CellText>
      </InstrumentValue>
    ),
    location: ({ instrumentCity, instrumentCountry }) => (
      <InstrumentValue category="instrumentCity" value={instrumentCity}>
        <CellText>{cityAndCountry(instrumentCity, instrumentCountry)}</CellText>
      </InstrumentValue>
    ),
    customer: ({ instrumentCustomer }) => (
      <InstrumentValue category="instrumentCustomer" value={instrumentCustomer}>
        <CellText>{instrumentCustomer}</CellText>
      </InstrumentValue>
    ),
    lastService: (instrument) => formatInstrumentDate(instrument.instrumentLastService),
    nextService: ({ instrumentNextService: day }) =>
      day === null ? '–' : <Deadline day={day} text={formatInstrumentDate(day)} pastWord="overdue" />,
    orcStatus: (instrument, { onMaintained }) => (
      // Keyed by instrument: an open dialog must never switch to another one.
      <OrcStatusMenu
        key={instrument.id}
        instrument={instrument}
        onChanged={(maintenances) => onMaintained(instrument.id, maintenances)}
      />
    ),
    events: (instrument) =>
      instrument.eventCount === 0 ? (
        <span className={styles.none}>0</span>
      ) : (
        <a
          className={styles.count}
          href={instrumentEventsAddress(instrument)}
          target="_blank"
          rel="noopener"
          aria-label={`${counted(instrument.eventCount, 'open event')} of ${instrument.instrumentProductDescription}, in a new tab`}
          title={`${counted(instrument.eventCount, 'open event')}; opens in a new tab`}
        >
          {instrument.eventCount.toLocaleString('en')}
        </a>
      ),
  },
}
