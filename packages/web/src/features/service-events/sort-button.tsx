import { columnSigns } from './column-sign.tsx'
import type { EventColumn } from './event-list.columns.ts'
import { SortArrow } from './sort-arrow.tsx'
import styles from './sort-button.module.css'

/** The head of a column: its name, or its sign where it is narrow, and the way it is sorted. */
export function SortButton(props: {
  column: EventColumn
  direction: 'ascending' | 'descending' | undefined
  onPress: () => void
}) {
  const { column, direction } = props
  const sign = columnSigns[column.key]
  return (
    <button
      type="button"
      className={styles.sort}
      data-narrow={sign !== undefined || undefined}
      title={`Sort by ${column.label.toLowerCase()}`}
      onClick={props.onPress}
    >
      <span className={sign === undefined ? undefined : styles.name}>{column.label}</span>
      {sign}
      <span className={styles.direction} data-direction={direction}>
        <SortArrow direction={direction} />
      </span>
    </button>
  )
}
