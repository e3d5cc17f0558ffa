import type { ServiceEvent } from '@benchwatch/contract/service-events'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { age } from '../../lib/age.ts'
import { eventName } from '../../lib/event-name.ts'
import { Card } from '../../ui/card.tsx'
import { RetryLine } from '../../ui/retry-line.tsx'
import { SkeletonLine } from '../../ui/skeleton.tsx'
import { useNow } from '../../ui/use-now.ts'
import { ZonedTime } from '../../ui/zoned-time.tsx'
import { priorEventsQuery } from './prior-events.api.ts'
import styles from './prior-events.module.css'
import type { ListedServiceEvent } from './service-event-cache.ts'
import { SeverityBadge } from './severity-badge.tsx'
import { StatusBlock } from './status-block.tsx'

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
      <div className={styles.list}>
        {rows === undefined ? (
          <div className={styles.waiting} aria-busy={prior.isPending || undefined}>
            {prior.isPending ? <WaitingRows /> : <CouldNotGet onRetry={() => void prior.refetch()} />}
          </div>
        ) : rows.length === 0 ? (
          <p className={styles.empty}>
            Nothing was raised before this event {event.isEdgeIssue ? 'about this gateway' : 'on this instrument'}.
          </p>
        ) : (
          <ul className={styles.rows}>
            {rows.map((row) => (
              <PriorRow key={row.alarm.id} row={row} of={event} now={now} />
            ))}
          </ul>
        )}
      </div>
    </Card>
  )
}

function PriorRow({ row, of, now }: { row: ListedServiceEvent; of: ServiceEvent; now: number }) {
  const { alarm } = row
  const isOther = alarm.instrumentInstalledProductId !== of.instrumentInstalledProductId
  return (
    <li className={styles.row} data-removed={row.removed || undefined}>
      <SeverityBadge severity={alarm.severity} />
      <span className={styles.age}>
        <ZonedTime at={alarm.createdAt} siteZone={alarm.siteTimeZone}>
          {age(alarm.createdAt, now)}
        </ZonedTime>
      </span>
      <Link to="/events/$eventId" params={{ eventId: alarm.eventId }}>
        {eventName(alarm)}
      </Link>
      <span className={styles.description} dir="auto" title={alarm.description}>
        {row.removed && <span className={styles.hidden}>deleted: </span>}
        {isOther && <span className={styles.other}>{alarm.instrumentInstalledProductId} </span>}
        {alarm.description}
      </span>
      <StatusBlock status={alarm.alertStatus} />
    </li>
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
    <div className={styles.failed}>
      <RetryLine onRetry={onRetry}>Could not get related events</RetryLine>
    </div>
  )
}
