import '@mantine/core/styles/Tabs.layer.css'
import type { ComponentMetric, ComponentUsage } from '@benchwatch/contract/instruments/usage'
import {
  ActionIcon,
  Anchor,
  Box,
  Flex,
  Group,
  Stack,
  Tabs,
  Text,
  TextInput,
  Title,
  UnstyledButton,
} from '@mantine/core'
import { IconChevronLeft } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, useEffect, useRef, useState } from 'react'
import { counted, folded } from '../../lib/folded.ts'
import { formatInstrumentDate } from '../../lib/time/dates.ts'
import { Card } from '../../ui/layout/card.tsx'
import { LazyPart } from '../../ui/layout/lazy-part.tsx'
import scroll from '../../ui/list/scroll-edges.module.css'
import { useFailureToast } from '../../ui/overlay/toasts.ts'
import { Fact, FactList, Named } from '../../ui/text/fact.tsx'
import { EmptyState, RetryLine } from '../../ui/text/notice.tsx'
import { SkeletonLine } from '../../ui/text/skeleton.tsx'
import { componentUsageQuery, USAGE_POLL_MS, useFlags } from './usage.api.ts'
import styles from './usage.module.css'
import { UsageBar, UsageIcon, UsageTooltip } from './usage-bar.tsx'
import {
  byUrgency,
  componentsByUrgency,
  formatPercentage,
  judgementLabel,
  readingText,
  splitComponentName,
  usageAmount,
  usageVerdict,
  worstMetric,
} from './usage-judgement.ts'

interface UsageCardProps {
  instrument: { id: string; instrumentType: string }
}

/**
 * Usage of an instrument's components: the list, or the details of one component in its place. Without both flags that
 * show it, the card sends no request. Document 2 sections 2 and 4.
 */
export function UsageCard({ instrument }: UsageCardProps) {
  const isShown = useFlags('ASSET_USAGE', 'FETCH_INSTRUMENT_COMPONENTS')
  return isShown ? <ComponentUsageCard key={instrument.id} instrument={instrument} /> : null
}

function ComponentUsageCard({ instrument }: UsageCardProps) {
  const usage = useQuery({ ...componentUsageQuery(instrument), refetchInterval: USAGE_POLL_MS })
  useFailureToast(usage, 'Component usage could not be loaded.')
  const [opened, setOpened] = useState<string | null>(null)
  const [left, setLeft] = useState<string | null>(null)
  const components = usage.data
  const component = components?.find(({ componentName }) => componentName === opened)

  return (
    <Card
      title="Component usage"
      end={
        components !== undefined &&
        components.length > 0 && (
          <Text size="xs" c="dimmed">
            {counted(components.length, 'component')}
          </Text>
        )
      }
      flush
    >
      <div className={styles.body}>
        {components === undefined ? (
          usage.isPending ? (
            <WaitingList />
          ) : (
            <Box px={16} py={12}>
              <RetryLine onRetry={() => void usage.refetch()}>Component usage could not be loaded.</RetryLine>
            </Box>
          )
        ) : component !== undefined ? (
          <ComponentDetails
            instrumentId={instrument.id}
            component={component}
            onBack={() => {
              setOpened(null)
              setLeft(component.componentName)
            }}
          />
        ) : (
          <ComponentList components={components} returnedFrom={left} onOpen={setOpened} />
        )}
      </div>
    </Card>
  )
}

const WAITING_ROWS = 6

function WaitingList() {
  return (
    <div role="status" aria-label="Loading component usage…">
      {Array.from({ length: WAITING_ROWS }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: grey bars are all the same.
        <Stack key={index} className={styles.bones} justify="center" gap={9} h={53} px={16}>
          <SkeletonLine width={`${52 - index * 4}%`} />
          <SkeletonLine width={`${88 - index * 6}%`} />
        </Stack>
      ))}
    </div>
  )
}

/** Longer lists get a search box. */
const SEARCH_ABOVE = 8

/** Lists components by urgency, each with its most urgent counter. */
function ComponentList(props: {
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
function ComponentDetails(props: { instrumentId: string; component: ComponentUsage; onBack: () => void }) {
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
