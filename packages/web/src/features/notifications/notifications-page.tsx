import { Stack } from '@mantine/core'
import { Card } from '../../ui/layout/card.tsx'
import { PageHeader } from '../../ui/layout/page-frame.tsx'
import { EmptyState, ErrorState } from '../../ui/text/notice.tsx'
import { NotificationList } from './notification-list.tsx'
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
