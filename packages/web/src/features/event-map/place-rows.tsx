import type { ReactNode } from 'react'
import { Chevron } from '../../ui/chevron.tsx'
import type { SeverityCounts as Counts } from './locations.ts'
import styles from './place-rows.module.css'
import { SeverityCounts } from './severity-counts.tsx'

/** Places or countries, each a button that shows what is there. */
export function PlaceRows<T>(props: {
  label: string
  rows: readonly T[]
  keyOf: (row: T) => string
  nameOf: (row: T) => string
  noteOf?: (row: T) => string | null
  countsOf: (row: T) => Counts
  onSelect: (row: T) => void
  children?: ReactNode
}) {
  return (
    <ul className={styles.rows} aria-label={props.label}>
      {props.rows.map((row) => {
        const counts = props.countsOf(row)
        const note = props.noteOf?.(row) ?? null
        return (
          <li key={props.keyOf(row)}>
            <button type="button" className={styles.row} onClick={() => props.onSelect(row)}>
              <span className={styles.name}>
                <span className={styles.first} title={props.nameOf(row)}>
                  {props.nameOf(row)}
                </span>
                {note !== null && (
                  <span className={styles.note} title={note}>
                    {note}
                  </span>
                )}
              </span>
              <SeverityCounts counts={counts} />
              <strong className={styles.total}>
                {counts.total.toLocaleString('en')}
                <span className={styles.word}> {counts.total === 1 ? 'event' : 'events'}</span>
              </strong>
              <Chevron to="right" className={styles.chevron} />
            </button>
          </li>
        )
      })}
      {props.children}
    </ul>
  )
}
