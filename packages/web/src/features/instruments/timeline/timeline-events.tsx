import { alertStatusLabels, severityLabels } from '@benchwatch/contract/vocabulary'
import { Link } from '@tanstack/react-router'
import { lazy, useState } from 'react'
import { eventName } from '../../../lib/screen-name.ts'
import { formatInstrumentTime } from '../../../lib/time/dates.ts'
import { LazyPart } from '../../../ui/layout/lazy-part.tsx'
import { SeverityShape } from '../../events/severity-badge.tsx'
import styles from './timeline-events.module.css'
import { type EventMark, eventEnd, eventMarks, placed, type TimelineEvent } from './timeline-lanes.ts'
import type { Span } from './timeline-span.ts'

// Loaded at the first press on a mark.
const DropdownFrame = lazy(() =>
  import('../../../ui/overlay/dropdown-frame.tsx').then((file) => ({ default: file.DropdownFrame })),
)

/** A mark with more events than this shows a count; zooming in shows the rest. */
const LISTED = 30

interface Opened {
  key: string
  anchor: HTMLElement
}

/** Draws events as marks, each with a line for its duration. A press opens the details. */
export function TimelineEvents(props: {
  events: readonly TimelineEvent[]
  span: Span
  width: number
  now: number
  onZoom: (span: Span) => void
}) {
  const { events, span, width, now, onZoom } = props
  const [opened, setOpened] = useState<Opened | null>(null)
  const marks = eventMarks(events, { span, width })
  const openedMark = marks.find((mark) => keyOf(mark) === opened?.key)
  return (
    <>
      <div className={styles.lasting} aria-hidden="true">
        {events.map((event) => {
          const shown = placed({ from: Date.parse(event.logGeneratedAt), to: eventEnd(event) ?? now }, span)
          if (shown === null) return null
          return (
            <span
              key={event.id}
              data-severity={event.severity}
              style={{ left: `${shown.left}%`, width: `${shown.width}%` }}
            />
          )
        })}
      </div>
      <ul className={styles.marks} aria-label="Events">
        {marks.map((mark) => (
          <li key={keyOf(mark)} style={{ left: `${mark.left}%` }}>
            <button
              type="button"
              className={styles.mark}
              data-severity={mark.severity}
              aria-label={markLabel(mark)}
              aria-haspopup="dialog"
              aria-expanded={mark === openedMark}
              title={markLabel(mark)}
              onClick={({ currentTarget }) =>
                setOpened(mark === openedMark ? null : { key: keyOf(mark), anchor: currentTarget })
              }
            >
              <SeverityShape severity={mark.severity} size={12} />
              {mark.events.length > 1 && <span className={styles.count} data-count={mark.events.length} />}
            </button>
          </li>
        ))}
      </ul>
      {opened !== null && openedMark !== undefined && (
        <LazyPart onFailure={() => setOpened(null)}>
          <DropdownFrame
            anchor={opened.anchor}
            title="Events at this time"
            align="start"
            width={360}
            onClose={() => setOpened(null)}
          >
            <MarkDetails
              mark={openedMark}
              onZoom={(around) => {
                setOpened(null)
                onZoom(around)
              }}
            />
          </DropdownFrame>
        </LazyPart>
      )}
    </>
  )
}

function MarkDetails({ mark, onZoom }: { mark: EventMark; onZoom: (span: Span) => void }) {
  const { events } = mark
  const first = Date.parse(events[0]?.logGeneratedAt ?? '')
  const last = Date.parse(events.at(-1)?.logGeneratedAt ?? '')
  const margin = Math.max(120_000, (last - first) * 0.2)
  return (
    <div className={styles.details}>
      <ul>
        {events.slice(-LISTED).map((event) => (
          <li key={event.id}>
            <span
              className={styles.shape}
              data-severity={event.severity}
              role="img"
              aria-label={severityLabels[event.severity]}
            >
              <SeverityShape severity={event.severity} size={10} />
            </span>
            <span className={styles.detailsLabel}>
              <Link to="/events/$eventId" params={{ eventId: event.eventId }}>
                {eventName(event)}
              </Link>{' '}
              <span className={styles.quiet}>{alertStatusLabels[event.alertStatus]}</span>
              <span className={styles.description} dir="auto">
                {event.description}
              </span>
              <span className={styles.quiet}>{durationLabel(event)}</span>
            </span>
          </li>
        ))}
      </ul>
      {events.length > 1 && (
        <p className={styles.detailsFoot}>
          {events.length > LISTED && `Showing the newest ${LISTED} of ${events.length}. `}
          <button
            type="button"
            className={styles.link}
            onClick={() => onZoom({ from: first - margin, to: last + margin })}
          >
            Zoom to these events
          </button>
        </p>
      )}
    </div>
  )
}

const keyOf = (mark: EventMark) => mark.events[0]?.id ?? ''

/**
 * Returns e.g. `High ORC-104882, 20-Nov-2026 14:02: Pressure above limit`; for several events their number and highest
 * severity.
 */
function markLabel({ events, severity }: EventMark): string {
  const [first] = events
  const last = events.at(-1)
  if (first === undefined || last === undefined) return ''
  if (events.length === 1) {
    return `${severityLabels[severity]} ${eventName(first)}, ${formatInstrumentTime(first.logGeneratedAt)}: ${first.description.slice(0, 200)}`
  }
  const from = formatInstrumentTime(first.logGeneratedAt)
  return `${events.length} events, highest severity ${severityLabels[severity]}, from ${from} to ${formatInstrumentTime(last.logGeneratedAt)}`
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
