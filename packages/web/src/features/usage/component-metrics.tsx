import type { ComponentMetric, ComponentUsage } from '@benchwatch/contract/usage'
import { lazy, useRef, useState } from 'react'
import { formatInstrumentDate } from '../../lib/dates.ts'
import { LazyPart } from '../../ui/lazy-part.tsx'
import styles from './component-metrics.module.css'
import { UsageBar } from './usage-bar.tsx'
import { byNeed, usageAmount, usageTooltip, usageVerdict, usageWord } from './usage-judgement.ts'
import { UsageSign } from './usage-sign.tsx'

// A chart that most visits do not open.
const loadHistory = () => import('./usage-history.tsx')
const UsageHistory = lazy(() => loadHistory().then((file) => ({ default: file.UsageHistory })))

/** Each counter of a component with its judgement, and when it will reach its limit; a press shows how that is known. */
export function ComponentMetrics({ instrumentId, component }: { instrumentId: string; component: ComponentUsage }) {
  const { componentName, usage } = component
  // The dialog fades out after it was closed, so it stays.
  const [opened, setOpened] = useState<{ metric: string; isOpen: boolean } | null>(null)
  // A dialog that is there only from its first opening on does not know where the focus was.
  const opener = useRef<HTMLButtonElement>(null)
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
            <span className={styles.verdict}>{usageVerdict(metric)}</span>
            <button
              type="button"
              className={styles.history}
              aria-label={`${forecastWords(metric)} (history of ${metric.metric})`}
              onPointerEnter={() => void loadHistory()}
              onFocus={() => void loadHistory()}
              onClick={({ currentTarget }) => {
                opener.current = currentTarget
                setOpened({ metric: metric.metric, isOpen: true })
              }}
            >
              {forecastWords(metric)}
            </button>
          </li>
        ))}
      </ul>
      {opened !== null && (
        <LazyPart onFailure={() => setOpened(null)}>
          <UsageHistory
            of={{ id: instrumentId, componentName, metric: opened.metric }}
            isOpen={opened.isOpen}
            onClose={() => {
              setOpened({ ...opened, isOpen: false })
              opener.current?.focus()
            }}
          />
        </LazyPart>
      )}
    </>
  )
}

function forecastWords({ forecastDate }: ComponentMetric): string {
  return forecastDate === null ? 'History' : `Limit expected ${formatInstrumentDate(forecastDate)}`
}
