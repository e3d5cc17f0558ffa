import type { ReactNode } from 'react'
import styles from './notice.module.css'

/** A few sentences that stand above what they are about. A danger interrupts a screen reader, the others wait. */
export function Notice({ tone, children }: { tone: 'info' | 'warning' | 'danger'; children: ReactNode }) {
  return (
    <div className={styles.notice} data-tone={tone} role={tone === 'danger' ? 'alert' : 'status'}>
      {children}
    </div>
  )
}
