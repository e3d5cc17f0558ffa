import { memo } from 'react'
import { Chevron } from '../../ui/chevron.tsx'
import { eventCells } from './event-cells.tsx'
import type { EventColumn } from './event-list.columns.ts'
import type { Viewer } from './event-owner.ts'
import styles from './event-table.module.css'
import { eventName } from './event-toasts.ts'
import type { ListedServiceEvent } from './service-event-cache.ts'

/**
 * One event in the list. Native elements only: a hundred rows of component-library cells cost three times the time to
 * paint. The table handles clicks and keys for all rows; the marks it looks for are `data-row` and `data-action`.
 */
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
  const { row, isSelected, isExpanded } = props
  const name = eventName(row.alarm)
  return (
    <tr
      className={styles.row}
      data-row={row.alarm.id}
      data-selected={isSelected || undefined}
      data-expanded={isExpanded || undefined}
      data-current={props.isCurrent || undefined}
      data-removed={row.removed || undefined}
    >
      <td className={styles.select}>
        <label className={styles.box}>
          <input
            type="checkbox"
            data-action="select"
            checked={isSelected}
            disabled={row.removed}
            aria-label={`Select ${name}`}
            onChange={handledByTable}
          />
        </label>
      </td>
      <td className={styles.expand}>
        <button
          type="button"
          className={styles.arrow}
          data-action="expand"
          aria-expanded={isExpanded}
          aria-label={`${isExpanded ? 'Collapse' : 'Expand'} ${name}`}
        >
          <Chevron to="right" />
        </button>
      </td>
      {props.columns.map(({ key }) => (
        <td key={key} className={styles[key]}>
          {eventCells[key](row, props)}
        </td>
      ))}
    </tr>
  )
})

/** A box that React checks must have a listener of its own. */
function handledByTable(): void {}
