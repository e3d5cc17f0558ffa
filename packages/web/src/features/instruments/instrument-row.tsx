import type { Instrument } from '@benchwatch/contract/instruments'
import type { Maintenance } from '@benchwatch/contract/maintenance'
import { memo } from 'react'
import { ListRow } from '../../ui/list-table.tsx'
import { instrumentCells } from './instrument-cells.tsx'
import type { InstrumentColumn } from './instrument-list.columns.ts'
import styles from './instrument-table.module.css'

/** What an instrument is called where its box and its arrow are read out. */
export function instrumentName(instrument: Instrument): string {
  return `${instrument.instrumentProductDescription} ${instrument.instrumentInstalledProductId}`
}

/** One instrument in the list. */
export const InstrumentRow = memo(function InstrumentRow(props: {
  instrument: Instrument
  /** The same array while the columns are the same, or every row is painted again. */
  columns: readonly InstrumentColumn[]
  isSelected: boolean
  isExpanded: boolean
  isCurrent: boolean
  statusesAsOf: number | null
  /** The same function all the time. */
  onMaintained: (id: string, maintenances: Maintenance[]) => void
}) {
  const { instrument } = props
  return (
    <ListRow
      id={instrument.id}
      name={instrumentName(instrument)}
      columns={props.columns}
      look={styles}
      isSelected={props.isSelected}
      isExpanded={props.isExpanded}
      isCurrent={props.isCurrent}
      cell={(key) => instrumentCells[key](instrument, props)}
    />
  )
})
