import type { EventSurroundings } from '@benchwatch/contract/event-details'
import type { ServiceEvent } from '@benchwatch/contract/events'
import { severityLabels } from '@benchwatch/contract/vocabulary'
import { useElementSize } from '@mantine/hooks'
import { Link } from '@tanstack/react-router'
import { type KeyboardEvent, useState } from 'react'
import { eventName } from '../../../lib/screen-name.ts'
import { formatClock, formatEventTime, formatTooltipTime } from '../../../lib/time/dates.ts'
import { StatusFill, StatusLegend } from '../../connections/instrument-status-dot.tsx'
import { SeverityShape } from '../severity-badge.tsx'
import styles from './around-event.module.css'
import {
  clockBeside,
  type EventMark,
  eventMarks,
  hourTicks,
  placeOf,
  type StatusStretch,
  statusStretches,
  stretchLabel,
} from './event-axis.ts'

/** Assumed until the chart has been measured. */
const USUAL_WIDTH = 400

/**
 * Draws status band, events and hours on one axis, with a line at the event. The text below describes what the pointer
 * is on.
 */
export function AroundEventAxis({ event, surroundings }: { event: ServiceEvent; surroundings: EventSurroundings }) {
  const { ref, width } = useElementSize()
  const [pointedAt, setPointedAt] = useState<string | null>(null)
  const [opened, setOpened] = useState<string | null>(null)
  const eventAt = Date.parse(event.logGeneratedAt)
  const stretches = statusStretches(surroundings)
  const marks = eventMarks(surroundings, { id: event.id, width: width || USUAL_WIDTH })
  const openedMark = marks.find((mark) => mark.events.length > 1 && markKey(mark) === opened)
  const left = placeOf(eventAt, surroundings)
  const labelOf = (stretch: StatusStretch) => stretchLabel(stretch, { stop: surroundings.stop, eventAt })
  const atEvent = stretches.findLast((stretch) => stretch.from <= eventAt)
  const point = { onPoint: setPointedAt, onLeave: () => setPointedAt(null) }

  return (
    <>
      <div className={styles.axis}>
        {!event.isEdgeIssue && (
          <>
            <span className={styles.lane}>Status</span>
            {stretches.length === 0 ? (
              <div className={styles.band} />
            ) : (
              <StatusBand stretches={stretches} labelOf={labelOf} {...point} />
            )}
          </>
        )}
        <span className={styles.lane}>Events</span>
        <ul className={styles.marks} ref={ref} aria-label="Events">
          {marks.map((mark) => (
            <li
              key={markKey(mark)}
              className={styles.mark}
              style={{ left: `${mark.left}%` }}
              data-this={mark.isThis || undefined}
            >
              <Mark
                mark={mark}
                label={markLabel(mark, { event, eventAt })}
                isOpen={mark === openedMark}
                onToggle={() => setOpened(mark === openedMark ? null : markKey(mark))}
                {...point}
              />
            </li>
          ))}
        </ul>
        <div className={styles.hours} aria-hidden="true">
          {hourTicks(surroundings, eventAt).map((tick) => (
            <span key={tick.at} style={{ left: withinAxis(tick.left) }}>
              {tick.label}
            </span>
          ))}
          <strong data-severity={event.severity} style={{ left: withinAxis(left) }}>
            {formatClock(eventAt)}
          </strong>
        </div>
        <div className={styles.cursor} aria-hidden="true">
          <span data-severity={event.severity} style={{ left: `${left}%` }} />
        </div>
      </div>
      <p className={styles.reading}>
        {pointedAt ?? (atEvent === undefined ? formatEventTime(eventAt) : `At the event: ${labelOf(atEvent)}`)}
      </p>
      {openedMark !== undefined && <OpenedMark mark={openedMark} event={event} eventAt={eventAt} />}
      <StatusLegend statuses={stretches.map(({ status }) => status)} />
    </>
  )
}

/** Position of a five-letter label's centre, kept far enough inside the axis to show the whole label. */
const withinAxis = (left: number) => `clamp(15px, ${left}%, 100% - 15px)`

const markKey = (mark: EventMark) => mark.events[0]?.id ?? ''

/** Returns `14:02 HIGH ORC-104882 Pressure above limit`, or for several events `3 events from 13:58 to 14:02`. */
function markLabel(
  { events, isThis }: EventMark,
  { event, eventAt }: { event: ServiceEvent; eventAt: number },
): string {
  const [first] = events
  const last = events.at(-1)
  if (first === undefined || last === undefined) return ''
  const from = clockBeside(first.logGeneratedAt, eventAt)
  const to = clockBeside(last.logGeneratedAt, eventAt)
  if (events.length > 1) {
    const count = isThis ? `This event and ${events.length - 1} more` : `${events.length} events`
    return from === to ? `${count} at ${from}` : `${count} from ${from} to ${to}`
  }
  const name = first.id === event.id ? 'this event' : eventName(first)
  return `${from} ${severityLabels[first.severity]} ${name}: ${first.description}`
}

function Mark(props: {
  mark: EventMark
  label: string
  isOpen: boolean
  onToggle: () => void
  onPoint: (label: string) => void
  onLeave: () => void
}) {
  const { mark, label, isOpen, onToggle, onPoint, onLeave } = props
  const [first] = mark.events
  if (first === undefined) return null
  const shape = <SeverityShape severity={mark.severity} size={mark.isThis ? 15 : 11} />
  const common = {
    className: styles.markShape,
    'data-severity': mark.severity,
    'aria-label': label,
    onPointerEnter: () => onPoint(label),
    onPointerLeave: onLeave,
    onFocus: () => onPoint(label),
    onBlur: onLeave,
  }
  if (mark.events.length > 1) {
    return (
      <button type="button" {...common} aria-expanded={isOpen} onClick={onToggle}>
        {shape}
        {/* Decorative: the accessible name already says it. */}
        <span className={styles.count} data-count={mark.events.length} />
      </button>
    )
  }
  if (mark.isThis) {
    return (
      <span {...common} role="img">
        {shape}
      </span>
    )
  }
  return (
    <Link to="/events/$eventId" params={{ eventId: first.eventId }} {...common}>
      {shape}
    </Link>
  )
}

/** Lists the events of a mark that holds several. */
function OpenedMark({ mark, event, eventAt }: { mark: EventMark; event: ServiceEvent; eventAt: number }) {
  return (
    <ul className={styles.opened} aria-label="Events at this time">
      {mark.events.map((one) => (
        <li key={one.id}>
          <span data-severity={one.severity} className={styles.listShape}>
            <SeverityShape severity={one.severity} size={9} />
          </span>
          <time dateTime={one.logGeneratedAt} title={formatTooltipTime(one.logGeneratedAt)}>
            {clockBeside(one.logGeneratedAt, eventAt)}
          </time>
          {one.id === event.id ? (
            <span className={styles.this}>This event</span>
          ) : (
            <Link to="/events/$eventId" params={{ eventId: one.eventId }}>
              {eventName(one)}
            </Link>
          )}
          <span className={styles.description} dir="auto" title={one.description}>
            {one.description}
          </span>
        </li>
      ))}
    </ul>
  )
}

/** Status stretches in a row. The band is one tab stop; the arrow keys move within it. */
function StatusBand(props: {
  stretches: readonly StatusStretch[]
  labelOf: (stretch: StatusStretch) => string
  onPoint: (label: string) => void
  onLeave: () => void
}) {
  const { stretches, labelOf, onPoint, onLeave } = props
  const [reached, setReached] = useState(0)
  const reachable = Math.min(reached, stretches.length - 1)

  const onKeyDown = (event: KeyboardEvent<HTMLButtonElement>) => {
    const target = nextStretch(event.key, { from: reachable, count: stretches.length })
    const button = target === null ? undefined : event.currentTarget.parentElement?.children[target]
    if (target === null || !(button instanceof HTMLElement)) return
    event.preventDefault()
    setReached(target)
    button.focus()
  }

  return (
    <div className={styles.band} role="toolbar" aria-label="Status">
      {stretches.map((stretch, index) => (
        <button
          key={stretch.from}
          type="button"
          className={styles.stretch}
          style={{ left: `${stretch.left}%`, width: `${stretch.width}%` }}
          aria-label={labelOf(stretch)}
          tabIndex={index === reachable ? 0 : -1}
          onKeyDown={onKeyDown}
          onPointerEnter={() => onPoint(labelOf(stretch))}
          onPointerLeave={onLeave}
          onFocus={() => {
            setReached(index)
            onPoint(labelOf(stretch))
          }}
          onBlur={onLeave}
        >
          <StatusFill status={stretch.status} className={styles.fill} />
        </button>
      ))}
    </div>
  )
}

function nextStretch(key: string, { from, count }: { from: number; count: number }): number | null {
  switch (key) {
    case 'ArrowRight':
      return Math.min(from + 1, count - 1)
    case 'ArrowLeft':
      return Math.max(from - 1, 0)
    case 'Home':
      return 0
    case 'End':
      return count - 1
    default:
      return null
  }
}
