import { IconChevronDown, IconFilter } from '@tabler/icons-react'
import { type ReactNode, Suspense } from 'react'
import { Dropdown } from './dropdown.tsx'
import styles from './filter-dropdown.module.css'

/** A button with the number of chosen values, and below it the panel where they are chosen: a `FilterPanel`, loaded lazily. */
export function FilterDropdown(props: {
  count: number
  preload: () => unknown
  panel: (close: () => void) => ReactNode
}) {
  const { count } = props
  return (
    <Dropdown
      title="Filter"
      label={count > 0 ? `Filter, ${count} chosen` : 'Filter'}
      icon={<IconFilter size={15} stroke={1.7} aria-hidden="true" />}
      mark={
        count > 0 ? (
          <span className={styles.count}>{count}</span>
        ) : (
          <IconChevronDown size={14} stroke={1.8} aria-hidden="true" />
        )
      }
      preload={props.preload}
      panel={(close) => (
        <Suspense fallback={<div className={styles.loading} role="status" aria-label="Loading filters" />}>
          {props.panel(close)}
        </Suspense>
      )}
    >
      Filter
    </Dropdown>
  )
}
