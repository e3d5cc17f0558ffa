import { useNavigate, useSearch } from '@tanstack/react-router'
import { readNotificationSearch, writeNotificationSearch } from '../../features/notifications/notifications.search.ts'
import { NotificationsPage } from '../../features/notifications/notifications-page.tsx'

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
