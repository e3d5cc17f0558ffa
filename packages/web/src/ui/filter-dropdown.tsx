import { IconFilter } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Chevron } from './chevron.tsx'
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
      icon={<IconFilter size={15} stroke={1.7} aria-hidden="true" />}
      mark={
        count > 0 ? (
          <span className={styles.count}>
            {count}
            <span className={styles.hidden}> chosen</span>
          </span>
        ) : (
          <Chevron to="down" />
        )
      }
      preload={props.preload}
      panel={props.panel}
    >
      Filter
    </Dropdown>
  )
}
