import type { ComponentMetric, ComponentUsage } from '@benchwatch/contract/instruments/usage'
import { ActionIcon, Anchor, Box, Flex, Group, Tabs, Text, Title } from '@mantine/core'
import '@mantine/core/styles/Tabs.layer.css'
import { IconChevronLeft } from '@tabler/icons-react'
import { lazy, useEffect, useRef, useState } from 'react'
import { formatInstrumentDate } from '../../lib/time/dates.ts'
import { LazyPart } from '../../ui/layout/lazy-part.tsx'
import { Fact, FactList, Named } from '../../ui/text/fact.tsx'
import styles from './usage.module.css'
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
    <Flex component="section" direction="column" h="100%" aria-label={component.componentName}>
      <Group gap={4} wrap="nowrap" px={8} pt={4}>
        <ActionIcon ref={back} size="var(--bw-control)" aria-label="Back to all components" onClick={onBack}>
          <IconChevronLeft size={17} stroke={1.8} aria-hidden="true" />
        </ActionIcon>
        <Title order={3} lineClamp={2}>
          <bdi>{name}</bdi>{' '}
          {module !== null && (
            <Text span inherit c="dimmed" fw={400}>
              (<bdi>{module}</bdi>)
            </Text>
          )}
        </Title>
      </Group>
      <Tabs
        value={tab}
        onChange={(value) => setTab(tabs.find((known) => known === value) ?? 'usage')}
        keepMounted={false}
        display="flex"
        flex={1}
        mih={0}
        style={{ flexDirection: 'column' }}
      >
        <Tabs.List aria-label="Component" px={10}>
          {tabs.map((one) => (
            <Tabs.Tab key={one} value={one} px={8} mih={{ base: 44, md: 36 }} fw={570}>
              {tabLabels[one]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {tabs.map((one) => (
          // Scrollable content has to be reachable by keyboard.
          <Tabs.Panel key={one} value={one} tabIndex={0} flex={1} mih={0} style={{ overflow: 'hidden auto' }}>
            {component[one].length === 0 ? (
              <Text px={16} py={12} c="dimmed">
                {nothing[one]}
              </Text>
            ) : one === 'usage' ? (
              <ComponentMetrics instrumentId={instrumentId} component={component} />
            ) : (
              <Box px={16} py={12}>
                <FactList>
                  {component[one].map((reading) => (
                    <Fact key={reading.metric} name={reading.metric}>
                      <Named>{readingText(reading)}</Named>
                    </Fact>
                  ))}
                </FactList>
              </Box>
            )}
          </Tabs.Panel>
        ))}
      </Tabs>
    </Flex>
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
      <ul className={styles.list} aria-label="Counters">
        {byUrgency(usage).map((metric) => (
          <Box component="li" key={metric.metric} px={16} py={11}>
            <Group justify="space-between" gap={12} wrap="nowrap">
              <Text fw={550} style={{ overflowWrap: 'anywhere' }}>
                <bdi>{metric.metric}</bdi>
              </Text>
              <Group gap={7} wrap="nowrap">
                <UsageIcon color={metric.usageColor} />
                {judgementLabel(metric)}
              </Group>
            </Group>
            <UsageTooltip metric={metric}>
              <Box my={5}>
                <UsageBar metric={metric} />
              </Box>
            </UsageTooltip>
            <Group justify="space-between" gap="0 12px">
              {usageAmount(metric)}
              <Text span size="xs" c="dimmed">
                {usageVerdict(metric)}
              </Text>
            </Group>
            {/* Pressable around its text: 44 px high on phones. */}
            <Anchor
              component="button"
              type="button"
              px={6}
              mx={-6}
              py={{ base: 13, md: 3 }}
              my={{ base: -8, md: 0 }}
              size="sm"
              aria-label={`${forecastLabel(metric)} (history of ${metric.metric})`}
              onPointerEnter={() => void loadHistory()}
              onFocus={() => void loadHistory()}
              onClick={({ currentTarget }) => {
                opener.current = currentTarget
                setOpened({ metric: metric.metric, isOpen: true })
              }}
            >
              {forecastLabel(metric)}
            </Anchor>
          </Box>
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
