import type { InstrumentTimeline as Timeline } from '@benchwatch/contract/instrument-timeline'
import type { Instrument } from '@benchwatch/contract/instruments'
import { ActionIcon } from '@mantine/core'
import { IconArrowBarToRight, IconChevronLeft, IconChevronRight, IconZoomIn, IconZoomOut } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { formatInstrumentDate } from '../../../lib/time/dates.ts'
import { SegmentedControl } from '../../../ui/form/segmented-control.tsx'
import { Card } from '../../../ui/layout/card.tsx'
import { RetryLine } from '../../../ui/text/notice.tsx'
import { useNow } from '../../../ui/time/use-now.ts'
import { instrumentTimelineQuery } from '../instruments.api.ts'
import styles from './instrument-timeline.module.css'
import { TimelineList } from './timeline-list.tsx'
import { TimelinePlot } from './timeline-plot.tsx'
import {
  type ChosenSpan,
  moved,
  type PresetKey,
  presets,
  readSpan,
  type Span,
  spanOf,
  writeSpan,
  zoomed,
} from './timeline-span.ts'

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
 * pointer, wheel and keys zoom and pan it; the address holds the span.
 */
export function InstrumentTimeline({ instrument }: { instrument: Pick<Instrument, 'id' | 'instrumentTimeZone'> }) {
  const now = useNow()
  const { chosen, span, settled, choose, move } = useTimelineSpan(now)
  const query = useQuery(instrumentTimelineQuery(instrument.id, isoSpan(settled)))
  const timeline = query.data
  const isStale = query.isPlaceholderData || span !== settled

  return (
    <Card title="Time line" end={<TimelineControls chosen={chosen} span={span} now={now} onChoose={choose} />}>
      <div className={styles.body} aria-busy={query.isFetching}>
        {timeline === undefined && query.isError ? (
          <RetryLine onRetry={() => void query.refetch()}>Could not get the time line.</RetryLine>
        ) : (
          <>
            <TimelinePlot
              timeline={timeline}
              span={span}
              now={now}
              siteZone={instrument.instrumentTimeZone}
              isStale={isStale}
              onMark={choose}
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
      </div>
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
  return remarks.length === 0 ? null : <p className={styles.remark}>{remarks.join(' ')}</p>
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
  const zoom = (factor: number) => onChoose(zoomed(span, { factor, around: (span.from + span.to) / 2, now }))
  const isNowInSight = now < span.to
  return (
    <div className={styles.controls}>
      <SegmentedControl
        label="Time shown"
        value={typeof chosen === 'string' ? chosen : OWN}
        options={byLength.map(({ key, label }) => ({ value: key as PresetKey | typeof OWN, label }))}
        onChange={(key) => key !== OWN && onChoose(key)}
      />
      <span className={styles.steps}>
        <Step label="Earlier" onPress={() => onChoose(moved(span, { share: -0.5, now }))}>
          <IconChevronLeft size={16} stroke={1.7} aria-hidden="true" />
        </Step>
        <Step label="Later" onPress={() => onChoose(moved(span, { share: 0.5, now }))}>
          <IconChevronRight size={16} stroke={1.7} aria-hidden="true" />
        </Step>
        <Step label="Zoom in" onPress={() => zoom(0.5)}>
          <IconZoomIn size={16} stroke={1.7} aria-hidden="true" />
        </Step>
        <Step label="Zoom out" onPress={() => zoom(2)}>
          <IconZoomOut size={16} stroke={1.7} aria-hidden="true" />
        </Step>
        <Step
          label="Go to now"
          isDisabled={isNowInSight}
          onPress={() => onChoose(moved(span, { share: (now - span.to) / (span.to - span.from) + 0.04, now }))}
        >
          <IconArrowBarToRight size={16} stroke={1.7} aria-hidden="true" />
        </Step>
      </span>
    </div>
  )
}

function Step(props: { label: string; isDisabled?: boolean; onPress: () => void; children: ReactNode }) {
  return (
    <ActionIcon
      size={30}
      aria-label={props.label}
      title={props.label}
      disabled={props.isDisabled ?? false}
      onClick={props.onPress}
    >
      {props.children}
    </ActionIcon>
  )
}
