import type { KpiMeasure } from '@benchwatch/contract/vocabulary'
import {
  Box,
  Button,
  Center,
  Group,
  Paper,
  Popover,
  SegmentedControl,
  SimpleGrid,
  Stack,
  Text,
  Title,
  UnstyledButton,
} from '@mantine/core'
import { IconBuilding, IconPrinter, IconRefresh } from '@tabler/icons-react'
import { useIsFetching, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, type SubmitEvent, useEffect, useId, useState } from 'react'
import {
  daysOf,
  daysProblem,
  type KpiDays,
  type KpiQuestion,
  type KpiSpan,
  kpiSpans,
  MOST_CUSTOMERS,
  utcDay,
} from '../features/kpi/kpi-question.ts'
import { formatInstrumentDate } from '../lib/time/dates.ts'
import { formatSpan } from '../lib/time/duration.ts'
import { MultiSelectList } from '../ui/form/multi-select-list.tsx'
import { Chevron } from '../ui/text/chevron.tsx'
import { RetryLine } from '../ui/text/notice.tsx'
import { SkeletonLine } from '../ui/text/skeleton.tsx'
import { DayField } from '../ui/time/day-field.tsx'
import { FillPatterns } from './chart-rows.tsx'
import type { ConsoleChannel } from './console-channel.ts'
import { contractsOf, createdThen, type EventsBehind, openNow } from './events-behind.ts'
import styles from './kpi.module.css'
import { Panel } from './panel.tsx'
import { panels } from './panels.tsx'
import {
  count,
  counted,
  type KpiTableInputs,
  kpiCustomersQuery,
  kpiTableQuery,
  percent,
  rowsOf,
  type TableRow,
} from './table-rows.ts'

interface Reading {
  value: string
  detail: string
  /** The number itself, to compare periods; null if there is none. */
  number: number | null
}

const DAY_MS = 86_400_000

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

  const showEvents = (search: EventsBehind) => consoleChannel.showEvents(search)

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
      <Headline query={query} onEvents={showEvents} />
      <SimpleGrid className={styles.panels} cols={{ base: 1, lg: 2 }} spacing={14}>
        {panels.map((definition) => (
          <Panel key={definition.measure} definition={definition} query={query} onEvents={showEvents} />
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

/** Headline figures, from the same tables as the panels below, with their change since the days before. */
function Headline({ query, onEvents }: { query: KpiTableInputs; onEvents: (search: EventsBehind) => void }) {
  return (
    <SimpleGrid
      component="section"
      className={styles.figures}
      cols={{ base: 2, md: 4 }}
      spacing={14}
      aria-label="Headline figures"
    >
      <Figure
        query={query}
        measure="event-rate"
        name="Events"
        read={readEvents}
        compare={relativeChange}
        onPress={() => onEvents(createdThen(query))}
      />
      <Figure
        query={query}
        measure="open-by-age"
        name="Open now"
        read={readOpen}
        onPress={() => onEvents(openNow(query, Date.now()))}
      />
      <Figure
        query={query}
        measure="response"
        name="Median time to acknowledge"
        read={readAcknowledge}
        compare={relativeChange}
      />
      <Figure
        query={query}
        measure="sla"
        name="24-hour contracts met"
        read={readKept}
        compare={pointChange}
        onPress={() => onEvents(contractsOf(query))}
      />
    </SimpleGrid>
  )
}

function Figure(props: {
  query: KpiTableInputs
  measure: KpiMeasure
  name: string
  read: (rows: readonly TableRow[]) => Reading
  /** Describes the change since the days before; absent if the figure is of this moment. */
  compare?: (now: number, before: number) => string
  /** Shows the events behind the figure. */
  onPress?: () => void
}) {
  const { read, compare, onPress } = props
  const table = useQuery(kpiTableQuery(props.measure, props.query))
  const earlier = useQuery({
    ...kpiTableQuery(props.measure, daysBefore(props.query)),
    enabled: compare !== undefined,
  })
  const before = earlier.data && read(rowsOf(earlier.data)).number
  const reading = table.isError
    ? { value: '–', detail: 'Could not be loaded', number: null }
    : table.data && read(rowsOf(table.data))
  const now = reading?.number ?? null
  return (
    <Paper component="dl" withBorder shadow="xs" m={0} px={{ base: 14, sm: 18 }} py={14} className={styles.pressable}>
      <Text component="dt" size="xs" c="dimmed" fw={550}>
        {onPress === undefined ? (
          props.name
        ) : (
          <UnstyledButton fz="inherit" fw="inherit" title="Show these events" onClick={onPress}>
            {props.name}
          </UnstyledButton>
        )}
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
      {compare !== undefined && (
        <Text component="dd" m={0} size="xs" mih="1.55em" data-stale={earlier.isPlaceholderData || undefined}>
          {now !== null && before !== undefined && (before === null ? 'Nothing to compare with' : compare(now, before))}
          {now !== null && typeof before === 'number' && (
            <Text span inherit c="dimmed">
              {' '}
              against the {counted(daysIn(props.query), 'day')} before
            </Text>
          )}
        </Text>
      )}
    </Paper>
  )
}

/** Returns the days before, as many as are shown. */
export function daysBefore({ from, to, customers }: KpiTableInputs): KpiTableInputs {
  const start = Date.parse(from)
  const span = Date.parse(to) - start + DAY_MS
  return { from: utcDay(start - span), to: utcDay(start - DAY_MS), customers }
}

function daysIn({ from, to }: KpiTableInputs): number {
  return (Date.parse(to) - Date.parse(from)) / DAY_MS + 1
}

/** Returns e.g. '↑ 12.0%'. */
export function relativeChange(now: number, before: number): string {
  if (now === before) return 'No change'
  if (before === 0) return '↑ from 0'
  return `${now > before ? '↑' : '↓'} ${percent(Math.abs(now - before) / before)}`
}

/** Returns e.g. '↓ 2.5 points', for shares. */
export function pointChange(now: number, before: number): string {
  const points = Math.abs(now - before) * 100
  if (points < 0.05) return 'No change'
  return `${now > before ? '↑' : '↓'} ${points.toFixed(1)} points`
}

function readEvents(rows: readonly TableRow[]): Reading {
  const [high, medium, low] = ['high', 'medium', 'low'].map((key) => count(sum(rows, key)))
  const total = sum(rows, 'total')
  return { value: count(total), number: total, detail: `${high} high · ${medium} medium · ${low} low` }
}

function readOpen(rows: readonly TableRow[]): Reading {
  const oldest = rows.at(-1)
  return {
    value: count(sum(rows, 'total')),
    number: null,
    detail: `${count(sum(rows, 'high'))} high · ${count(oldest?.number('total') ?? 0)} older than 30 days`,
  }
}

function readAcknowledge([row]: readonly TableRow[]): Reading {
  const [median, p90] = [row?.numberOrNull('acknowledgeMedian') ?? null, row?.numberOrNull('acknowledgeP90') ?? null]
  if (median === null || p90 === null) return { value: '–', number: null, detail: 'None acknowledged' }
  return { value: formatSpan(median), number: median, detail: `90% within ${formatSpan(p90)}` }
}

function readKept(rows: readonly TableRow[]): Reading {
  const [kept, missed, running] = [sum(rows, 'kept'), sum(rows, 'missed'), sum(rows, 'running')]
  return {
    value: kept + missed === 0 ? '–' : percent(kept / (kept + missed)),
    number: kept + missed === 0 ? null : kept / (kept + missed),
    detail: `${count(missed)} missed of ${count(kept + missed)}${running === 0 ? '' : ` · ${count(running)} running`}`,
  }
}

interface CustomerChoiceProps {
  /** Customer names. Empty: all customers. */
  chosen: readonly string[]
  onChange: (chosen: readonly string[]) => void
}

/** A button that opens a list of customers to filter the figures by. */
function CustomerChoice({ chosen, onChange }: CustomerChoiceProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    // The button itself has the ARIA attributes.
    <Popover
      opened={isOpen}
      onChange={setOpen}
      position="bottom-start"
      width={340}
      trapFocus
      returnFocus
      withRoles={false}
    >
      <Popover.Target>
        <Button
          variant="default"
          flex={{ base: 1, sm: 'none' }}
          leftSection={<IconBuilding size={15} stroke={1.7} aria-hidden="true" />}
          rightSection={<Chevron to="down" />}
          aria-haspopup="dialog"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          <bdi>{customersLabel(chosen)}</bdi>
        </Button>
      </Popover.Target>
      <Popover.Dropdown className={styles.customers} role="dialog" aria-label="Customers" fz="sm">
        <Names
          chosen={chosen}
          onChange={(names) => {
            setOpen(false)
            onChange(names)
          }}
        />
      </Popover.Dropdown>
    </Popover>
  )
}

function Names({ chosen, onChange }: CustomerChoiceProps) {
  const customers = useQuery(kpiCustomersQuery())
  const [ticked, setTicked] = useState<readonly string[]>(chosen)
  if (customers.isError)
    return <RetryLine onRetry={() => void customers.refetch()}>Customers could not be loaded.</RetryLine>
  if (customers.isPending) return <p role="status">Loading customers…</p>
  const isTooMany = ticked.length > MOST_CUSTOMERS
  // Customers from the address remain in the list, so that they can be unticked even if they are out of scope.
  const names = [...new Set([...chosen, ...customers.data])]
  return (
    <>
      <MultiSelectList
        label="customers"
        options={names.map((name) => ({ value: name, label: name }))}
        chosen={ticked}
        onChange={setTicked}
      />
      {isTooMany && (
        <Text role="alert" size="xs" mt={4} c="var(--bw-danger)">
          Select at most {MOST_CUSTOMERS} customers, or all.
        </Text>
      )}
      <Group justify="space-between" mt={12}>
        <Button variant="default" onClick={() => onChange([])}>
          All customers
        </Button>
        <Button disabled={isTooMany} onClick={() => onChange(ticked)}>
          Apply
        </Button>
      </Group>
    </>
  )
}

/** Returns 'All customers', 'Helix Biologics' or '3 customers'. */
function customersLabel(chosen: readonly string[]): string {
  const [first] = chosen
  if (first === undefined) return 'All customers'
  return chosen.length === 1 ? first : `${count(chosen.length)} customers`
}

const spanLabels: Record<KpiSpan, string> = { 7: '7 days', 30: '30 days', 90: '90 days', 365: '1 year' }

const typedDays = { value: 'typed', label: 'From – to' }

type Range = KpiQuestion['range']

/** Chooses the days: a preset or a from–to range. Keeps the focus whatever is chosen. */
export function RangeChoice({ range, onChange }: { range: Range; onChange: (range: Range) => void }) {
  const rangeKey = JSON.stringify(range)
  // Stays open until the range changes, by any means.
  const [openedAt, setOpenedAt] = useState<string | null>(null)
  const isTyped = 'from' in range || openedAt === rangeKey
  return (
    <Group align="start" gap={8} w={{ base: '100%', sm: 'auto' }}>
      <SegmentedControl
        aria-label="Days"
        bg="var(--bw-panel)"
        bd="1px solid var(--bw-line-strong)"
        w={{ base: '100%', sm: 'auto' }}
        styles={{
          indicator: { background: 'var(--bw-accent-soft)', boxShadow: 'none' },
          label: { paddingInline: 'clamp(3px, 1.5vw, 12px)', lineHeight: 'calc(var(--bw-control) - 16px)' },
        }}
        value={isTyped ? 'typed' : `${range.days}`}
        data={[...kpiSpans.map((span) => ({ value: `${span}`, label: spanLabels[span] })), typedDays]}
        onChange={(value) => {
          const span = kpiSpans.find((known) => `${known}` === value)
          setOpenedAt(span === undefined ? rangeKey : null)
          if (span !== undefined) onChange({ days: span })
        }}
      />
      {isTyped && (
        <OwnDays
          days={daysOf(range, new Date())}
          onApply={(days) => {
            setOpenedAt(null)
            onChange(days)
          }}
        />
      )}
    </Group>
  )
}

/** Typed dates have no effect until they are applied. */
function OwnDays({ days, onApply }: { days: KpiDays; onApply: (days: KpiDays) => void }) {
  const [edits, setEdits] = useState<Partial<KpiDays>>({})
  const [problem, setProblem] = useState<string | null>(null)
  const problemId = useId()
  const typed = { ...days, ...edits }

  function handleSubmit(event: SubmitEvent) {
    event.preventDefault()
    const found = daysProblem(typed)
    setProblem(found)
    if (found !== null) return
    setEdits({})
    onApply(typed)
  }

  return (
    <Box component="form" w={{ base: '100%', sm: 'auto' }} onSubmit={handleSubmit} noValidate>
      <Group gap="6px 8px">
        {(['from', 'to'] as const).map((end) => (
          <DayField
            key={end}
            label={end === 'from' ? 'From' : 'To'}
            w={{ base: '100%', sm: 176 }}
            styles={{
              root: { display: 'flex', alignItems: 'center', gap: 6 },
              label: { minWidth: 32, margin: 0, color: 'var(--bw-ink-2)' },
              wrapper: { flex: 1 },
            }}
            value={typed[end]}
            max={utcDay(Date.now())}
            error={problem !== null}
            aria-describedby={problem === null ? undefined : problemId}
            onChange={(day) => setEdits({ ...edits, [end]: day })}
          />
        ))}
        <Button type="submit" w={{ base: '100%', sm: 'auto' }}>
          Apply
        </Button>
      </Group>
      {problem !== null && (
        // Takes the width of the line above.
        <Text id={problemId} role="alert" size="xs" c="var(--bw-danger)" w={0} miw="100%">
          {problem}
        </Text>
      )}
    </Box>
  )
}
