import type { ServiceEvent } from '@benchwatch/contract/events/events'
import { Box, Button, Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Card } from '../../ui/layout/card.tsx'
import { RetryLine } from '../../ui/text/notice.tsx'
import { meQuery } from '../users/users.api.ts'
import { NotificationLines } from './notification-state.tsx'
import { eventNotificationsQuery } from './notifications.api.ts'
import styles from './notifications.module.css'
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
          <Text span size="xs">
            Why did I (not) get this?
          </Text>
        </Link>
      }
    >
      {notifications.isPending && <WaitingLine />}
      {notifications.isError && notifications.data === undefined && (
        <RetryLine onRetry={() => void notifications.refetch()}>Could not get the notifications.</RetryLine>
      )}
      {notifications.data?.length === 0 && (
        <Text c="dimmed">
          {showsEveryone ? 'No notifications were sent for this event.' : 'You were not notified about this event.'}
        </Text>
      )}
      <NotificationLines notifications={showsAll ? all : all.slice(0, NEWEST)} showsWho={showsEveryone} showsKind />
      {all.length > NEWEST && (
        <Button variant="subtle" px={0} mt={4} aria-expanded={showsAll} onClick={() => setShowsAll((shown) => !shown)}>
          {showsAll ? `Show the newest ${NEWEST}` : `Show all ${all.length}`}
        </Button>
      )}
      {showsAll && all.length === MOST && <Text c="dimmed">Only the newest {MOST} are shown.</Text>}
    </Card>
  )
}

/** As high as the empty text or the first line of a list. */
function WaitingLine() {
  return (
    <Box h={19} pt={4} role="status" aria-label="Loading notifications…">
      <Skeleton h={10} w="62%" />
    </Box>
  )
}
