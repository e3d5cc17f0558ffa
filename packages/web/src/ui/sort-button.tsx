import type { ReactNode } from 'react'
import { SortArrow } from './sort-arrow.tsx'
import styles from './sort-button.module.css'

/** The head of a column: its name, or its sign where it is narrow, and the way it is sorted. */
export function SortButton(props: {
  /** The name is read out wherever a sign stands in its place. */
  label: string
  sign?: ReactNode
  direction: 'ascending' | 'descending' | undefined
  onPress: () => void
}) {
  const { label, sign, direction } = props
  return (
    <button
      type="button"
      className={styles.sort}
      data-narrow={sign !== undefined || undefined}
      title={`Sort by ${label.toLowerCase()}`}
      onClick={props.onPress}
    >
      <span className={sign === undefined ? undefined : styles.name}>{label}</span>
      {sign}
      <span className={styles.direction} data-direction={direction}>
        <SortArrow direction={direction} />
      </span>
    </button>
  )
}
