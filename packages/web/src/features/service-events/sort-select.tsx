import type { EventOrderBy } from '@benchwatch/contract/vocabulary'
import { NativeSelect } from '../../ui/native-select.tsx'
import { SortArrow } from '../../ui/sort-arrow.tsx'
import { eventColumns, shownDirection } from './event-list.columns.ts'
import type { EventSearch } from './service-events.search.ts'
import styles from './sort-select.module.css'

/** Sorting where there is no table head to click: on a phone. Choosing sorts as the first click on that column does. */
export function SortSelect(props: {
  sort: Pick<EventSearch, 'order' | 'orderBy'>
  onSort: (orderBy: EventOrderBy) => void
}) {
  const { sort, onSort } = props
  const current = eventColumns.find(({ orderBy }) => orderBy === sort.orderBy)
  const direction = current === undefined ? 'ascending' : shownDirection(current, sort.order)
  return (
    <div className={styles.sort}>
      <NativeSelect
        aria-label="Sort by"
        value={sort.orderBy}
        onChange={({ currentTarget }) => onSort(currentTarget.value as EventOrderBy)}
      >
        {eventColumns.map(({ label, orderBy }) => (
          <option key={orderBy} value={orderBy}>
            {label}
          </option>
        ))}
      </NativeSelect>
      <button type="button" aria-label={`Sorted ${direction}; reverse`} onClick={() => onSort(sort.orderBy)}>
        <SortArrow direction={direction} />
      </button>
    </div>
  )
}
