import type { Notification } from '@benchwatch/contract/messages/notifications'
import { notificationKindLabels } from '@benchwatch/contract/vocabulary'
import { Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { eventName } from '../../lib/screen-name.ts'
import { Card } from '../../ui/layout/card.tsx'
import { PageHeader } from '../../ui/layout/page-frame.tsx'
import type { Column } from '../../ui/list/list-columns.ts'
import { TableCard } from '../../ui/list/table-card.tsx'
import { EmptyState, ErrorState } from '../../ui/text/notice.tsx'
import { SeverityBadge } from '../events/status/severity-badge.tsx'
import { channelLabels, NotificationState, NotificationTime } from './notification-state.tsx'
import { notificationsQuery } from './notifications.api.ts'
import styles from './notifications.module.css'
import type { NotificationSearch } from './notifications.search.ts'
import { PersonChoice, useChosenUser, useUserName } from './person-choice.tsx'

/** The notification history of the viewer, or of a user that support and administrators choose. */
export function NotificationsPage(props: {
  search: NotificationSearch
  onSearch: (search: NotificationSearch) => void
}) {
  const { search, onSearch } = props
  const chosen = useChosenUser(search.userId)
  const userId = chosen.state === 'known' ? chosen.userId : null
  const name = useUserName(userId)
  const isOwn = chosen.state !== 'known' || userId === null
  const chooseUser = (id: string | null) => onSearch({ ...search, userId: id, page: 1 })
  return (
    <Stack gap={14}>
      <PageHeader
        title={isOwn ? 'Notification history' : `Notification history of ${name ?? 'this user'}`}
        note="One line per event and channel, newest first."
      >
        {chosen.state === 'known' && chosen.mayChoose && (
          <PersonChoice userId={userId} name={name} onChoose={chooseUser} />
        )}
      </PageHeader>
      {chosen.state === 'known' && (
        <NotificationList
          search={{ ...search, userId }}
          name={isOwn ? null : (name ?? 'This user')}
          onSearch={onSearch}
        />
      )}
      {chosen.state === 'refused' && (
        <Card>
          <EmptyState
            title="You can see only your own"
            action={{ label: 'Show your own', onClick: () => chooseUser(null) }}
          >
            Only support and administrators can see the notifications of other users.
          </EmptyState>
        </Card>
      )}
      {chosen.state === 'unknown' && chosen.error !== null && (
        <Card>
          <ErrorState title="Could not get user" onRetry={chosen.retry}>
            {chosen.error.message}
          </ErrorState>
        </Card>
      )}
    </Stack>
  )
}

/**
 * Notifications of one user, newest first. The list shows `search`, which the address contains. `name` is null for the
 * viewer.
 */
function NotificationList(props: {
  search: NotificationSearch
  name: string | null
  onSearch: (search: NotificationSearch) => void
}) {
  const { search, name, onSearch } = props
  const list = useQuery(notificationsQuery(search))
  return (
    <div className={styles.rows}>
      <TableCard
        label="Notifications"
        columns={columnsOf(search)}
        rowKey={({ id }) => id}
        expectedRows={search.pageSize}
        answer={list}
        failureTitle="Could not get notifications"
        place={search}
        onPlace={(place) => onSearch({ ...search, ...place })}
        empty={
          <EmptyState title={name === null ? 'You have no notifications yet' : `${name} has no notifications yet`}>
            {name === null ? (
              <>
                Choose your notifications in the{' '}
                <Link to="/settings" style={{ textDecoration: 'underline' }}>
                  settings
                </Link>
                .
              </>
            ) : (
              'Open an event to see why.'
            )}
          </EmptyState>
        }
      />
    </div>
  )
}

const columnsOf = ({ userId }: NotificationSearch): Column<Notification>[] => [
  {
    key: 'event',
    label: 'Event',
    grow: 2.6,
    cell: ({ event }) => (
      <Stack gap={1} miw={0}>
        <Group gap="0 9px" align="baseline">
          <SeverityBadge severity={event.severity} />
          <Link to="/events/$eventId" params={{ eventId: event.eventId }}>
            {eventName(event)}
          </Link>
          <Text span c="dimmed">
            {event.instrumentInstalledProductId}
          </Text>
        </Group>
        <Text lineClamp={1} dir="auto" title={event.description}>
          {event.description}
        </Text>
      </Stack>
    ),
  },
  {
    key: 'kind',
    label: 'Profile',
    grow: 1.2,
    cell: ({ kind, event }) => (
      <Group gap="0 10px">
        {notificationKindLabels[kind]}
        <Link
          to="/events/$eventId/why"
          params={{ eventId: event.eventId }}
          search={userId === null ? {} : { user: userId }}
          aria-label={`Why was ${eventName(event)} sent?`}
          className={styles.why}
        >
          Why?
        </Link>
      </Group>
    ),
  },
  {
    key: 'way',
    label: 'Sent to',
    grow: 2.2,
    cell: ({ channel, to }) => (
      <span>
        <Text span c="dimmed">
          {channelLabels[channel]}
        </Text>{' '}
        <bdi>{to}</bdi>
      </span>
    ),
  },
  {
    key: 'state',
    label: 'State',
    grow: 1.8,
    cell: (notification) => <NotificationState notification={notification} />,
  },
  {
    key: 'when',
    label: 'When',
    width: 132,
    cell: (notification) => <NotificationTime notification={notification} />,
  },
]
