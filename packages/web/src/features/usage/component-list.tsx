import type { ComponentUsage } from '@benchwatch/contract/usage'
import { useEffect, useRef, useState } from 'react'
import { folded } from '../../lib/folded.ts'
import { formatInstrumentDate } from '../../lib/time/dates.ts'
import scroll from '../../ui/list/scroll-edges.module.css'
import { EmptyState } from '../../ui/text/notice.tsx'
import styles from './component-list.module.css'
import { UsageBar, UsageIcon, UsageTooltip } from './usage-bar.tsx'
import {
  componentsByUrgency,
  formatPercentage,
  judgementLabel,
  splitComponentName,
  usageAmount,
  worstMetric,
} from './usage-judgement.ts'

/** Longer lists get a search box. */
const SEARCH_ABOVE = 8

/** Lists components by urgency, each with its most urgent counter. */
export function ComponentList(props: {
  components: readonly ComponentUsage[]
  /** The component whose details were open; its row gets the focus back. */
  returnedFrom: string | null
  onOpen: (componentName: string) => void
}) {
  const { components, returnedFrom, onOpen } = props
  const [search, setSearch] = useState('')
  const returnedTo = useRef<HTMLButtonElement>(null)
  useEffect(() => returnedTo.current?.focus(), [])

  if (components.length === 0) return <EmptyState title="No components yet">No component data received yet.</EmptyState>
  const sought = folded(search.trim())
  const found = componentsByUrgency(components).filter(({ componentName }) => folded(componentName).includes(sought))
  return (
    <div className={styles.frame}>
      {components.length > SEARCH_ABOVE && (
        <input
          className={styles.search}
          type="search"
          placeholder="Search components"
          aria-label="Search components"
          value={search}
          onChange={({ currentTarget }) => setSearch(currentTarget.value)}
        />
      )}
      <ul className={`${scroll.edges} ${styles.list}`} aria-label="Components">
        {found.map((component) => (
          <li key={component.componentName}>
            <UsageTooltip metric={worstMetric(component)}>
              <button
                type="button"
                className={styles.row}
                ref={component.componentName === returnedFrom ? returnedTo : null}
                onClick={() => onOpen(component.componentName)}
              >
                <ComponentRow component={component} />
              </button>
            </UsageTooltip>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p className={styles.empty}>No component matches “{search.trim()}”.</p>}
    </div>
  )
}

function ComponentRow({ component }: { component: ComponentUsage }) {
  const { name, module } = splitComponentName(component.componentName)
  const worst = worstMetric(component)
  const others = component.usage.length - 1
  return (
    <>
      <UsageIcon color={worst?.usageColor ?? 'unknown'} />
      <span className={styles.name} title={component.componentName}>
        <bdi>{name}</bdi>
        {module !== null && (
          <>
            {' '}
            <span className={styles.module}>
              (<bdi>{module}</bdi>)
            </span>
          </>
        )}
      </span>
      {worst === undefined ? (
        <span className={styles.nothing}>No counters</span>
      ) : (
        <>
          <span className={styles.word}>{judgementLabel(worst)}</span>
          <span className={styles.metric}>
            <span className={styles.counter}>
              <bdi>{worst.metric}</bdi> <span className={styles.amount}>{usageAmount(worst)}</span>
              {worst.forecastDate !== null && (
                <span className={styles.forecast}>
                  {' '}
                  · reaches limit about {formatInstrumentDate(worst.forecastDate)}
                </span>
              )}
            </span>
            {others > 0 && <span className={styles.others}> +{others} more</span>}
          </span>
          <span className={styles.measure}>
            <UsageBar metric={worst} />
            <span className={styles.percentage}>
              {worst.usagePercentage !== null && formatPercentage(worst.usagePercentage)}
            </span>
          </span>
        </>
      )}
    </>
  )
}
