import { type Severity, severityLabels } from '@benchwatch/contract/vocabulary'
import styles from './severity-badge.module.css'

/** Shape and word beside the colour, so that the severity reads without colour: triangle, diamond, dot. */
const shapes: Record<Severity, string> = {
  high: 'M5 0.8 9.6 9.2H0.4Z',
  medium: 'M5 0.2 9.8 5 5 9.8 0.2 5Z',
  low: 'M5 0.8a4.2 4.2 0 1 1 0 8.4a4.2 4.2 0 1 1 0-8.4Z',
}

export function SeverityBadge({ severity }: { severity: Severity }) {
  return (
    <span className={styles.badge} data-severity={severity}>
      <svg viewBox="0 0 10 10" width="9" height="9" aria-hidden="true">
        <path d={shapes[severity]} fill="currentColor" />
      </svg>
      {severityLabels[severity]}
    </span>
  )
}
