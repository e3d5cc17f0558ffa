import type { EventSurroundings } from '@benchwatch/contract/event-details'
import type { ServiceEvent } from '@benchwatch/contract/service-events'
import { severityLabels } from '@benchwatch/contract/vocabulary'
import { Link } from '@tanstack/react-router'
import { formatTooltipTime } from '../../lib/dates.ts'
import { eventName } from '../../lib/event-name.ts'
import { AsList } from '../../ui/as-list.tsx'
import { StatusSwatch } from '../connections/status-fill.tsx'
import styles from './around-event.module.css'
import { clockBeside, lasted, statusStretches } from './event-axis.ts'
import { SeverityShape } from './severity-shape.tsx'

/** The same in words, oldest first, for whoever reads rather than looks: closed until it is asked for. */
export function AroundEventList({ event, surroundings }: { event: ServiceEvent; surroundings: EventSurroundings }) {
  const eventAt = Date.parse(event.logGeneratedAt)
  const stop = Date.parse(surroundings.stop)
  const entries = [
    ...statusStretches(surroundings).map((stretch) => ({ at: stretch.from, stretch, alarm: null })),
    ...surroundings.values.map(({ alarm }) => ({ at: Date.parse(alarm.logGeneratedAt), alarm, stretch: null })),
  ].sort((a, b) => a.at - b.at)
  return (
    <AsList>
      <ol className={styles.words}>
        {entries.map(({ at, stretch, alarm }) => (
          <li key={`${at} ${stretch?.status ?? alarm?.id}`}>
            <time dateTime={new Date(at).toISOString()} title={formatTooltipTime(at)}>
              {clockBeside(at, eventAt)}
            </time>
            {stretch !== null && (
              <>
                <StatusSwatch status={stretch.status} />
                <span className={styles.description}>
                  {stretch.status}{' '}
                  <span className={styles.quiet}>for {lasted((stretch.to ?? stop) - stretch.from)}</span>
                </span>
              </>
            )}
            {alarm !== null && (
              <>
                <span
                  className={styles.listShape}
                  data-severity={alarm.severity}
                  role="img"
                  aria-label={severityLabels[alarm.severity]}
                >
                  <SeverityShape severity={alarm.severity} size={9} />
                </span>
                <span className={styles.description} dir="auto" title={alarm.description}>
                  {alarm.id === event.id ? (
                    <strong>This event</strong>
                  ) : (
                    <Link to="/events/$eventId" params={{ eventId: alarm.eventId }}>
                      {eventName(alarm)}
                    </Link>
                  )}{' '}
                  {alarm.description}
                </span>
              </>
            )}
          </li>
        ))}
      </ol>
    </AsList>
  )
}
