import type { ComponentMetric, ComponentUsage } from '@benchwatch/contract/usage'
import { Tabs } from '@mantine/core'
import '@mantine/core/styles/Tabs.layer.css'
import { IconChevronLeft } from '@tabler/icons-react'
import { lazy, useEffect, useRef, useState } from 'react'
import { formatInstrumentDate } from '../../lib/time/dates.ts'
import { LazyPart } from '../../ui/layout/lazy-part.tsx'
import { Fact, FactList, Named } from '../../ui/text/fact.tsx'
import styles from './component-details.module.css'
import { UsageBar, UsageIcon, UsageTooltip } from './usage-bar.tsx'
import {
  byUrgency,
  judgementLabel,
  readingText,
  splitComponentName,
  usageAmount,
  usageVerdict,
} from './usage-judgement.ts'

// Loaded on demand: most visits never open the chart.
const loadHistory = () => import('./history/usage-history.tsx')

const UsageHistory = lazy(() => loadHistory().then((file) => ({ default: file.UsageHistory })))

const tabs = ['usage', 'info', 'details'] as const
type Tab = (typeof tabs)[number]
const tabLabels: Record<Tab, string> = { usage: 'Usage', info: 'Info', details: 'Details' }
const nothing: Record<Tab, string> = {
  usage: 'This component has no counters.',
  info: 'No information received for this component.',
  details: 'No details received for this component.',
}

/** One component with its counters and readings. Document 2 section 4. */
export function ComponentDetails(props: { instrumentId: string; component: ComponentUsage; onBack: () => void }) {
  const { instrumentId, component, onBack } = props
  const { name, module } = splitComponentName(component.componentName)
  const [tab, setTab] = useState<Tab>('usage')
  const back = useRef<HTMLButtonElement>(null)
  // The row that was pressed is gone; keyboard users continue here.
  useEffect(() => back.current?.focus(), [])

  return (
    <section className={styles.details} aria-label={component.componentName}>
      <div className={styles.head}>
        <button ref={back} type="button" className={styles.back} aria-label="Back to all components" onClick={onBack}>
          <IconChevronLeft size={17} stroke={1.8} aria-hidden="true" />
        </button>
        <h3 className={styles.name}>
          <bdi>{name}</bdi>{' '}
          {module !== null && (
            <span className={styles.module}>
              (<bdi>{module}</bdi>)
            </span>
          )}
        </h3>
      </div>
      <Tabs
        value={tab}
        onChange={(value) => setTab(tabs.find((known) => known === value) ?? 'usage')}
        keepMounted={false}
        classNames={{ root: styles.tabs, list: styles.tabList, tab: styles.tab, panel: styles.panel }}
      >
        <Tabs.List aria-label="Component">
          {tabs.map((one) => (
            <Tabs.Tab key={one} value={one}>
              {tabLabels[one]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {tabs.map((one) => (
          // Scrollable content has to be reachable by keyboard.
          <Tabs.Panel key={one} value={one} tabIndex={0}>
            {component[one].length === 0 ? (
              <p className={styles.empty}>{nothing[one]}</p>
            ) : one === 'usage' ? (
              <ComponentMetrics instrumentId={instrumentId} component={component} />
            ) : (
              <div className={styles.facts}>
                <FactList>
                  {component[one].map((reading) => (
                    <Fact key={reading.metric} name={reading.metric}>
                      <Named>{readingText(reading)}</Named>
                    </Fact>
                  ))}
                </FactList>
              </div>
            )}
          </Tabs.Panel>
        ))}
      </Tabs>
    </section>
  )
}

/** Each counter of a component with its judgement and forecast. A press opens its history. */
function ComponentMetrics({ instrumentId, component }: { instrumentId: string; component: ComponentUsage }) {
  const { componentName, usage } = component
  // The dialog fades out after it was closed, so it stays mounted.
  const [opened, setOpened] = useState<{ metric: string; isOpen: boolean } | null>(null)
  // A dialog that is mounted at its first opening does not know which element had the focus.
  const opener = useRef<HTMLButtonElement>(null)
  return (
    <>
      <ul className={styles.metrics} aria-label="Counters">
        {byUrgency(usage).map((metric) => (
          <li key={metric.metric} className={styles.metric}>
            <span className={styles.metricsName}>
              <bdi>{metric.metric}</bdi>
            </span>
            <span className={styles.word}>
              <UsageIcon color={metric.usageColor} />
              {judgementLabel(metric)}
            </span>
            <UsageTooltip metric={metric}>
              <span className={styles.bar}>
                <UsageBar metric={metric} />
              </span>
            </UsageTooltip>
            <span className={styles.amount}>{usageAmount(metric)}</span>
            <span className={styles.verdict}>{usageVerdict(metric)}</span>
            <button
              type="button"
              className={styles.history}
              aria-label={`${forecastLabel(metric)} (history of ${metric.metric})`}
              onPointerEnter={() => void loadHistory()}
              onFocus={() => void loadHistory()}
              onClick={({ currentTarget }) => {
                opener.current = currentTarget
                setOpened({ metric: metric.metric, isOpen: true })
              }}
            >
              {forecastLabel(metric)}
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

function forecastLabel({ forecastDate }: ComponentMetric): string {
  return forecastDate === null ? 'History' : `Reaches limit about ${formatInstrumentDate(forecastDate)}`
}
