import type { ServiceEvent } from '@benchwatch/contract/service-events'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { age } from '../../lib/age.ts'
import { Card } from '../../ui/card.tsx'
import { SkeletonLine } from '../../ui/skeleton.tsx'
import { EventTime } from './event-time.tsx'
import { eventName } from './event-toasts.ts'
import { priorEventsQuery } from './prior-events.api.ts'
import styles from './prior-events.module.css'
import type { ListedServiceEvent } from './service-event-cache.ts'
import { SeverityBadge } from './severity-badge.tsx'
import { StatusBlock } from './status-block.tsx'
import { useNow } from './use-now.ts'

/**
 * The card 'Prior Event Notification': what was raised before this event on its instrument (for an edge issue: about its
 * gateway), newest first; five rows, then it scrolls. Document 1 section 2.
 */
export function PriorEvents({ event }: { event: ServiceEvent }) {
  const prior = useQuery(priorEventsQuery(event))
  const now = useNow()
  const rows = prior.data?.values
  return (
    <Card title="Prior Event Notification" flush>
      {rows === undefined ? (
        <div className={styles.waiting} aria-busy={prior.isPending || undefined}>
          {prior.isPending ? <WaitingRows /> : <CouldNotGet onRetry={() => void prior.refetch()} />}
        </div>
      ) : rows.length === 0 ? (
        <p className={styles.empty}>
          Nothing was raised before this event {event.isEdgeIssue ? 'about this gateway' : 'on this instrument'}.
        </p>
      ) : (
        <div className={styles.rows}>
          <table className={styles.table}>
            <thead className={styles.hidden}>
              <tr>
                {['Severity', 'Age', 'Event', 'Description', 'Status'].map((name) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <PriorRow key={row.alarm.id} row={row} of={event} now={now} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Card>
  )
}

function PriorRow({ row, of, now }: { row: ListedServiceEvent; of: ServiceEvent; now: number }) {
  const { alarm } = row
  const isOther = alarm.instrumentInstalledProductId !== of.instrumentInstalledProductId
  return (
    <tr data-removed={row.removed || undefined}>
      <td className={styles.severity}>
        <SeverityBadge severity={alarm.severity} />
      </td>
      <td className={styles.age}>
        <EventTime at={alarm.createdAt} siteZone={alarm.siteTimeZone}>
          {age(alarm.createdAt, now)}
        </EventTime>
      </td>
      <td className={styles.name}>
        <Link to="/events/$eventId" params={{ eventId: alarm.eventId }}>
          {eventName(alarm)}
        </Link>
      </td>
      <td>
        <div className={styles.description} dir="auto" title={alarm.description}>
          {row.removed && <span className={styles.hidden}>deleted: </span>}
          {isOther && <span className={styles.other}>{alarm.instrumentInstalledProductId} </span>}
          {alarm.description}
        </div>
      </td>
      <td className={styles.status}>
        <StatusBlock status={alarm.alertStatus} />
      </td>
    </tr>
  )
}

/** As many as are shown before it scrolls, so that nothing below moves when they come. */
const VISIBLE_ROWS = 5

function WaitingRows() {
  return (
    <>
      <span role="status" className={styles.hidden}>
        Loading prior events…
      </span>
      {Array.from({ length: VISIBLE_ROWS }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: grey bars are all the same.
        <div key={index} className={styles.bones}>
          <SkeletonLine width={`${90 - index * 9}%`} />
        </div>
      ))}
    </>
  )
}

function CouldNotGet({ onRetry }: { onRetry: () => void }) {
  return (
    <p className={styles.failed} role="alert">
      Could not get related events.{' '}
      <button type="button" className={styles.retry} onClick={onRetry}>
        Try again
      </button>
    </p>
  )
}
