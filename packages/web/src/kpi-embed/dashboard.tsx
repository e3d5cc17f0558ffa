import type { KpiMeasure } from '@benchwatch/contract/vocabulary'
import { Button, Center, Group, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { IconPrinter, IconRefresh } from '@tabler/icons-react'
import { useIsFetching, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useId, useState } from 'react'
import { daysOf, type KpiQuestion } from '../features/kpi/kpi-question.ts'
import { formatInstrumentDate } from '../lib/time/dates.ts'
import { formatSpan } from '../lib/time/duration.ts'
import { SkeletonLine } from '../ui/text/skeleton.tsx'
import { FillPatterns } from './chart-rows.tsx'
import type { ConsoleChannel } from './console-channel.ts'
import { CustomerChoice, customersLabel } from './customer-choice.tsx'
import styles from './kpi.module.css'
import { Panel } from './panel.tsx'
import { panels } from './panels.tsx'
import { RangeChoice } from './range-choice.tsx'
import { count, type KpiTableInputs, kpiTableQuery, percent, rowsOf, type TableRow } from './table-rows.ts'

interface Reading {
  value: string
  detail: string
}

const sum = (rows: readonly TableRow[], key: string) => rows.reduce((total, row) => total + row.number(key), 0)

/** Shows all measures for the selected days and customers: docs/kpi.md. */
export function Dashboard({ consoleChannel, initial }: { consoleChannel: ConsoleChannel; initial: KpiQuestion }) {
  const [question, setQuestion] = useState(initial)
  const [isOver, setOver] = useState(false)
  const titleId = useId()

  useEffect(() => consoleChannel.listen({ onQuestion: setQuestion, onEnd: () => setOver(true) }), [consoleChannel])

  function handleQuestion(part: Partial<KpiQuestion>) {
    const next = { ...question, ...part }
    setQuestion(next)
    consoleChannel.ask(next)
  }

  if (isOver) return <Ended />
  const query: KpiTableInputs = { ...daysOf(question.range, new Date()), customers: question.customers }
  return (
    <Stack
      component="main"
      className={styles.page}
      gap={14}
      maw={1680}
      mx="auto"
      p={{ base: 10, sm: 16 }}
      aria-labelledby={titleId}
    >
      <FillPatterns />
      <Group component="header" justify="space-between" align="flex-end" gap="12px 24px">
        <div>
          <Title order={1} fz={18} id={titleId}>
            Service overview
          </Title>
          <Text c="dimmed">
            {formatInstrumentDate(query.from)} to {formatInstrumentDate(query.to)}, days in UTC ·{' '}
            <bdi>{customersLabel(question.customers)}</bdi>
          </Text>
        </div>
        <Group align="start" gap={8} w={{ base: '100%', sm: 'auto' }} data-controls>
          <RangeChoice range={question.range} onChange={(range) => handleQuestion({ range })} />
          <CustomerChoice chosen={question.customers} onChange={(customers) => handleQuestion({ customers })} />
          <Refresh />
          <IconButton name="Print" icon={<IconPrinter {...icon} />} onClick={() => window.print()} />
        </Group>
      </Group>
      <Headline query={query} />
      <SimpleGrid className={styles.panels} cols={{ base: 1, lg: 2 }} spacing={14}>
        {panels.map((definition) => (
          <Panel key={definition.measure} definition={definition} query={query} />
        ))}
      </SimpleGrid>
    </Stack>
  )
}

const icon = { size: 15, stroke: 1.7, 'aria-hidden': true } as const

function Refresh() {
  const client = useQueryClient()
  return (
    <IconButton
      name="Refresh"
      icon={<IconRefresh {...icon} />}
      isLoading={useIsFetching() > 0}
      onClick={() => void client.invalidateQueries()}
    />
  )
}

/** A button with an icon, and with its name where there is space. */
function IconButton(props: { name: string; icon: ReactNode; isLoading?: boolean; onClick: () => void }) {
  const { name, isLoading = false } = props
  return (
    <Button variant="default" px={12} aria-label={name} loading={isLoading} onClick={props.onClick}>
      {props.icon}
      <Text span inherit ml={7} visibleFrom="sm">
        {name}
      </Text>
    </Button>
  )
}

/** Shown when no token is left: the user's role has changed, or the page was opened outside the console. */
function Ended() {
  return (
    <Center component="main" mih="100dvh" p={24} ta="center">
      <div role="alert">
        <Title order={1} fz={16} mb={6}>
          Access to this dashboard has expired
        </Title>
        <p>Open KPI from the side bar again.</p>
      </div>
    </Center>
  )
}

/** Headline figures, from the same tables as the panels below. */
function Headline({ query }: { query: KpiTableInputs }) {
  return (
    <SimpleGrid
      component="section"
      className={styles.figures}
      cols={{ base: 2, md: 4 }}
      spacing={14}
      aria-label="Headline figures"
    >
      <Figure query={query} measure="event-rate" name="Events" read={readEvents} />
      <Figure query={query} measure="open-by-age" name="Open now" read={readOpen} />
      <Figure query={query} measure="response" name="Median time to acknowledge" read={readAcknowledge} />
      <Figure query={query} measure="sla" name="24-hour contracts met" read={readKept} />
    </SimpleGrid>
  )
}

function Figure(props: {
  query: KpiTableInputs
  measure: KpiMeasure
  name: string
  read: (rows: readonly TableRow[]) => Reading
}) {
  const table = useQuery(kpiTableQuery(props.measure, props.query))
  const reading = table.isError
    ? { value: '–', detail: 'Could not be loaded' }
    : table.data && props.read(rowsOf(table.data))
  return (
    <Paper component="dl" withBorder shadow="xs" m={0} px={{ base: 14, sm: 18 }} py={14}>
      <Text component="dt" size="xs" c="dimmed" fw={550}>
        {props.name}
      </Text>
      <Text
        component="dd"
        m={0}
        mt={4}
        fz={{ base: 21, sm: 26 }}
        fw={660}
        lh={1.3}
        data-stale={table.isPlaceholderData || undefined}
      >
        {reading?.value ?? <SkeletonLine width="50%" />}
      </Text>
      <Text component="dd" m={0} size="xs" c="dimmed" data-stale={table.isPlaceholderData || undefined}>
        {reading?.detail ?? <SkeletonLine width="80%" />}
      </Text>
    </Paper>
  )
}

function readEvents(rows: readonly TableRow[]): Reading {
  const [high, medium, low] = ['high', 'medium', 'low'].map((key) => count(sum(rows, key)))
  return { value: count(sum(rows, 'total')), detail: `${high} high · ${medium} medium · ${low} low` }
}

function readOpen(rows: readonly TableRow[]): Reading {
  const oldest = rows.at(-1)
  return {
    value: count(sum(rows, 'total')),
    detail: `${count(sum(rows, 'high'))} high · ${count(oldest?.number('total') ?? 0)} older than 30 days`,
  }
}

function readAcknowledge([row]: readonly TableRow[]): Reading {
  const [median, p90] = [row?.numberOrNull('acknowledgeMedian') ?? null, row?.numberOrNull('acknowledgeP90') ?? null]
  if (median === null || p90 === null) return { value: '–', detail: 'None acknowledged' }
  return { value: formatSpan(median), detail: `90% within ${formatSpan(p90)}` }
}

function readKept(rows: readonly TableRow[]): Reading {
  const [kept, missed, running] = [sum(rows, 'kept'), sum(rows, 'missed'), sum(rows, 'running')]
  return {
    value: kept + missed === 0 ? '–' : percent(kept / (kept + missed)),
    detail: `${count(missed)} missed of ${count(kept + missed)}${running === 0 ? '' : ` · ${count(running)} running`}`,
  }
}
