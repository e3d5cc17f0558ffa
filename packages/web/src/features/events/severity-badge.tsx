import { type Severity, severityLabels } from '@benchwatch/contract/vocabulary'
import styles from './severity-badge.module.css'

/** Shape beside colour, so that a severity reads without it: triangle, diamond, dot. */
export const severityShapes: Record<Severity, string> = {
  high: 'M5 0.8 9.6 9.2H0.4Z',
  medium: 'M5 0.2 9.8 5 5 9.8 0.2 5Z',
  low: 'M5 0.8a4.2 4.2 0 1 1 0 8.4a4.2 4.2 0 1 1 0-8.4Z',
}

/** Shape and word beside the colour, so that the severity reads without colour. */
export function SeverityBadge({ severity }: { severity: Severity }) {
  return (
    <span className={styles.badge} data-severity={severity}>
      <SeverityShape severity={severity} size={9} />
      {severityLabels[severity]}
    </span>
  )
}

/** In the colour of the text around it; `size` in pixels. */
export function SeverityShape({ severity, size }: { severity: Severity; size: number }) {
  return (
    <svg viewBox="0 0 10 10" width={size} height={size} aria-hidden="true">
      <path d={severityShapes[severity]} fill="currentColor" />
    </svg>
  )
}
