import type { ReactNode } from 'react'
import styles from './retry-line.module.css'

/** A part of a screen could not be read: one line in its place, with a way to try again. */
export function RetryLine({ onRetry, children }: { onRetry: () => void; children: ReactNode }) {
  return (
    <p className={styles.line} role="alert">
      {children}{' '}
      <button type="button" className={styles.retry} onClick={onRetry}>
        Try again
      </button>
    </p>
  )
}
