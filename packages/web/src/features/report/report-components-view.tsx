import type { ComponentMetric } from '@benchwatch/contract/usage'
import { usageBar } from '../usage/usage-judgement.ts'
import { usageSigns } from './paper.ts'
import styles from './report-components.module.css'
import type { ReportComponent } from './report-model.ts'
import { ReportSign } from './report-sign.tsx'

/** Each component with its counters and what else is known of it; one is never cut by the end of a page. */
export function ReportComponents({ components }: { components: readonly ReportComponent[] }) {
  return components.map(({ name, module, counters, facts }) => (
    <div key={`${name} ${module}`} className={styles.component}>
      <h3>
        <bdi>{name}</bdi> {module !== null && <bdi className={styles.module}>{module}</bdi>}
      </h3>
      {counters.length > 0 && (
        <ul className={styles.counters}>
          {counters.map(({ metric, word, amount, verdict }) => (
            <li key={metric.metric}>
              <bdi className={styles.metric}>{metric.metric}</bdi>
              <Bar metric={metric} />
              <span className={styles.amount}>
                {amount} {verdict !== null && <span className={styles.verdict}>{verdict}</span>}
              </span>
              <span className={styles.word}>
                <ReportSign sign={usageSigns[metric.usageColor]} />
                {word}
              </span>
            </li>
          ))}
        </ul>
      )}
      {facts.length > 0 && (
        <dl className={styles.facts}>
          {facts.map((fact) => (
            <div key={fact.name}>
              <dt>
                <bdi>{fact.name}</bdi>
              </dt>
              <dd>{fact.value === null ? '–' : <bdi>{fact.value}</bdi>}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  ))
}

function Bar({ metric }: { metric: ComponentMetric }) {
  const bar = usageBar(metric)
  const { colour } = usageSigns[metric.usageColor]
  switch (bar.kind) {
    case 'share':
      return (
        <span className={styles.bar}>
          <span style={{ width: `${bar.width}%`, background: colour }} />
        </span>
      )
    case 'steps':
      return (
        <span className={styles.steps}>
          {[1, 2, 3].map((step) => (
            <span key={step} style={step <= bar.step ? { background: colour } : undefined} />
          ))}
        </span>
      )
    case 'none':
      return <span className={styles.bar} />
  }
}
