import type { Notification } from '@benchwatch/contract/notifications'
import { notificationKindLabels } from '@benchwatch/contract/vocabulary'
import { Box, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { eventName } from '../../lib/screen-name.ts'
import { Card } from '../../ui/layout/card.tsx'
import { DataTable, type TableColumn } from '../../ui/list/data-table.tsx'
import { FewerPages, Pagination, pageCount } from '../../ui/list/pagination.tsx'
import { EmptyState, ErrorState } from '../../ui/text/notice.tsx'
import { SeverityBadge } from '../events/severity-badge.tsx'
import { channelLabels, NotificationState, NotificationTime } from './notification-state.tsx'
import { notificationsQuery } from './notifications.api.ts'
import styles from './notifications.module.css'
import type { NotificationSearch } from './notifications.search.ts'

/**
 * Notifications of one user, newest first. The list shows `search`, which the address holds. `name` is null for the
 * viewer.
 */
export function NotificationList(props: {
  search: NotificationSearch
  name: string | null
  onSearch: (search: NotificationSearch) => void
}) {
  const { search, name, onSearch } = props
  const list = useQuery(notificationsQuery(search))
  const total = list.data?.total
  const pages = pageCount(total ?? 0, search.pageSize)
  if (list.data === undefined && list.error !== null)
    return (
      <Card>
        <ErrorState title="Could not get notifications" onRetry={() => void list.refetch()}>
          {list.error.message}
        </ErrorState>
      </Card>
    )
  if (total === 0)
    return (
      <Card>
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
      </Card>
    )
  return (
    <Card flush>
      {list.data?.values.length === 0 && !list.isPlaceholderData ? (
        <FewerPages onLastPage={() => onSearch({ ...search, page: pages })} />
      ) : (
        <div className={styles.rows}>
          <DataTable
            label="Notifications"
            columns={columnsOf(search)}
            rows={list.data?.values}
            rowKey={({ id }) => id}
            expectedRows={search.pageSize}
            isStale={list.isPlaceholderData}
          />
        </div>
      )}
      <Box style={{ borderTop: '1px solid var(--bw-line)' }}>
        <Pagination
          page={Math.min(search.page, pages)}
          pageSize={search.pageSize}
          total={total}
          onPage={(page) => onSearch({ ...search, page })}
          onPageSize={(pageSize) => onSearch({ ...search, pageSize, page: 1 })}
        />
      </Box>
    </Card>
  )
}

const columnsOf = ({ userId }: NotificationSearch): TableColumn<Notification>[] => [
  {
    key: 'event',
    label: 'Event',
    width: '2.6fr',
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
    width: '1.2fr',
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
    width: '2.2fr',
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
    width: '1.8fr',
    cell: (notification) => <NotificationState notification={notification} />,
  },
  {
    key: 'when',
    label: 'When',
    width: '132px',
    cell: (notification) => <NotificationTime notification={notification} />,
  },
]
