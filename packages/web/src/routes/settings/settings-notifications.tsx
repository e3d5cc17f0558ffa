import { NotificationSettings } from '../../features/profiles/notification-settings.tsx'

/** /settings: addresses for notifications, and the events to be notified of. */
export function NotificationSettingsScreen() {
  return <NotificationSettings />
}
