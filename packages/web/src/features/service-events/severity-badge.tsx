import { type Severity, severityLabels } from '@benchwatch/contract/vocabulary'
import styles from './severity-badge.module.css'
import { SeverityShape } from './severity-shape.tsx'

/** Shape and word beside the colour, so that the severity reads without colour. */
export function SeverityBadge({ severity }: { severity: Severity }) {
  return (
    <span className={styles.badge} data-severity={severity}>
      <SeverityShape severity={severity} size={9} />
      {severityLabels[severity]}
    </span>
  )
}
