import { type ColumnModel, shownDirection } from './column-model.ts'
import { NativeSelect } from './native-select.tsx'
import { SortArrow } from './sort-arrow.tsx'
import styles from './sort-select.module.css'

/** Sorting where there is no table head to click: on a phone. Choosing sorts as the first click on that column does. */
export function SortSelect<OrderBy extends string>(props: {
  columns: ColumnModel<string, OrderBy>
  sort: { order: 'ASC' | 'DESC'; orderBy: OrderBy }
  onSort: (orderBy: OrderBy) => void
}) {
  const { sort, onSort } = props
  const current = props.columns.all.find(({ orderBy }) => orderBy === sort.orderBy)
  const direction = current === undefined ? 'ascending' : shownDirection(current, sort.order)
  return (
    <div className={styles.sort}>
      <NativeSelect
        aria-label="Sort by"
        value={sort.orderBy}
        onChange={({ currentTarget }) => onSort(currentTarget.value as OrderBy)}
      >
        {props.columns.all.map(({ label, orderBy }) => (
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
