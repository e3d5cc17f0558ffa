import type { Instrument } from '@benchwatch/contract/instruments/instruments'
import type { Maintenance } from '@benchwatch/contract/instruments/maintenance'
import {
  type InstrumentColumnKey,
  type InstrumentOrderBy,
  instrumentColumnLabels as labels,
} from '@benchwatch/contract/vocabulary'
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
import { OpenEventsCount, openEventsLabel, openEventsSplit } from '../open-events.tsx'
import styles from './instrument-list.module.css'

/** Values and actions of cells besides their instrument. */
export interface InstrumentLook {
  /** Time of the last confirmed status if statuses are outdated, else null. */
  statusesAsOf: number | null
  onMaintained: (id: string, maintenances: Maintenance[]) => void
}

/** Begins with the name that users search by. ORC status and events, the purpose of the list, always stay. */
export const instrumentColumns: ListModel<InstrumentColumnKey, InstrumentOrderBy, Instrument, InstrumentLook> = {
  caption: 'Instruments',
  things: 'instruments',
  idOf: ({ id }) => id,
  nameOf: (instrument) => `${instrument.instrumentProductDescription} ${instrument.instrumentInstalledProductId}`,
  all: [
    {
      key: 'systemName',
      label: labels.systemName,
      orderBy: 'instrumentDefinedSystemName',
      width: 110,
      grow: 1,
      card: [1, 1],
      cell: ({ id, instrumentDefinedSystemName, instrumentInstalledProductId }) => (
        <a href={`/instruments/${id}`} data-action="open">
          <CellText>{instrumentDefinedSystemName ?? instrumentInstalledProductId}</CellText>
        </a>
      ),
    },
    {
      key: 'instrument',
      label: labels.instrument,
      orderBy: 'instrumentProductDescription',
      width: 140,
      narrow: 112,
      card: [2, 1],
      cell: ({ instrumentProductDescription }) => <CellText>{instrumentProductDescription}</CellText>,
    },
    {
      key: 'status',
      label: labels.status,
      orderBy: 'trouble',
      width: 124,
      card: [3, 1],
      cell: (instrument, { statusesAsOf }) => (
        <InstrumentStatusDot
          status={instrument.instrumentStatus}
          asOf={statusesAsOf}
          orcStatus={instrument.orcStatus}
          lost={instrument}
        />
      ),
    },
    {
      key: 'productId',
      label: labels.productId,
      orderBy: 'instrumentInstalledProductId',
      width: 112,
      narrow: 104,
      card: [2, 2],
      isQuiet: true,
      cell: ({ instrumentInstalledProductId }) => <CellText>{instrumentInstalledProductId}</CellText>,
    },
    {
      key: 'region',
      label: labels.region,
      orderBy: 'instrumentRegion',
      width: 84,
      narrow: 80,
      goes: 2,
      card: [6, 2],
      isExtra: true,
      isQuiet: true,
      cell: ({ instrumentRegion }) => (
        <InstrumentValue category="instrumentRegion" value={instrumentRegion} text={instrumentRegion} />
      ),
    },
    {
      key: 'location',
      label: labels.location,
      orderBy: 'instrumentCity',
      width: 120,
      narrow: 112,
      goes: 3,
      card: [6, 1],
      isExtra: true,
      isQuiet: true,
      cell: ({ instrumentCity, instrumentCountry }) => (
        <InstrumentValue
          category="instrumentCity"
          value={instrumentCity}
          text={cityAndCountry(instrumentCity, instrumentCountry)}
        />
      ),
    },
    {
      key: 'customer',
      label: labels.customer,
      orderBy: 'instrumentCustomer',
      width: 140,
      narrow: 116,
      card: [4, 1],
      cell: ({ instrumentCustomer }) => (
        <InstrumentValue category="instrumentCustomer" value={instrumentCustomer} text={instrumentCustomer} />
      ),
    },
    {
      key: 'lastService',
      label: labels.lastService,
      orderBy: 'instrumentLastService',
      width: 104,
      narrow: 100,
      goes: 1,
      card: [7, 1],
      cardLabel: labels.lastService,
      isExtra: true,
      isQuiet: true,
      cell: ({ instrumentLastService }) => formatInstrumentDate(instrumentLastService),
    },
    {
      key: 'nextService',
      label: labels.nextService,
      orderBy: 'instrumentNextService',
      width: 110,
      narrow: 102,
      goes: 4,
      card: [4, 2],
      cardLabel: 'Service',
      className: styles.nextService,
      cell: ({ instrumentNextService: day }) =>
        day === null ? '–' : <Deadline day={day} text={formatInstrumentDate(day)} pastWord="overdue" />,
    },
    {
      key: 'orcStatus',
      label: labels.orcStatus,
      orderBy: 'orcStatus',
      width: 150,
      narrow: 136,
      card: [3, 2],
      className: styles.orcStatus,
      cell: (instrument, { onMaintained }) => (
        // Keyed by instrument: an open dialog must never switch to another one.
        <OrcStatusMenu
          key={instrument.id}
          instrument={instrument}
          onChanged={(maintenances) => onMaintained(instrument.id, maintenances)}
        />
      ),
    },
    {
      key: 'events',
      label: labels.events,
      orderBy: 'eventCount',
      width: 72,
      narrow: 62,
      card: [1, 2],
      className: styles.events,
      cell: (instrument) =>
        instrument.eventCount === 0 ? (
          <span className={styles.none}>0</span>
        ) : (
          <a
            className={styles.count}
            href={instrumentEventsAddress(instrument)}
            target="_blank"
            rel="noopener"
            aria-label={`${counted(instrument.eventCount, 'open event')} of ${instrument.instrumentProductDescription}, ${openEventsSplit(instrument)}, in a new tab`}
            title={`${openEventsLabel(instrument)}\nOpens in a new tab`}
          >
            <OpenEventsCount {...instrument} />
          </a>
        ),
    },
  ],
}
