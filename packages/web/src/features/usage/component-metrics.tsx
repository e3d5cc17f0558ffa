import type { ComponentMetric, ComponentUsage } from '@benchwatch/contract/usage'
import styles from './component-metrics.module.css'
import { formatDay } from './runtime-axis.ts'
import { UsageBar } from './usage-bar.tsx'
import { byNeed, usageAmount, usageTooltip, usageWord } from './usage-judgement.ts'
import { UsageSign } from './usage-sign.tsx'

/** Each counter of a component with its judgement, and when it will reach its limit; a press shows how that is known. */
export function ComponentMetrics({ instrumentId, component }: { instrumentId: string; component: ComponentUsage }) {
  const { componentName, usage } = component
  return (
    <>
      <ul className={styles.metrics} aria-label="Counters">
        {byNeed(usage).map((metric) => (
          <li key={metric.metric} className={styles.metric}>
            <span className={styles.name}>
              <bdi>{metric.metric}</bdi>
            </span>
            <span className={styles.word}>
              <UsageSign color={metric.usageColor} />
              {usageWord(metric)}
            </span>
            <span className={styles.bar} title={usageTooltip(metric)}>
              <UsageBar metric={metric} />
            </span>
            <span className={styles.amount}>{usageAmount(metric)}</span>
            <span className={styles.verdict}>{usageTooltip(metric)}</span>
          </li>
        ))}
      </ul>
    </>
  )
}

function forecastWords({ forecastDate }: ComponentMetric): string {
  return forecastDate === null ? 'History' : `Limit expected ${formatDay(forecastDate)}`
}
