import { Navigate, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { ExplanationPage } from '../../features/notifications/explanation-page.tsx'
import {
  readNotificationSearch,
  readUserId,
  writeNotificationSearch,
} from '../../features/notifications/notifications.search.ts'
import { NotificationsPage } from '../../features/notifications/notifications-page.tsx'

/**
 * /events/{eventId}/why: explains why a user was or was not notified of an event; `?user=` for support and
 * administrators.
 */
export function NotificationExplanationScreen() {
  const { eventId = '' } = useParams({ strict: false })
  const { user }: Record<string, unknown> = useSearch({ strict: false })
  const navigate = useNavigate()
  if (/^ORC-/i.test(eventId))
    return <Navigate to="/events/$eventId/why" params={{ eventId: eventId.slice('ORC-'.length) }} search replace />
  return (
    <ExplanationPage
      key={eventId}
      eventId={eventId}
      userId={readUserId(user)}
      onPerson={(userId) =>
        void navigate({
          to: '/events/$eventId/why',
          params: { eventId },
          search: userId === null ? {} : { user: userId },
          resetScroll: false,
        })
      }
    />
  )
}

/** /notifications: the notifications of a user; `?user=` for support and administrators. */
export function NotificationListScreen() {
  const navigate = useNavigate()
  return (
    <NotificationsPage
      search={readNotificationSearch(useSearch({ strict: false }))}
      onSearch={(search) => void navigate({ to: '/notifications', search: writeNotificationSearch(search) })}
    />
  )
}
