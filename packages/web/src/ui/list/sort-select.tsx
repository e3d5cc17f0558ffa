import { NativeSelect } from '../form/native-select.tsx'
import { type ColumnModel, shownDirection } from './columns/column-model.ts'
import styles from './sort-select.module.css'

const strokes = {
  ascending: 'M8 13V3.5M4.5 7 8 3.5 11.5 7',
  descending: 'M8 3v9.5M4.5 9 8 12.5 11.5 9',
  none: 'M5.5 12V4M3 6.5 5.5 4 8 6.5M10.5 4v8M8 9.5l2.5 2.5L13 9.5',
} as const

/** Sorts without a table head, on a phone. Choosing a column has the same effect as the first click on its head. */
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

/** Arrow for the sort direction; both directions if the column is not sorted. The button's name describes it. */
export function SortArrow({ direction }: { direction: 'ascending' | 'descending' | undefined }) {
  return (
    <svg viewBox="0 0 16 16" width="13" height="13" aria-hidden="true">
      <path
        d={strokes[direction ?? 'none']}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.6"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  )
}
