import { severities, severityLabels } from '@benchwatch/contract/vocabulary'
import { SeverityShape } from '../service-events/severity-shape.tsx'
import { type SeverityCounts as Counts, countWords, shortCount } from './locations.ts'
import styles from './severity-counts.module.css'

/** How many of each severity, the worst first; read out in words. */
export function SeverityCounts({ counts }: { counts: Counts }) {
  return (
    <span className={styles.counts} title={countWords(counts)}>
      {severities.map((severity) =>
        counts[severity] === 0 ? (
          <span key={severity} className={styles.count} />
        ) : (
          <span key={severity} className={styles.count} data-severity={severity}>
            <SeverityShape severity={severity} size={9} />
            <span className={styles.word}>{severityLabels[severity]} </span>
            {shortCount(counts[severity])}
          </span>
        ),
      )}
    </span>
  )
}
