import type { Instrument } from '@benchwatch/contract/instruments'
import type { Maintenance } from '@benchwatch/contract/maintenance'
import type { ReactNode } from 'react'
import { cityAndCountry } from '../../lib/address.ts'
import { counted } from '../../lib/counted.ts'
import { formatInstrumentDate } from '../../lib/dates.ts'
import { Deadline } from '../../ui/deadline.tsx'
import { CellText } from '../../ui/list-table.tsx'
import { InstrumentStatusDot } from '../connections/instrument-status-dot.tsx'
import { OrcStatusMenu } from '../maintenance/orc-status-menu.tsx'
import { instrumentEventsAddress } from './instrument-events-address.ts'
import type { InstrumentColumnKey } from './instrument-list.columns.ts'
import styles from './instrument-table.module.css'

interface Look {
  /** Since when no instrument status could be confirmed; null while they are. */
  statusesAsOf: number | null
  onMaintained: (id: string, maintenances: Maintenance[]) => void
}

/** What each column shows of an instrument. Texts of people may run in either direction. */
export const instrumentCells: Record<InstrumentColumnKey, (instrument: Instrument, look: Look) => ReactNode> = {
  instrument: (instrument, { statusesAsOf }) => (
    <span className={styles.named}>
      <InstrumentStatusDot status={instrument.instrumentStatus} asOf={statusesAsOf} orcStatus={instrument.orcStatus} />
      <a
        href={`/instruments/${instrument.id}`}
        data-action="open"
        title={instrument.instrumentProductDescription}
        dir="auto"
      >
        {instrument.instrumentProductDescription}
      </a>
    </span>
  ),
  systemName: (instrument) => <CellText>{instrument.instrumentDefinedSystemName}</CellText>,
  productId: (instrument) => <CellText>{instrument.instrumentInstalledProductId}</CellText>,
  region: (instrument) => <CellText>{instrument.instrumentRegion}</CellText>,
  location: ({ instrumentCity, instrumentCountry }) => (
    <CellText>{cityAndCountry(instrumentCity, instrumentCountry)}</CellText>
  ),
  customer: (instrument) => <CellText>{instrument.instrumentCustomer}</CellText>,
  lastService: (instrument) => formatInstrumentDate(instrument.instrumentLastService),
  nextService: ({ instrumentNextService: day }) =>
    day === null ? '–' : <Deadline day={day} text={formatInstrumentDate(day)} pastWord="overdue" />,
  orcStatus: (instrument, { onMaintained }) => (
    // By its instrument: an open dialog must never come to speak of another one.
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
}
