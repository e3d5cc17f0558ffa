import type { InstrumentTimeline } from '@benchwatch/contract/instrument-timeline'
import { severityLabels } from '@benchwatch/contract/vocabulary'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useMemo, useState } from 'react'
import { eventName } from '../../../lib/screen-name.ts'
import { formatInstrumentEnd, formatInstrumentTime, formatTooltipTime } from '../../../lib/time/dates.ts'
import { AsList } from '../../../ui/charts/chart-reader.tsx'
import { StatusSwatch } from '../../connections/instrument-status-dot.tsx'
import { SeverityShape } from '../../events/severity-badge.tsx'
import styles from './instrument-timeline.module.css'

/** Rows added by each press. */
const ROWS = 100

interface Entry {
  key: string
  at: number
  icon: ReactNode
  text: ReactNode
}

/** The time line as a list, newest first, for users who prefer text. Collapsed by default. */
export function TimelineList({ timeline }: { timeline: InstrumentTimeline }) {
  const [isOpen, setOpen] = useState(false)
  const [count, setCount] = useState(ROWS)
  const entries = useMemo(() => (isOpen ? entriesOf(timeline) : []), [isOpen, timeline])
  return (
    <AsList onToggle={setOpen}>
      {isOpen && entries.length === 0 && <p className={styles.remark}>No data for this period.</p>}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be scrolled by keys, too */}
      <ol className={styles.entries} tabIndex={0} aria-label="Time line, newest first">
        {entries.slice(0, count).map(({ key, at, icon, text }) => (
          <li key={key}>
            <time dateTime={new Date(at).toISOString()} title={formatTooltipTime(at)}>
              {formatInstrumentTime(at)}
            </time>
            <span className={styles.sign}>{icon}</span>
            <span className={styles.words}>{text}</span>
          </li>
        ))}
      </ol>
      {entries.length > count && (
        <button type="button" className={styles.more} onClick={() => setCount(count + ROWS)}>
          Show {Math.min(ROWS, entries.length - count)} more of {(entries.length - count).toLocaleString('en')}
        </button>
      )}
    </AsList>
  )
}

function entriesOf({ events, statuses, connections, maintenances }: InstrumentTimeline): Entry[] {
  const entries: Entry[] = [
    ...events.map((event) => ({
      key: `event ${event.id}`,
      at: Date.parse(event.logGeneratedAt),
      icon: (
        <span data-severity={event.severity} role="img" aria-label={severityLabels[event.severity]}>
          <SeverityShape severity={event.severity} size={10} />
        </span>
      ),
      text: (
        <>
          <Link to="/events/$eventId" params={{ eventId: event.eventId }}>
            {eventName(event)}
          </Link>{' '}
          <bdi>{event.description}</bdi>
        </>
      ),
    })),
    ...statuses.map(({ from, instrumentStatus }) => ({
      key: `status ${from}`,
      at: Date.parse(from),
      icon: <StatusSwatch status={instrumentStatus} />,
      text: `Status ${instrumentStatus}`,
    })),
    ...connections.map(({ from, orcStatus }) => ({
      key: `connection ${from}`,
      at: Date.parse(from),
      icon: null,
      text: `Connection: ${orcStatus}`,
    })),
    ...maintenances.map(({ id, start, end, reason }) => ({
      key: `maintenance ${id} ${start}`,
      at: Date.parse(start),
      icon: null,
      text: (
        <>
          Maintenance {end === null ? 'without an end' : `until ${formatInstrumentEnd(end)}`}
          {reason !== null && (
            <>
              : <bdi>{reason}</bdi>
            </>
          )}
        </>
      ),
    })),
  ]
  return entries.sort((one, other) => other.at - one.at)
}
