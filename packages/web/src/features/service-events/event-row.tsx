import { memo } from 'react'
import { eventName } from '../../lib/event-name.ts'
import { ListRow } from '../../ui/list-table.tsx'
import { eventCells } from './event-cells.tsx'
import type { EventColumn } from './event-list.columns.ts'
import type { Viewer } from './event-owner.ts'
import styles from './event-table.module.css'
import type { ListedServiceEvent } from './service-event-cache.ts'

/** One event in the list. */
export const EventRow = memo(function EventRow(props: {
  row: ListedServiceEvent
  /** The same array while the columns are the same, or every row is painted again. */
  columns: readonly EventColumn[]
  viewer: Viewer
  now: number
  isSelected: boolean
  isExpanded: boolean
  isCurrent: boolean
  /** Its description dropdown is open. */
  isDescribed: boolean
  /** Since when no instrument status could be confirmed; null while they are. */
  statusesAsOf: number | null
}) {
  const { row } = props
  return (
    <ListRow
      id={row.alarm.id}
      name={eventName(row.alarm)}
      columns={props.columns}
      look={styles}
      isSelected={props.isSelected}
      isExpanded={props.isExpanded}
      isCurrent={props.isCurrent}
      isRemoved={row.removed}
      cell={(key) => eventCells[key](row, props)}
    />
  )
})
