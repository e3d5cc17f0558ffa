import type { ReactNode } from 'react'
import styles from './event-status-bar.module.css'

/** One fact of the status bar: its name above its value. */
export function BarFact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={styles.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
