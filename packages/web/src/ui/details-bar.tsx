import type { ReactNode } from 'react'
import styles from './details-bar.module.css'

/** Below the title of details: controls, the few facts that are wanted first, and what can be done. */
export function DetailsBar({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section className={styles.bar} aria-label={label}>
      {children}
    </section>
  )
}

/** Controls or actions beside each other. */
export function BarActions({ children }: { children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>
}

export function BarFacts({ children }: { children: ReactNode }) {
  return <dl className={styles.facts}>{children}</dl>
}

/** One fact: its name above its value. */
export function BarFact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={styles.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** Quieter words beside a value: its age, its unit. */
export function BarHint({ children }: { children: ReactNode }) {
  return <span className={styles.hint}>{children}</span>
}
