import type { ServiceEvent } from '@benchwatch/contract/events'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Card } from '../../ui/layout/card.tsx'
import { RetryLine } from '../../ui/text/notice.tsx'
import { SkeletonLine } from '../../ui/text/skeleton.tsx'
import { meQuery } from '../users/users.api.ts'
import styles from './event-notifications-card.module.css'
import { NotificationLines } from './notification-state.tsx'
import { eventNotificationsQuery } from './notifications.api.ts'
import { maySeeOthers } from './person-choice.tsx'

/** Further notifications are shown on request. An event may notify a hundred users. */
const NEWEST = 5
/** The server's limit for one event. */
const MOST = 200

/** Lists the notifications of this event: the user's own, or all for support and administrators. */
export function EventNotificationsCard({ event }: { event: Pick<ServiceEvent, 'id' | 'eventId'> }) {
  const notifications = useQuery(eventNotificationsQuery(event))
  const role = useQuery(meQuery()).data?.role
  const [showsAll, setShowsAll] = useState(false)
  const showsEveryone = maySeeOthers(role)
  const all = notifications.data ?? []
  return (
    <Card
      title="Notifications"
      end={
        <Link to="/events/$eventId/why" params={{ eventId: event.eventId }} className={styles.why}>
          Why did I (not) get this?
        </Link>
      }
    >
      {notifications.isPending && <WaitingLine />}
      {notifications.isError && notifications.data === undefined && (
        <RetryLine onRetry={() => void notifications.refetch()}>Could not get the notifications.</RetryLine>
      )}
      {notifications.data?.length === 0 && (
        <p className={styles.quiet}>
          {showsEveryone ? 'No notifications were sent for this event.' : 'You were not notified of this event.'}
        </p>
      )}
      <NotificationLines notifications={showsAll ? all : all.slice(0, NEWEST)} showsWho={showsEveryone} showsKind />
      {all.length > NEWEST && (
        <button
          type="button"
          className={styles.all}
          aria-expanded={showsAll}
          onClick={() => setShowsAll((shown) => !shown)}
        >
          {showsAll ? `Show the newest ${NEWEST}` : `Show all ${all.length}`}
        </button>
      )}
      {showsAll && all.length === MOST && <p className={styles.quiet}>Only the newest {MOST} are shown.</p>}
    </Card>
  )
}

/** As high as the empty text or the first line of a list. */
function WaitingLine() {
  return (
    <div role="status" aria-label="Loading notifications…" className={styles.bone}>
      <SkeletonLine width="62%" />
    </div>
  )
}
