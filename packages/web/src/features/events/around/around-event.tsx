import type { EventSurroundings } from '@benchwatch/contract/events/event-details'
import type { ServiceEvent } from '@benchwatch/contract/events/events'
import { severityLabels } from '@benchwatch/contract/vocabulary'
import { Stack, Text } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../../../lib/http.ts'
import { eventName } from '../../../lib/screen-name.ts'
import { formatClock, formatEventDate, formatEventTime, type Instant } from '../../../lib/time/dates.ts'
import { formatSpan } from '../../../lib/time/duration.ts'
import { AsList } from '../../../ui/charts/chart-reader.tsx'
import {
  AxisEntries,
  type AxisEntry,
  Band,
  Lane,
  type Mark,
  Marks,
  type Stretch,
  stretchesOf,
  TimeAxis,
} from '../../../ui/charts/time-axis.tsx'
import { Card } from '../../../ui/layout/card.tsx'
import { RetryLine } from '../../../ui/text/notice.tsx'
import { SkeletonLine } from '../../../ui/text/skeleton.tsx'
import { StatusFill, StatusLegend, StatusSwatch } from '../../connections/instrument-status-dot.tsx'
import { keepNewer } from '../event-cache.ts'
import { worstSeverity } from '../event-text.ts'
import { serviceEventKeys } from '../events.api.ts'
import { SeverityIcon, SeverityShape } from '../status/severity-badge.tsx'
import styles from './around-event.module.css'

/** Poll interval until six hours after the event. Live messages of the instrument usually arrive sooner. */
const REFRESH_MS = 60_000

/**
 * Shows the card 'Around the event': what the instrument did and reported from six hours before the event to six hours
 * after it, or to now. An edge issue has no instrument, so its card shows only the other issues of its gateway.
 */
export function AroundEvent({ event }: { event: ServiceEvent }) {
  const around = useQuery(surroundingsQuery(event))
  const surroundings = around.data
  return (
    <Card title="Around the event">
      <div className={styles.body}>
        {surroundings !== undefined ? (
          <>
            <AroundEventAxis event={event} surroundings={surroundings} />
            <Remark event={event} surroundings={surroundings} />
            <AroundEventList event={event} surroundings={surroundings} />
          </>
        ) : around.isPending ? (
          <Stack role="status" aria-label="Loading the activity around this event…" gap={22} pt={10}>
            {['78%', '100%', '56%'].map((width) => (
              <SkeletonLine key={width} width={width} />
            ))}
          </Stack>
        ) : (
          <RetryLine onRetry={() => void around.refetch()}>Could not get the activity around this event.</RetryLine>
        )}
      </div>
    </Card>
  )
}

/** Says what the chart alone does not show. */
function Remark({ event, surroundings }: { event: ServiceEvent; surroundings: EventSurroundings }) {
  const { statuses, values, total } = surroundings
  const isAlone = total.events === 1
  const remarks = [
    event.isEdgeIssue && 'An edge issue concerns the gateway, which has no status.',
    event.isEdgeIssue && !isAlone && 'Only its own issues are shown.',
    event.isEdgeIssue && isAlone && 'It had no other issues within six hours.',
    !event.isEdgeIssue && statuses.length === 0 && 'No instrument status is known for this period.',
    !event.isEdgeIssue && isAlone && 'No other events within six hours.',
    total.events > values.length && `Showing the nearest ${values.length} of ${total.events} events.`,
  ].filter((remark) => remark !== false)
  return (
    remarks.length > 0 && (
      <Text c="dimmed" size="xs" mt={8}>
        {remarks.join(' ')}
      </Text>
    )
  )
}

/** Reads what happened at the instrument within six hours of this event. Polling stops when the six hours are over. */
function surroundingsQuery({
  id,
  instrumentInstalledProductId,
}: Pick<ServiceEvent, 'id' | 'instrumentInstalledProductId'>) {
  return queryOptions({
    queryKey: serviceEventKeys.around(instrumentInstalledProductId, id),
    queryFn: async ({ client, queryKey, signal }) =>
      keepNewer(
        await call('getEventSurroundings', { params: { id }, signal }),
        client.getQueryData<EventSurroundings>(queryKey),
      ),
    enabled: ({ state }) => state.data === undefined || isStillGrowing(state.data),
    refetchInterval: REFRESH_MS,
  })
}

/**
 * Draws status band, events and hours on one axis, with a line at the event. The text below describes what the pointer
 * is on.
 */
function AroundEventAxis({ event, surroundings }: { event: ServiceEvent; surroundings: EventSurroundings }) {
  const [read, setRead] = useState<string | null>(null)
  const [opened, setOpened] = useState<{ from: number; to: number } | null>(null)
  const eventAt = timeOf(event)
  const span = { from: Date.parse(surroundings.start), to: Date.parse(surroundings.stop) }
  const stretches = statusStretches(surroundings)
  const events = surroundings.values.map(({ alarm }) => alarm)
  const labelOf = (stretch: StatusStretch) => stretchLabel(stretch, { stop: span.to, eventAt })
  const atEvent = stretches.findLast(({ from }) => from <= eventAt)
  const reads = (label: string) => ({
    onPointerEnter: () => setRead(label),
    onPointerLeave: () => setRead(null),
    onFocus: () => setRead(label),
    onBlur: () => setRead(null),
  })
  return (
    <>
      <TimeAxis
        span={span}
        lines={[{ at: eventAt, color: `var(--bw-${event.severity}-ink)`, label: formatClock(eventAt) }]}
      >
        {!event.isEdgeIssue && (
          <Lane name="Status" height={32} dashed>
            <Band label="Status" stretches={stretches} labelOf={labelOf} onRead={setRead}>
              {({ value }) => <StatusFill status={value} className={styles.fill} />}
            </Band>
          </Lane>
        )}
        <Lane name="Events" height={32}>
          <Marks
            label="Events"
            items={events}
            at={timeOf}
            pinned={events.find(({ id }) => id === event.id)}
            describe={(mark) => {
              const severity = mark.isPinned ? event.severity : worstSeverity(mark.items)
              return {
                key: mark.items[0].id,
                label: markLabel(mark, event),
                color: `var(--bw-${severity})`,
                icon: <SeverityShape severity={severity} size={mark.isPinned ? 15 : 11} />,
              }
            }}
          >
            {({ items: [first, ...more], isPinned }, element) => {
              const others = { ...element, ...reads(element['aria-label']) }
              const last = more.at(-1)
              if (last !== undefined) {
                const isOpen = opened?.from === timeOf(first)
                const toggle = () => setOpened(isOpen ? null : { from: timeOf(first), to: timeOf(last) })
                return <button type="button" {...others} aria-expanded={isOpen} onClick={toggle} />
              }
              if (isPinned) return <span {...others} role="img" />
              return <Link to="/events/$eventId" params={{ eventId: first.eventId }} {...others} />
            }}
          </Marks>
        </Lane>
      </TimeAxis>
      <Text className={styles.reading} mt={8} lh="20px">
        {read ?? (atEvent === undefined ? formatEventTime(eventAt) : `At the event: ${labelOf(atEvent)}`)}
      </Text>
      {opened !== null && (
        <AxisEntries
          label="Events at this time"
          entries={events
            .filter((one) => timeOf(one) >= opened.from && timeOf(one) <= opened.to)
            .map((one) => eventEntry(one, event))}
        />
      )}
      <StatusLegend statuses={stretches.map(({ value }) => value)} />
    </>
  )
}

/** Shows the same data as a list, oldest first, for screen readers and for users who prefer text. Closed by default. */
function AroundEventList({ event, surroundings }: { event: ServiceEvent; surroundings: EventSurroundings }) {
  const stop = Date.parse(surroundings.stop)
  const entries = [
    ...statusStretches(surroundings).map(({ value, from, to }) => ({
      key: `${from} ${value}`,
      at: from,
      time: clockBeside(from, timeOf(event)),
      icon: <StatusSwatch status={value} />,
      text: (
        <>
          {value}{' '}
          <Text span c="dimmed">
            for {lasted((to ?? stop) - from)}
          </Text>
        </>
      ),
    })),
    ...surroundings.values.map(({ alarm }) => eventEntry(alarm, event)),
  ]
  return (
    <AsList>
      <AxisEntries label="Around the event, oldest first" entries={entries.sort((one, other) => one.at - other.at)} />
    </AsList>
  )
}

/** Returns a line about `one` on the card of `event`. */
function eventEntry(one: ServiceEvent, event: ServiceEvent): AxisEntry {
  return {
    key: one.id,
    at: timeOf(one),
    time: clockBeside(one.logGeneratedAt, timeOf(event)),
    icon: <SeverityIcon severity={one.severity} />,
    text: (
      <>
        {one.id === event.id ? (
          <strong>This event</strong>
        ) : (
          <Link to="/events/$eventId" params={{ eventId: one.eventId }}>
            {eventName(one)}
          </Link>
        )}{' '}
        <bdi>{one.description}</bdi>
      </>
    ),
  }
}

/** Events are placed by the instrument's clock: a delayed event is placed where it happened, not where it arrived. */
const timeOf = ({ logGeneratedAt }: ServiceEvent) => Date.parse(logGeneratedAt)

type StatusStretch = Stretch<EventSurroundings['statuses'][number]['instrumentStatus']>

function statusStretches({ statuses }: Pick<EventSurroundings, 'statuses'>): StatusStretch[] {
  return stretchesOf(
    statuses.map(({ from, instrumentStatus }) => ({ value: instrumentStatus, from: Date.parse(from) })),
  )
}

const WHOLE_WINDOW_MS = 12 * 3_600_000

/** True until the hours after the event are over: statuses and events can still arrive. */
export function isStillGrowing({ start, stop }: Pick<EventSurroundings, 'start' | 'stop'>): boolean {
  return Date.parse(stop) - Date.parse(start) < WHOLE_WINDOW_MS
}

/** Returns `14:02 HIGH ORC-104882: Pressure above limit`, or for several events `3 events from 13:58 to 14:02`. */
function markLabel({ items, isPinned }: Mark<ServiceEvent>, event: ServiceEvent): string {
  const [first, ...more] = items
  const from = clockBeside(first.logGeneratedAt, timeOf(event))
  const last = more.at(-1)
  if (last !== undefined) {
    const to = clockBeside(last.logGeneratedAt, timeOf(event))
    const count = isPinned ? `This event and ${more.length} more` : `${items.length} events`
    return from === to ? `${count} at ${from}` : `${count} from ${from} to ${to}`
  }
  const name = first.id === event.id ? 'this event' : eventName(first)
  return `${from} ${severityLabels[first.severity]} ${name}: ${first.description}`
}

/** Formats a duration with at most two units: `3 h 58 min`, `12 min`, `40 s`. */
export function lasted(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000)
  return formatSpan(seconds < 60 ? seconds : Math.round(seconds / 60) * 60)
}

/** Returns `10:04`, with the date if it differs from that of `beside`. */
export function clockBeside(at: Instant, beside: Instant): string {
  const day = formatEventDate(at)
  return day === formatEventDate(beside) ? formatClock(at) : `${day.slice(0, -5)} ${formatClock(at)}`
}

/** Returns `method run, 10:04 to 14:02 (3 h 58 min)`, or `…, since 14:02 (20 min until 14:22)` if it still lasts. */
export function stretchLabel(
  { value, from, to }: Stretch<string>,
  { stop, eventAt }: { stop: number; eventAt: number },
): string {
  const begun = clockBeside(from, eventAt)
  if (to !== null) return `${value}, ${begun} to ${clockBeside(to, eventAt)} (${lasted(to - from)})`
  return `${value}, since ${begun} (${lasted(stop - from)} until ${clockBeside(stop, eventAt)})`
}
