import { Card } from '../../ui/layout/card.tsx'
import { PageHeader } from '../../ui/layout/page-frame.tsx'
import { EmptyState, ErrorState } from '../../ui/text/notice.tsx'
import { NotificationList } from './notification-list.tsx'
import type { NotificationSearch } from './notifications.search.ts'
import styles from './notifications-page.module.css'
import { PersonChoice, useNameOf, useWhom } from './person-choice.tsx'

/** The notification history of the viewer, or of a user that support and administrators choose. */
export function NotificationsPage(props: {
  search: NotificationSearch
  onSearch: (search: NotificationSearch) => void
}) {
  const { search, onSearch } = props
  const whom = useWhom(search.userId)
  const userId = whom.state === 'known' ? whom.userId : null
  const name = useNameOf(userId)
  const isOneself = whom.state !== 'known' || userId === null
  const ofPerson = (chosen: string | null) => onSearch({ ...search, userId: chosen, page: 1 })
  return (
    <div className={styles.page}>
      <PageHeader
        title={isOneself ? 'What I was told' : `What ${name ?? 'this person'} was told`}
        note="Each event by each way and address, newest first."
      >
        {whom.state === 'known' && whom.mayChoose && <PersonChoice userId={userId} name={name} onChoose={ofPerson} />}
      </PageHeader>
      {whom.state === 'known' && (
        <NotificationList
          search={{ ...search, userId }}
          name={isOneself ? null : (name ?? 'This person')}
          onSearch={onSearch}
        />
      )}
      {whom.state === 'refused' && (
        <Card>
          <EmptyState title="Only your own" action={{ label: 'Show what I was told', onClick: () => ofPerson(null) }}>
            Support and administrators may see what somebody else was told.
          </EmptyState>
        </Card>
      )}
      {whom.state === 'unknown' && whom.error !== null && (
        <Card>
          <ErrorState title="Could not get user" onRetry={whom.retry}>
            {whom.error.message}
          </ErrorState>
        </Card>
      )}
    </div>
  )
}
