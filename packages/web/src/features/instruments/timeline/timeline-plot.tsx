import type { InstrumentTimeline } from '@benchwatch/contract/instruments/instrument-timeline'
import type { InstrumentStatus } from '@benchwatch/contract/vocabulary'
import { alertStatusLabels, severityLabels } from '@benchwatch/contract/vocabulary'
import { Anchor, Box, Flex, Group, Spoiler, Stack, Text, VisuallyHidden } from '@mantine/core'
import '@mantine/core/styles/Spoiler.layer.css'
import { Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { eventName } from '../../../lib/screen-name.ts'
import { deviceStore } from '../../../lib/storage.ts'
import {
  formatClock,
  formatInstrumentDate,
  formatInstrumentEnd,
  formatInstrumentTime,
  formatInstrumentTimeInZone,
} from '../../../lib/time/dates.ts'
import { formatSpan } from '../../../lib/time/duration.ts'
import {
  Band,
  Lane,
  type Limits,
  type Mark,
  Marks,
  Piece,
  type Span,
  type Stretch,
  TimeAxis,
} from '../../../ui/charts/time-axis.tsx'
import { DropdownFrame } from '../../../ui/overlay/dropdown-frame.tsx'
import { StatusFill, StatusLegend } from '../../connections/instrument-status-dot.tsx'
import { isLost } from '../../connections/monitoring-note.tsx'
import { worstSeverity } from '../../events/event-text.ts'
import { eventsOfRun, writeEventSearch } from '../../events/events.search.ts'
import { SeverityIcon, SeverityShape } from '../../events/status/severity-badge.tsx'
import styles from './instrument-timeline.module.css'
import { drawnStretches, eventEnd, type Lanes, readLanes, stretchAt, type TimelineEvent } from './timeline-lanes.ts'

/** Columns of statuses and connections, of about two pixels on a wide screen. */
const COLUMNS = 600

/**
 * The lanes on one axis with a cross-hair and its read-out. The lanes are pictures without controls, except the marks
 * of events; the cross-hair and the list give the same information as text.
 */
export function TimelinePlot(props: {
  /** Undefined until the first answer arrives. */
  timeline: InstrumentTimeline | undefined
  span: Span
  limits: Limits
  now: number
  siteZone: string
  customer: string
  installedProductId: string
  onSelect: (span: Span) => void
  onMove: (span: Span) => void
}) {
  const { timeline, span, now, siteZone } = props
  const [pointed, setPointed] = useState<number | null>(null)
  const lanes = useMemo(() => readLanes(timeline, siteZone), [timeline, siteZone])
  const drawing = { span, columns: COLUMNS, until: Math.max(now, lanes.latest) }
  const statuses = drawnStretches(lanes.statuses, drawing)
  const connections = drawnStretches(lanes.connections, drawing)
  const at = Math.min(span.to, Math.max(span.from, pointed ?? Math.min(now, span.to - 1)))
  const reading = readingAt(at, lanes, { now, siteZone })
  return (
    <Box className={styles.plot}>
      <TimeAxis
        span={span}
        lines={[{ at: now, color: 'var(--bw-accent)' }]}
        crossHair={{
          label: 'Point in time',
          at,
          text: `${reading.time}. ${reading.facts.map(({ name, text }) => `${name}: ${text}`).join('. ')}`,
          isShown: pointed !== null,
          limits: props.limits,
          onPoint: setPointed,
          onSelect: props.onSelect,
          onMove: props.onMove,
        }}
      >
        <Lane name="Maintenance" height={24}>
          {lanes.maintenances.map((window) => (
            <MaintenanceWindow key={`${window.id} ${window.start}`} window={window} now={now} />
          ))}
        </Lane>
        <Lane name="Connection" height={18}>
          {connections.map(({ value, from, to }) => (
            <Piece key={from} from={from} to={to} className={styles.connection} data-orc={value} />
          ))}
        </Lane>
        <Lane name="Status" height={30} dashed>
          {statuses.map(({ value, from, to }) => (
            <Piece key={from} from={from} to={to}>
              <StatusFill status={value} className={styles.status} />
            </Piece>
          ))}
          {/* Paler while the connection is lost, because they are then only the last known ones. */}
          {connections.map(
            ({ value, from, to }) => isLost(value) && <Piece key={from} from={from} to={to} className={styles.veil} />,
          )}
        </Lane>
        <Lane name="Run" height={26}>
          <TimelineRuns
            runs={lanes.runs}
            customer={props.customer}
            installedProductId={props.installedProductId}
            now={now}
            onZoom={props.onSelect}
          />
        </Lane>
        <Lane name="Events" height={34}>
          <TimelineEvents events={lanes.events} span={span} now={now} onZoom={props.onSelect} />
        </Lane>
        <Lane
          name={
            <>
              Run time <Text fz={11}>of 24 h</Text>
            </>
          }
          height={60}
        >
          <Piece from={span.from} to={now} className={styles.noData} />
          {lanes.runtimes.map(({ day, from, to, seconds }) => (
            <Piece key={day} from={from} to={Math.min(to, Math.max(now, from))} className={styles.day}>
              <span style={{ height: `${Math.min(100, (seconds / 86_400) * 100)}%` }} />
            </Piece>
          ))}
        </Lane>
      </TimeAxis>
      {/* Room for all lines, so that nothing moves. */}
      <Box pl={{ base: 0, md: 'var(--names)' }}>
        <Group
          component="dl"
          gap="0 18px"
          align="baseline"
          mt={10}
          mih={{ base: 132, md: 66, xl: 44 }}
          lh="22px"
          style={{ alignContent: 'flex-start' }}
        >
          <div>
            <VisuallyHidden component="dt">Time</VisuallyHidden>
            <dd>
              <strong>{reading.time}</strong>
              {reading.siteTime !== null && (
                <Text span c="dimmed" size="xs" ml={8}>
                  Site time: {reading.siteTime}
                </Text>
              )}
            </dd>
          </div>
          {timeline !== undefined &&
            reading.facts.map(({ name, text }) => (
              <Group key={name} gap={6} wrap="nowrap" align="baseline">
                <Text component="dt" c="dimmed" lh="inherit">
                  {name}
                </Text>
                <dd>
                  <bdi>{text}</bdi>
                </dd>
              </Group>
            ))}
        </Group>
        <Legend statuses={statuses.map(({ value }) => value)} />
      </Box>
    </Box>
  )
}

const LEGEND = 'timeline.legend'
/** One line of the legend. */
const LEGEND_PX = 26

/** Shows the first line of the legend, all of it on request; the choice is remembered. */
function Legend({ statuses }: { statuses: readonly InstrumentStatus[] }) {
  const [isOpen, setOpen] = useState(() => deviceStore.read(LEGEND) === true)
  return (
    <Spoiler
      maxHeight={LEGEND_PX}
      expanded={isOpen}
      onExpandedChange={(next) => {
        setOpen(next)
        deviceStore.write(LEGEND, next)
      }}
      showLabel="Show whole legend"
      hideLabel="Fold legend"
      transitionDuration={0}
      styles={{ control: { fontSize: 12 } }}
    >
      <StatusLegend statuses={statuses} />
    </Spoiler>
  )
}

/** A past, current or planned maintenance. One without an end lasts until a user ends it, at an unknown time. */
function MaintenanceWindow({ window, now }: { window: Lanes['maintenances'][number]; now: number }) {
  const from = Date.parse(window.start)
  return (
    <Piece
      from={from}
      to={window.end === null ? Math.max(now, from) : Date.parse(window.end)}
      className={styles.window}
      data-open={window.end === null || undefined}
      title={windowLabel(window)}
      aria-hidden="true"
    >
      <bdi>{window.reason}</bdi>
    </Piece>
  )
}

/** Draws runs as bands with their names. A press opens what belongs to the run. */
function TimelineRuns(props: {
  runs: Lanes['runs']
  customer: string
  installedProductId: string
  now: number
  onZoom: (span: Span) => void
}) {
  const { runs, now } = props
  const [opened, setOpened] = useState<{ run: Stretch<string>; anchor: HTMLElement } | null>(null)
  const labelOf = (run: Stretch<string>) => `Run ${run.value}, ${runSpan(run, now)}`
  return (
    <>
      <Band
        label="Runs"
        // A run in progress is drawn up to now.
        stretches={runs.map((run) => ({ ...run, to: run.to ?? Math.max(now, run.from) }))}
        labelOf={labelOf}
        onRead={() => undefined}
        onOpen={(drawn, anchor) => {
          const run = runs.find(({ from }) => from === drawn.from)
          if (run) setOpened({ run, anchor })
        }}
      >
        {({ value, from }) => (
          <span className={styles.run} data-open={runs.find((run) => run.from === from)?.to === null || undefined}>
            <bdi>{value}</bdi>
          </span>
        )}
      </Band>
      {opened !== null && (
        <DropdownFrame
          anchor={opened.anchor}
          title={`Run ${opened.run.value}`}
          align="start"
          width={320}
          onClose={() => setOpened(null)}
        >
          <Stack gap={8}>
            <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
              Run <bdi>{opened.run.value}</bdi>
            </Text>
            <Text c="dimmed" size="xs">
              {runSpan(opened.run, now)}
            </Text>
            <Link to="/events" search={writeEventSearch(eventsOfRun(opened.run.value, props.customer)) as never}>
              All alarms of this run
            </Link>
            <Link
              to="/logs/$installedProductId"
              params={{ installedProductId: props.installedProductId }}
              search={{ at: new Date(opened.run.from).toISOString() } as never}
            >
              Logs from its beginning
            </Link>
            <Anchor
              component="button"
              type="button"
              inherit
              ta="start"
              onClick={() => {
                setOpened(null)
                const { from, to } = opened.run
                const length = Math.max(MINUTE_MS, (to ?? now) - from)
                props.onZoom({ from: from - 0.1 * length, to: (to ?? now) + 0.1 * length })
              }}
            >
              Zoom to this run
            </Anchor>
          </Stack>
        </DropdownFrame>
      )}
    </>
  )
}

const MINUTE_MS = 60_000

/** Returns e.g. `20-Nov-2026 10:04 to 20-Nov-2026 14:02 (3 h 58 min)`. */
function runSpan({ from, to }: Stretch<string>, now: number): string {
  const length = formatSpan(((to ?? now) - from) / 1000)
  const begin = formatInstrumentTime(from)
  return to === null ? `on since ${begin} (${length})` : `${begin} to ${formatInstrumentTime(to)} (${length})`
}

/** A mark with more events than this shows a count; zooming in shows the rest. */
const LISTED = 30

/** Draws events as marks, each with a line for its duration. A press opens the details. */
function TimelineEvents(props: {
  events: readonly TimelineEvent[]
  span: Span
  now: number
  onZoom: (span: Span) => void
}) {
  const { events, span, now } = props
  const [opened, setOpened] = useState<{ id: string; anchor: HTMLElement } | null>(null)
  const inSight = events.filter(({ logGeneratedAt }) => {
    const at = Date.parse(logGeneratedAt)
    return at >= span.from && at < span.to
  })
  return (
    <>
      {events.map((event) => (
        <Piece
          key={event.id}
          from={Date.parse(event.logGeneratedAt)}
          to={eventEnd(event) ?? now}
          className={styles.lasting}
          style={{ background: `var(--bw-${event.severity})` }}
        />
      ))}
      <Marks
        label="Events"
        items={inSight}
        at={({ logGeneratedAt }) => Date.parse(logGeneratedAt)}
        describe={({ items }) => ({
          key: items[0].id,
          label: markLabel(items),
          color: `var(--bw-${worstSeverity(items)})`,
          icon: <SeverityShape severity={worstSeverity(items)} size={12} />,
        })}
      >
        {({ items }, element) => {
          const isOpen = items[0].id === opened?.id
          return (
            <>
              <button
                type="button"
                {...element}
                aria-haspopup="dialog"
                aria-expanded={isOpen}
                onClick={({ currentTarget }) => setOpened(isOpen ? null : { id: items[0].id, anchor: currentTarget })}
              />
              {isOpen && (
                <DropdownFrame
                  anchor={opened.anchor}
                  title="Events at this time"
                  align="start"
                  width={360}
                  onClose={() => setOpened(null)}
                >
                  <MarkDetails
                    events={items}
                    onZoom={(around) => {
                      setOpened(null)
                      props.onZoom(around)
                    }}
                  />
                </DropdownFrame>
              )}
            </>
          )
        }}
      </Marks>
    </>
  )
}

function MarkDetails({ events, onZoom }: { events: Mark<TimelineEvent>['items']; onZoom: (span: Span) => void }) {
  const first = Date.parse(events[0].logGeneratedAt)
  const last = Date.parse(events.at(-1)?.logGeneratedAt ?? '')
  const margin = Math.max(120_000, (last - first) * 0.2)
  return (
    <Stack gap={8}>
      <Stack component="ul" gap={14} m={0} p={0} mah={300} style={{ overflowY: 'auto' }}>
        {events.slice(-LISTED).map((event) => (
          <Flex key={event.id} component="li" gap={8}>
            <SeverityIcon severity={event.severity} />
            <div>
              <Link to="/events/$eventId" params={{ eventId: event.eventId }}>
                <strong>{eventName(event)}</strong>
              </Link>{' '}
              <Text span c="dimmed" size="xs">
                {alertStatusLabels[event.alertStatus]}
              </Text>
              <Text lineClamp={3} dir="auto">
                {event.description}
              </Text>
              <Text c="dimmed" size="xs">
                {durationLabel(event)}
              </Text>
            </div>
          </Flex>
        ))}
      </Stack>
      {events.length > 1 && (
        <Text>
          {events.length > LISTED && `Showing the newest ${LISTED} of ${events.length}. `}
          <Anchor
            component="button"
            type="button"
            inherit
            onClick={() => onZoom({ from: first - margin, to: last + margin })}
          >
            Zoom to these events
          </Anchor>
        </Text>
      )}
    </Stack>
  )
}

/**
 * Returns e.g. `High ORC-104882, 20-Nov-2026 14:02: Pressure above limit`; for several events their number and highest
 * severity.
 */
function markLabel(events: Mark<TimelineEvent>['items']): string {
  const [first] = events
  const severity = severityLabels[worstSeverity(events)]
  const from = formatInstrumentTime(first.logGeneratedAt)
  if (events.length === 1) return `${severity} ${eventName(first)}, ${from}: ${first.description.slice(0, 200)}`
  const to = formatInstrumentTime(events.at(-1)?.logGeneratedAt ?? null)
  return `${events.length} events, highest severity ${severity}, from ${from} to ${to}`
}

/** Returns when the event happened and how it ended. */
function durationLabel({ logGeneratedAt, clearedAt, closedAt, duringMaintenance }: TimelineEvent): string {
  const parts = [
    formatInstrumentTime(logGeneratedAt),
    clearedAt !== null && `returned to normal ${formatInstrumentTime(clearedAt)}`,
    closedAt !== null && `closed ${formatInstrumentTime(closedAt)}`,
    duringMaintenance && 'during maintenance',
  ]
  return parts.filter((part) => part !== false).join(' · ')
}

/**
 * Returns the read-out at an instant, with the time at the site if its clock differs. For the future it contains only
 * maintenance.
 */
export function readingAt(
  at: number,
  { statuses, runs, connections, maintenances, runtimes }: Omit<Lanes, 'events' | 'latest'>,
  { now, siteZone }: { now: number; siteZone: string },
) {
  const window = maintenances.find(
    ({ start, end }) => Date.parse(start) <= at && (end === null || at < Date.parse(end)),
  )
  const facts = [{ name: 'Maintenance', text: window === undefined ? 'none' : windowLabel(window) }]
  if (at <= now) {
    const status = stretchAt(statuses, at)
    const connection = stretchAt(connections, at)
    const run = stretchAt(runs, at)
    const day = runtimes.find(({ from, to }) => from <= at && at < to)
    const isOutdated = connection !== undefined && isLost(connection.value)
    facts.unshift(
      { name: isOutdated ? 'Last status' : 'Status', text: stretchLabel(status, now) },
      { name: 'Connection', text: stretchLabel(connection, now) },
      { name: 'Run', text: run ? stretchLabel(run, now) : 'none' },
    )
    const hours = day && `${(day.seconds / 3600).toFixed(1)} h on ${formatInstrumentDate(day.day)}`
    facts.push({ name: 'Run time', text: hours ?? 'no data' })
  }
  const there = formatInstrumentTimeInZone(at, siteZone)
  const isSameClock = there === null || there.includes(` ${formatClock(at)} `)
  return { time: formatInstrumentTime(at), siteTime: isSameClock ? null : there, facts }
}

/** Returns e.g. `method run since 20-Nov-2026 10:04 (3 h 58 min)`, with the total duration, up to now if it lasts. */
function stretchLabel(stretch: Stretch<string> | undefined, now: number): string {
  if (stretch === undefined) return 'unknown'
  const { value, from, to } = stretch
  return `${value} since ${formatInstrumentTime(from)} (${formatSpan(((to ?? now) - from) / 1000)})`
}

/** Returns e.g. `20-Nov-2026 10:00 to 20-Nov-2026 14:00: Service visit`. */
export function windowLabel({ start, end, reason }: Lanes['maintenances'][number]): string {
  const span =
    end === null
      ? `since ${formatInstrumentTime(start)}`
      : `${formatInstrumentTime(start)} to ${formatInstrumentEnd(end)}`
  return reason === null ? span : `${span}: ${reason}`
}
