import type { SelectionMode } from '@benchwatch/contract/vocabulary'
import type { ReactNode } from 'react'
import styles from './selection-bar.module.css'

/**
 * Shows the number of selected rows and the actions for them (`children`). Covers one line of the list without moving
 * rows, and sticks to the top of the window while the list scrolls.
 */
export function SelectionBar(props: {
  /** Accessible name, such as 'Selected events'. */
  label: string
  selected: { mode: SelectionMode; count: number; clear: () => void }
  total: number
  onSelectAll: () => void
  /** The content of the line that the bar covers, if it is still needed. */
  covered?: ReactNode
  children?: ReactNode
}) {
  const { selected, total } = props
  const isOpen = selected.count > 0
  const text = `${selected.count.toLocaleString('en')} selected`
  return (
    <>
      {/* Always rendered: screen readers ignore the content of a live region that has just been added. */}
      <p className={styles.said} role="status">
        {isOpen ? text : ''}
      </p>
      {isOpen && (
        <div className={styles.place}>
          <section className={styles.bar} aria-label={props.label}>
            <strong className={styles.count}>{text}</strong>
            <button type="button" className={styles.link} onClick={selected.clear}>
              Clear
            </button>
            {selected.mode === 'include' && selected.count < total && (
              <button type="button" className={styles.link} onClick={props.onSelectAll}>
                Select all {total.toLocaleString('en')}
              </button>
            )}
            {props.covered}
            <div className={styles.actions}>{props.children}</div>
          </section>
        </div>
      )}
    </>
  )
}
