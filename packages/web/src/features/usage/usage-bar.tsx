import type { ComponentMetric } from '@benchwatch/contract/usage'
import styles from './usage-bar.module.css'
import { usageBar } from './usage-judgement.ts'

/**
 * How far a counter has come: a share of its maximum with marks where the judgement changes, or for a count-down one of three
 * steps. Each colour has a pattern of its own. The figures stand beside it in words.
 */
export function UsageBar({ metric }: { metric: ComponentMetric }) {
  const bar = usageBar(metric)
  switch (bar.kind) {
    case 'share':
      return (
        <span className={styles.bar} data-usage={metric.usageColor} aria-hidden="true">
          <span className={styles.fill} style={{ width: `${bar.width}%` }} />
          {bar.marks.map((mark) => (
            <span key={mark} className={styles.mark} style={{ left: `${mark}%` }} />
          ))}
        </span>
      )
    case 'steps':
      return (
        <span className={styles.steps} data-usage={metric.usageColor} aria-hidden="true">
          {[1, 2, 3].map((step) => (
            <span key={step} className={step <= bar.step ? styles.fill : styles.step} />
          ))}
        </span>
      )
    case 'none':
      return <span className={styles.bar} data-usage="unknown" aria-hidden="true" />
  }
}
