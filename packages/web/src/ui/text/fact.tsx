import type { ReactNode } from 'react'
import styles from './fact.module.css'

/** Names and values of a card. */
export function FactList({ children }: { children: ReactNode }) {
  return (
    <div className={styles.room}>
      <dl className={styles.facts}>{children}</dl>
    </div>
  )
}

/** One name and value; an empty value shows a dash. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  const isEmpty = children === null || children === undefined || children === '' || children === false
  return (
    <div className={styles.fact}>
      <dt>{name}</dt>
      <dd>{isEmpty ? <Dash /> : children}</dd>
    </div>
  )
}

/** A value that somebody wrote: in its own direction, so that it does not turn what stands beside it around. */
export function Named({ children }: { children: string | null }) {
  return children === null || children === '' ? <Dash /> : <bdi>{children}</bdi>
}

/** In place of an empty value; quieter than values, so that a card with little in it shows what it has. */
export function Dash() {
  return <span className={styles.dash}>–</span>
}
