import type { ReactNode } from 'react'
import styles from './status-mark.module.css'

/**
 * A status as text with a distinct shape, so that it does not depend on colour. `off` needs no attention; `lost` does.
 */
export type StatusTone = 'good' | 'waiting' | 'warning' | 'lost' | 'off'

const cross = (
  <path d="M2.2 2.2l7.6 7.6M9.8 2.2 2.2 9.8" stroke="currentColor" strokeWidth="1.8" strokeLinecap="round" />
)

const shapes: Record<StatusTone, ReactNode> = {
  good: <circle cx="6" cy="6" r="4.5" fill="currentColor" />,
  waiting: <circle cx="6" cy="6" r="3.9" fill="none" stroke="currentColor" strokeWidth="1.7" />,
  warning: <path d="M6 1 11 10.4H1Z" fill="currentColor" />,
  lost: cross,
  off: cross,
}

export function StatusMark({ tone, children }: { tone: StatusTone; children: ReactNode }) {
  return (
    <span className={styles.mark} data-tone={tone}>
      <svg viewBox="0 0 12 12" width="11" height="11" aria-hidden="true">
        {shapes[tone]}
      </svg>
      <span>{children}</span>
    </span>
  )
}
