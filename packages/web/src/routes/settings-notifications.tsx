import { NotificationSettings } from '../features/profiles/notification-settings.tsx'

/** /settings: where notifications go, and of which events. */
export function NotificationSettingsScreen() {
  return <NotificationSettings />
}
