import type { ComponentUsage } from '@benchwatch/contract/instruments/usage'
import { Flex, Text, TextInput, UnstyledButton } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { folded } from '../../lib/folded.ts'
import { formatInstrumentDate } from '../../lib/time/dates.ts'
import scroll from '../../ui/list/scroll-edges.module.css'
import { EmptyState } from '../../ui/text/notice.tsx'
import styles from './usage.module.css'
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
    <Flex direction="column" h="100%">
      {components.length > SEARCH_ABOVE && (
        <TextInput
          type="search"
          mx={16}
          my={8}
          wrapperProps={{ 'data-controls': true }}
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
              <UnstyledButton
                className={styles.row}
                ref={component.componentName === returnedFrom ? returnedTo : null}
                onClick={() => onOpen(component.componentName)}
              >
                <ComponentRow component={component} />
              </UnstyledButton>
            </UsageTooltip>
          </li>
        ))}
      </ul>
      {found.length === 0 && (
        <Text px={16} py={12} c="dimmed">
          No component matches “{search.trim()}”.
        </Text>
      )}
    </Flex>
  )
}

function ComponentRow({ component }: { component: ComponentUsage }) {
  const { name, module } = splitComponentName(component.componentName)
  const worst = worstMetric(component)
  const others = component.usage.length - 1
  return (
    <>
      <UsageIcon color={worst?.usageColor ?? 'unknown'} />
      <Text span truncate fw={550} title={component.componentName}>
        <bdi>{name}</bdi>
        {module !== null && (
          <Text span c="dimmed" fw={400}>
            {' '}
            (<bdi>{module}</bdi>)
          </Text>
        )}
      </Text>
      {worst === undefined ? (
        <Text span size="xs" c="var(--bw-ink-3)">
          No counters
        </Text>
      ) : (
        <>
          <Text span size="xs" ta="end">
            {judgementLabel(worst)}
          </Text>
          <Text span size="xs" c="dimmed" className={styles.metric}>
            {/* The details show texts that are cut here; the number of further counters is never cut. */}
            <Text span inherit truncate>
              <bdi>{worst.metric}</bdi> {usageAmount(worst)}
              {worst.forecastDate !== null && (
                <span className={styles.forecast}>
                  {' '}
                  · reaches limit about {formatInstrumentDate(worst.forecastDate)}
                </span>
              )}
            </Text>
            {others > 0 && (
              <Text span inherit c="var(--bw-ink-3)" style={{ flex: 'none' }}>
                {' '}
                +{others} more
              </Text>
            )}
          </Text>
          <span className={styles.measure}>
            <UsageBar metric={worst} />
            <Text span size="xs" c="dimmed" ta="end">
              {worst.usagePercentage !== null && formatPercentage(worst.usagePercentage)}
            </Text>
          </span>
        </>
      )}
    </>
  )
}
