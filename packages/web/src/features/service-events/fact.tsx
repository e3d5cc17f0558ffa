import type { ReactNode } from 'react'
import styles from './fact.module.css'

/**
 * Names and values of a card. `wide`: two pairs beside each other where there is room, for short values such as those of
 * a customer.
 */
export function FactList({ wide = false, children }: { wide?: boolean; children: ReactNode }) {
  return (
    <div className={styles.room}>
      <dl className={styles.facts} data-wide={wide || undefined}>
        {children}
      </dl>
    </div>
  )
}

/** One name and value; an empty value shows a dash. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  const isEmpty = children === null || children === undefined || children === '' || children === false
  return (
    <div className={styles.fact}>
      <dt>{name}</dt>
      <dd>{isEmpty ? '–' : children}</dd>
    </div>
  )
}

/** A value that somebody wrote: in its own direction, so that it does not turn what stands beside it around. */
export function Named({ children }: { children: string | null }) {
  return children === null || children === '' ? '–' : <bdi>{children}</bdi>
}
