import { type Severity, severityLabels } from '@benchwatch/contract/vocabulary'
import { Box } from '@mantine/core'
import styles from './severity-badge.module.css'

/** Shapes beside the colours, so that a severity is readable without colour. */
export const severityShapes: Record<Severity, string> = {
  high: 'M5 0.8 9.6 9.2H0.4Z',
  medium: 'M5 0.2 9.8 5 5 9.8 0.2 5Z',
  low: 'M5 0.8a4.2 4.2 0 1 1 0 8.4a4.2 4.2 0 1 1 0-8.4Z',
}

/** Severity as shape, word and colour. */
export function SeverityBadge({ severity }: { severity: Severity }) {
  return (
    <span className={styles.badge} data-severity={severity}>
      <SeverityShape severity={severity} size={9} />
      {severityLabels[severity]}
    </span>
  )
}

/** Takes the text colour; `size` in pixels. */
export function SeverityShape({ severity, size }: { severity: Severity; size: number }) {
  return (
    <svg viewBox="0 0 10 10" width={size} height={size} aria-hidden="true">
      <path d={severityShapes[severity]} fill="currentColor" />
    </svg>
  )
}

/** The severity of an event in running text, as shape, colour and accessible name. */
export function SeverityIcon({ severity }: { severity: Severity }) {
  return (
    <Box component="span" c={`var(--bw-${severity})`} role="img" aria-label={severityLabels[severity]}>
      <SeverityShape severity={severity} size={10} />
    </Box>
  )
}
