import type { SelectionMode } from '@benchwatch/contract/vocabulary'
import type { ReactNode } from 'react'
import styles from './selection-bar.module.css'

/**
 * How many rows are selected and what can be done with them (`children`). It lies over one line of the
 * list, whose place it takes without moving a row, and clings to the top of the window while the list scrolls beneath.
 */
export function SelectionBar(props: {
  /** Its name, such as 'Selected events'. */
  label: string
  selected: { mode: SelectionMode; count: number; clear: () => void }
  total: number
  onSelectAll: () => void
  children?: ReactNode
}) {
  const { selected, total } = props
  const isOpen = selected.count > 0
  const words = `${selected.count.toLocaleString('en')} selected`
  return (
    <>
      {/* Always there: what is said in a region that has just come is not read out. */}
      <p className={styles.said} role="status">
        {isOpen ? words : ''}
      </p>
      {isOpen && (
        <div className={styles.place}>
          <section className={styles.bar} aria-label={props.label}>
            <strong className={styles.count}>{words}</strong>
            <button type="button" className={styles.link} onClick={selected.clear}>
              Clear
            </button>
            {selected.mode === 'include' && selected.count < total && (
              <button type="button" className={styles.link} onClick={props.onSelectAll}>
                Select all {total.toLocaleString('en')}
              </button>
            )}
            <div className={styles.actions}>{props.children}</div>
          </section>
        </div>
      )}
    </>
  )
}
