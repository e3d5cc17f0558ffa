import type { InstrumentTimeline as Timeline } from '@benchwatch/contract/instruments/instrument-timeline'
import type { Instrument } from '@benchwatch/contract/instruments/instruments'
import { ActionIcon, Anchor, Box, Group, Text } from '@mantine/core'
import { IconArrowBarToRight, IconChevronLeft, IconChevronRight, IconZoomIn, IconZoomOut } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, useEffect, useEffectEvent, useMemo, useState } from 'react'
import { eventName } from '../../../lib/screen-name.ts'
import { formatInstrumentDate, formatInstrumentEnd, formatInstrumentTime } from '../../../lib/time/dates.ts'
import { AsList } from '../../../ui/charts/chart-reader.tsx'
import { AxisEntries, type AxisEntry, type Limits, moved, type Span, zoomed } from '../../../ui/charts/time-axis.tsx'
import { SegmentedControl } from '../../../ui/form/segmented-control.tsx'
import { Card } from '../../../ui/layout/card.tsx'
import { RetryLine } from '../../../ui/text/notice.tsx'
import { useNow } from '../../../ui/time/use-now.ts'
import { StatusSwatch } from '../../connections/instrument-status-dot.tsx'
import { SeverityIcon } from '../../events/status/severity-badge.tsx'
import { instrumentTimelineQuery } from '../instruments.api.ts'
import styles from './instrument-timeline.module.css'
import { TimelinePlot } from './timeline-plot.tsx'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/** Spans up to now with their names in the address; the first is the default. */
const presets = [
  { key: '7d', label: '7 days', days: 7 },
  { key: '24h', label: '24 h', days: 1 },
  { key: '30d', label: '30 days', days: 30 },
  { key: '90d', label: '90 days', days: 90 },
  { key: '1y', label: '1 year', days: 365 },
] as const
type PresetKey = (typeof presets)[number]['key']

/** Either a preset, which is relative to now, or a fixed span that the user chose. */
type ChosenSpan = PresetKey | Span

/** Maintenance is planned at most this far ahead; later there is nothing to show. */
const AHEAD_MS = 92 * DAY_MS
/** The longest span is that of one answer (contract: getInstrumentTimeline). */
export const limitsAt = (now: number): Limits => ({
  shortest: 10 * MINUTE_MS,
  longest: 366 * DAY_MS,
  latest: now + AHEAD_MS,
})
/** Share of the future in a preset, so that maintenance about to begin is visible and now is not at the very edge. */
const SHARE_AHEAD = 0.04

/**
 * Returns the span to draw. A preset ends a little after now, rounded up so that the same request serves for a while.
 */
export function spanOf(chosen: ChosenSpan, now: number): Span {
  if (typeof chosen === 'object') return chosen
  const { days } = presets.find(({ key }) => key === chosen) ?? presets[0]
  const length = days * DAY_MS
  const step = Math.max(MINUTE_MS, length / 1000)
  const upTo = Math.ceil(now / step) * step
  return { from: upTo - length, to: upTo + Math.min(length * SHARE_AHEAD, limitsAt(now).longest - length) }
}

/** Reads `span` of an address: a preset's key or `start~stop` as ISO instants. Anything else gives the default span. */
export function readSpan(text: unknown): ChosenSpan {
  if (typeof text !== 'string') return presets[0].key
  const preset = presets.find(({ key }) => key === text)
  if (preset !== undefined) return preset.key
  const [from = Number.NaN, to = Number.NaN] = text.split('~', 2).map((one) => Date.parse(one))
  const { shortest, longest } = limitsAt(0)
  const isSpan = from >= 0 && to - from >= shortest - 1 && to - from <= longest && to < 253e12
  return isSpan ? { from, to } : presets[0].key
}

/** Writes `span` of an address; undefined for the default span. */
export function writeSpan(chosen: ChosenSpan): string | undefined {
  if (typeof chosen === 'object') {
    return [chosen.from, chosen.to]
      .map((at) => new Date(Math.round(at / 1000) * 1000).toISOString().replace('.000', ''))
      .join('~')
  }
  return chosen === presets[0].key ? undefined : chosen
}

/** Sorted by length; `presets` has the default first. */
const byLength = presets.toSorted((one, other) => one.days - other.days)

const OWN = 'own'

/** Milliseconds without movement before a moved span is requested. */
const REST_MS = 250

interface Moved {
  span: Span
  /** The address that the span was moved from. */
  from: string
}

/**
 * The history of an instrument on one time axis: maintenance, connection, status, events and run time. Buttons,
 * pointer, wheel and keys zoom and pan it; the address contains the span.
 */
export function InstrumentTimeline({ instrument }: { instrument: Instrument }) {
  const now = useNow()
  const { chosen, span, settled, choose, move } = useTimelineSpan(now)
  const query = useQuery(instrumentTimelineQuery(instrument.id, isoSpan(settled)))
  const timeline = query.data
  const isStale = query.isPlaceholderData || span !== settled

  return (
    <Card title="Time line" end={<TimelineControls chosen={chosen} span={span} now={now} onChoose={choose} />}>
      <Box fz="sm" aria-busy={query.isFetching}>
        {timeline === undefined && query.isError ? (
          <RetryLine onRetry={() => void query.refetch()}>Could not get the time line.</RetryLine>
        ) : (
          <>
            <TimelinePlot
              timeline={timeline}
              span={span}
              limits={limitsAt(now)}
              now={now}
              siteZone={instrument.instrumentTimeZone}
              customer={instrument.instrumentCustomer}
              installedProductId={instrument.instrumentInstalledProductId}
              onSelect={choose}
              onMove={move}
            />
            {timeline !== undefined && (
              <>
                {query.isError && (
                  <RetryLine onRetry={() => void query.refetch()}>
                    Could not get this part of the time line. Showing earlier data.
                  </RetryLine>
                )}
                <Remarks timeline={timeline} span={settled} isStale={isStale} />
                <TimelineList timeline={timeline} />
              </>
            )}
          </>
        )}
      </Box>
    </Card>
  )
}

/** A start that differs from the request by more than this was moved by the server, not by rounding. */
const ROUNDING_MS = 1000

/** Notes on what the picture leaves out. */
function Remarks(props: { timeline: Timeline; span: Span; isStale: boolean }) {
  const { timeline, span, isStale } = props
  if (isStale) return null
  const { events, total, statusesCut, start } = timeline
  const remarks = [
    total.events > events.length &&
      `Showing the newest ${events.length.toLocaleString('en')} of ${total.events.toLocaleString('en')} events.`,
    statusesCut && 'Earlier statuses are left out. Zoom in to see them.',
    Date.parse(start) - span.from > ROUNDING_MS &&
      `The time line starts on ${formatInstrumentDate(start)}, when the instrument was assigned to its customer.`,
  ].filter((remark) => remark !== false)
  return (
    remarks.length > 0 && (
      <Text c="dimmed" size="xs" mt={8}>
        {remarks.join(' ')}
      </Text>
    )
  )
}

function isoSpan({ from, to }: Span): { start: string; stop: string } {
  return { start: new Date(from).toISOString(), stop: new Date(to).toISOString() }
}

/**
 * Holds the span of the time line. The address stores it as `span`; during a zoom or pan, `span` is already the value
 * that the address will get. `settled` is the span to request.
 */
function useTimelineSpan(now: number): {
  chosen: ChosenSpan
  span: Span
  settled: Span
  /** Adds a history entry, so that the back button returns to the previous span. */
  choose: (chosen: ChosenSpan) => void
  /** One of many small steps, such as a turn of the wheel. */
  move: (span: Span) => void
} {
  const { span: text }: Record<string, unknown> = useSearch({ strict: false })
  const address = typeof text === 'string' ? text : ''
  const navigate = useNavigate()
  const [ahead, setAhead] = useState<Moved | null>(null)
  const isAhead = ahead !== null && ahead.from === address
  const chosen = readSpan(address)
  const settled = spanOf(chosen, now)

  const write = (next: ChosenSpan, replace: boolean) =>
    void navigate({
      to: '.',
      search: (known: Record<string, unknown>) => ({ ...known, span: writeSpan(next) }),
      replace,
      resetScroll: false,
    })
  const settle = useEffectEvent((span: Span) => write(span, true))
  useEffect(() => {
    if (!isAhead) return
    const timer = setTimeout(() => settle(ahead.span), REST_MS)
    return () => clearTimeout(timer)
  }, [ahead, isAhead])

  return {
    chosen: isAhead ? ahead.span : chosen,
    span: isAhead ? ahead.span : settled,
    settled,
    choose: (next) => {
      setAhead(null)
      write(next, false)
    },
    move: (span) => setAhead({ span, from: address }),
  }
}

/** Buttons for the length of the span and for earlier, later, zoom in and zoom out. */
function TimelineControls(props: {
  chosen: ChosenSpan
  span: Span
  now: number
  onChoose: (chosen: ChosenSpan) => void
}) {
  const { chosen, span, now, onChoose } = props
  const limits = limitsAt(now)
  const zoom = (factor: number) => () => onChoose(zoomed(span, factor, (span.from + span.to) / 2, limits))
  const pan = (share: number) => () => onChoose(moved(span, share, limits))
  const steps = [
    { label: 'Earlier', Icon: IconChevronLeft, act: pan(-0.5) },
    { label: 'Later', Icon: IconChevronRight, act: pan(0.5) },
    { label: 'Zoom in', Icon: IconZoomIn, act: zoom(0.5) },
    { label: 'Zoom out', Icon: IconZoomOut, act: zoom(2) },
    {
      label: 'Go to now',
      Icon: IconArrowBarToRight,
      act: pan((now - span.to) / (span.to - span.from) + SHARE_AHEAD),
      isDisabled: now < span.to,
    },
  ]
  return (
    <Group gap="6px 10px" className={styles.controls}>
      <SegmentedControl
        label="Time shown"
        value={typeof chosen === 'string' ? chosen : OWN}
        options={byLength.map(({ key, label }) => ({ value: key as PresetKey | typeof OWN, label }))}
        onChange={(key) => key !== OWN && onChoose(key)}
      />
      <Group gap={2}>
        {steps.map(({ label, Icon, act, isDisabled = false }) => (
          <ActionIcon key={label} size={30} aria-label={label} title={label} disabled={isDisabled} onClick={act}>
            <Icon size={16} stroke={1.7} aria-hidden="true" />
          </ActionIcon>
        ))}
      </Group>
    </Group>
  )
}

/** Rows added by each press. */
const ROWS = 100

/** The time line as a list, newest first, for users who prefer text. Collapsed by default. */
function TimelineList({ timeline }: { timeline: Timeline }) {
  const [isOpen, setOpen] = useState(false)
  const [count, setCount] = useState(ROWS)
  const entries = useMemo(() => (isOpen ? entriesOf(timeline) : []), [isOpen, timeline])
  return (
    <AsList onToggle={setOpen}>
      {isOpen && entries.length === 0 && (
        <Text c="dimmed" size="xs" mt={8}>
          No data for this period.
        </Text>
      )}
      <AxisEntries label="Time line, newest first" entries={entries.slice(0, count)} />
      {entries.length > count && (
        <Anchor component="button" type="button" size="xs" mih={28} onClick={() => setCount(count + ROWS)}>
          Show {Math.min(ROWS, entries.length - count)} more of {(entries.length - count).toLocaleString('en')}
        </Anchor>
      )}
    </AsList>
  )
}

function entriesOf({ events, statuses, runs, connections, maintenances }: Timeline): AxisEntry[] {
  const entry = (kind: string, from: string, icon: ReactNode, text: ReactNode): AxisEntry => {
    const at = Date.parse(from)
    return { key: `${kind} ${from}`, at, time: formatInstrumentTime(at), icon, text }
  }
  return [
    ...events.map(({ id, eventId, logGeneratedAt, severity, description }) =>
      entry(
        `event ${id}`,
        logGeneratedAt,
        <SeverityIcon severity={severity} />,
        <>
          <Link to="/events/$eventId" params={{ eventId }}>
            {eventName({ eventId })}
          </Link>{' '}
          <bdi>{description}</bdi>
        </>,
      ),
    ),
    ...statuses.map(({ from, instrumentStatus }) =>
      entry(
        `status ${instrumentStatus}`,
        from,
        <StatusSwatch status={instrumentStatus} />,
        `Status ${instrumentStatus}`,
      ),
    ),
    ...runs.map(({ run, from, to }) =>
      entry(
        `run ${run}`,
        from,
        null,
        <>
          Run <bdi>{run}</bdi> {to === null ? 'is on' : `until ${formatInstrumentTime(to)}`}
        </>,
      ),
    ),
    ...connections.map(({ from, orcStatus }) =>
      entry(`connection ${orcStatus}`, from, null, `Connection: ${orcStatus}`),
    ),
    ...maintenances.map(({ id, start, end, reason }) =>
      entry(
        `maintenance ${id}`,
        start,
        null,
        <>
          Maintenance {end === null ? 'without an end' : `until ${formatInstrumentEnd(end)}`}
          {reason !== null && (
            <>
              : <bdi>{reason}</bdi>
            </>
          )}
        </>,
      ),
    ),
  ].sort((one, other) => other.at - one.at)
}
